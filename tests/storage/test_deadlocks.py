"""Writes of two processes on one PostgreSQL: no deadlock or conflict reaches a client that waits for them."""

import multiprocessing
import random
import threading
from collections.abc import Callable
from itertools import combinations_with_replacement
from multiprocessing.connection import Connection as Pipe

import pytest
from sqlalchemy import Connection, select, text

from fivedice.errors import UnknownError
from fivedice.storage.engine import writer
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.activity import Activity, Stage, store_activity, visit_holder, visit_tables
from fivedice.storage.rows.event import StoredEvent, append_events
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.pruning import delete_empty_holders, delete_records, delete_tables
from fivedice.storage.rows.records import StoredRecord, import_records, set_seats
from fivedice.storage.rows.rulesets import delete_unused_rulesets
from fivedice.storage.rows.seat_links import claim_seats, create_links, remove_device, see_device
from fivedice.storage.rows.tables import create_table, hold_seat
from fivedice.storage.rows.trusted_time import pass_time
from fivedice.storage.rows.uptime import forget_future, forget_spans, serve_until
from fivedice.storage.schema import holders, tables
from tests.storage.empty import empty_postgres
from tests.waiting import TIMEOUT_SECONDS, wait_for

NAMES = ["a", "b", "c", "d"]
"""Of tables and of keys."""

TOML = "name = 'x'"
TIME = 1_000.0
NUM_WRITES = 6

FAST = "options=-cdeadlock_timeout%3D20ms"
"""PostgreSQL looks for a deadlock after a second by default."""

Work = Callable[[Connection, random.Random], object]


def quick(url: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{FAST}"


def some(rng: random.Random) -> list[str]:
    return rng.sample(NAMES, rng.randint(2, len(NAMES)))


def make(connection: Connection, rng: random.Random) -> None:
    """Create the tables that do not exist, with seats of known holders."""
    there = set(connection.execute(select(tables.c.id)).scalars())
    for name in some(rng):
        holder = known_holder(connection, name, TIME)
        if name not in there:
            create_table(connection, bytes(32), StoredEvent(name, 1, "1", TIME, "{}"), [(0, holder)], TOML)


def append(connection: Connection, rng: random.Random) -> None:
    number = rng.randint(2, 9)
    append_events(connection, [StoredEvent(name, 2, f"{number}", TIME, "{}", "1") for name in some(rng)])


def link(connection: Connection, rng: random.Random) -> None:
    seats = [(name, 0) for name in some(rng)]
    secrets = create_links(connection, seats, None, at=TIME, expires=TIME + rng.randint(-1, 1))
    if rng.random() < 0.5:
        claim_seats(connection, [(name, secret) for (name, _), secret in zip(seats, secrets, strict=True)], "a", TIME)


def import_some(connection: Connection, rng: random.Random) -> None:
    for name in some(rng)[:1]:
        wanted = [StoredRecord(f"record {one}", None, TIME, TOML) for one in some(rng)]
        holder = known_holder(connection, name, TIME)
        import_records(connection, holder, wanted)
        set_seats(connection, holder, {}, 0)


def sit(connection: Connection, rng: random.Random) -> None:
    there = set(connection.execute(select(tables.c.id)).scalars())
    for name in some(rng):
        if name in there:
            holder = known_holder(connection, rng.choice(NAMES), TIME)
            hold_seat(connection, name, 1, holder, TIME)
            see_device(connection, name, holder, TIME)
            remove_device(connection, name, 1, holder)


def beat(connection: Connection, rng: random.Random) -> None:
    forget_spans(connection)
    forget_future(connection, TIME, 0.0)
    serve_until(connection, rng.choice(NAMES), TIME, TIME + rng.random())
    pass_time(connection, None, TIME, 1.0)


def all_holders(connection: Connection, rng: random.Random) -> list[str]:
    found = list(connection.execute(select(holders.c.id)).scalars())
    return rng.sample(found, len(found))


def visit(connection: Connection, rng: random.Random) -> None:
    visit_tables(connection, some(rng), TIME + 1e6 * rng.random())
    for holder in all_holders(connection, rng):
        visit_holder(connection, holder, TIME + 1e6 * rng.random())


def read(connection: Connection, rng: random.Random) -> None:
    store_activity(connection, {name: (1, Activity(Stage.NEW, TIME)) for name in some(rng)})


def delete(connection: Connection, rng: random.Random) -> None:
    delete_tables(connection, Stage.NEW, 1e9, some(rng), 1e9)


def delete_holders(connection: Connection, rng: random.Random) -> None:
    found = all_holders(connection, rng)
    delete_records(connection, 1e9, found)
    delete_empty_holders(connection, 1e9, found)
    delete_unused_rulesets(connection, 10)


KINDS: list[Work] = [make, append, link, import_some, sit, beat, visit, read, delete, delete_holders]


def write(database: Database, number: int, seed: int) -> None:
    """Write many times at once, so that several share a transaction."""
    rng = random.Random(seed)
    seeds = [rng.random() for _ in range(NUM_WRITES)]
    for future in [database.write(lambda c, s=s: KINDS[number](c, random.Random(s))) for s in seeds]:  # type: ignore[misc]
        error = future.exception()
        # A table or a browser may have just been deleted.
        is_gone = isinstance(error, UnknownError) or "violates foreign key" in str(error)
        assert error is None or is_gone, f"{KINDS[number].__name__}: {error!r}"


def other_process(url: str, pipe: Pipe) -> None:
    database = Database(url)
    while (number := pipe.recv()) is not None:
        try:
            write(database, number, 2)
            pipe.send("")
        except AssertionError as error:
            pipe.send(str(error))
    database.close()


def test_every_two_kinds_of_writes_of_two_processes_succeed(postgres: str) -> None:
    url = quick(empty_postgres(postgres))
    context = multiprocessing.get_context("spawn")
    pipe, its_pipe = context.Pipe()
    database, process = Database(url), context.Process(target=other_process, args=(url, its_pipe))
    process.start()
    try:
        for first, second in combinations_with_replacement(range(len(KINDS)), 2):
            database.write(lambda connection: make(connection, random.Random(1))).result()
            pipe.send(second)
            write(database, first, 1)
            assert pipe.recv() == "", f"{KINDS[first].__name__} against {KINDS[second].__name__}"
    finally:
        pipe.send(None)
        process.join(30)
        process.kill()
        database.close()


@pytest.mark.parametrize("attempts", [5, 1])
def test_a_deadlock_is_repeated_and_counted(postgres: str, monkeypatch: pytest.MonkeyPatch, attempts: int) -> None:
    monkeypatch.setattr(writer, "MAX_ATTEMPTS", attempts)
    url = quick(empty_postgres(postgres))
    both = [Database(url), Database(url)]

    def create(connection: Connection) -> list[str]:
        return [known_holder(connection, key, TIME) for key in "ab"]

    ids = both[0].write(create).result()
    meeting = threading.Barrier(2)

    def job(connection: Connection, order: list[str]) -> str:
        visit_holder(connection, order[0], 1e6)
        if both[0].num_repeated + both[1].num_repeated == 0:
            meeting.wait(10)
        visit_holder(connection, order[1], 1e6)
        return "stored"

    waiting = [
        database.write(lambda connection, order=order: job(connection, order))  # type: ignore[misc]
        for database, order in zip(both, (ids, ids[::-1]), strict=True)
    ]
    errors = [future.exception(30) for future in waiting]
    num_repeated = sum(database.num_repeated for database in both)
    for database in both:
        database.close()
    if attempts > 1:
        assert errors == [None, None]
        assert num_repeated == 1
    else:
        assert sorted(map(str, errors))[1].endswith("deadlock detected")


def test_two_servers_on_an_empty_database_may_start_at_once(postgres: str) -> None:
    url = empty_postgres(postgres)
    both = [Database(url), Database(url)]
    has_begun = threading.Event()

    def first(connection: Connection) -> float:
        until = pass_time(connection, None, TIME, 1.0)
        has_begun.set()
        blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        wait_for(lambda: connection.execute(blocked).scalar(), "the second start waits for the first one")
        return until

    starts = [both[0].write(first)]
    assert has_begun.wait(TIMEOUT_SECONDS)
    starts.append(both[1].write(lambda connection: pass_time(connection, None, TIME, 1.0)))
    assert [start.result() for start in starts] == [TIME, TIME]
    for database in both:
        database.close()
