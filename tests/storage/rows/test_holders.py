"""Holders, their keys and the secrets of seats, in both databases, which store only hashes of them."""

from pathlib import Path
from threading import Event, Timer

import pytest
from sqlalchemy import Connection, select

from fivedice.base.errors import IllegalError
from fivedice.storage.engine.database import Database
from fivedice.storage.rows import records
from fivedice.storage.rows.holders import holder_of, known_holder, new_secret
from fivedice.storage.rows.listed_games import listed_games
from fivedice.storage.rows.records import StoredRecord, import_records
from fivedice.storage.rows.seat_links import create_link
from fivedice.storage.rows.streams import hold_seat
from fivedice.storage.schema import holders, keys, one_time_secrets
from tests.storage.empty import OpenDatabase
from tests.storage.rows.test_events import create, found, new_holder
from tests.waiting import TIMEOUT_SECONDS


def test_a_holder_is_found_by_the_key_alone(database: Database) -> None:
    key = new_secret()
    id = new_holder(database, key)
    assert database.read(lambda c: holder_of(c, key)) == id
    assert database.read(lambda c: holder_of(c, new_secret())) is None
    assert database.read(lambda c: holder_of(c, id)) is None


def test_two_processes_that_do_the_same_at_once_create_one_holder(open_database: OpenDatabase, url: str) -> None:
    """On PostgreSQL the second writes before it can see the changes of the first; on SQLite it waits for them."""
    here, there = open_database(url), open_database(url)
    key = new_secret()
    written, go_on = Event(), Event()

    def both(connection: Connection) -> str:
        ann = known_holder(connection, key, 1.0)
        hold_seat(connection, "one", 0, ann, 1.0)
        import_records(connection, ann, [StoredRecord("a game", None, 1.0)])
        return ann

    def first(connection: Connection) -> str:
        ann = both(connection)
        written.set()
        assert go_on.wait(TIMEOUT_SECONDS)
        return ann

    create(here)
    earlier = here.write(first)
    assert written.wait(TIMEOUT_SECONDS)
    later = there.write(both)
    Timer(0.1, go_on.set).start()
    assert later.result(TIMEOUT_SECONDS) == earlier.result(TIMEOUT_SECONDS)
    assert len(found(here, select(holders.c.id))) == 1


def test_no_secret_is_stored(sqlite_database: Database, tmp_path: Path) -> None:
    database, key = sqlite_database, new_secret()
    id = new_holder(database, key)
    create(database, holders=[(0, id)])
    secret = database.write(lambda c: create_link(c, "one", 0, id, at=2.0, expires=9.0)).result()
    assert (len(found(database, select(keys.c.hash))), len(found(database, select(one_time_secrets.c.hash)))) == (1, 1)
    database.close()
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"one" in stored
    assert key.encode() not in stored
    assert secret.encode() not in stored


def test_the_number_of_records_is_limited(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_RECORDS", 2)
    ann = new_holder(database)
    games = [StoredRecord(f"game {number}", None, 1.0) for number in range(3)]
    with pytest.raises(IllegalError, match="at most 2 imported records"):
        database.write(lambda c: import_records(c, ann, games)).result()
    assert database.read(lambda c: listed_games(c, ann, 9, 9)) == []
    for _ in range(2):
        database.write(lambda c: import_records(c, ann, games[:2])).result()
    assert len(database.read(lambda c: listed_games(c, ann, 9, 9))) == 2
