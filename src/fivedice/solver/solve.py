"""`solve`: finds the `Solution` of a Ruleset, layer by layer of filled boxes, from the last box back to the first.

The cards of a layer depend only on cards with one more filled box, so threads can share a layer; kernels release the
GIL.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np

from fivedice.base.processors import default_memory_limit as default_memory_limit
from fivedice.base.processors import num_processors as num_processors
from fivedice.rulesets import as_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels import layers as kernels
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.kernels.turn_offers import empty_turn_offers
from fivedice.solver.numpy_solver import solve_turns
from fivedice.solver.solution import Solution, per_thread
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.dice_tables import DiceTables, dice_tables
from fivedice.solver.tables.rule_tables import RuleTables, rule_tables, won_values
from fivedice.solver.tables.states import BLOCK, REST_BYTES, Array, States, TurnState
from fivedice.solver.tables.states import TooLargeError as TooLargeError

PARTS_PER_THREAD = 2
"""Parts of a layer for each thread, so that none waits long for the others …"""

CARDS_PER_PART = 2_000
"""… and in large layers more of them, so that progress is reported at least every second."""

PLAYABLE = "playing it, also against greedy players, needs no solution"
"""What works under rules that are too large to solve."""

_UNITS = (("MB", 10**6), ("GB", 10**9), ("TB", 10**12))

ANY_COMPUTER = 10**14
"""Bytes: more than any single computer has as memory."""

FEW_ROWS = 2**10
"""With no more rows of turn states, waiting for threads takes longer than they save."""


def solve(
    ruleset: Ruleset | str,
    *,
    threads: int | None = None,
    memory_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Solution:
    """The exact solution of a ruleset, or of its name: the expected points to come in every turn state.

    `progress` is called with (cards solved, cards) from time to time. `memory_limit` is in bytes, by default three
    quarters of the machine's memory. Raises `TooLargeError` before allocating anything.
    """
    states = States(as_ruleset(ruleset))
    check_size(states, default_memory_limit() if memory_limit is None else memory_limit)
    return solve_states(states, threads, progress)


@lru_cache(maxsize=2)
def solve_rest(ruleset: Ruleset, starts: tuple[TurnState, ...], memory_limit: int = REST_BYTES) -> Solution:
    """The exact solution of what can follow these turn states, for rules that are too large to solve.

    Raises `TooLargeError` before allocating anything if it needs more than `memory_limit` bytes.
    """
    states = States(ruleset, starts)
    check_size(states, memory_limit)
    return solve_states(states)


def solve_states(
    states: States,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    unreachable: float = np.nan,
) -> Solution:
    """The solution of a layout that fits in memory, with arguments as in `solve`.

    `unreachable`, anything but 0, is the entry of states that play cannot reach; no value depends on it.
    """
    began, ruleset = perf_counter(), states.ruleset
    if not states.has_kernels:
        values, num_turn_states = solve_turns(states, unreachable, progress)
        return Solution(states, values, num_turn_states, perf_counter() - began)
    dice, rules = dice_tables(ruleset.dice, ruleset.faces), rule_tables(states)
    loading = load_kernels(dice, rules)
    began += loading
    layers = layers_of_cards(states)
    values, num_turn_states = empty_table(states, dice, rules, layers, unreachable)

    num_threads = num_processors(threads)

    def work(cards: Array) -> int:
        kernels.solve_cards(dice, rules, cards, workspace(dice, rules), values)
        return cards.size

    num_cards, num_solved = sum(layer.size for layer in layers), layers[-1].size
    with in_threads(num_threads) as pool:
        for layer in reversed(layers[:-1]):
            for size in pool.map(work, parts_of_layer(layer, num_threads)):
                num_solved += size
                if progress:
                    progress(num_solved, num_cards)
    return Solution(states, values, num_turn_states, perf_counter() - began, loading)


def load_kernels(dice: DiceTables, rules: RuleTables) -> float:
    """Load what `solve` calls, with no cards to solve; returns how many seconds that took."""
    began = perf_counter()
    no_cards, values = np.zeros(0, dtype=np.int64), np.zeros(0)
    kernels.mark_reachable(dice, rules, no_cards, False, empty_turn_offers(rules), values)
    kernels.end_cards(rules.end_values, rules.num_lanes, rules.stride, no_cards, values)
    # It writes a row of zeros to the workspace, whatever there is to solve.
    kernels.solve_cards(dice, rules, no_cards, workspace(dice, rules), values)
    return perf_counter() - began


@contextmanager
def in_threads(number: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """Threads for the parts of a layer, by default one for each processor; an interrupt drops parts not begun."""
    with ThreadPoolExecutor(num_processors(number)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def mapping(pool: ThreadPoolExecutor, num_rows: int) -> Callable[..., Iterator[Any]]:
    """The `map` for the parts of so many rows of turn states: that of the pool, or Python's if there are few."""
    return pool.map if num_rows > FEW_ROWS else map


def check_size(states: States, memory_limit: int) -> None:
    """Raises `TooLargeError`, which states the memory needed and what works without it, if the tables would not fit."""
    game = f"the rest of this game of {states.ruleset}" if states.starts else str(states.ruleset)
    if states.obstacle:
        raise TooLargeError(f"{game} cannot be solved exactly: {states.obstacle}; {PLAYABLE}")
    if states.num_bytes > memory_limit:
        raise TooLargeError(
            f"{game} is too large to solve exactly: it needs {memory_text(states.num_bytes, memory_limit)}; {PLAYABLE}"
        )


def empty_table(
    states: States, dice: DiceTables, rules: RuleTables, layers: list[Array], unreachable: float = np.nan
) -> tuple[Array, int]:
    """float64[entries]: the values of finished games, `unreachable` where play cannot arrive, elsewhere marks; and the
    number of turn states that play can reach."""
    values, won, offers = np.full(states.num_entries, -np.inf), won_values(states), empty_turn_offers(rules)
    values[states.first_indices] = kernels.MARKED
    for layer in layers:
        kernels.mark_reachable(dice, rules, layer, layer is layers[-1], offers, values)
    num_turn_states = int(np.count_nonzero(values[: -won.size] == kernels.MARKED))
    values[values != kernels.MARKED] = unreachable
    values[-won.size :] = won
    kernels.end_cards(rules.end_values, rules.num_lanes, rules.stride, layers[-1], values)
    return values, num_turn_states


def workspace(dice: DiceTables, rules: RuleTables) -> kernels.Workspace:
    """The working arrays of one thread."""
    return kernels.Workspace(
        x=aligned_zeros(dice.empty_row + BLOCK),
        later=empty_turn_offers(rules),
        first=empty_turn_offers(rules),
        first_lanes=np.zeros(rules.num_saved, dtype=np.int64),
    )


thread_workspace = per_thread(workspace)


def whole_blocks(size: Any) -> Any:
    """A size, or sizes, rounded up to whole blocks."""
    return -(-size // BLOCK) * BLOCK


def size_text(num_bytes: int) -> str:
    """A number of bytes in MB, GB or TB, with at most three digits.

    >>> size_text(14_600_000), size_text(23 * 10**9), size_text(999_600_000)
    ('14.6 MB', '23 GB', '1 GB')
    """
    unit, size = next((unit for unit in _UNITS if num_bytes < 999.5 * unit[1]), _UNITS[-1])
    return f"{round(num_bytes / size, 2):.3g} {unit}"


def memory_text(num_bytes: int, limit: int) -> str:
    """The memory that something needs, and how much is allowed.

    >>> memory_text(3 * 10**9, 2 * 10**9), memory_text(10**18, 2 * 10**9)
    ('3 GB of memory, and 2 GB are allowed', 'more memory than any computer has')
    """
    if num_bytes > ANY_COMPUTER:
        return "more memory than any computer has"
    return f"{size_text(num_bytes)} of memory, and {size_text(limit)} are allowed"


def check_memory(needs: str, num_bytes: int, memory_limit: int | None) -> None:
    """Raises `TooLargeError` if that is more than `memory_limit`, by default that of `solve`; `needs` says what needs
    it, in the beginning of a sentence."""
    limit = default_memory_limit() if memory_limit is None else memory_limit
    if num_bytes > limit:
        raise TooLargeError(f"{needs} {memory_text(num_bytes, limit)}")


def parts_of_layer(cards: Array, num_threads: int) -> Iterator[Array]:
    """The cards in parts of about equal work: each has cards from all over the layer."""
    number = min(cards.size, max(PARTS_PER_THREAD * num_threads, cards.size // CARDS_PER_PART))
    for first in range(number):
        yield np.ascontiguousarray(cards[first::number])
