"""`BatchValues`: exact values and regrets in many environments at once, from a solution of the rules."""

import numpy as np

from fivedice.analysis.advice import BatchAdvice, advise_batch
from fivedice.dice import rolls
from fivedice.solver.kernels.game_tables import Cards, GameTables
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import Array


class BatchValues:
    """Values under a solution. It advises on every observation once, and remembers the last."""

    def __init__(self, tables: GameTables, solution: Solution) -> None:
        self._tables, self._solution = tables, solution
        ruleset = solution.ruleset
        places = roll_indices(ruleset.dice, ruleset.faces)
        self._places = np.array([places[roll] for roll in rolls(ruleset.dice, ruleset.faces)])
        begin = tables.keep_begin
        self._lists = np.full((tables.num_rolls, int(np.diff(begin).max())), -1, dtype=np.int32)
        for roll in range(tables.num_rolls):
            found = tables.keep_list[begin[roll] : begin[roll + 1]]
            self._lists[roll, : found.size] = found
        self._advice: BatchAdvice | None = None

    def values(self, cards: Cards) -> Array:
        """float64[N]: the expected results from here on under optimal play."""
        solution, tables, ruleset = self._solution, self._tables, self._solution.ruleset
        playing = np.flatnonzero(cards.roll >= 0)
        found: Array = cards.card[:, 4] + np.where(cards.won, tables.outright[ruleset.rounds - cards.num_filled], 0.0)
        states = self._states(cards, playing)
        self._advice = advise_batch(
            solution, states, self._places[cards.roll[playing]], cards.rolls_left[playing, 0].astype(np.int64)
        )
        found[playing] = _written(tables, cards, playing) + self._advice.best
        return found

    def regrets(self, cards: Cards, actions: Array) -> Array:
        """float64[N]: what each action, int64[N], loses in the environments as they were at the last call of `values`;
        0 where the episode is over, NaN for an illegal action."""
        assert self._advice is not None
        advice, tables, states = self._advice, self._tables, self._solution.states
        num_boxes = tables.is_lower.size
        regrets = np.zeros(cards.roll.size)
        playing = np.flatnonzero(cards.roll >= 0)
        chosen, rows = actions[playing], np.arange(playing.size)
        box = chosen % num_boxes
        if states.interchangeable:
            filled = cards.boxes[playing] >= 0
            stand_ins = np.array([states.playable_stand_ins(set(np.flatnonzero(row).tolist())) for row in filled])
            box = stand_ins.reshape(-1, num_boxes)[rows, box]
        scored, zero = advice.scores[rows, box], advice.zeros[rows, box]
        by_box = np.where((chosen >= num_boxes) | np.isnan(scored), zero, scored)
        is_kept = self._lists[cards.roll[playing]] == (chosen - tables.first_keep)[:, np.newaxis]
        kept = np.where(is_kept.any(axis=1), advice.keeps[rows, is_kept.argmax(axis=1)], np.nan)
        regrets[playing] = advice.best - np.where(chosen < tables.first_keep, by_box, kept)
        return regrets

    def _states(self, cards: Cards, playing: Array) -> Array:
        """int64: the turn states of these environments, by the arithmetic of `States.place`."""
        states, tables, rules = self._solution.states, self._tables, self._solution.rules
        boxes, (_, saved, elsewhere, _, _) = cards.boxes[playing], cards.card[playing].astype(np.int64).T
        card = (boxes >= 0) @ np.array(states.steps, dtype=np.int64)
        joker = boxes[:, tables.is_joker]
        is_begun, has_zero = (joker >= 0).any(axis=1), (joker == 0).any(axis=1)
        is_spoiled = has_zero | ((elsewhere > 0) & (tables.first_in_box | ~is_begun))
        upper = np.minimum(cards.upper[playing].astype(np.int64), states.cap)
        plane = saved
        if tables.pair[0] >= 0:
            first, second = boxes[:, tables.pair].T
            pending = np.where((first < 0) != (second < 0), np.maximum(first, second), 0)
            places = np.zeros(max(states.pending_points) + 1, dtype=np.int64)
            places[list(states.pending_points)] = range(len(states.pending_points))
            plane = saved * len(states.pending_points) + np.where(pending > 0, places[pending], 0)
        for column in range(upper.shape[1] - 1, 0, -1):
            plane = plane * states.num_lanes + upper[:, column]
        plane = plane * states.num_flags + (is_spoiled & (states.num_flags > 1))
        row = rules.layers.card_rows[card] if states.is_layered else card * states.num_planes
        indices: Array = (row + plane) * states.stride + upper[:, 0]
        return indices


def _written(tables: GameTables, cards: Cards, playing: Array) -> Array:
    """The points on cards without the upper bonus, which values count among the points to come."""
    per_box = np.repeat(tables.multiplier, tables.is_lower.size // tables.multiplier.size)
    written: Array = np.maximum(cards.boxes[playing], 0) @ per_box + cards.card[playing, 0] * tables.extra_bonus
    return written
