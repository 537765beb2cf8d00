"""Long-run figures of players as JSON."""

from typing import TYPE_CHECKING

from msgspec import Struct

from fivedice.analysis.reviews.marks import LevelName
from fivedice.players.levels import LEVELS, losses
from fivedice.views.dice import DiceView

LEAST_RECENT = 3
"""Games that tell something about a player."""

if TYPE_CHECKING:
    from fivedice.analysis.reviews.player_figures import ErrorTotals, Estimate, PlayerFigures


class EstimateView(Struct, frozen=True):
    """A mean over games. The 95 % interval is mean ± half_width, which is null for a single game."""

    mean: float
    half_width: float | None


class ErrorsView(Struct, frozen=True):
    """Points lost, the number of unforced decisions, and the points lost per unforced decision."""

    loss: float
    unforced_decisions: int
    error_rate: float


class RecentView(Struct, frozen=True):
    """The last games of a player, at most ten: the points lost a decision, of which a turn has as many as rolls, and
    the `level` of the computer players that comes nearest, which loses `level_lost`."""

    games: int
    lost: float
    level: str
    level_lost: float


class PlayerFiguresView(Struct, frozen=True):
    """A player's complete games under one ruleset.

    `by_kind` has the errors by kind of decision, `by_box` the errors of scoring decisions by the box chosen. `outright`
    counts the games that the player won outright, `cut_short` those that another one won so before this player's card
    was complete; the score is then that of the unfinished card. `recent` is null before the third game, and where it is
    not known what the levels lose.
    """

    player: str
    ruleset: str
    ruleset_name: str
    digest: str
    games: int
    score: EstimateView
    dice_neutral: EstimateView
    luck: EstimateView
    errors: ErrorsView
    level: LevelName | None
    by_kind: dict[str, ErrorsView]
    by_box: dict[str, ErrorsView]
    outright: int
    cut_short: int
    recent: RecentView | None


class FiguresView(Struct, frozen=True):
    """Figures for every solved ruleset; rulesets too large to solve have none.

    `solving` is the progress of the rulesets still being solved, from 0 to 1, or null if none is.
    """

    figures: list[PlayerFiguresView]
    solving: float | None


class StatsView(Struct, frozen=True):
    """Figures of all players in a set of records, and statistics of their dice."""

    figures: list[PlayerFiguresView]
    dice: DiceView


def figures_view(figures: "PlayerFigures") -> PlayerFiguresView:
    """The figures of one player under one ruleset."""
    ruleset, errors = figures.ruleset, figures.errors
    return PlayerFiguresView(
        player=figures.name,
        ruleset=str(ruleset),
        ruleset_name=ruleset.name,
        digest=ruleset.digest,
        games=figures.score.num,
        score=_estimate(figures.score),
        dice_neutral=_estimate(figures.dice_neutral),
        luck=_estimate(figures.luck),
        errors=_errors(errors),
        level=errors.level.name if errors.level else None,
        by_kind={kind: _errors(of_kind) for kind, of_kind in figures.by_kind.items()},
        by_box={box: _errors(of_box) for box, of_box in figures.by_box.items()},
        outright=figures.num_outright,
        cut_short=figures.num_cut_short,
        recent=_recent(figures),
    )


def _recent(figures: "PlayerFigures") -> RecentView | None:
    known, lost = losses(figures.ruleset), figures.recent
    if known is None or len(lost) < LEAST_RECENT:
        return None
    mean, decisions = sum(lost) / len(lost), figures.ruleset.rounds * figures.ruleset.rolls
    level, level_lost = min(zip(LEVELS, known, strict=True), key=lambda one: abs(one[1] - mean))
    return RecentView(len(lost), mean / decisions, level, level_lost / decisions)


def _estimate(estimate: "Estimate") -> EstimateView:
    return EstimateView(estimate.mean, estimate.half_width)


def _errors(errors: "ErrorTotals") -> ErrorsView:
    return ErrorsView(errors.loss, errors.num_unforced, errors.rate)


class MyFiguresView(FiguresView, frozen=True):
    """Figures of this browser's games. `withheld` is the table of a game that withholds advice now, because of which
    the imported games are left out; null if there is none."""

    withheld: str | None
