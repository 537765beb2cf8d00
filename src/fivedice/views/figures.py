"""The `FiguresView`: what many games say about the player of this browser, ruleset by ruleset."""

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from fivedice.analysis.player_figures import ErrorTotals, Estimate, PlayerFigures


class EstimateView(Struct, frozen=True):
    """A mean over games; the true mean lies within `half_width` of it in 95 of 100 cases (None for one game)."""

    mean: float
    half_width: float | None
    games: int


class ErrorsView(Struct, frozen=True):
    """Points lost, the decisions that could have gone wrong, and points lost for each of those."""

    loss: float
    unforced_decisions: int
    error_rate: float


class PlayerFiguresView(Struct, frozen=True):
    """The whole games under one ruleset. `by_kind` has errors by the kind of decision, `by_box` by the box chosen."""

    rules: str
    name: str
    score: EstimateView
    dice_neutral: EstimateView
    luck: EstimateView
    errors: ErrorsView
    by_kind: dict[str, ErrorsView]
    by_box: dict[str, ErrorsView]


class FiguresView(Struct, frozen=True):
    """Figures for every ruleset that is solved; `solving` says how much is done of those that are not, None if all are.

    Rulesets that cannot be solved here have no figures.
    """

    figures: list[PlayerFiguresView]
    solving: float | None


def figures_view(found: "PlayerFigures", name: str) -> PlayerFiguresView:
    """Figures as they are sent; `name` is the ruleset's for people."""
    return PlayerFiguresView(
        rules=str(found.ruleset),
        name=name,
        score=_estimate(found.score),
        dice_neutral=_estimate(found.dice_neutral),
        luck=_estimate(found.luck),
        errors=_errors(found.errors),
        by_kind={kind: _errors(errors) for kind, errors in found.by_kind.items()},
        by_box={box: _errors(errors) for box, errors in found.by_box.items()},
    )


def _estimate(found: "Estimate") -> EstimateView:
    return EstimateView(found.mean, found.half_width, found.num)


def _errors(found: "ErrorTotals") -> ErrorsView:
    return ErrorsView(found.loss, found.num_unforced, found.rate)
