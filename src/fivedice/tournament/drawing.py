"""`draw`: the tables of the next round of each format, and who has none; `matched`: pairs of the least cost.

Everything random in a draw is a SHA-256 of the seed and of numbers of players, so that anybody can repeat it.

A maximum-weight matching of 500 people takes many seconds in Python. So those who are near each other in an order are
matched in blocks; people whom a block cannot pair with somebody new float to the next one, as in a Swiss tournament by
hand. Up to `WHOLE` people are one block, whose pairs are the best of all.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain, combinations, product
from typing import TypeVar

from fivedice.tournament.settings import MIN_SEATS
from fivedice.tournament.standings import standings
from fivedice.tournament.state import Tournament

WHOLE = 40
BLOCK = 24
"""The most that are matched at once, and the size of blocks if there are more."""

MEETING = 1 << 60
"""The cost of two people who have met before, once for each time: more than all else in a block."""

NOISE = 1 << 20
"""Random costs are smaller than this, and all others are multiples of it."""

MOST_STEPS = 2_000
"""The most rounds that are tried out to look ahead by some number, after all pairs that the next round may have."""

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
        steps = [MOST_STEPS]
        for pairs in ways:
            if _can_be_drawn(tuple(numbers), frozenset(costs) - set(pairs), rounds, steps):
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
    for pairs in _all_pairs(units, free):
        steps[0] -= 1
        if steps[0] < 0:
            return False
        if _can_be_drawn(units, free - set(pairs), rounds - 1, steps):
            return True
    return False


Table = tuple[int, ...]

Drawn = tuple[list[Table], list[int]]
"""The players of each table in the order of their seats, and those without one."""

NOBODY = 0
"""Whom a player with a bye meets."""

AHEAD = 12
"""The most players of a Swiss tournament, with `NOBODY`, for whom a draw looks ahead over all planned rounds."""

MAX_SWEEPS = 3
"""Over the tables of an evening, for exchanges that save second meetings."""


def draw(tournament: Tournament, seed: str) -> Drawn:
    """The next round of the players who are present, of whom there are at least two; it depends on nothing else."""
    drawn = {"evening": _evening, "swiss": _swiss, "round_robin": _round_robin, "duplicate": _duplicate}
    tables, byes = drawn[tournament.settings.format](tournament, seed)
    return [seated(table, seed) for table in tables], byes


def seated(table: Table, seed: str) -> Table:
    """The players of a table in the order of their seats."""
    return tuple(sorted(table, key=lambda player: number_of(seed, 0, player)))


def _duplicate(tournament: Tournament, seed: str) -> Drawn:
    return [tuple(tournament.present)], []


def order_of_round_robin(tournament: Tournament, seed: str) -> tuple[int, ...]:
    """The order of all players, which decides all rounds of a round robin: that of its first draw."""
    return tournament.order or tuple(shuffled(tournament.present, seed))


def sizes(num_players: int, seats: int) -> list[int]:
    """The sizes of the tables of an evening: as equal as possible, with at most `seats` at each. Only an odd number at
    tables of two has one table of three.

    >>> sizes(9, 4), sizes(6, 4), sizes(7, 3), sizes(7, 2)
    ([3, 3, 3], [3, 3], [3, 2, 2], [3, 2, 2])
    """
    num_tables = num_players // 2 if seats == MIN_SEATS else -(-num_players // seats)
    small, num_larger = divmod(num_players, num_tables)
    return [small + 1] * num_larger + [small] * (num_tables - num_larger)


def _swiss(tournament: Tournament, seed: str) -> Drawn:
    """Pairs with the least differences of points, none a second time if possible. With an odd number, `NOBODY` is
    paired, too, as if with the fewest points: a bye. In a small field, none that would spoil the rounds to come."""
    standing = standings(tournament)
    order = sorted(shuffled(tournament.present, seed), key={one.player: -one.points for one in standing}.__getitem__)
    met, points = meetings(tournament), {one.player: one.points for one in standing}
    met |= {(NOBODY, one.player): one.byes for one in standing if one.byes}
    if len(order) % 2:
        points[NOBODY] = points[order[-1]]
        order.append(NOBODY)

    def cost(one: int, other: int) -> int:
        apart = points[one] - points[other]
        pair = min(one, other), max(one, other)
        return met.get(pair, 0) * MEETING + apart**2 * NOISE + noise(seed, one, other)

    to_come = tournament.settings.rounds - len(tournament.rounds) - 1
    pairs = (matched_ahead(order, cost, to_come) if len(order) <= AHEAD else None) or matched(order, cost)
    byes = [player for pair in pairs if NOBODY in pair for player in pair if player != NOBODY]
    return [pair for pair in pairs if NOBODY not in pair], byes


def _round_robin(tournament: Tournament, seed: str) -> Drawn:
    """The next round of the circle method: the first player stays, and the others move on by one place a round."""
    order: list[int] = list(order_of_round_robin(tournament, seed))
    present = set(tournament.present)
    if len(order) % 2:
        order.append(0)  # nobody
    turn = len(tournament.rounds) % (len(order) - 1)
    circle = [order[0], *order[1 + turn :], *order[1 : 1 + turn]]
    pairs = [(circle[index], circle[-1 - index]) for index in range(len(circle) // 2)]
    tables: list[Table] = [pair for pair in pairs if present.issuperset(pair)]
    byes = [player for pair in pairs if not present.issuperset(pair) for player in pair if player in present]
    return tables, byes


def _evening(tournament: Tournament, seed: str) -> Drawn:
    """Tables on which as few people as possible have met: pairs, which are then matched with single people for tables
    of three and with each other for tables of four."""
    met = meetings(tournament)

    def repeats(table: Table) -> int:
        return sum(met.get(pair, 0) for pair in combinations(sorted(table), 2))

    def cost(one: Table, other: Table) -> int:
        return repeats(one + other) * MEETING + noise(seed, one[0], other[0])

    def cost_of_three(one: Table, other: Table) -> int | None:
        return None if len(one) == len(other) else cost(one, other)

    order: list[Table] = [(player,) for player in shuffled(tournament.present, seed)]
    wanted = sizes(len(order), tournament.settings.seats)
    num_threes, num_fours = wanted.count(3), wanted.count(4)
    singles, others = order[:num_threes], order[num_threes:]
    pairs = [one + other for one, other in matched(others, cost)]
    # Alternating, so that each block of the matching has as many single people as pairs.
    threes = [unit for both in zip(singles, pairs[:num_threes], strict=True) for unit in both]
    tables = [one + other for one, other in matched(threes, cost_of_three)]
    fours = pairs[num_threes : num_threes + 2 * num_fours]
    tables += [one + other for one, other in matched(fours, cost)]
    tables += pairs[num_threes + 2 * num_fours :]
    for _ in range(MAX_SWEEPS):
        for index in range(len(tables)):
            if repeats(tables[index]):
                _exchange(tables, index, repeats)
    return tables, []


def _exchange(tables: list[Table], index: int, repeats: Callable[[Table], int]) -> None:
    """Exchange a player of a table with one of another table, if that saves most second meetings."""
    best: tuple[int, int, Table, Table] | None = None
    for other, theirs in enumerate(tables):
        if other == index:
            continue
        before = repeats(tables[index]) + repeats(theirs)
        for one, two in product(tables[index], theirs):
            ours = tuple(two if player == one else player for player in tables[index])
            changed = tuple(one if player == two else player for player in theirs)
            saved = before - repeats(ours) - repeats(changed)
            if saved > (best[0] if best else 0):
                best = saved, other, ours, changed
    if best:
        _, other, tables[index], tables[other] = best
