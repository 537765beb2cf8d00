"""The crash test: kills a server under load repeatedly and counts acknowledged commands that were lost.

`python -m tests.reliability.crash --kills 200 --db sqlite` prints its figures and ends with
`acknowledged N, lost 0, stuck 0`.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from tests.reliability.client import CONNECTION_ERRORS, Client
from tests.reliability.databases import TargetDatabase, create_postgres, create_sqlite
from tests.reliability.ledger import Ledger, Notes
from tests.reliability.process import ServerProcess

NUM_TABLES = 8
"""Tables played at the same time: half of them over WebSocket, one in four with a computer player."""

MAX_UPTIME_SECONDS = 0.7
"""The longest time between the end of a start and the kill."""

STARTUP_KILL_SHARE = 0.1
"""The share of kills during the start."""

END_SECONDS = 60.0
"""The time for all games to end after the last kill."""


@dataclass
class Outcome:
    """The result of a crash test: the duration of each start in seconds, and the tables whose games did not end."""

    ledger: Ledger
    kills: int = 0
    starts: list[float] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lost, stuck = len(self.ledger.lost), len(self.stuck)
        return f"acknowledged {self.ledger.num_acknowledged}, lost {lost}, stuck {stuck}"


class CrashTest:
    """One crash test on a database, with a seeded random generator."""

    def __init__(self, database: TargetDatabase, kills: int, seed: int) -> None:
        self._database = database
        self._kills = kills
        self._rng = random.Random(seed)
        self._server = ServerProcess(database.url)
        self._outcome = Outcome(Ledger())
        self._client = Client(self._server.url, self._outcome.ledger, self._rng)
        self._is_ready = asyncio.Event()
        self._is_ending = False

    async def run(self) -> Outcome:
        """Kill the server `kills` times, play all games to their end, and compare the database with the ledger."""
        players = [asyncio.create_task(self._play(number)) for number in range(NUM_TABLES)]
        try:
            while self._outcome.kills < self._kills:
                await self._run_and_kill()
            await self._end(players)
        finally:
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            await asyncio.to_thread(self._server.kill)
        self._outcome.ledger.check_database(self._database.commands())
        return self._outcome

    async def _run_and_kill(self) -> None:
        """Start the server, check every table, continue all games, and kill the server."""
        self._server.launch()
        self._outcome.kills += 1
        began = perf_counter()
        if self._outcome.starts and self._rng.random() < STARTUP_KILL_SHARE:
            await asyncio.sleep(self._rng.uniform(0, self._outcome.starts[-1]))
        else:
            await self._check_all(began)
            self._is_ready.set()
            await asyncio.sleep(self._rng.uniform(0, MAX_UPTIME_SECONDS))
        await asyncio.to_thread(self._server.kill)
        self._is_ready.clear()

    async def _check_all(self, began: float) -> None:
        """Compare every unfinished table with the ledger before play continues."""
        await asyncio.to_thread(self._server.wait_until_ready)
        self._outcome.starts.append(perf_counter() - began)
        for notes in self._unfinished():
            await self._client.check(notes)

    async def _end(self, players: list["asyncio.Task[None]"]) -> None:
        """Play all games to their end on a server that is not killed."""
        self._server.launch()
        await self._check_all(perf_counter())
        self._is_ending = True
        self._is_ready.set()
        await asyncio.wait(players, timeout=END_SECONDS)
        for player in players:
            if player.done():
                player.result()
        self._outcome.stuck += [notes.table for notes in self._unfinished()]
        for notes in self._outcome.ledger.notes.values():
            await self._client.check(notes)

    def _unfinished(self) -> list[Notes]:
        return [notes for notes in self._outcome.ledger.notes.values() if not notes.has_ended]

    async def _play(self, number: int) -> None:
        """Play one game after another across restarts, and the last one to its end."""
        notes: Notes | None = None
        while not (self._is_ending and (notes is None or notes.has_ended)):
            await self._is_ready.wait()
            try:
                if notes is None or notes.has_ended:
                    notes = await self._client.create(computer=number % 4 == 0)
                await self._client.play(notes, over_websocket=number % 2 == 0)
            except CONNECTION_ERRORS:
                # The notes keep the unanswered command, which is sent again.
                await asyncio.sleep(0.01)


async def crash(database: TargetDatabase, kills: int, seed: int) -> Outcome:
    """Run a crash test and return its result."""
    return await CrashTest(database, kills, seed).run()


def main() -> int:
    """Run a crash test with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--db", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    print(f"{options.kills} kills on {options.db}, seed {options.seed}, load {os.getloadavg()[0]:.1f}", flush=True)
    began = perf_counter()
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        create = create_sqlite if options.db == "sqlite" else create_postgres
        outcome = asyncio.run(crash(stack.enter_context(create(Path(folder))), options.kills, options.seed))
    starts = sorted(outcome.starts)
    print(f"{outcome.kills} kills in {perf_counter() - began:.0f} s; a start took {starts[len(starts) // 2]:.2f} s")
    print(f"{len(outcome.ledger.notes)} tables, {len(outcome.ledger.notes) - len(outcome.stuck)} played to their end")
    for finding in [*outcome.ledger.lost, *(f"stuck: {table}" for table in outcome.stuck)]:
        print(finding)
    print(outcome)
    return 1 if outcome.ledger.lost or outcome.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
