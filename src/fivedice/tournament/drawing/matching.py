"""`matched`: pairs of the least cost, and the random numbers of a seed.

Everything random in a draw is a SHA-256 of the seed and of numbers of players, so that anybody can repeat it.

A maximum-weight matching of 500 people takes many seconds in Python. So those who are near each other in an order are
matched in blocks; people whom a block cannot pair with somebody new float to the next one, as in a Swiss tournament by
hand. Up to `WHOLE` people are one block, whose pairs are the best of all.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain, combinations
from typing import TypeVar

from fivedice.tournament.state import Tournament

WHOLE = 40
BLOCK = 24
"""The most that are matched at once, and the size of blocks if there are more."""

MEETING = 1 << 60
"""The cost of two people who have met before, once for each time: more than all else in a block."""

NOISE = 1 << 20
"""Random costs are smaller than this, and all others are multiples of it."""

MOST_STEPS = 2_000
"""The most rounds that are tried out to look ahead."""

T = TypeVar("T")

Cost = Callable[[T, T], int | None]
"""The cost of a pair; None if it is impossible."""


def number_of(seed: str, *players: int) -> int:
    """The random number of some players, 256 bits."""
    return int.from_bytes(hashlib.sha256(f"{seed} {' '.join(map(str, players))}".encode()).digest())


def shuffled(players: Sequence[int], seed: str) -> list[int]:
    """The players in the order of their random numbers."""
    return sorted(players, key=lambda player: number_of(seed, player))


def noise(seed: str, one: int, other: int) -> int:
    """The random cost of a pair."""
    return number_of(seed, min(one, other), max(one, other)) % NOISE


def meetings(tournament: Tournament) -> dict[tuple[int, int], int]:
    """How often two players, the lower number first, were drawn to the same table."""
    found: dict[tuple[int, int], int] = {}
    for game in tournament.games():
        for pair in combinations(sorted(game.players), 2):
            found[pair] = found.get(pair, 0) + 1
    return found


def matched(units: Sequence[T], cost: Cost[T]) -> list[tuple[T, T]]:
    """Pairs of an even number of units, of which every block in their order can be paired."""
    size = BLOCK if len(units) > WHOLE else WHOLE
    done: list[tuple[T, T]] = []
    floating: list[T] = []
    for start in range(0, len(units), size):
        block = [*floating, *units[start : start + size]]
        floating = []
        is_last = start + size >= len(units)
        if is_last:
            done += _settled(done, block, cost)
            break
        for pair in _best(block, cost):
            if (cost(*pair) or 0) >= MEETING:
                floating += pair
            else:
                done.append(pair)
    return done


def _settled(done: list[tuple[T, T]], block: list[T], cost: Cost[T]) -> list[tuple[T, T]]:
    """The pairs of the last block, together with some that are `done`, which are taken from there, if that saves a
    second meeting."""
    pairs = _best(block, cost)
    for _ in range(3):
        if not done or all((cost(*pair) or 0) < MEETING for pair in pairs):
            break
        more = [unit for pair in done[-BLOCK // 4 :] for unit in pair]
        del done[-BLOCK // 4 :]
        block = [*more, *block]
        pairs = _best(block, cost)
    return pairs


def _best(units: Sequence[T], cost: Cost[T]) -> list[tuple[T, T]]:
    """The pairs of these units with the least cost in sum."""
    import networkx  # imported here, because it is slow to import

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(units)))
    for one, other in combinations(range(len(units)), 2):
        if (found := cost(units[one], units[other])) is not None:
            graph.add_edge(one, other, weight=-found)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(units[one], units[other]) for one, other in sorted((min(pair), max(pair)) for pair in pairs)]


def matched_ahead(units: Sequence[T], cost: Cost[T], to_come: int) -> list[tuple[T, T]] | None:
    """The pairs of least cost without a second meeting after which so many rounds can be drawn without one, or as many
    as possible; None if already these pairs repeat a meeting."""
    numbers, costs = range(len(units)), dict[tuple[int, int], int]()
    for one, other in combinations(numbers, 2):
        if (found := cost(units[one], units[other])) is not None and found < MEETING:
            costs[one, other] = found
    ways = sorted(_all_pairs(tuple(numbers), costs), key=lambda pairs: sum(costs[pair] for pair in pairs))
    for rounds in range(min(to_come, len(units) - 2), -1, -1):
        for pairs in ways:
            if _can_be_drawn(tuple(numbers), frozenset(costs) - set(pairs), rounds, [MOST_STEPS]):
                return [(units[one], units[other]) for one, other in pairs]
    return None


def _all_pairs(left: tuple[int, ...], allowed: Container[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to pair some numbers."""
    if not left:
        yield ()
    for other in left[1:]:
        if (left[0], other) in allowed:
            for rest in _all_pairs(tuple(one for one in left[1:] if one != other), allowed):
                yield (left[0], other), *rest


def _can_be_drawn(units: tuple[int, ...], free: frozenset[tuple[int, int]], rounds: int, steps: list[int]) -> bool:
    """Whether so many rounds can be drawn of the pairs that are free, as far as is found in so many steps."""
    partners = Counter(chain.from_iterable(free))
    if rounds == 0 or min(partners[unit] for unit in units) < rounds:
        return rounds == 0
    first = next(other for one, other in sorted(free) if one == units[0])  # one round has this pair, if all are used
    ways = free if partners[units[0]] > rounds else free - {pair for pair in free if pair[0] == units[0]} | {(0, first)}
    for pairs in _all_pairs(units, ways):
        steps[0] -= 1
        if steps[0] < 0:
            return False
        if _can_be_drawn(units, free - set(pairs), rounds - 1, steps):
            return True
    return False
