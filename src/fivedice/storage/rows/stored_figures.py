"""`GameFigures` in the database."""

import struct
from typing import NamedTuple

import msgspec

from fivedice.analysis.reviews.player_figures import Example, GameFigures
from fivedice.rulesets.ruleset import Ruleset


class HeldGame(NamedTuple):
    """A game at a seat of a holder: what figures need of it. `loss` is None while it is not graded, and `figures` if it
    does not count in figures; it is rated if a person decided everything alone, at the only seat of the holder."""

    game: str
    seat: int
    digest: str
    rules: str
    ruleset: bytes | None
    date: str
    ended: float
    is_over: bool
    total: int
    loss: float | None
    luck: float | None
    error: float | None
    is_rated: bool
    figures: bytes | None
    table: str


_decode_examples = msgspec.json.Decoder(dict[str, Example]).decode


def encoded_figures(figures: GameFigures) -> tuple[bytes, str]:
    """What the database has of them in `figures`, 64-bit numbers, and in `examples`."""
    flags = (figures.is_outright, figures.is_cut_short, figures.has_yahtzee, figures.is_rated)
    numbers = (*figures.errors, figures.dice_neutral, figures.num_best, *flags)
    return struct.pack(f"<{len(numbers)}d", *numbers), msgspec.json.encode(figures.examples).decode()


def figures_of(ruleset: Ruleset, name: str, held: HeldGame, examples: str | None) -> GameFigures:
    """The figures of a game that counts, from its row."""
    assert held.figures is not None
    assert held.luck is not None
    *errors, dice_neutral, num_best, is_outright, is_cut_short, has_yahtzee, is_rated = struct.unpack(
        f"<{len(held.figures) // 8}d", held.figures
    )
    return GameFigures(
        name=name,
        ruleset=ruleset,
        score=held.total,
        dice_neutral=dice_neutral,
        luck=held.luck,
        errors=tuple(errors),
        num_best=int(num_best),
        is_rated=bool(is_rated) and held.is_rated,
        is_outright=bool(is_outright),
        is_cut_short=bool(is_cut_short),
        date=held.date,
        examples=_decode_examples(examples) if examples else {},
        has_yahtzee=bool(has_yahtzee),
        is_approximate=bool(held.error),
        table=held.table,
    )
