"""The places of tries of the daily among many results: `make bench-daily`, with 100,000 or `RESULTS=10000`.

It stores that many results of one ten, each by a different holder, and measures how long a server takes to find the
place of a try among them, to find the share of people who chose each action, and to store an answer durably. From 1,000
people on, a server keeps the first two for a minute and counts again in the background.
"""

import asyncio
import random
import sys
import tempfile
from bisect import bisect_left
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from time import perf_counter, time

from served import database_in
from solve import machine
from sqlalchemy import Connection, insert

from fivedice.daily.results import Tally
from fivedice.server.games.daily_counts import DailyCounts
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import StoredAnswer, StoredTry, begin_try, store_answer
from fivedice.storage.schema import answers, holders, tries

BAR = 20.0
"""Milliseconds for the places."""

SORT = "ten", "yahtzee", "2026-11-25"
ACTIONS = ["keep 55", "keep 3456", "keep -", "score fives"]
CHUNK, RUNS = 5_000, 200


def main(num: int, kind: str) -> int:
    """Print the measurements; the exit status is 1 if the bar is missed."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, database_in(Path(folder), kind) as (url, _):
        database = Database(url)
        for first in range(0, num, CHUNK):
            span = range(first, min(first + CHUNK, num))
            database.write(lambda connection, span=span: fill(connection, span, chance)).result()
        standings = [Tally(10, 5, chance.expovariate(0.1)).standing("ten") for _ in range(RUNS)]

        days = DrawnDays(database, Searches(Path(folder)), Pool(), time, lambda: bytes(32), UTC)
        counts = DailyCounts(database, days)

        async def place(run: int) -> None:
            found = await counts.board(*SORT)
            assert bisect_left(found, standings[run]) < len(found) == num

        async def shares(run: int) -> None:
            assert sum((await counts.shares(SORT[2], SORT[1], 1 + run % 10)).values()) == num

        with asyncio.Runner() as runner:
            measured("the first place, which reads all", lambda run: runner.run(place(run)), 1)
            worst = measured("a place", lambda run: runner.run(place(run)))
            measured("the first shares", lambda run: runner.run(shares(run)), 10)
            measured("shares of each action", lambda run: runner.run(shares(run)))
        one = StoredTry("measured", "2026-11-26", "ten", "yahtzee", 1, "h0", 1.0, None, None)
        database.write(lambda connection: begin_try(connection, one)).result()

        def store(run: int) -> None:
            given = StoredAnswer(run + 1, ACTIONS[0], 1.0)
            database.write(lambda c: store_answer(c, one.id, given, lambda _: (None, None))).result()

        measured("an answer, durably", store, 100)
        database.close()
    print(f"{num:,} results on {kind}; bar {BAR:g} ms for the places; {machine()}")
    return int(worst > BAR)


def fill(connection: Connection, span: range, chance: random.Random) -> None:
    """Store holders with their finished tries and answers."""
    connection.execute(insert(holders), [{"id": f"h{number}", "created": 1.0, "seen": 1.0} for number in span])
    kind, rules, day = SORT
    sort = {"kind": kind, "rules": rules, "day": day, "run": 1, "began": 1.0, "ended": 2.0}
    rows = [
        {
            **sort,
            "id": f"t{number}",
            "holder": f"h{number}",
            "standing": Tally(10, 5, chance.expovariate(0.1)).standing("ten"),
        }
        for number in span
    ]
    connection.execute(insert(tries), rows)
    given = [
        {"try_id": f"t{number}", "number": question, "action": chance.choice(ACTIONS), "at": 1.0}
        for number in span
        for question in range(1, 11)
    ]
    connection.execute(insert(answers), given)


def measured(what: str, do: Callable[[int], object], runs: int = RUNS) -> float:
    """Print the middle and the 99th percentile of the times of some runs, and return the latter, in milliseconds."""
    times = []
    for run in range(runs):
        began = perf_counter()
        do(run)
        times.append(1_000 * (perf_counter() - began))
    times.sort()
    worst = times[int(0.99 * (runs - 1))]
    print(f"{what:34} {times[runs // 2]:8.2f} ms   99 %: {worst:8.2f} ms")
    return worst


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(main(int(arguments[0]) if arguments else 100_000, arguments[1] if len(arguments) > 1 else "sqlite"))
