"""The upgrade test: the schema is expanded, and processes are replaced one by one, while people play.

`python -m tests.reliability.test_upgrade --players 200` starts four processes on one PostgreSQL behind an address, runs
a migration that adds a column, and replaces each process by another. It ends with `acknowledged N, lost 0, doubled 0,
stuck 0, errors shown 0`.

An error is shown to a player if a command is refused, if a request or a connection fails, or if a connection is closed
without a farewell: then a page says that the connection is lost. After a farewell a page connects again silently.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from alembic import command
from sqlalchemy import create_engine, make_url
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from fivedice.storage.migrate import alembic_config, newest_schema
from tests.reliability.balancer import Balancer
from tests.reliability.client import CONNECTION_ERRORS, Client, UnavailableError, finish, record_text
from tests.reliability.crash import Outcome
from tests.reliability.databases import TargetDatabase, create_postgres
from tests.reliability.ledger import Json, Ledger, Notes
from tests.reliability.process import ServerProcess
from tests.reliability.replay import check_records
from tests.repository import ROOT
from tests.waiting import TIMEOUT_SECONDS, wait_for, wait_for_async

NUM_PROCESSES = 4

RECONNECT_SECONDS = 0.5
"""A page connects again within this time after a farewell."""


@dataclass
class Figures(Outcome):
    num_reconnections: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)

    @property
    def findings(self) -> list[str]:
        return [*super().findings, *(f"shown {number} times: {error}" for error, number in self.errors.items())]

    def __str__(self) -> str:
        return f"{super().__str__()}, errors shown {self.errors.total()}"


class Pair(Client):
    """Two people who play at one table, and who think before each command."""

    def __init__(self, url: str, figures: Figures, rng: random.Random) -> None:
        super().__init__(url, figures.ledger, rng)
        self.is_hasty = False
        self._figures = figures
        self._sent: dict[str, float] = {}
        """When each command without an answer was first sent, by its id."""

    async def play_on(self, notes: Notes, *, over_websocket: bool) -> None:
        """Play a game to its end, as pages do that connect again."""
        while not notes.has_ended:
            try:
                await self.play(notes, over_websocket=over_websocket)
            except ConnectionClosed as error:
                if error.rcvd is not None and error.rcvd.code == 1012:  # the server stops
                    self._figures.num_reconnections += 1
                else:
                    self._figures.errors[f"socket closed with {error.rcvd}"] += 1
                await asyncio.sleep(self.rng.uniform(0, RECONNECT_SECONDS))
            except (UnavailableError, *CONNECTION_ERRORS) as error:
                self._figures.errors[f"{type(error).__name__}: {error}"] += 1
                await asyncio.sleep(self.rng.uniform(0, RECONNECT_SECONDS))

    async def _think(self, id: str) -> None:
        """Wait before a command, but not before the same one is sent again."""
        if id not in self._sent:
            if not self.is_hasty:
                await asyncio.sleep(self.rng.uniform(0.2, 0.6))
            self._sent[id] = perf_counter()

    async def _send(self, notes: Notes, sockets: list[ClientConnection]) -> None:
        assert notes.pending is not None
        await self._think(notes.pending[1]["id"])
        await super()._send(notes, sockets)

    async def _call(self, path: str, body: Json | None = None, cookie: str = "") -> tuple[int, Json, str]:
        if body is not None and "id" in body:
            await self._think(body["id"])
        return await super()._call(path, body, cookie)

    def _on_update(self, notes: Notes, update: Json) -> None:
        # Views of two versions may differ in other fields.
        compared = {name: update["view"][name] for name in ("version", "state", "line")}
        super()._on_update(notes, {**update, "view": compared})

    def _on_answer(self, notes: Notes, answer: Json) -> None:
        super()._on_answer(notes, answer)
        self._figures.waits.append(perf_counter() - self._sent.pop(answer["id"]))


MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9990", "{newest}"

def upgrade():
    op.add_column("events", sa.Column("later", sa.Integer, nullable=False, server_default="1"))
"""


def expand(url: str, folder: Path) -> None:
    (folder / "9990_later.py").write_text(MIGRATION.format(newest=newest_schema()))
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        config = alembic_config(connection)
        present = ROOT / "src/fivedice/storage/migrations/versions"
        config.set_main_option("path_separator", "newline")
        config.set_main_option("version_locations", f"{present}\n{folder}")
        command.upgrade(config, "head")
    engine.dispose()


class UpgradeTest:
    """Expands the schema of `database`, and replaces its processes, while `num_players` play."""

    def __init__(
        self,
        database: TargetDatabase,
        num_players: int,
        folder: Path,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        self._database = database
        self._num_tables = num_players // 2
        self._folder = folder
        self._say = say
        self._began = perf_counter()
        self.figures = Figures()

    async def run(self) -> Figures:
        """Play all games to their end, and compare the database with the ledger."""
        with ExitStack() as stack:
            servers = [self._launch(stack) for _ in range(NUM_PROCESSES)]
            for server in servers:
                await asyncio.to_thread(server.wait_until_ready)
            balancer = stack.enter_context(Balancer([server.port for server in servers]))
            self._note(f"{NUM_PROCESSES} processes serve")
            self._url = balancer.url
            pairs = [Pair(balancer.url, self.figures, random.Random(seed)) for seed in range(self._num_tables)]
            playing = {asyncio.create_task(self._play(number, pair)) for number, pair in enumerate(pairs)}
            try:
                await self._progress("people play")
                await asyncio.to_thread(expand, self._database.url, self._folder)
                self._note("a later program has expanded the schema")
                await self._progress("people play on")
                for number, server in enumerate(servers, 1):
                    await self._replace(stack, balancer, number, server)
                for pair in pairs:
                    pair.is_hasty = True
                await finish(playing, self.figures.ledger, TIMEOUT_SECONDS)
                left = [notes.table for notes in self.figures.ledger.notes.values() if not notes.has_ended]
                self.figures.stuck += [f"table {table} did not go on" for table in left]
            finally:
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
            ledger = self.figures.ledger
            for notes in ledger.notes.values():
                ledger.check_update(notes, await pairs[0].look(notes))
            await asyncio.to_thread(wait_for, self._has_records, "all processes have the records of the ended games")
            self._note(
                f"all {len(ledger.notes)} games are over; connections that all processes refused: {balancer.num_lost}"
            )
        ledger.check_database(self._database.commands())
        return self.figures

    def _has_records(self) -> bool:
        """Whether the processes have the records of the replayed logs: the last event reaches them a moment later."""
        found, url = Ledger(), self._url
        notes = self.figures.ledger.notes
        check_records(found, self._database, {table: record_text(url, one) for table, one in notes.items()})
        return not found.wrong

    def _launch(self, stack: ExitStack) -> ServerProcess:
        server = ServerProcess(self._database.url, pace=0.1)
        stack.callback(server.kill)
        server.launch()
        return server

    async def _play(self, number: int, pair: Pair) -> None:
        await asyncio.sleep(pair.rng.uniform(0, 2.0))
        notes = await pair.create(computer=number % 4 == 0)
        await pair.play_on(notes, over_websocket=number % 4 != 3)

    async def _replace(self, stack: ExitStack, balancer: Balancer, number: int, older: ServerProcess) -> None:
        """Start another process, and stop the older one as soon as the other is ready."""
        later = self._launch(stack)
        await asyncio.to_thread(later.wait_until_ready)
        balancer.ports.append(later.port)
        self._note(f"another process {number} is ready; the older one is told to stop")
        began, before = perf_counter(), self.figures.num_reconnections
        await asyncio.to_thread(older.stop)
        balancer.ports.remove(older.port)
        await self._progress("play goes on")
        moved = self.figures.num_reconnections - before
        self._note(f"process {number} has ended after {perf_counter() - began:.1f} s; {moved} connected again")

    async def _progress(self, what: str) -> None:
        """Wait until each unfinished game has had another action on average."""
        wanted = self.figures.ledger.num_acknowledged + self._num_tables
        await wait_for_async(
            lambda: self.figures.ledger.num_acknowledged >= wanted or self._all_ended(), what, 2 * TIMEOUT_SECONDS
        )

    def _all_ended(self) -> bool:
        notes = self.figures.ledger.notes.values()
        return len(notes) == self._num_tables and all(one.has_ended for one in notes)

    def _note(self, sentence: str) -> None:
        num = self.figures.ledger.num_acknowledged
        errors = self.figures.errors.total()
        self._say(f"{perf_counter() - self._began:6.1f} s  {num:6,} actions  {errors} errors shown  {sentence}")


def test_nobody_notices_an_upgrade(postgres_database: TargetDatabase, tmp_path: Path) -> None:
    test = UpgradeTest(postgres_database, 24, tmp_path)
    figures = asyncio.run(test.run())
    assert figures.findings == []
    assert figures.num_reconnections > 0
    assert figures.ledger.num_acknowledged > 500


def main() -> None:
    parser = argparse.ArgumentParser(description="Replace four processes while people play.")
    parser.add_argument("--players", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, create_postgres(Path(name)) as database:
        test = UpgradeTest(database, options.players, Path(name), lambda line: print(line, flush=True))
        figures = asyncio.run(test.run())
    waits = sorted(figures.waits)
    print(f"connected again {figures.num_reconnections} times; an answer took ", end="")
    print(f"{waits[len(waits) // 2] * 1_000:.0f} ms (median), {waits[-1] * 1_000:.0f} ms (the slowest)")
    for finding in figures.findings:
        print(finding)
    print(figures)
    sys.exit(bool(figures.findings))


if __name__ == "__main__":
    main()
