"""`judged`: every decision of simulated games, with its value and its loss by the exact solution of the rules."""

from dataclasses import dataclass

import numpy as np

from fivedice.analysis.action_arrays import ActionNumbers, stand_ins
from fivedice.analysis.advice import BatchAdvice, advise_batch
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, beside, sub_keeps
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.mass_games import NO_DECISION, ManyGames
from fivedice.solver.kernels.action_values import score_transitions
from fivedice.solver.solution import Solution
from fivedice.solver.solve import workspace
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import Array

PORTION = 2**16
"""Decisions whose actions are valued at a time: their values take about 30 MB."""


@dataclass(frozen=True, eq=False)
class Judged:
    """D decisions of the games of one seat, in no particular order.

    int64[D] each: `game`, `round` and `number` count from 0, the last one the rolls of the turn before this one;
    `states`, `rolls` and `rolls_left` are as for `advise_batch`; `choice` is the row of a keep, or -1 minus a box;
    `action` and `best`, the first of the best actions, are numbers of `ActionNumbers`. `scores`, bool[D, …]: whether
    each of the first numbers, up to those of keeps, is legal.
    float64[D] each: `value`, the expected final score before the decision; `loss`, 0 for an action as good as the best.
    """

    game: Array
    round: Array
    number: Array
    states: Array
    rolls: Array
    rolls_left: Array
    choice: Array
    action: Array
    best: Array
    scores: Array
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
            before = filled[playing]
            filled[playing[done], box[done]] = True
            box[done] = np.take_along_axis(stand_ins(solution.states, before[done]), box[done, np.newaxis], axis=1)[
                :, 0
            ]
            counted = [np.full(playing.size, place) for place in (round, number)]
            given = (current[playing], rolls, left)
            found.append((playing, *counted, *given, choice, before, is_zero, written[playing]))
            after, points = np.zeros(done.sum(), dtype=np.int64), np.zeros(done.sum())
            ended = [np.ascontiguousarray(array[done]) for array in (*given, box, is_zero)]
            score_transitions(solution.dice, rules, *ended, workspace(solution.dice, rules), after, points)
            current[playing[done]] = after
            written[playing[done]] += points
            playing, left, number = playing[~done], left[~done] - 1, number + 1
    columns = (np.concatenate(parts) for parts in zip(*found, strict=True))
    game, rounds, numbers, states, rolls, left, choice, filled, is_zero, before = columns
    action, best, scores, most, chosen = _values(solution, states, rolls, left, choice, filled, is_zero)
    loss = np.where(most - chosen < EQUAL, 0.0, most - chosen)
    return Judged(game, rounds, numbers, states, rolls, left, choice, action, best, scores, before + most, loss)


def legal_actions(ruleset: Ruleset, rolls: Array, rolls_left: Array, scores: Array) -> Array:
    """bool[D, n]: whether each action is legal in decisions with these rolls, rolls left and legal scores, as `Judged`
    has them; by the numbers of `ActionNumbers`."""
    numbers, keeps = ActionNumbers(ruleset), _keep_numbers(ruleset)
    is_kept = np.zeros((len(keeps), numbers.size - numbers.first_keep), dtype=np.bool_)
    for roll, row in enumerate(keeps):
        is_kept[roll, row[row >= 0] - numbers.first_keep] = True
    announced = np.zeros((rolls.size, numbers.first_keep - scores.shape[1]), dtype=np.bool_)
    return np.concatenate([scores, announced, is_kept[rolls] & (rolls_left > 0)[:, np.newaxis]], axis=1)


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
            rolled = beside(keep, rolls[roll])
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


def _values(
    solution: Solution, states: Array, rolls: Array, rolls_left: Array, choice: Array, filled: Array, is_zero: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """Of each decision the action, the best action and the legal scores, as in `Judged`; and, as points to come,
    float64[D] each, the values of both."""
    numbers, keeps = ActionNumbers(solution.ruleset), _keep_numbers(solution.ruleset)
    num_boxes, is_voluntary = filled.shape[1], numbers.first_announcement > filled.shape[1]
    number_of_row = np.array(
        [numbers.number(Keep(keep)) for keep in keep_rows(solution.ruleset.dice, solution.ruleset.faces)]
    )
    found: list[tuple[Array, ...]] = []
    for first in range(0, states.size, PORTION):
        part = slice(first, first + PORTION)
        advice: BatchAdvice = advise_batch(solution, states[part], rolls[part], rolls_left[part])
        rows, places = np.arange(advice.best.size), stand_ins(solution.states, filled[part])
        points, zeros = (np.take_along_axis(values, places, axis=1) for values in (advice.scores, advice.zeros))
        points[filled[part]] = zeros[filled[part]] = np.nan
        by_box = [np.where(np.isnan(points), zeros, points)]
        if is_voluntary:
            by_box.append(np.where(np.isnan(points), np.nan, zeros))
        values = np.concatenate([*by_box, advice.keeps], axis=1)
        box = np.maximum(-1 - choice[part], 0)
        is_scratched = is_zero[part] & is_voluntary & ~np.isnan(points[rows, box])
        action = np.where(choice[part] < 0, box + num_boxes * is_scratched, number_of_row[np.maximum(choice[part], 0)])
        own_keeps = keeps[rolls[part]]
        kept = numbers.first_announcement + (own_keeps == action[:, np.newaxis]).argmax(axis=1)
        best = np.nanargmax(values, axis=1)
        best_number = np.where(
            best < numbers.first_announcement, best, own_keeps[rows, np.maximum(best - numbers.first_announcement, 0)]
        )
        chosen = values[rows, np.where(choice[part] < 0, action, kept)]
        scores = ~np.isnan(values[:, : numbers.first_announcement])
        found.append((action, best_number, scores, values[rows, best], chosen))
    action, best, scores, most, chosen = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return action, best, scores, most, chosen


def _keep_numbers(ruleset: Ruleset) -> Array:
    """int64[R, …]: the numbers of the keeps of each roll, in the order of `BatchAdvice.keeps`, and then -1."""
    numbers = ActionNumbers(ruleset)
    all_rolls = roll_indices(ruleset.dice, ruleset.faces)
    lists = [[numbers.number(Keep(keep)) for keep in sub_keeps(roll)] for roll in all_rolls]
    found = np.full((len(lists), max(map(len, lists))), -1, dtype=np.int64)
    for row, own in zip(found, lists, strict=True):
        row[: len(own)] = own
    return found
