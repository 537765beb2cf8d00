"""Long-run figures of players as JSON."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from fivedice.analysis.dice_counts import ALPHA, PERSON, THRESHOLD, DiceCounts, DiceTest, examine
from fivedice.analysis.reviews import progress
from fivedice.analysis.reviews.estimate import LEAST_GAMES, Estimate
from fivedice.analysis.reviews.marks import LevelName
from fivedice.analysis.reviews.player_figures import (
    ErrorTotals,
    Example,
    GameFigures,
    PlayerFigures,
    num_decisions,
    yahtzee_boxes,
)
from fivedice.analysis.reviews.progress import LuckSums, Period, ScoreBins, Streak, Trend
from fivedice.players.levels import LEVELS, losses
from fivedice.players.strength import OverallStrength, Strength, strength_of
from fivedice.views.evaluation import RatingView

if TYPE_CHECKING:
    from fivedice.solver.play.distribution import Distribution  # it loads NumPy


class FaceCountsView(Struct, frozen=True):
    """How often people and computer players rolled each face, from 1 up, with dice of `faces` faces."""

    faces: int
    people: list[int]
    computers: list[int]


class DiceView(Struct, frozen=True):
    """The number of dice counted, and every test with a case.

    However often one looks, fair dice ever come to the `threshold` with a chance of at most `alpha`, all tests
    together. Kept dice are not counted again. In statistics of your own games, the test "seats" takes you apart from
    everyone else.
    """

    alpha: float
    threshold: float
    dice: int
    faces: list[FaceCountsView]
    tests: tuple[DiceTest, ...]


def dice_view(counts: DiceCounts) -> DiceView:
    """The statistics of counted dice."""
    by_faces: dict[int, FaceCountsView] = {}
    for cell, num in counts.items():
        if cell.table == "faces":
            view = by_faces.setdefault(cell.faces, FaceCountsView(cell.faces, [0] * cell.faces, [0] * cell.faces))
            side = view.people if cell.row.endswith(PERSON) else view.computers
            side[int(cell.column) - 1] += num
    faces = sorted(by_faces.values(), key=lambda view: view.faces)
    return DiceView(
        alpha=ALPHA,
        threshold=THRESHOLD,
        dice=sum(sum(view.people) + sum(view.computers) for view in faces),
        faces=faces,
        tests=examine(counts),
    )


class RecentView(Struct, frozen=True):
    """The last games of a player, at most ten: the points lost a decision, of which a turn has as many as rolls, and
    the `level` of the computer players that comes nearest, which loses `level_lost`; both are null under rules whose
    levels are not measured. The 95 % interval is lost ± half_width, which is null for one game."""

    games: int
    lost: float
    half_width: float | None
    level: str | None
    level_lost: float | None


class CostliestView(Struct, frozen=True):
    """The kind of decision in which most points are lost, and its share of all points lost."""

    kind: str
    share: float


class GameRecordView(Struct, frozen=True):
    """A game with a record: its score, the points lost in it, its date in ISO 8601, and its table, if that is known."""

    score: int
    lost: float
    date: str
    table: str | None


class ProgressView(Struct, frozen=True):
    """How a player's decisions, scores and luck develop. What fewer than `least_games` games do not tell is null or
    empty, and what would be about losses and luck if those are approximate (`is_approximate`). Positions under custom
    rules (`is_custom`) need the table that has the rules.

    `by_subject` has the errors by what a decision was about, `examples` the costliest recent decision of each kind and
    subject. `lost_over_time` has periods of games, oldest first, and `levels` what each level of the computer players
    loses a decision, the weakest first. `yahtzee` is the id of the box for as many equal dice as a roll has, and
    `yahtzee_name` its name; `first_yahtzee` is the first game in which it held points.
    """

    least_games: int
    is_approximate: bool
    is_custom: bool
    by_subject: Mapping[str, ErrorTotals]
    examples: dict[str, Example]
    costliest: CostliestView | None
    lost_over_time: list[Period]
    trend: Trend | None
    levels: list[float] | None
    scores: ScoreBins | None
    luck_sums: LuckSums | None
    best: GameRecordView | None
    least_lost: GameRecordView | None
    first_yahtzee: GameRecordView | None
    yahtzee: str | None
    yahtzee_name: str | None


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
    score: Estimate
    dice_neutral: Estimate
    luck: Estimate
    errors: ErrorTotals
    level: LevelName | None
    by_kind: Mapping[str, ErrorTotals]
    by_box: Mapping[str, ErrorTotals]
    outright: int
    cut_short: int
    recent: RecentView | None
    strength: Strength | None
    progress: ProgressView


class MyFiguresView(Struct, frozen=True):
    """Figures of the games of this browser, or of one player in a set of records, with the streak, there in local days.
    `strength` is over all rulesets; it and the `rating` are null without rated games."""

    figures: list[PlayerFiguresView]
    streak: Streak
    strength: OverallStrength | None
    rating: RatingView | None


class StatsView(Struct, frozen=True):
    """Figures of all players in a set of records, and statistics of their dice."""

    figures: list[PlayerFiguresView]
    dice: DiceView


def figures_view(figures: PlayerFigures, perfect: "Distribution | None" = None) -> PlayerFiguresView:
    """The figures of one player under one ruleset, with the distribution of the scores of perfect games if known."""
    ruleset, errors = figures.ruleset, figures.errors
    return PlayerFiguresView(
        player=figures.name,
        ruleset=str(ruleset),
        ruleset_name=ruleset.name,
        digest=ruleset.digest,
        games=figures.score.num,
        score=figures.score,
        dice_neutral=figures.dice_neutral,
        luck=figures.luck,
        errors=errors,
        level=errors.level.name if errors.level and not figures.is_approximate else None,
        by_kind=figures.by_kind,
        by_box=figures.by_box,
        outright=figures.num_outright,
        cut_short=figures.num_cut_short,
        recent=_recent(figures),
        strength=strength_of(figures),
        progress=_progress(figures, perfect),
    )


def _recent(figures: PlayerFigures) -> RecentView | None:
    if figures.is_approximate or not figures.recent:
        return None
    known, lost, decisions = losses(figures.ruleset), progress.recent_lost(figures), num_decisions(figures.ruleset)
    nearest: tuple[str | None, float | None] = (None, None)
    if known is not None:
        levels = zip(LEVELS, (one / decisions for one in known), strict=True)
        nearest = min(levels, key=lambda one: abs(one[1] - lost.mean))
    return RecentView(lost.num, lost.mean, lost.half_width, *nearest)


def _progress(figures: PlayerFigures, perfect: "Distribution | None") -> ProgressView:
    ruleset, known = figures.ruleset, losses(figures.ruleset)
    costliest, records = progress.costliest_kind(figures), progress.records(figures)
    boxes = [ruleset.boxes[index] for index in yahtzee_boxes(ruleset)[:1]]
    return ProgressView(
        least_games=LEAST_GAMES,
        is_approximate=figures.is_approximate,
        is_custom=not ruleset.is_shipped,
        by_subject=figures.by_subject,
        examples=progress.examples(figures),
        costliest=CostliestView(*costliest) if costliest else None,
        lost_over_time=progress.lost_over_time(figures),
        trend=progress.trend(figures),
        levels=[one / num_decisions(ruleset) for one in known] if known else None,
        scores=progress.score_bins(figures, perfect),
        luck_sums=progress.luck_sums(figures),
        best=_record(records.best),
        least_lost=_record(records.least_lost),
        first_yahtzee=_record(records.first_yahtzee),
        yahtzee=boxes[0].id if boxes else None,
        yahtzee_name=boxes[0].category.name if boxes else None,
    )


def _record(game: GameFigures | None) -> GameRecordView | None:
    return GameRecordView(game.score, game.lost, game.date, game.table or None) if game else None
