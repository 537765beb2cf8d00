"""The chances of every final score from a position, as JSON."""

from typing import TYPE_CHECKING

from msgspec import Struct

from fivedice.game.position import Position

if TYPE_CHECKING:
    from fivedice.solver.distribution import Distribution
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
    found = _final_score(solution, position, memory_limit, progress)
    pairs = list(zip(found.scores.tolist(), found.chances.tolist(), strict=True))
    return ScoreChancesView(str(position), found.mean, found.standard_deviation, pairs)


def _final_score(
    solution: "Solution", position: Position, memory_limit: int | None, progress: "Progress | None"
) -> "Distribution":
    # Imported here: analysis needs NumPy, which a server without advice never loads.
    import numpy as np

    from fivedice.analysis.advice import advise, points_written, state_index
    from fivedice.solver.dice_tables import keep_rows
    from fivedice.solver.distribution import Distribution, distributions
    from fivedice.solver.policy_transitions import Start, list_policy

    card, ruleset = position.card, position.ruleset
    if position.is_over or card.is_complete:
        return Distribution(card.total, np.ones(1))
    advise(solution, position)  # raises IllegalError if no game leads to it
    row = keep_rows(ruleset.dice, ruleset.faces)[position.dice] if position.dice else -1
    start = Start(state_index(solution, card), row, position.rolls_left)
    transitions = list_policy(solution, [start], memory_limit=memory_limit, progress=progress)
    (points,) = distributions(transitions, [start], memory_limit=memory_limit)
    return points.shifted(points_written(card))
