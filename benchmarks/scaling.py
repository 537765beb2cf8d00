"""The arithmetic of docs/scaling.md, and a simulation of its queues: `make scaling` prints the tables of that page.

Everything follows from `MEASURED` and `PLAY`: change a figure there, and paste what this prints into the page.
"""

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil


@dataclass(frozen=True)
class Measured:
    """What was measured on two cores (AMD EPYC), 2026-11-23; the comments name the measurement."""

    action_ms: float = 0.91  # a server's processor time, `make bench-cluster`, one process at 1,000 actions a second
    action_ms_8: float = 1.40  # the same with eight processes, routed
    busy_action_ms: float = 0.40  # the same at full speed, 2,014 actions a second: `make bench-server DB=postgres`
    database_ms: float = 0.15  # PostgreSQL's processor time for an action, `make bench-server DB=postgres`
    players_ms: float = 0.85  # that of the players' process of these benchmarks, at 1,000 actions a second
    busy_players_ms: float = 0.45  # the same at full speed: what the server and PostgreSQL leave of two cores
    commit_ms: float = 4.9  # one event after another: 205 a second
    process_mb: float = 100.0  # a process without clients, `make bench-server`
    socket_kb: float = 49.0  # an idle socket with its half of a table, 5,000 of them
    wire_bytes: float = 3_160.0  # a view of `yahtzee` for two, to one socket, mean over a game
    event_bytes: float = 230.0  # an event in the database: 25 KB for 110
    review_ms: float = 37.0  # a worker's processor time for a review of `yahtzee`
    solve_s: float = 3.0  # a core's time for a ruleset like `yahtzee`
    connections: int = 7  # of a process to PostgreSQL


@dataclass(frozen=True)
class Play:
    """How people play; an assumption."""

    seconds_an_action: float = 6.0  # at a table of two
    actions_a_game: int = 110
    reviews_a_game: float = 1.0
    solves_a_game: float = 0.01  # own rules that nobody has solved yet
    busy: float = 0.5  # of a core, so that an evening three times as busy as the day has room


MEASURED, PLAY = Measured(), Play()
PEOPLE = (10**3, 10**5, 10**7)
PROCESS_RATE = 1_000.0
"""Actions a second for which a process is planned; it did 2,014 at full speed."""


def needs(people: int) -> dict[str, float]:
    """What so many people who play at once need."""
    tables = people / 2
    actions = tables / PLAY.seconds_an_action
    games = actions / PLAY.actions_a_game
    processes = max(1, ceil(actions / PROCESS_RATE))
    slow = PLAY.reviews_a_game * MEASURED.review_ms / 1_000 + PLAY.solves_a_game * MEASURED.solve_s
    cost = MEASURED.action_ms if processes == 1 else MEASURED.action_ms_8
    return {
        "actions a second": actions,
        "serving processes, at 1,000 actions a second each": processes,
        "cores of the servers": max(1, ceil(actions * cost / 1_000 / PLAY.busy)),
        "memory of the servers, GB": (processes * MEASURED.process_mb + people * MEASURED.socket_kb / 1_000) / 1_000,
        "sent to players, Mbit/s": actions * 2 * MEASURED.wire_bytes * 8 / 10**6,
        "connections to PostgreSQL": processes * MEASURED.connections,
        "cores of PostgreSQL": max(1, ceil(actions * MEASURED.database_ms / 1_000 / PLAY.busy)),
        "commits a second, one each 20 ms and process": min(actions, processes * 50),
        "stored a day, GB": actions * MEASURED.event_bytes * 86_400 / 3 / 10**9,
        "reviews a second": games * PLAY.reviews_a_game,
        "cores for reviews and solving": max(1, ceil(games * slow / PLAY.busy)),
    }


def arithmetic() -> Iterator[str]:
    """The table by people, in Markdown."""
    found = [needs(people) for people in PEOPLE]
    yield "| people playing at once | " + " | ".join(f"{people:,}" for people in PEOPLE) + " |"
    yield "|---|" + "---:|" * len(PEOPLE)
    for name in found[0]:
        yield f"| {name} | " + " | ".join(shown(one[name]) for one in found) + " |"


def shown(value: float) -> str:
    """A figure with two digits, or as a whole number."""
    if value < 10 and value != int(value):
        return f"{value:.1f}"
    digits = len(str(int(value)))
    return f"{round(value, min(0, 2 - digits)):,.0f}"


def waits(rate: float, processes: int, cores: int, *, has_players: bool = False, seconds: float = 20.0) -> list[float]:
    """The milliseconds from arrival to acknowledgement of each action, in order.

    Actions arrive at random. A process handles all that wait in one turn on one of the `cores`, so that an action costs
    less the more wait: as much as was measured at 1,000 a second if it is alone, and as at full speed if many do. What
    it has handled is stored by one commit, whose time is exponential; what is handled meanwhile waits for the next
    one. With players, their process takes a turn for each action on the same cores.
    """
    rng = random.Random(processes)
    numbers = iter(range(10**9))
    times: list[tuple[float, int, str, int, list[float]]] = []
    ready: deque[tuple[float, str, int, list[float]]] = deque()
    queues: list[list[float]] = [[] for _ in range(processes + 1)]
    handled: list[list[float]] = [[] for _ in range(processes)]
    is_handling, is_committing = [False] * (processes + 1), [False] * processes
    found: list[float] = []
    free = cores

    def handle(process: int) -> None:
        if queues[process] and not is_handling[process]:
            is_handling[process] = True
            alone, busy = MEASURED.action_ms, MEASURED.busy_action_ms
            if process == processes:
                alone, busy = MEASURED.players_ms, MEASURED.busy_players_ms
            arrived, queues[process] = queues[process], []
            ready.append((alone - busy + busy * len(arrived), "handled", process, arrived))

    def commit(process: int) -> None:
        if handled[process] and not is_committing[process]:
            is_committing[process] = True
            batch, handled[process] = handled[process], []
            ready.append((MEASURED.database_ms * len(batch), "written", process, batch))

    heappush(times, (0.0, next(numbers), "arrival", 0, []))
    while times:
        now, _, what, process, arrived = heappop(times)
        free += what in ("handled", "written")
        if what == "arrival":
            if now < seconds * 1_000:
                after = now + rng.expovariate(rate / 1_000)
                heappush(times, (after, next(numbers), what, rng.randrange(processes), []))
            queues[process].append(now)
            if has_players:
                queues[processes].append(now)
        elif what == "handled":
            is_handling[process] = False
            if process < processes:
                handled[process] += arrived
        elif what == "written":
            after = now + rng.expovariate(1 / MEASURED.commit_ms)
            heappush(times, (after, next(numbers), "committed", process, arrived))
        else:
            is_committing[process] = False
            found += [now - one for one in arrived]
        for one in {process, processes}:
            handle(one)
        if process < processes:
            commit(process)
        while free and ready:
            free -= 1
            ms, then, whose, of = ready.popleft()
            heappush(times, (now + ms, next(numbers), then, whose, of))
    return sorted(found)


def simulation() -> Iterator[str]:
    """The table of the simulation, in Markdown."""
    rates = (500, 1_000, 1_500, 2_000)
    yield "| processes | cores | " + " | ".join(f"p99 at {rate:,}/s each, ms" for rate in rates) + " |"
    yield "|---:|---:|" + "---:|" * len(rates)
    for processes, cores in ((1, 2), (2, 4), (8, 16), (32, 64)):
        cells = []
        for rate in rates:
            found = waits(rate * processes, processes, cores, seconds=40.0 / processes)
            cells.append(f"{found[len(found) * 99 // 100]:.1f}")
        yield f"| {processes} | {cores} | " + " | ".join(cells) + " |"


def check() -> Iterator[str]:
    """The simulation of the benchmark, whose players share the two cores, in Markdown."""
    yield "| processes | p50 simulated, ms | p99 simulated, ms |"
    yield "|---:|---:|---:|"
    for processes in (1, 2):
        found = waits(1_000, processes, 2, has_players=True)
        yield f"| {processes} | {found[len(found) // 2]:.1f} | {found[len(found) * 99 // 100]:.1f} |"


def main() -> None:
    for part in (arithmetic(), simulation(), check()):
        print(*part, sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
