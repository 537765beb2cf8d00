"""The chances of every final score from a position, as JSON."""

from typing import TYPE_CHECKING

from msgspec import Struct

from fivedice.game.position import Position

if TYPE_CHECKING:
    from fivedice.solver.policy_transitions import Progress
    from fivedice.solver.solution import Solution


class ScoreChancesView(Struct, frozen=True):
    """The final score of the seat to move if it plays for the most points on average from a position on.

    `distribution` has every score with its chance, in ascending order, without gaps.
    """

    position: str
    mean: float
    standard_deviation: float
    distribution: list[tuple[int, float]]


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
    pairs = list(zip(found.scores.tolist(), found.chances.tolist(), strict=True))
    return ScoreChancesView(str(position), found.mean, found.standard_deviation, pairs)
