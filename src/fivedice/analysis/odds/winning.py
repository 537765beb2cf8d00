"""Advice for a seat that plays to win against the other cards, in any position of a game of two or more seats.

In an endgame it is exact, with opponents who play to win as well. Before, opponents are assumed to play for points:
from `EXACT_TURNS` turns left on, the advice is exact against the distributions of their final scores. With more turns
left it is that for points, because a lead that early is worth little more than its points.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from fivedice.analysis.advice import Advice, Advised, advise, settled_points, state_in_game
from fivedice.analysis.odds.endgames import advise_to_win, endgame_position
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError

if TYPE_CHECKING:
    from fivedice.analysis.chances import Chances
    from fivedice.solver.objectives.objective import Objective
    from fivedice.solver.objectives.utility import Utility
    from fivedice.solver.play.distribution import Distribution

EXACT_TURNS = 6
"""The turns left from which on advice weighs the distributions of the other seats; with more it would take long."""


def plays_to_win(position: Position) -> bool:
    """Whether `advise_rival` weighs the other cards in this position, so that its values are chances to win."""
    if len(position.cards) == 1 or position.is_over:
        return False
    is_late = position.card.turns_left <= EXACT_TURNS
    return is_late or endgame_position(position) is not None


def advise_rival(solution: Solution, position: Position) -> Advice:
    """Advice on the position for a seat that plays to win.

    Values are P(win) + ½ P(tie) with at most `EXACT_TURNS` turns left, and expected final scores with more or without
    opponents. Raises the errors of `advise`.
    """
    if not plays_to_win(position):
        return advise(solution, position)
    if endgame_position(position):
        try:
            return advise_to_win(solution, position)
        except TooLargeError:
            pass  # the way below takes less, because it has no choices of the other seat
    # Imported here because most positions do not need it.
    from fivedice.analysis.odds.targets import advise_by_objective

    utility, objective = _objective_against(solution, position.card, position.rivals)
    found = advise_by_objective(objective, position, utility)
    actions = (Advised(each.action, each.utility, each.loss, each.points) for each in found.actions)
    return Advice(position, found.utility, tuple(actions))


@lru_cache(maxsize=4)
def _objective_against(
    solution: Solution, card: ScoreCard, others: tuple[ScoreCard, ...]
) -> "tuple[Utility, Objective]":
    """The utility against these cards, and the objective of a card for it; a turn asks for them up to three times."""
    from fivedice.analysis.odds.targets import objective_for, utility_against

    utility = utility_against([final_scores(solution, other) for other in others])
    return utility, objective_for(solution, card, utility)


def final_scores(solution: Solution, card: ScoreCard) -> "Distribution":
    """The distribution of the result of a card whose seat plays for points, before its next turn.

    The result is the final score, and what an outright win counts, which is more than any final score.
    """
    if card.is_complete:
        return card_chances(solution, card).results
    return _results_to_come(solution, state_in_game(solution, card)).shifted(settled_points(card))


@lru_cache(maxsize=2048)
def _results_to_come(solution: Solution, state: int) -> "Distribution":
    """That of a turn state, without the points on the card; many cards of many games share one."""
    from fivedice.solver.play.distribution import result_distribution

    return result_distribution(solution, state)


@lru_cache(maxsize=64)
def card_chances(solution: Solution, card: ScoreCard) -> "Chances":
    """The chances of a card whose seat plays for points, before its next turn."""
    from fivedice.analysis.chances import chances

    return chances(solution, Position.at_turn(card.ruleset, (card,), 0))
