"""Targets and utilities: the best chance of every final score, and advice for a player who needs one."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fivedice.analysis.action_values import Getter, Turn, tables_of
from fivedice.analysis.advice import Advice, Advised, advise, found_actions, settled_points, state_in_game, state_index
from fivedice.analysis.arguments import checked_solution
from fivedice.base.errors import MalformedError
from fivedice.game.action import Keep, keeps_of
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import rolls
from fivedice.solver.objective import Objective, Utility, find_objective
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import Array, States


class _ExtremeTurn(Turn):
    """One turn of a card with the worst dice (`min`) or the best (`max`), in plain Python.

    Its values are the greatest deficits that turn states make up with such dice.
    """

    def __init__(
        self, outcome: Callable[..., float], states: States, of: Callable[[int], int], card: ScoreCard
    ) -> None:
        super().__init__(states, of, card, None)
        self._outcome = outcome

    def average(self, children: list[Getter], x: list[float]) -> None:
        """Write to each keep the outcome of its next die, instead of its mean."""
        for keep in range(len(children) - 1, -1, -1):
            x[keep] = self._outcome(children[keep](x)[: self._ruleset.faces])

    def deficit(self, position: Position) -> int:
        """The greatest deficit made up from a position of this turn."""
        ruleset, left = self._ruleset, position.rolls_left if position.dice else self._card.rolls - 1
        row, x = tables_of(ruleset.dice, ruleset.faces).row, self.keep_values(left) if left else []
        found = [
            max([self._best_score(dice, left), *(x[row[keep.dice]] for keep in (keeps_of(dice) if left else ()))])
            for dice in ([position.dice] if position.dice else rolls(ruleset.dice, ruleset.faces))
        ]
        return int(self._outcome(found))


Progress = Callable[[int, int], None]

EQUAL = 1e-11
"""Utilities that differ by at most this share of the range of utilities are equal."""

_SCORE = 1_000
"""The place of a score among equal actions: before the keeps of any number of dice."""


def target_curve(solution: Solution, position: Position, *, progress: Progress | None = None) -> tuple[Array, Array]:
    """For every final score of the seat to move, the best chance of reaching at least that score.

    Returns the scores, int64[n], from the least that the seat can make sure of (with chance 1) to the greatest
    possible, and the chances, float64[n]. Each chance belongs to a different policy. A game that is won outright
    reaches every one of these scores. `progress` is called with (done, all). Raises `TooLargeError` if that needs too
    much memory, and the errors of `advise`.
    """
    advise(solution, position)
    card = position.card
    if position.is_over:
        return np.array([card.total]), np.ones(1)
    index = state_index(solution, card)
    objective = find_objective(solution, index, progress=progress)
    written = settled_points(card)
    first = _ExtremeTurn(min, solution.states, objective.sure, card).deficit(position)
    last = _ExtremeTurn(max, solution.states, objective.possible, card).deficit(position)
    if card.ruleset.can_be_won_outright:
        # Above the highest score there are only the points that such wins count.
        first, last = (min(deficit, card.ruleset.highest_score - written) for deficit in (first, last))
    deficits = np.arange(first, last + 1)
    roll = roll_indices(card.ruleset.dice, card.ruleset.faces)[position.dice] if position.dice else -1
    worths = (objective.of_actions(index, deficit, roll, position.rolls_left) for deficit in deficits.tolist())
    best = [np.nanmax(np.concatenate(found)) for found in worths]
    chances = np.minimum.accumulate(np.clip(best, 0.0, 1.0))
    chances[0] = 1.0
    return written + deficits, chances


def target(score: int) -> Utility:
    """The utility whose expectation is the chance of reaching a score."""
    return Utility(score - 1, np.array([0.0, 1.0]))


def utility_against(opponents: Sequence[Distribution]) -> Utility:
    """The utility whose expectation is one's share of the first place against opponents with these final scores.

    The opponents are independent of each other and of the seat to move. Alone in the first place counts 1, and a tie
    with k others counts 1/(k + 1): against one opponent, that is P(win) + ½ P(tie). An opponent who has finished is a
    distribution of one score.
    """
    if not opponents:
        raise MalformedError("a utility against opponents needs at least one of them")
    begin = max(opponent.first for opponent in opponents) - 1
    end = max(opponent.first + len(opponent.chances) for opponent in opponents) + 1
    ties = np.zeros((len(opponents) + 1, end - begin))  # by opponents who tie, while the others are behind
    ties[0] = 1.0
    for opponent in opponents:
        equal = np.zeros(end - min(begin, opponent.first))
        place = opponent.first - min(begin, opponent.first)
        equal[place : place + len(opponent.chances)] = opponent.chances
        behind = np.concatenate([[0.0], np.cumsum(equal)[:-1]])
        equal, behind = equal[begin - end :], behind[begin - end :]
        ties[1:] = ties[1:] * behind + ties[:-1] * equal
        ties[0] *= behind
    shares = (ties / np.arange(1, len(ties) + 1)[:, np.newaxis]).sum(axis=0)
    return Utility(begin, np.maximum.accumulate(shares))


def advise_for_target(
    solution: Solution, position: Position, score: int, *, progress: Progress | None = None
) -> Advice:
    """Advice for reaching a final score: the value of an action is the chance of it."""
    return advise_for_utility(solution, position, target(score), progress=progress)


def advise_for_utility(
    solution: Solution, position: Position, utility: Utility, *, progress: Progress | None = None
) -> Advice:
    """Advice for the greatest expected utility of the final score of the seat to move; values are utilities.

    Among equal actions those with the higher expected score come first, then those that roll less often.
    A game that is won outright counts with its result, which is more than any final score: it reaches every target.
    `progress` is called with (done, all). Raises `TooLargeError` if that needs too much memory, and the errors of
    `advise`.
    """
    checked_solution(solution)
    if position.is_over:
        return Advice(position, float(utility.of(np.array(position.card.result))), ())
    return advise_by_objective(objective_for(solution, position.card, utility, progress=progress), position, utility)


def objective_for(
    solution: Solution, card: ScoreCard, utility: Utility, *, progress: Progress | None = None
) -> Objective:
    """The best expected utilities after the next turn of a card, which `advise_by_objective` takes.

    Raises `TooLargeError` if that needs too much memory, and `IllegalError` if no game leads to the card.
    """
    deficit = utility.last - settled_points(card)
    index = state_in_game(solution, card)
    return find_objective(solution, index, steps=utility.values, deficit=deficit, progress=progress)


def advise_by_objective(objective: Objective, position: Position, utility: Utility) -> Advice:
    """`advise_for_utility` in a position of the turn for which this objective was found, with the same utility."""
    solution, card, ruleset = objective.solution, position.card, position.ruleset
    advice = advise(solution, position)
    deficit, index = utility.last - settled_points(card), state_index(solution, card)
    if not position.dice:
        return Advice(position, objective.before_roll(index, deficit), ())
    roll = roll_indices(ruleset.dice, ruleset.faces)[position.dice]
    scores, zeros, keeps = objective.of_actions(index, deficit, roll, position.rolls_left)
    boxes = solution.states.playable_stand_ins(card.filled)
    worths = found_actions(position, scores[boxes].tolist(), zeros[boxes].tolist(), keeps.tolist())
    for_points = {advised.action: advised for advised in advice.actions}
    found = [(worth, for_points[action]) for worth, action, _ in worths]
    ranked = _ranked(found, EQUAL * float(utility.values[-1] - utility.values[0]))
    best = max(worth for worth, _ in found)
    actions = (replace(advised, value=worth, loss=best - worth, score=advised.value) for worth, advised in ranked)
    return Advice(position, best, tuple(actions))


def _ranked(found: list[tuple[float, Advised]], equal: float) -> list[tuple[float, Advised]]:
    """Actions by utility, equal ones by value, then scores before keeps and keeps of more dice first."""
    by_utility = sorted(found, key=lambda pair: -pair[0])
    ranked: list[tuple[float, Advised]] = []
    while by_utility:
        first = by_utility[0][0]
        num_equal = sum(worth >= first - equal for worth, _ in by_utility)
        ranked += sorted(by_utility[:num_equal], key=_by_value)
        del by_utility[:num_equal]
    return ranked


def _by_value(pair: tuple[float, Advised]) -> tuple[float, int]:
    action = pair[1].action
    return (-round(pair[1].value, 10), -len(action.dice) if isinstance(action, Keep) else -_SCORE)
