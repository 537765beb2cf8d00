"""What old tables cost: `make bench-old`, with 200,000 tables or `TABLES=20000`.

It builds a database of tables as the server stores them: 3 in 10 without a roll, 2 in 10 unfinished, and 5 in 10
complete, half of these for one player and half for two. One browser has a seat at 2,000 of them, every other at 20. It
measures the sweeps of the background jobs with nothing new, the start of a server, the first list of games of the
browser with 2,000, and the latency of actions, which is compared with that at an empty database in the same run. It
also measures the bytes of a game, and how fast old games are deleted.
"""

import asyncio
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, time
from urllib.request import Request, urlopen

import msgspec
import uvloop
from served import database_in, processor_seconds, server
from server import TABLES as PLAYED_TABLES
from server import WARM_UP, play
from solve import machine
from sqlalchemy import Connection, insert

from fivedice.game.action import Score
from fivedice.game.proof import TableDice, commitment
from fivedice.server.games import pruner
from fivedice.server.settings import Retention
from fivedice.server.table.apply import replay, start
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.event import Event
from fivedice.server.table.history import History
from fivedice.server.table.verbs.play import roll, score
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import known_holder, new_secret
from fivedice.storage.rows.streams import load_stream
from fivedice.storage.schema import events, seat_holders, streams

MINE, THEIRS, CHUNK = 2_000, 20, 500
ACTIONS_OFFERED, ROUNDS = 300.0, 7
"""Actions per second when latency is measured: few enough for a machine that also does other work."""

SWEEP_BAR, LIST_BAR, START_BAR, LATENCY_BAR = 1.0, 0.5, 5.0, 1.5
"""Seconds; and how many times as long as at an empty database."""

_encode = msgspec.json.Encoder().encode
SECRET = bytes(32)
DAY = 86_400.0


@dataclass(frozen=True)
class Sample:
    """A table; `bodies` are its events, with words for id and time."""

    bodies: tuple[str, ...]
    is_over: bool

    @classmethod
    def of(cls, log: Sequence[Event]) -> "Sample":
        """The sample of a log."""
        bodies = [_encode(event).decode().replace('"at":0.0', '"at":TIME').replace("sample", "TABLE") for event in log]
        return cls(tuple(bodies), replay(log).is_over)


def played(num_seats: int) -> list[Event]:
    """The events of a complete game, in which every turn has three rolls."""
    seats = [WantedSeat("person", f"Player {seat}", here=True) for seat in range(num_seats)]
    table = start(create(NewTable(seats), "sample", commitment(SECRET), 0.0))
    log: list[Event] = [table.created]
    dice = TableDice(SECRET, table.id, ())
    while not table.position.is_over:
        for kept in ([], [True, True, False, False, False], [True, True, True, False, False]):
            step = roll(table, kept, dice, 0.0)
            log, table = [*log, step.event], step.table
        box = next(offer.action for offer in table.position.offers() if isinstance(offer.action, Score))
        step = score(table, box, 0.0)
        log, table = [*log, step.event], step.table
    return log


def samples() -> list[Sample]:
    """Ten samples, in the proportions of the tables."""
    one, two = played(1), played(2)
    logs = [one[:1], two[:1], one[:1], one[:30], two[:60], one, one, two, two, one]
    return [Sample.of(log) for log in logs]


def build(database: Database, num_tables: int, now: float) -> str:
    """Store tables, one a second up to now at most a week old, and return the key of the browser with many of them."""
    key = new_secret()
    found = samples()
    span = min(num_tables, 6 * int(DAY))
    for first in range(0, num_tables, CHUNK):
        chunk = range(first, min(first + CHUNK, num_tables))
        database.write(lambda c, chunk=chunk: _store(c, chunk, num_tables, found, now - span, span, key)).result()
        if first % 20_000 == 0:
            print(f"\rbuilding: {first:,} of {num_tables:,} tables", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 50 + "\r", end="", file=sys.stderr, flush=True)
    return key


def _store(
    connection: Connection, chunk: range, num_tables: int, found: Sequence[Sample], began: float, span: int, key: str
) -> None:
    """Store some tables, with the statements of `create_stream` and `append_events`, each for all of them at once."""
    rows: dict[str, list[dict[str, object]]] = {"tables": [], "events": [], "seats": []}
    every = max(num_tables // MINE, 1)
    for number in chunk:
        id, at, sample = (
            f"old-{number:012}",
            began + span * number / num_tables,
            found[(number + number // every) % len(found)],
        )
        is_mine = number % every == 0
        owner = key if is_mine else f"{number // THEIRS:043}"
        holder = known_holder(connection, owner, at) if is_mine or number % THEIRS == 1 else None
        _owners[owner] = holder or _owners.get(owner) or known_holder(connection, owner, at)
        rows["tables"].append(
            {"id": id, "kind": "table", "secret": SECRET, "created": at, "active": at, "ended": sample.is_over}
        )
        rows["events"] += [
            {"stream": id, "version": entry.version, "command": entry.command, "at": entry.at, "body": entry.body}
            for entry in _entries(id, at, sample)
        ]
        rows["seats"].append({"stream": id, "seat": 0, "holder": _owners[owner], "since": at})
    for table, name in ((streams, "tables"), (events, "events"), (seat_holders, "seats")):
        connection.execute(insert(table), rows[name])


_owners: dict[str, str] = {}
"""The holders of keys."""


def _entries(id: str, at: float, sample: Sample) -> Iterator[StoredEvent]:
    """The events of a table."""
    time = repr(at)
    for number, body in enumerate(sample.bodies, 1):
        body = (body.replace("TABLE", id) if number == 1 else body).replace("TIME", time)
        yield StoredEvent(id, number, f"action-{number:08}", at, body)


def check(database: Database, num_tables: int) -> None:
    """Check that the server can read the tables."""
    ids = [f"old-{number:012}" for number in range(min(num_tables, 10))]
    before = [database.read(lambda c, one=id: load_stream(c, one)) for id in ids]
    states = [History(table.entries).table.state for table in before if table]
    assert len(states) == len(ids)


def main() -> None:
    num_tables = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    kind = sys.argv[2] if len(sys.argv) > 2 else "sqlite"
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {kind}")
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as other,
        database_in(Path(folder), kind) as (database_url, _),
        database_in(Path(other), kind) as (empty_url, _),
    ):
        database, began = Database(database_url), perf_counter()
        key = build(database, num_tables, time())
        check(database, num_tables)
        database.close()
        print(f"built {num_tables:,} tables in {perf_counter() - began:,.0f} s", flush=True)
        measure(database_url, empty_url, key)


def measure(database_url: str, empty_url: str, key: str) -> None:
    """Print all figures beside their bars."""
    database = Database(database_url)
    report("sweep for old games, nothing old", seconds(lambda: prune_at(database, time())), SWEEP_BAR)
    database.close()
    with (
        started(empty_url, "start of a server, empty database") as (empty, _),
        started(database_url, "start of a server, old tables") as (url, pid),
    ):
        first: dict[str, object] = {}
        took = seconds(lambda: first.update(games(url, key)), pid)
        report(f"first list of a browser with {MINE:,} games", took, LIST_BAR)
        report("next part of the list", seconds(lambda: games(url, key, f"?before={first['next']}"), pid), LIST_BAR)
        # In turns, because other work on the machine changes the latency more than anything else does.
        old, new = zip(*((p99(url), p99(empty)) for _ in range(ROUNDS)), strict=True)
    ratio = median(old) / median(new)
    figure = f"  {f'action p99, median of {ROUNDS} rounds':<44} {median(old):>8.1f} ms   empty {median(new):.1f} ms"
    print(f"{figure}, bar {LATENCY_BAR:.1f} times that, ratio {ratio / LATENCY_BAR:.2f}", flush=True)
    if database_url.startswith("sqlite"):
        print_bytes(database_url.removeprefix("sqlite:///"))
    database = Database(database_url)
    began = perf_counter()
    deleted, transactions = prune_at(database, time() + 91 * DAY)
    wall = perf_counter() - began
    print(f"  deleted {deleted.unfinished:,} unfinished tables in {wall:.1f} s, in {transactions:,} transactions")
    database.close()


@contextmanager
def started(database_url: str, what: str) -> Iterator[tuple[str, int]]:
    """A server on a database; prints how long its start takes."""
    began = perf_counter()
    with server(database_url) as (url, pid):
        report(what, (perf_counter() - began, processor_seconds(pid)), START_BAR)
        yield url, pid


def prune_at(database: Database, now: float) -> tuple[pruner.Num, int]:
    """Prune as at a time, without the pauses between transactions: what was deleted, and in how many of them."""
    pruner.PAUSE_SECONDS = 0.0
    gone: list[Sequence[str]] = []
    one = pruner.Pruner(database, Retention(), time, list, gone.append)
    return asyncio.run(one.prune(now)), len(gone)


def seconds(work: Callable[[], object], pid: int | None = None) -> tuple[float, float]:
    """How long a call takes, and the processor time of a process meanwhile, by default this one."""
    pid = pid or os.getpid()
    began, before = perf_counter(), processor_seconds(pid)
    work()
    return perf_counter() - began, processor_seconds(pid) - before


def games(url: str, key: str, query: str = "") -> dict[str, object]:
    """A part of the list of a browser's games, which must not be empty."""
    with urlopen(Request(f"{url}/api/me{query}", headers={"cookie": f"fivedice={key}"})) as answer:  # noqa: S310
        found: dict[str, object] = msgspec.json.decode(answer.read())
    assert found["games"]
    return found


def p99(url: str) -> float:
    """The 99th percentile of the latency of actions at new tables, in milliseconds."""
    found = uvloop.run(play([url], PLAYED_TABLES / ACTIONS_OFFERED))
    return quantiles([took * 1_000 for at, took in found if at >= WARM_UP], n=100)[98]


def print_bytes(path: str) -> None:
    """Print what a complete game of each size takes in a SQLite file."""
    with closing(sqlite3.connect(path)) as connection:
        size = Path(path).stat().st_size
        num = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
        num_events = connection.execute("SELECT count(*) FROM events").fetchone()[0]
    each = size / num_events
    one, two = (len(sample.bodies) for sample in (samples()[5], samples()[7]))
    print(f"  file {size / 1e6:,.0f} MB, {num:,} tables, {num_events:,} events: {each:.0f} bytes an event")
    print(
        f"  a game for one has {one} events, {one * each / 1e3:.1f} KB; for two {two} events, {two * each / 1e3:.1f} KB"
    )


def report(what: str, took: tuple[float, float], bar: float) -> None:
    """Print the seconds of something beside their bar, and its processor time."""
    figure = f"  {what:<44} {took[0]:>8.2f} s    bar {bar:.1f}, ratio {took[0] / bar:.2f}"
    print(f"{figure}; {took[1]:.2f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
