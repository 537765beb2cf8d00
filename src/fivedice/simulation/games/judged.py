"""`judged`: every decision of simulated games, with its value and its loss by the exact solution of the rules."""

from dataclasses import dataclass

import numpy as np

from fivedice.analysis.advice import BatchAdvice, advise_batch
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.dice import Dice
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.simulation.games.mass_games import NO_DECISION, ManyGames
from fivedice.solver.kernels.action_values import score_transitions
from fivedice.solver.solution import Solution
from fivedice.solver.solve import workspace
from fivedice.solver.tables.dice_tables import keep_lists, keep_rows, roll_indices
from fivedice.solver.tables.states import BLOCK, Array

PORTION = 2**16
"""Decisions whose actions are valued at a time: their values take about 30 MB."""


@dataclass(frozen=True, eq=False)
class Judged:
    """D decisions of the games of one seat, in no particular order.

    int64[D] each: `game`, `round` and `number` count from 0, the last one the rolls of the turn before this one;
    `states`, `rolls` and `rolls_left` are as for `advise_batch`; `choice` is the row of a keep, or -1 minus a box.
    float64[D] each: `value`, the expected final score before the decision; `loss`, 0 for an action as good as the best.
    """

    game: Array
    round: Array
    number: Array
    states: Array
    rolls: Array
    rolls_left: Array
    choice: Array
    value: Array
    loss: Array


def check_judged(solution: Solution) -> Solution:
    """The solution; raises `IllegalError` for rules under which no kernels value decisions."""
    if not solution.states.has_kernels:
        raise IllegalError(
            f"{solution.ruleset} has turns of a kind for which no losses of many decisions are computed: "
            "fivedice review shows those of a game"
        )
    return solution


def judged(solution: Solution, games: ManyGames) -> Judged:
    """The decisions of games that were played with their decisions noted."""
    rules, ruleset, num_games = check_judged(solution).rules, games.ruleset, games.scores.size
    assert games.decisions is not None
    assert games.points is not None
    pairs = games.decisions.reshape(num_games, ruleset.rounds, -1, 2)
    current, written = np.zeros(num_games, dtype=np.int64), np.zeros(num_games)
    filled = np.zeros((num_games, len(ruleset.boxes)), dtype=np.bool_)
    found: list[tuple[Array, ...]] = []
    for round in range(ruleset.rounds):
        playing = np.flatnonzero(pairs[:, round, 0, 0] != NO_DECISION)
        left = rules.num_turn_rolls - 1 + solution.saved_rolls(current[playing])
        number = 0
        while playing.size:
            rolls, choice = pairs[playing, round, number].astype(np.int64).T
            done = choice < 0
            box = np.where(done, -1 - choice, 0)
            is_zero = games.points[playing, box] == 0
            filled[playing[done], box[done]] = True
            box[done] = _stand_ins(solution, filled[playing[done]], box[done])
            places = [np.full(playing.size, place) for place in (round, number)]
            given = (current[playing], rolls, left)
            found.append((playing, *places, *given, choice, box, is_zero, written[playing]))
            after, points = np.zeros(done.sum(), dtype=np.int64), np.zeros(done.sum())
            ended = [np.ascontiguousarray(array[done]) for array in (*given, box, is_zero)]
            score_transitions(solution.dice, rules, *ended, workspace(solution.dice, rules), after, points)
            current[playing[done]] = after
            written[playing[done]] += points
            playing, left, number = playing[~done], left[~done] - 1, number + 1
    columns = (np.concatenate(parts) for parts in zip(*found, strict=True))
    game, rounds, numbers, states, rolls, left, choice, box, is_zero, before = columns
    best, chosen = _values(solution, states, rolls, left, choice, box, is_zero)
    loss = np.where(best - chosen < EQUAL, 0.0, best - chosen)
    return Judged(game, rounds, numbers, states, rolls, left, choice, before + best, loss)


def decision_of(games: ManyGames, found: Judged, row: int) -> tuple[Position, Action]:
    """The position of one decision and the action, as the engine has them."""
    ruleset = games.ruleset
    assert games.decisions is not None
    assert games.points is not None
    rolls = list(roll_indices(ruleset.dice, ruleset.faces))
    keeps = list(keep_rows(ruleset.dice, ruleset.faces))
    game, last = int(found.game[row]), (int(found.round[row]), int(found.number[row]))
    position = Position.start(ruleset)
    for round, turn in enumerate(games.decisions[game].reshape(ruleset.rounds, -1, 2).tolist()):
        keep: Dice = ()
        for number, (roll, choice) in enumerate(turn):
            rolled = _without(rolls[roll], keep)
            position = position.play(Keep(keep), rolled) if number else position.roll(rolled)
            action = Keep(keeps[choice]) if choice >= 0 else _score(games, game, position, -1 - choice)
            if (round, number) == last:
                return position, action
            if not isinstance(action, Keep):
                position = position.play(action)
                break
            keep = action.dice
    raise AssertionError("the decision is one of the game")


def _score(games: ManyGames, game: int, position: Position, index: int) -> Action:
    """The score that wrote the points of a box."""
    assert games.points is not None
    box = games.ruleset.boxes[index]
    points = int(games.points[game, index]) // games.ruleset.columns[box.column].multiplier
    return next(offer.action for offer in position.offers() if (offer.action.box, offer.points) == (box.id, points))


def _without(dice: Dice, keep: Dice) -> Dice:
    rest = list(dice)
    for die in keep:
        rest.remove(die)
    return tuple(rest)


def _stand_ins(solution: Solution, filled: Array, box: Array) -> Array:
    """int64[N]: the boxes that have the places of these ones in the table, on cards that have these filled, too."""
    states = solution.states
    if not states.interchangeable or not box.size:
        return box
    before = filled.copy()
    before[np.arange(box.size), box] = False
    cards, which = np.unique(before, axis=0, return_inverse=True)
    table = np.array([states.playable_stand_ins(set(np.flatnonzero(card).tolist())) for card in cards])
    found: Array = table[which.ravel(), box]
    return found


def _values(
    solution: Solution, states: Array, rolls: Array, rolls_left: Array, choice: Array, box: Array, is_zero: Array
) -> tuple[Array, Array]:
    """float64[D] twice, as points to come: the values of the best action and of the chosen one."""
    best, chosen = np.zeros(states.size), np.zeros(states.size)
    keeps = _keeps_by_roll(solution)
    for first in range(0, states.size, PORTION):
        part = slice(first, first + PORTION)
        advice: BatchAdvice = advise_batch(solution, states[part], rolls[part], rolls_left[part])
        rows = np.arange(advice.best.size)
        scored = np.where(is_zero[part], advice.zeros[rows, box[part]], advice.scores[rows, box[part]])
        place = (keeps[rolls[part]] == choice[part, np.newaxis]).argmax(axis=1)
        best[part] = advice.best
        chosen[part] = np.where(choice[part] < 0, scored, advice.keeps[rows, place])
    return best, chosen


def _keeps_by_roll(solution: Solution) -> Array:
    """int64[R, …]: the rows of the keeps of each roll, in the order of `BatchAdvice.keeps`, and then -1."""
    lists = keep_lists(solution.ruleset.dice, solution.ruleset.faces)
    sizes = np.diff(lists.begin)
    found = np.full((sizes.size, int(sizes.max())), -1, dtype=np.int64)
    found[np.arange(sizes.max()) < sizes[:, np.newaxis]] = lists.row // BLOCK
    return found
