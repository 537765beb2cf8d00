"""Which games and browsers are deleted and kept, on SQLite and PostgreSQL, also while somebody has them in memory."""

import asyncio
from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text, update
from websockets.exceptions import ConnectionClosed

from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.rulesets.compact import compact_text
from fivedice.server.games.pruner import BROWSERS_AT_ONCE, Num, Pruner
from fivedice.server.live.event_store import stored_event
from fivedice.server.settings import Retention
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.event import Event
from fivedice.server.table.state import ruleset_of
from fivedice.server.table.verbs.play import Rolled, Scored
from fivedice.storage import schema
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.decisions import Game, PlayedGame, PlayedSeat, store_grades
from fivedice.storage.rows.deletion import delete_tables
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import holder_of, known_holder
from fivedice.storage.rows.records import MAX_RECORDS, StoredRecord, import_records, record_hashes
from fivedice.storage.rows.seat_links import create_link
from fivedice.storage.rows.server import set_once, visit_holder
from fivedice.storage.rows.streams import create_stream, load_stream, tables_in, update_stream
from fivedice.storage.schema import (
    events,
    grades,
    holders,
    keys,
    metadata,
    one_time_secrets,
    records,
    seat_holders,
    streams,
)
from tests.server.scripted import NOW, people
from tests.server.serving import COMMITMENT, SECRET, TINY, Clock, Serving, serving
from tests.storage.conftest import database, open_database, postgres_database, url
from tests.storage.rows.test_events import found
from tests.waiting import TIMEOUT_SECONDS, wait_for

DAY = 86_400.0

__all__ = ["database", "open_database", "postgres_database", "url"]


def game(id: str, at: float) -> list[Event]:
    created = create(NewTable(people("Ann"), toml=TINY), id, COMMITMENT, at)
    return [created, Rolled(at=at, seat=0, dice=[1, 2], kept=[]), Scored(at=at, seat=0, box="any", points=3)]


def store(database: Database, id: str, num_events: int, at: float, key: str = "") -> None:
    """Store the first events of a game of a key's holder, with a secret of its seat, and let them be read."""

    def job(connection: Connection) -> None:
        held = [(0, known_holder(connection, key, at))] if key else []
        first = stored_event(game(id, at)[0], id, 1, "1", "0")
        create_stream(connection, "table", first, SECRET, held, compact_text(TINY))
        create_link(connection, id, 0, None, at=at, expires=at + 86_400)

    database.write(job).result()
    for number, event in enumerate(game(id, at)[1:num_events], 2):
        assert database.append(stored_event(event, id, number, f"{number}", f"{number - 1}")).result()
    if num_events == 3:
        database.write(partial(update_stream, stream=id, columns={"ended": True})).result()


def pruned(database: Database, now: float, retention: Retention = Retention()) -> Num:  # noqa: B008 - a tuple
    return asyncio.run(Pruner(database, retention, lambda: now, tuple, lambda _: None).prune(now))


def left(database: Database) -> set[str]:
    return set(found(database, select(streams.c.id).where(streams.c.kind == "table")))


def played(name: str) -> PlayedGame:
    """A game of one seat as it is graded without values, with a long kind and date, as imported records may have."""
    seat = PlayedSeat(
        name, 45 * "a", 3, None, resigned=False, has_won=False, is_cut_short=False, is_rated=False, rolled="[]"
    )
    return PlayedGame("digest", "tiny", "", f"2026-01-01T00:00:00.{0:040}", NOW, True, "program", (seat,), None, None)


def days(num: float) -> float:
    return NOW + num * DAY


@pytest.mark.parametrize(("num_events", "num_days"), [(1, 90), (2, 90), (3, 365)])
def test_a_table_is_kept_for_its_days_since_it_was_played(database: Database, num_events: int, num_days: int) -> None:
    store(database, "old", num_events, NOW)
    assert not any(pruned(database, days(num_days - 0.01)))
    assert pruned(database, days(num_days + 0.01)) == (Num(finished=1) if num_events == 3 else Num(unfinished=1))
    assert left(database) == set()


def test_everything_of_a_deleted_table_is_deleted(database: Database) -> None:
    store(database, "old", 3, NOW, key="ann")
    assert pruned(database, days(366)) == Num(finished=1, browsers=1)
    assert not [one.name for one in metadata.sorted_tables if found(database, select(one))]


def test_accounts_and_members_of_clubs_keep_their_finished_games(database: Database) -> None:
    for id in ("anns", "bens", "eves"):
        store(database, id, 3, NOW, key=id)
    store(database, "begun", 2, NOW, key="anns")

    def join(connection: Connection) -> None:
        ann, ben = (holder_of(connection, key) for key in ("anns", "bens"))
        connection.execute(update(holders).where(holders.c.id == ann).values(name="Ann"))
        create_stream(connection, "club", StoredEvent("club", 1, "created", NOW, "{}"), holders=[(1, ben or "")])

    database.write(join).result()
    assert pruned(database, days(4_000)) == Num(unfinished=1, finished=1, browsers=1)
    assert left(database) == {"anns", "bens"}


def test_a_table_that_somebody_has_open_is_kept(database: Database) -> None:
    for id in ("open", "old"):
        store(database, id, 2, NOW)
    database.write(lambda connection: set_once(connection, seen=0.0, back=0.0, lived=days(100), grace=0.0)).result()
    forgotten: list[str] = []
    pruner = Pruner(database, Retention(), lambda: days(100), lambda: ["open"], forgotten.extend)
    assert asyncio.run(pruner.sweep()) == Num(unfinished=1)
    assert (left(database), forgotten) == ({"open"}, ["old"])


def test_another_process_that_deletes_is_waited_for(postgres_database: Database) -> None:
    delete = partial(delete_tables, before=0.0, limit=1, ended=False)

    def with_lock(connection: Connection) -> object:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": schema.PRUNING})
        return postgres_database.read(delete)

    assert postgres_database.write(with_lock).result() is None
    assert postgres_database.read(delete) == []


def test_a_browser_that_does_not_come_back_is_deleted_with_its_records(database: Database) -> None:
    def job(connection: Connection) -> None:
        for key, at in (("ann", NOW), ("ben", days(300)), ("eve", NOW)):
            holder = known_holder(connection, key, at)
            own = StoredRecord(f"record of {key}", None, at)
            import_records(connection, holder, [own, StoredRecord("record of a game of two", None, at)])
            read = [(Game.record(hash), played(key)) for hash in record_hashes(connection, holder)]
            store_grades(connection, read)

    database.write(job).result()
    eve = database.read(lambda connection: holder_of(connection, "eve"))
    assert eve is not None
    database.write(lambda connection: visit_holder(connection, eve, days(10))).result()
    assert not any(pruned(database, days(364)))
    assert pruned(database, days(366)) == Num(browsers=1)
    texts = {"record of ben", "record of eve", "record of a game of two"}
    assert set(found(database, select(records.c.text))) == texts
    assert set(found(database, select(grades.c.hash))) == set(found(database, select(records.c.hash)))
    assert len(found(database, select(keys.c.hash))) == 2


def test_a_browser_keeps_its_key_while_it_has_a_seat(database: Database) -> None:
    store(database, "hers", 3, days(300), key="ann")
    ann = database.read(lambda connection: holder_of(connection, "ann"))
    database.write(lambda c: c.execute(update(holders).where(holders.c.id == ann).values(seen=NOW))).result()
    assert not any(pruned(database, days(400)))
    assert pruned(database, days(666)) == Num(finished=1, browsers=1)


def test_a_duration_of_zero_keeps_for_ever(database: Database) -> None:
    for number in (1, 2, 3):
        store(database, f"table{number}", number, NOW, key=f"key{number}")
    assert not any(pruned(database, days(36_000), Retention(0, 0)))
    assert pruned(database, days(20), Retention(10, 0)) == Num(unfinished=2)


def test_many_tables_are_deleted_in_small_transactions(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.server.games.pruner.TABLES_AT_ONCE", 2)
    for number in range(5):
        store(database, f"table{number}", 1, NOW)
    sizes: list[int] = []
    pruner = Pruner(database, Retention(), lambda: NOW, tuple, lambda gone: sizes.append(len(gone)))
    assert asyncio.run(pruner.prune(days(91))) == Num(unfinished=5)
    assert [size for size in sizes if size] == [2, 2, 1]
    assert BROWSERS_AT_ONCE * MAX_RECORDS <= 32_766, "the keys of their records are parameters of one statement"


def test_every_reference_to_a_table_is_known_to_the_deletion() -> None:
    """`delete_tables` must delete the rows of each that the database does not, or the foreign key refuses it."""
    referring = {
        one
        for one in metadata.sorted_tables
        if any(key.column.table is streams and key.ondelete != "CASCADE" for key in one.foreign_keys)
    }
    assert referring == {events, one_time_secrets, seat_holders}


def test_a_game_on_the_same_dice_is_deleted_with_the_last_of_its_tables(database: Database) -> None:
    first = StoredEvent("d", 1, "created", NOW, "{}")
    database.write(lambda c: create_stream(c, "duplicate", first, SECRET, due=NOW + DAY)).result()
    for number, id in enumerate(("one", "two"), 1):
        store(database, id, number, days(10 * number))
    of_game = streams.update().where(streams.c.id.in_(("one", "two")))
    database.write(lambda connection: connection.execute(of_game.values(parent="d"))).result()
    for now, tables in ((101, {"two": False}), (112, {})):
        assert pruned(database, days(now)) == Num(unfinished=1)
        assert database.read(lambda connection: tables_in(connection, "d", None)) == tables
        assert (database.read(lambda connection: load_stream(connection, "d")) is None) == (not tables)


@pytest.fixture
def server(tmp_path: Path, clock: Clock) -> Iterator[Serving]:
    """A server whose time the test advances."""
    with serving(tmp_path, clock=clock) as running:
        yield running


def sweep(server: Serving) -> Num:
    """Let time pass, and prune, which in production timers do."""
    server.services.heartbeat._late = inf
    server.beat()
    return server.do(server.services.pruner.sweep())


def test_a_deleted_table_is_unknown_and_its_record_stays_valid(server: Serving, clock: Clock) -> None:
    ann = server.visit()
    table = ann.finished()
    record = ann.http.get(f"/api/tables/{table}/record").text
    server.do(server.services.dice.work())
    clock.now += 366 * DAY
    assert sweep(server).finished == 1
    wait_for(lambda: ann.http.get(f"/api/tables/{table}").status_code == 404, "the table is dropped from memory")
    assert ann.http.get(f"/api/tables/{table}").json()["error"] == f"there is no table {table!r}"
    assert ann.send(table, "rematch", version=3, seat=0).status_code == 404
    assert ann.get("/api/me")["games"] == []
    assert ann.get("/api/dice")["dice"] > 0, "its dice stay counted"
    assert verify_record(parse_record(record, ruleset_of)).problems == (), "the proof needs no server"


def test_the_visit_of_a_browser_is_stored(tmp_path: Path, clock: Clock) -> None:
    with serving(tmp_path, clock=clock) as running:
        ann = running.visit()
        ann.create(toml=TINY)
        key = ann.http.cookies["fivedice"]
    clock.now += 9 * DAY
    with serving(tmp_path, clock=clock) as running:
        again = running.visit()
        again.http.cookies.set("fivedice", key)
        again.get("/api/me")
        read = running.services.database.read
        wait_for(lambda: read(lambda c: c.execute(select(holders.c.seen)).scalar()) == clock.now, "the visit is stored")


def test_a_table_that_another_process_deletes_disconnects_its_clients(server: Serving, clock: Clock) -> None:
    ann = server.visit()
    table = ann.create(toml=TINY)
    delete = server.services.database.write
    with ann.socket(table) as socket:
        socket.until(1)
        deleted = delete(lambda c: delete_tables(c, clock.now + 1, 5, ended=False)).result(TIMEOUT_SECONDS)
        assert deleted == [table]
        answer = socket.send("roll", seat=0, kept=[])
        assert (answer["type"], answer["reason"]) == ("refused", "unavailable")
        assert answer["detail"] == "this table is no longer in the database"
        with pytest.raises(ConnectionClosed):
            list(iter(socket.receive, None))
    assert ann.http.get(f"/api/tables/{table}").status_code == 404
    assert server.services.database.read(lambda c: c.execute(select(streams.c.id)).all()) == []
