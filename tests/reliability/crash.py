"""The crash test: kills a server under load, again and again, and counts what it had acknowledged and then lost.

`python -m tests.reliability.crash --kills 200 --db sqlite` prints its figures, and last
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

from tests.reliability.client import GONE, Client
from tests.reliability.databases import Place, postgres_place, sqlite_place
from tests.reliability.ledger import Ledger, Notes
from tests.reliability.process import ServerProcess

TABLES = 8
"""Tables that are played at once: half of them over sockets, every fourth with a computer player."""

LONGEST_LIFE = 0.7
"""Seconds that the server lives at most, once it serves."""

KILLED_EARLY = 0.1
"""The share of kills that come while it starts."""

END_SECONDS = 60.0
"""How long the tables may take to their ends, once nothing is killed any more."""


@dataclass
class Outcome:
    """What was found: `starts` are the seconds that each start took, `stuck` tables that do not come to their end."""

    ledger: Ledger
    kills: int = 0
    starts: list[float] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lost, stuck = len(self.ledger.lost), len(self.stuck)
        return f"acknowledged {self.ledger.num_acknowledged}, lost {lost}, stuck {stuck}"


class Crash:
    """One crash test on a database, whose chance is seeded."""

    def __init__(self, place: Place, kills: int, seed: int) -> None:
        self._place = place
        self._kills = kills
        self._chance = random.Random(seed)
        self._server = ServerProcess(place.url)
        self._outcome = Outcome(Ledger())
        self._client = Client(self._server.url, self._outcome.ledger, self._chance)
        self._up = asyncio.Event()
        self._is_ending = False

    async def run(self) -> Outcome:
        """Kill the server so often, let all tables be played to their ends, and look into the database."""
        players = [asyncio.create_task(self._play(number)) for number in range(TABLES)]
        try:
            while self._outcome.kills < self._kills:
                await self._live()
            await self._end(players)
        finally:
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            await asyncio.to_thread(self._server.kill)
        self._outcome.ledger.check_rows(self._place.commands())
        return self._outcome

    async def _live(self) -> None:
        """One life of the server: it starts, everything is checked, it is played on, and it is killed."""
        self._server.begin()
        self._outcome.kills += 1
        began = perf_counter()
        if self._outcome.starts and self._chance.random() < KILLED_EARLY:
            await asyncio.sleep(self._chance.uniform(0, self._outcome.starts[-1]))
        else:
            await self._check_all(began)
            self._up.set()
            await asyncio.sleep(self._chance.uniform(0, LONGEST_LIFE))
        await asyncio.to_thread(self._server.kill)
        self._up.clear()

    async def _check_all(self, began: float) -> None:
        """Before anyone goes on: all that was acknowledged is there, of the tables that are being played."""
        await asyncio.to_thread(self._server.wait_until_up)
        self._outcome.starts.append(perf_counter() - began)
        for notes in self._unfinished():
            await self._client.check(notes)

    async def _end(self, players: list["asyncio.Task[None]"]) -> None:
        """The server stays up: every table goes on to its end."""
        self._server.begin()
        await self._check_all(perf_counter())
        self._is_ending = True
        self._up.set()
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
        """Play a table after the other, whatever happens to the server; the last one to its end."""
        notes: Notes | None = None
        while not (self._is_ending and (notes is None or notes.has_ended)):
            await self._up.wait()
            try:
                if notes is None or notes.has_ended:
                    notes = await self._client.create(computer=number % 4 == 0)
                await self._client.play(notes, over_socket=number % 2 == 0)
            except GONE:
                # What was asked and not answered is in the notes, and is asked again.
                await asyncio.sleep(0.01)


async def crash(place: Place, kills: int, seed: int) -> Outcome:
    """What a crash test finds."""
    return await Crash(place, kills, seed).run()


def main() -> int:
    """Run it as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--db", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    asked = parser.parse_args()
    print(f"{asked.kills} kills on {asked.db}, seed {asked.seed}, load {os.getloadavg()[0]:.1f}", flush=True)
    began = perf_counter()
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        make = sqlite_place if asked.db == "sqlite" else postgres_place
        outcome = asyncio.run(crash(stack.enter_context(make(Path(folder))), asked.kills, asked.seed))
    starts = sorted(outcome.starts)
    print(f"{outcome.kills} kills in {perf_counter() - began:.0f} s; a start took {starts[len(starts) // 2]:.2f} s")
    print(f"{len(outcome.ledger.notes)} tables, {len(outcome.ledger.notes) - len(outcome.stuck)} played to their ends")
    for sentence in [*outcome.ledger.lost, *(f"stuck: {table}" for table in outcome.stuck)]:
        print(sentence)
    print(outcome)
    return 1 if outcome.ledger.lost or outcome.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
