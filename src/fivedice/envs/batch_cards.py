"""`BatchCards`: many cards of one ruleset, and the threads that play them with compiled kernels; and `BatchValues`,
their values from a solution."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from fivedice.analysis.action_arrays import ActionNumbers, stand_ins
from fivedice.analysis.action_values import write_position
from fivedice.analysis.advice import BatchAdvice, advise_batch
from fivedice.base.errors import MalformedError
from fivedice.base.processors import num_processors
from fivedice.envs.episodes import begun
from fivedice.envs.observations import Observations, Parts
from fivedice.game.position import Position
from fivedice.rulesets.dice import rolls
from fivedice.solver.kernels import environments as kernels
from fivedice.solver.kernels.game_tables import Cards, GameTables, Lanes, Observed, Stepped, empty_cards, game_tables
from fivedice.solver.kernels.native import Packed
from fivedice.solver.kernels.random_dice import faces_size
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.extras import ALL, ELSEWHERE_BEFORE, SOME, WITH_ZERO
from fivedice.solver.tables.states import BLOCK, Array

CHUNK = 1_024
"""Environments for each thread, at least: fewer are not worth handing over."""
_NO_ACTIONS = np.empty(0, dtype=np.int64)


class BatchCards:
    """The cards of `num_envs` environments, which only `Position` can write from outside.

    The dice of each step are those of a counter, which `seed` sets back to zero, so that they do not depend on the
    number of threads.
    """

    def __init__(self, numbers: ActionNumbers, num_envs: int, threads: int | None = None) -> None:
        self.ruleset, self.numbers, self.num_envs = numbers.ruleset, numbers, num_envs
        self.tables, self.cards = game_tables(numbers.ruleset), empty_cards(numbers.ruleset, num_envs)
        self._seed = np.zeros((2, 2), dtype=np.int64)
        self._num_steps, self._num_choices = 0, 0
        num_threads = min(num_processors(threads), -(-num_envs // CHUNK))
        self._packed = Packed(self.cards)
        self._lanes = [Packed(_empty_lanes(self.ruleset.dice)) for _ in range(num_threads)]
        self._next_env = np.zeros(1, dtype=np.int64)
        self._firsts = np.arange(num_envs) * self.tables.first_keep
        self._actions = _NO_ACTIONS
        """The next random actions, if they were drawn already."""
        self._is_random = False
        """Whether the last actions were random, after which a step also draws the next ones."""
        self._pool = ThreadPoolExecutor(num_threads - 1) if num_threads > 1 else None

    def seed(self, generator: np.random.Generator) -> None:
        """Draw the keys of two streams, of the dice and of random actions."""
        self._seed = generator.integers(2**32, size=(2, 2))
        self._num_steps, self._num_choices = 0, 0

    def restart(self, which: Array, *, is_placed: bool = False) -> None:
        """Begin new episodes in these environments, bool[N], or list the legal actions of those that were placed."""
        number, seed, self._actions = self._next_step(), self._seed[0], _NO_ACTIONS
        self._run(
            lambda lanes: kernels.restart(
                self.tables, self._packed, seed, number, which, is_placed, self._next_env, lanes
            )
        )

    def step(self, actions: Array, *, is_shown: bool) -> Stepped:
        """Take an action, int64[N], in each environment; what is shown has no meaning unless it is wanted."""
        number, num_envs = self._next_step(), self.num_envs
        out = Stepped(
            points=np.empty(num_envs),
            over=np.empty(num_envs, np.bool_),
            illegal=np.empty(num_envs, np.bool_),
            shown=self._empty_observed(),
        )
        self._actions = np.empty(num_envs, dtype=np.int64) if self._is_random else _NO_ACTIONS
        self._is_random, packed = False, Packed(out)
        self._run(
            lambda lanes: kernels.step(
                self.tables,
                self._packed,
                self._seed,
                number,
                self._num_choices,
                actions,
                is_shown,
                self._next_env,
                lanes,
                packed,
                self._actions,
            )
        )
        return out

    def is_illegal(self, actions: Array) -> Array:
        """bool[N]: whether each action, int64[N], is illegal; false where the episode is over."""
        cards, tables, first_keep = self.cards, self.tables, self.tables.first_keep
        places = self._firsts + np.minimum(actions, first_keep - 1)
        found: Array = cards.legal.ravel().take(places) == 0
        kept = np.flatnonzero(actions >= first_keep)
        roll, keep = cards.roll.take(kept), actions.take(kept) - first_keep
        is_part = tables.keep_mask.ravel().take(roll * tables.keep_mask.shape[1] + keep, mode="wrap") != 0
        found[kept] = ~(cards.may_keep.take(kept) & (cards.rolls_left[:, 0].take(kept) > 0) & is_part)
        found &= cards.roll >= 0
        return found

    def observe(self) -> Parts:
        """The observations, in new arrays."""
        shown = self._empty_observed()
        self._run(lambda _: kernels.observe(self.tables, self._packed, self._next_env, shown))
        return shown._asdict()

    def random_actions(self) -> Array:
        """int64[N]: legal actions, each with the same chance, drawn from a stream of their own; 0 at the end."""
        actions, self._actions = self._actions, _NO_ACTIONS
        if actions.size == 0:
            actions, number, seed = np.empty(self.num_envs, dtype=np.int64), self._num_choices, self._seed[1]
            self._run(
                lambda lanes: kernels.choose(self.tables, self._packed, seed, number, self._next_env, lanes, actions)
            )
        self._num_choices += 1
        self._is_random = True
        return actions

    def position(self, env: int) -> Position:
        """The position of one environment, as the engine has it."""
        cards, ruleset, roll = self.cards, self.ruleset, int(self.cards.roll[env])
        parts = {"boxes": cards.boxes[env], "card": cards.card[env]}
        card = Observations(self.numbers).card(parts, is_won=bool(cards.won[env]))
        dice = rolls(ruleset.dice, ruleset.faces)[roll] if roll >= 0 else ()
        return Position(ruleset, (card,), 0, dice, int(cards.rolls_left[env, 0]))

    def place(self, positions: Sequence[Position | str], which: Array, generator: np.random.Generator) -> None:
        """Write its position to each environment of `which`, bool[N], with a roll if it has none; `restart` then lists
        legal actions."""
        if len(positions) != self.num_envs:
            raise MalformedError(f"{len(positions)} positions: want one for each of {self.num_envs} environments")
        for env in np.flatnonzero(which).tolist():
            write_position(self.cards, env, begun(positions[env], self.ruleset, 1, generator))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _next_step(self) -> int:
        number, self._num_steps = self._num_steps, self._num_steps + 1
        return number

    def _run(self, work: Callable[[Packed], object]) -> None:
        """Call `work` in every thread, first in this one, each time with other working arrays."""
        self._next_env[0] = 0
        others = [] if self._pool is None else [self._pool.submit(work, lanes) for lanes in self._lanes[1:]]
        work(self._lanes[0])
        for other in others:
            other.result()

    def _empty_observed(self) -> Observed:
        num_envs, cards = self.num_envs, self.cards
        return Observed(
            dice=np.empty((num_envs, self.ruleset.faces), dtype=np.int8),
            rolls_left=np.empty_like(cards.rolls_left),
            boxes=np.empty_like(cards.boxes),
            upper=np.empty_like(cards.upper),
            card=np.empty_like(cards.card),
            action_mask=np.empty((num_envs, self.numbers.size), dtype=np.int8),
        )


def _empty_lanes(num_dice: int) -> Lanes:
    return Lanes(
        number=np.arange(BLOCK),
        node=np.zeros(BLOCK, dtype=np.int64),
        is_new=np.zeros(BLOCK, dtype=np.bool_),
        faces=np.zeros(faces_size(num_dice), dtype=np.int64),
    )


class BatchValues:
    """Exact values and regrets in many environments at once, under a solution. It advises on every observation
    once, and remembers the last."""

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
        advice, tables = self._advice, self._tables
        num_boxes = tables.is_lower.size
        regrets = np.zeros(cards.roll.size)
        playing = np.flatnonzero(cards.roll >= 0)
        chosen, rows = actions[playing], np.arange(playing.size)
        box = chosen % num_boxes
        if self._solution.states.interchangeable:
            box = stand_ins(self._solution.states, cards.boxes[playing] >= 0)[rows, box]
        scored, zero = advice.scores[rows, box], advice.zeros[rows, box]
        has_points, is_scratch = ~np.isnan(scored), chosen >= num_boxes
        by_box = np.where(is_scratch, np.where(has_points, zero, np.nan), np.where(has_points, scored, zero))
        is_kept = self._lists[cards.roll[playing]] == (chosen - tables.first_keep)[:, np.newaxis]
        kept = np.where(is_kept.any(axis=1), advice.keeps[rows, is_kept.argmax(axis=1)], np.nan)
        regrets[playing] = advice.best - np.where(chosen < tables.first_keep, by_box, kept)
        return regrets

    def _states(self, cards: Cards, playing: Array) -> Array:
        """int64: the turn states of these environments, by the arithmetic of `States.place`."""
        states, tables = self._solution.states, self._tables
        boxes, (_, saved, elsewhere, _, _) = cards.boxes[playing], cards.card[playing].astype(np.int64).T
        card = (boxes >= 0) @ np.array(states.steps, dtype=np.int64)
        joker = boxes[:, tables.extras.is_joker]
        filled = (joker >= 0).sum(axis=1)
        state = (filled > 0) * np.where(filled < joker.shape[1], SOME, ALL)
        state += WITH_ZERO * (joker == 0).any(axis=1) + ELSEWHERE_BEFORE * (elsewhere > 0)
        is_spoiled = tables.extras.is_spoiled[state]
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
        indices: Array = (card * states.num_planes + plane) * states.stride + upper[:, 0]
        return indices


def _written(tables: GameTables, cards: Cards, playing: Array) -> Array:
    """The points on cards without the upper bonus, which values count among the points to come."""
    per_box = np.repeat(tables.multiplier, tables.is_lower.size // tables.multiplier.size)
    written: Array = np.maximum(cards.boxes[playing], 0) @ per_box + cards.card[playing, 0] * tables.extra_bonus
    return written
