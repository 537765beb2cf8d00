# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Games played with dice, by the actions that the solution calls best, come to what it says they come to."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import njit

from fivedice.dice import rolls
from fivedice.rulesets import load_ruleset
from fivedice.solver.dice_tables import keep_lists, ordered
from fivedice.solver.kernels.action_values import action_values, empty_outputs, holds
from fivedice.solver.solve import solve, workspace
from fivedice.solver.states import BLOCK

NUM_GAMES = 200_000


@njit(nogil=True)
def play_games(dice, rules, lists, after_keep, num_rounds, seed, values, work, scores, zeros, keeps, out_totals):
    """Totals of whole games. `after_keep[k, :]` are the rolls that each ordered outcome of the other dice makes of a
    keep, so that a random column is a fair roll; -1 fills a row up."""
    np.random.seed(seed)
    state, roll, left = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    first_roll = dice.num_small * BLOCK
    num_outcomes = after_keep.shape[1]
    for game in range(out_totals.size):
        state[0] = 0
        total = 0.0
        while True:
            card = state[0] // (rules.stride * rules.base_planes)
            filled = 0
            for index in range(rules.boxes.size):
                filled += card // rules.boxes[index].step % 2
            if filled == num_rounds:
                break
            keep = 0
            for n in range(rules.num_turn_rolls - 1, -1, -1):
                roll[0] = after_keep[keep, np.random.randint(num_outcomes)]
                left[0] = n
                scores[:], zeros[:], keeps[:] = np.nan, np.nan, np.nan
                action_values(dice, rules, lists, state, roll, left, values, work, scores, zeros, keeps)
                best_score = -np.inf
                for box in range(scores.shape[1]):
                    if scores[0, box] > best_score:
                        best_score = scores[0, box]
                    elif np.isnan(scores[0, box]) and zeros[0, box] > best_score:
                        best_score = zeros[0, box]
                best_keep, place = -np.inf, 0
                for index in range(lists.begin[roll[0] + 1] - lists.begin[roll[0]] if n > 0 else 0):
                    if keeps[0, index] > best_keep:
                        best_keep, place = keeps[0, index], index
                if best_score >= best_keep:
                    break
                keep = lists.row[lists.begin[roll[0]] + place] // BLOCK
            gained, after = _write(rules, work.later, first_roll, roll[0], state[0], best_score, values)
            total += gained
            state[0] = after
        out_totals[game] = total + values[state[0]]


@njit
def _write(rules, plan, first_roll, roll, state, value, values):
    """Points that an action of this value writes, and the turn state after it."""
    lane = state % rules.stride
    source, points = np.int64(-1), 0.0
    if roll < plan.count[2]:
        for index in range(plan.count[0]):
            if values[plan.floors[index] + lane] == value:
                source = plan.floors[index] + lane
    for index in range(plan.count[1]):
        entry = plan.entries[index]
        if (
            holds(rules.offer_rolls, entry.begin, entry.end, first_roll + roll * BLOCK)
            and values[entry.source + lane] + entry.value == value
        ):
            source, points = entry.source + lane, entry.value
    row, lane = divmod(source, rules.stride)
    return points, row * rules.stride + min(lane, rules.num_lanes - 1)


@pytest.mark.parametrize("id", ["yahtzee", "crag"])
def test_200_000_games_of_optimal_play_come_to_the_expected_score_within_four_standard_errors(id: str) -> None:
    ruleset = load_ruleset(id)
    solution = solve(ruleset)
    all_keeps = [keep for size in range(ruleset.dice + 1) for keep in ordered(size, ruleset.faces)]
    places = {roll: index for index, roll in enumerate(ordered(ruleset.dice, ruleset.faces))}
    num_outcomes = ruleset.faces**ruleset.dice
    after_keep = np.zeros((len(all_keeps), num_outcomes), dtype=np.int16)
    outcomes = np.array(np.unravel_index(np.arange(num_outcomes), (ruleset.faces,) * ruleset.dice)).T + 1
    for index, keep in enumerate(all_keeps):
        whole = outcomes.copy()
        whole[:, : len(keep)] = keep
        whole.sort(axis=1)
        codes = whole @ (10 ** np.arange(ruleset.dice)[::-1])
        of_code = {int("".join(map(str, roll))): place for roll, place in places.items()}
        found, inverse = np.unique(codes, return_inverse=True)
        after_keep[index] = np.array([of_code[code] for code in found.tolist()])[inverse]
    assert set(after_keep[0].tolist()) == set(range(len(rolls(ruleset.dice, ruleset.faces))))

    def play(seed: int) -> "np.typing.NDArray[np.float64]":
        totals = np.zeros(NUM_GAMES // 2)
        outputs = empty_outputs(1, len(ruleset.boxes), ruleset.dice, ruleset.faces)
        lists = keep_lists(ruleset.dice, ruleset.faces)
        work = workspace(solution.dice, solution.rules)
        tables = (solution.dice, solution.rules, lists, after_keep, ruleset.rounds)
        play_games(*tables, seed, solution.values, work, *outputs, totals)
        return totals

    with ThreadPoolExecutor(2) as pool:
        totals = np.concatenate(list(pool.map(play, (1, 2))))
    error = totals.std() / np.sqrt(totals.size)
    assert abs(totals.mean() - solution.expected_score) < 4 * error
    assert (totals == np.round(totals)).all()
