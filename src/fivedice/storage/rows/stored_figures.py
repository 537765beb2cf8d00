"""`GameFigures` in the database: what no column has is text."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from fivedice.analysis.reviews.player_figures import ErrorTotals, Example, GameFigures
from fivedice.rulesets.ruleset import Ruleset

Errors = dict[str, tuple[float, int]]


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


class _Figures(msgspec.Struct, array_like=True):
    """What `GameFigures` has beside the columns."""

    by_kind: Errors
    by_box: Errors
    by_subject: Errors
    examples: dict[str, Example]
    dice_neutral: float
    num_best: int
    is_outright: bool
    is_cut_short: bool
    has_yahtzee: bool
    is_rated: bool


_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(_Figures).decode


def encoded_figures(figures: GameFigures) -> str:
    """What the database has of them beside columns."""
    kept = _Figures(
        by_kind=_plain(figures.by_kind),
        by_box=_plain(figures.by_box),
        by_subject=_plain(figures.by_subject),
        examples=dict(figures.examples),
        dice_neutral=figures.dice_neutral,
        num_best=figures.num_best,
        is_outright=figures.is_outright,
        is_cut_short=figures.is_cut_short,
        has_yahtzee=figures.has_yahtzee,
        is_rated=figures.is_rated,
    )
    return _encode(kept).decode()


def figures_of(ruleset: Ruleset, name: str, held: "HeldFigures") -> GameFigures:
    """The figures of a game from its row."""
    kept = _decode(held.figures)
    return GameFigures(
        name=name,
        ruleset=ruleset,
        score=held.total,
        dice_neutral=kept.dice_neutral,
        luck=held.luck,
        by_kind=_totals(kept.by_kind),
        by_box=_totals(kept.by_box),
        num_best=kept.num_best,
        is_rated=kept.is_rated and held.is_rated,
        is_outright=kept.is_outright,
        is_cut_short=kept.is_cut_short,
        date=held.date,
        by_subject=_totals(kept.by_subject),
        examples=kept.examples,
        has_yahtzee=kept.has_yahtzee,
        is_approximate=held.error > 0,
        table=held.table,
    )


def _totals(errors: Errors) -> dict[str, ErrorTotals]:
    return {name: ErrorTotals(*one) for name, one in errors.items()}


def _plain(errors: Mapping[str, ErrorTotals]) -> Errors:
    return {name: (one.loss, one.num_unforced) for name, one in errors.items()}
