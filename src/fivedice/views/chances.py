"""The chances of a position as JSON: of every final score, and with bonuses, boxes and targets."""

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from fivedice.game.position import Position

if TYPE_CHECKING:
    from fivedice.analysis.chances import Chances
    from fivedice.solver.play.distribution import Distribution
    from fivedice.solver.play.policy_transitions import Progress
    from fivedice.solver.solution import Solution

SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class BonusView(Struct, frozen=True):
    """A bonus: its kind, an amount (points of the upper bonus, or a number of extra bonuses), and its chance."""

    bonus: str
    amount: int
    chance: float


class ScoreChancesView(Struct, frozen=True):
    """The final score of the seat to move if it plays for the most points on average from a position on.

    `distribution` has every score with its chance, in ascending order, without gaps.
    """

    position: str
    mean: float
    standard_deviation: float
    distribution: list[tuple[int, float]]


class ChancesView(Struct, frozen=True, omit_defaults=True):
    """The distribution of a final score, in points, under best play for the highest expected score.

    `distribution` has [score, probability] for every score that can occur; `percentiles` has [share, score]. `boxes`
    has the chance that each box holds more than zero in the end. `targets` has [score, chance] where the best play
    for each score was asked for. `outright` is the chance to win the game outright, under rules that have such wins.

    Only if the chances are shares of simulated games, `exact` is there, and false, with the number of `games` and the
    `standard_error` of the mean.
    """

    position: str
    mean: float
    standard_deviation: float
    skewness: float
    percentiles: list[tuple[float, int]]
    distribution: list[tuple[int, float]]
    bonuses: list[BonusView]
    boxes: dict[str, float]
    targets: list[tuple[int, float]] | None = None
    outright: float = 0.0
    exact: bool | UnsetType = UNSET
    games: int | UnsetType = UNSET
    standard_error: float | UnsetType = UNSET


def score_chances_view(
    solution: "Solution",
    position: Position,
    *,
    memory_limit: int | None = None,
    progress: "Progress | None" = None,
) -> ScoreChancesView:
    """The exact chances of final scores; `progress` and `memory_limit` are those of `list_policy`.

    Raises `IllegalError` if no game leads to the position, and `TooLargeError`.
    """
    # Imported here: analysis needs NumPy, which a server without advice never loads.
    from fivedice.analysis.chances import chances

    found = chances(solution, position, memory_limit=memory_limit, progress=progress).distribution
    every = list(zip(found.scores.tolist(), found.chances.tolist(), strict=True))
    return ScoreChancesView(str(position), found.mean, found.standard_deviation, every)


def chances_view(chances: "Chances", targets: list[tuple[int, float]] | None = None) -> ChancesView:
    """The chances of a position, with the best chances of targets if they are given."""
    found = chances.distribution
    bonuses = [BonusView("upper_bonus", amount, chance) for amount, chance in pairs(chances.upper_bonus)]
    extras = [BonusView("extra_bonus", number, chance) for number, chance in pairs(chances.num_extras)]
    ruleset = chances.position.ruleset
    return ChancesView(
        str(chances.position),
        found.mean,
        found.standard_deviation,
        found.skewness,
        [(share, found.percentile(share)) for share in SHARES],
        pairs(found),
        (bonuses if ruleset.upper_bonus else []) + (extras if ruleset.extra_bonus else []),
        dict(chances.boxes),
        targets,
        chances.outright,
        exact=False if chances.games else UNSET,
        games=chances.games or UNSET,
        standard_error=chances.standard_error or UNSET,
    )


def pairs(distribution: "Distribution") -> list[tuple[int, float]]:
    """Numbers and their chances, without those that cannot occur."""
    every = zip(distribution.scores.tolist(), distribution.chances.tolist(), strict=True)
    return [(number, chance) for number, chance in every if chance > 0]
