"""`GameFigures` in the database: what no column has is text."""

from dataclasses import dataclass

import msgspec

from fivedice.analysis.reviews.player_figures import ErrorTotals, Example, GameFigures
from fivedice.rulesets.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class HeldFigures:
    """The figures of a game at a seat of a holder, as `figures_of` reads them."""

    table: str
    date: str
    total: int
    luck: float
    error: float
    is_rated: bool
    figures: str


@dataclass(frozen=True, slots=True)
class HeldGame:
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
    figures: str | None
    table: str


class _Figures(msgspec.Struct, array_like=True):
    """What `GameFigures` has beside the columns."""

    by_kind: dict[str, ErrorTotals]
    by_box: dict[str, ErrorTotals]
    by_subject: dict[str, ErrorTotals]
    dice_neutral: float
    num_best: int
    is_outright: bool
    is_cut_short: bool
    has_yahtzee: bool
    is_rated: bool


_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(_Figures).decode
_decode_examples = msgspec.json.Decoder(dict[str, Example]).decode


def encoded_figures(figures: GameFigures) -> tuple[str, str]:
    """What the database has of them in `figures` and in `examples`."""
    kept = _Figures(
        by_kind=dict(figures.by_kind),
        by_box=dict(figures.by_box),
        by_subject=dict(figures.by_subject),
        dice_neutral=figures.dice_neutral,
        num_best=figures.num_best,
        is_outright=figures.is_outright,
        is_cut_short=figures.is_cut_short,
        has_yahtzee=figures.has_yahtzee,
        is_rated=figures.is_rated,
    )
    return _encode(kept).decode(), _encode(figures.examples).decode()


def figures_of(ruleset: Ruleset, name: str, held: HeldGame, examples: str | None) -> GameFigures:
    """The figures of a game that counts, from its row."""
    assert held.figures is not None
    assert held.luck is not None
    kept = _decode(held.figures)
    return GameFigures(
        name=name,
        ruleset=ruleset,
        score=held.total,
        dice_neutral=kept.dice_neutral,
        luck=held.luck,
        by_kind=kept.by_kind,
        by_box=kept.by_box,
        num_best=kept.num_best,
        is_rated=kept.is_rated and held.is_rated,
        is_outright=kept.is_outright,
        is_cut_short=kept.is_cut_short,
        date=held.date,
        by_subject=kept.by_subject,
        examples=_decode_examples(examples) if examples else {},
        has_yahtzee=kept.has_yahtzee,
        is_approximate=bool(held.error),
        table=held.table,
    )
