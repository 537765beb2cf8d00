"""`matched`: pairs of the least cost, and the random numbers of a seed.

Everything random in a draw is a SHA-256 of the seed and of numbers of players, so that anybody can repeat it.

A maximum-weight matching of 500 people takes many seconds in Python. So those who are near each other in an order are
matched in blocks; people whom a block cannot pair with somebody new float to the next one, as in a Swiss tournament by
hand. Up to `WHOLE` people are one block, whose pairs are the best of all.
"""

import hashlib
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeVar

from fivedice.tournament.state import Tournament

WHOLE = 40
BLOCK = 24
"""The most that are matched at once, and the size of blocks if there are more."""

MEETING = 1 << 60
"""The cost of two people who have met before, once for each time: more than all else in a block."""

NOISE = 1 << 20
"""Random costs are smaller than this, and all others are multiples of it."""

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
