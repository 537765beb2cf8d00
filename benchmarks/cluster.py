"""The cost of an action by the number of processes on one PostgreSQL: `make bench-cluster`.

Two people play at each of 200 tables, as in `make bench-server`, each over their own socket, on 1, 2, 4 and 8
processes. With routing, the people of a table meet in one process, as behind the documented proxies. Without, they are
connected to different ones, as by a load balancer that knows nothing of tables. Processes, database and players share
this machine, which shows costs, not the throughput of several machines. The cost is the processor time of all server
processes for an action, while 1,000 actions a second are offered in all.

A process with an eighth of the actions makes smaller commits, so its actions cost more even where no other process
exists. The lines `alone` measure that: one process with its part of the actions. `of alone` is the cost of so many
processes as a multiple of the cost of one with the same load, `of one` as a multiple of the cost of one with all.
"""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import quantiles

import uvloop
from served import database_in, processor_seconds, server
from server import OFFERED, P99_BAR, TABLES, WARM_UP, play
from solve import machine

NUMBERS = (1, 2, 4, 8)

ROUTED_BAR, UNROUTED_BAR = 1.15, 1.6
"""The cost with 8 processes, as a multiple of that with one."""


def main() -> None:
    numbers = [int(text) for text in sys.argv[1:]] or NUMBERS
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {TABLES} tables, {OFFERED:,.0f} actions a second offered")
    print(f"{'':<10}{'processes':>10}{'actions':>9}{'ms an action':>14}{'of one':>8}{'of alone':>10}", end="")
    print(f"{'database ms':>13}{'p50 ms':>8}{'p99 ms':>8}")
    costs: dict[int, float] = {}  # of one process with the part of the actions that each of so many has
    for part in numbers:
        costs[part], line = measure(1, OFFERED / part, is_routed=True)
        name = "routed" if part == 1 else f"alone 1/{part}"
        print(f"{name:<10}{1:>10}{line.replace('RATIOS', ratios(costs, 1, costs[part]))}", flush=True)
    for is_routed, bar in ((True, ROUTED_BAR), (False, UNROUTED_BAR)):
        for number in numbers[1:] if is_routed else numbers:
            cost, line = measure(number, OFFERED, is_routed=is_routed)
            name = "routed" if is_routed else "not routed"
            print(f"{name:<10}{number:>10}{line.replace('RATIOS', ratios(costs, number, cost))}", flush=True)
        print(f"{'':<10}bar for 8 processes: {bar} times; p99 {P99_BAR:.0f} ms")


def ratios(costs: Mapping[int, float], number: int, cost: float) -> str:
    """A cost as a multiple of that of one process with all actions, and with the part of so many processes."""
    return f"{cost / costs[min(costs)]:>8.2f}{cost / costs[number]:>10.2f}"


def measure(number: int, rate: float, *, is_routed: bool) -> tuple[float, str]:
    """Play on so many processes; the cost of an action in milliseconds, and the rest of the line.

    `rate` is the number of actions offered in a second.
    """
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        database_url, database_pid = stack.enter_context(database_in(Path(folder), "postgres"))
        found = [stack.enter_context(server(database_url)) for _ in range(number)]
        urls, pids = [url for url, _ in found], [pid for _, pid in found]
        before: list[float] = []
        answers = uvloop.run(
            play(urls, TABLES / rate, partial(note, [*pids, database_pid], before), is_routed=is_routed)
        )
        after: list[float] = []
        note([*pids, database_pid], after)
        spent = [late - early for early, late in zip(before, after, strict=True)]
        waits = [seconds * 1_000 for at, seconds in answers if at >= WARM_UP]
        cuts = quantiles(waits, n=100)
        cost = sum(spent[:-1]) * 1_000 / len(answers)
        database = spent[-1] * 1_000 / len(answers)
        return (cost, f"{len(answers):>9,}{cost:>14.2f}RATIOS{database:>13.2f}{cuts[49]:>8.1f}{cuts[98]:>8.1f}")


def note(pids: Sequence[int], times: list[float]) -> None:
    """Note the processor times of processes so far, in seconds."""
    times += [processor_seconds(pid) for pid in pids]


if __name__ == "__main__":
    main()
