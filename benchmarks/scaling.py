"""The arithmetic of docs/scaling.md: `make scaling` prints the table of that page.

Everything follows from `MEASURED` and `PLAY`: change a figure there, and paste what this prints into the page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True)
class Measured:
    """What was measured on two cores (AMD EPYC), from 2026-11-23 to 29; the comments name the measurement."""

    action_ms: float = 0.67  # a server's processor time, `make bench-cluster`, one process at 1,000 actions a second
    action_ms_8: float = 1.12  # the same with eight processes, routed
    database_ms: float = 0.10  # PostgreSQL's processor time for an action, `make bench-server DB=postgres`
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
"""Actions a second for which a process is planned; it did 2,152 at full speed."""


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


def main() -> None:
    print(*arithmetic(), sep="\n")


if __name__ == "__main__":
    main()
