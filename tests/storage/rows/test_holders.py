"""Holders, their keys, links and devices in both databases, which store only hashes of secrets; and what they own."""

import secrets
from collections.abc import Callable
from pathlib import Path
from threading import Event, Timer
from typing import Any

import psycopg
import pytest
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    String,
    Table,
    func,
    insert,
    select,
    update,
)

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.storage.engine.database import Database
from fivedice.storage.rows import records, seat_links
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import holder_of, known_holder, new_secret
from fivedice.storage.rows.listed_games import listed_games
from fivedice.storage.rows.own_data import OWN, erase_holder, move_in, own_data
from fivedice.storage.rows.records import StoredRecord, import_records
from fivedice.storage.rows.seat_links import create_link
from fivedice.storage.rows.streams import create_stream, game_without_advice, held_tables, hold_seat, update_stream
from fivedice.storage.schema import blocks, holders, keys, metadata, one_time_secrets, streams, tries
from tests.storage.empty import OpenDatabase, wait_for_lock
from tests.storage.rows.test_events import create, entry, found, new_holder
from tests.waiting import TIMEOUT_SECONDS


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


ONE = ("one", 0)


def seated(database: Database) -> str:
    ann = new_holder(database)
    database.write(lambda c: create_stream(c, "table", entry(1, at=1.0), bytes(32), [(0, ann)])).result()
    return ann


def created(database: Database, maker: str | None, at: float = 2.0, expires: float = 9.0) -> str:
    """The secret of a new link to the seat `ONE`."""
    return database.write(lambda c: seat_links.create_link(c, *ONE, maker, at=at, expires=expires)).result()


def claimed(database: Database, secret: str, key: str, at: float = 3.0, table: str = "one") -> bool:
    return database.write(lambda c: seat_links.claim_seat(c, table, secret, key, at)).result() == 0


def test_a_wrong_secret_claims_nothing_and_creates_no_holder_who_is_found_by_the_key_alone(database: Database) -> None:
    secret, key = created(database, seated(database)), new_secret()
    assert not claimed(database, new_secret(), key)
    assert not claimed(database, secret, key, table="nowhere")
    assert not claimed(database, secret, key, at=9.0)
    assert database.read(lambda c: holder_of(c, key)) is None
    id = new_holder(database, key)
    assert database.read(lambda c: holder_of(c, key)) == id
    assert database.read(lambda c: holder_of(c, new_secret())) is None
    assert database.read(lambda c: holder_of(c, id)) is None


def test_an_exported_file_claims_all_seats_of_its_time_once(database: Database) -> None:
    ann, key, late = seated(database), new_secret(), new_secret()
    table(database, "two", ann, 2.0, has_advice=True)
    secret = database.write(lambda c: seat_links.create_export(c, ann, at=3.0, expires=9.0)).result()
    table(database, "later", ann, 4.0, has_advice=True)
    first = StoredEvent("club", 1, "created", 1.0, "{}")
    database.write(lambda c: create_stream(c, "club", first, holders=[(0, ann)])).result()

    def claim(key: str, at: float = 5.0, secret: str = secret) -> list[tuple[str, int]] | None:
        return database.write(lambda c: seat_links.claim_export(c, secret, key, at)).result()

    assert claim(key, secret=created(database, ann)) is None, "a link to a seat is no such file"
    assert claim(key, at=9.0) is None
    assert database.read(lambda c: holder_of(c, key)) is None
    assert claim(key) == claim(key) == [ONE, ("two", 1)], "the answer may have been lost"
    assert claim(late) == []


def test_the_links_of_a_seat_do_not_grow_without_end(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = seated(database)
    secrets = [created(database, ann, at=2.0 + number / 100) for number in range(seat_links.MAX_LINKS + 2)]

    def count() -> int:
        return len(found(database, select(one_time_secrets.c.hash)))

    assert count() == seat_links.MAX_LINKS
    times = [link.created for link in database.read(lambda c: seat_links.links_of(c, *ONE, 8.0))]
    assert times == sorted(times, reverse=True)
    assert [claimed(database, secret, new_secret()) for secret in secrets[:3]] == [False, False, True]
    monkeypatch.setattr(seat_links, "_FORGET", seat_links.MAX_LINKS - 1)
    created(database, ann, at=9.0, expires=30.0)
    assert count() == 2, "expired links are deleted, a bounded number at once"
    created(database, ann, at=9.0, expires=30.0)
    assert count() == 2


@pytest.mark.parametrize("what", ["create", "claim", "revoke", "remove device"])
def test_another_process_may_delete_a_table_meanwhile(postgres_database: Database, postgres: str, what: str) -> None:
    """The other process has deleted the rows of the table, and commits while this one waits for them."""
    database = postgres_database
    ann, key = seated(database), new_secret()
    secret = created(database, ann)
    link = database.read(lambda c: seat_links.links_of(c, *ONE, 2.0))[0].id
    jobs: dict[str, Callable[[Connection], object]] = {
        "create": lambda c: seat_links.create_link(c, *ONE, ann, at=3.0, expires=9.0),
        "claim": lambda c: seat_links.claim_seat(c, "one", secret, key, 3.0) is not None,
        "revoke": lambda c: seat_links.revoke_link(c, *ONE, link),
        "remove device": lambda c: seat_links.remove_device(c, *ONE, ann),
    }
    with psycopg.connect(postgres) as other:
        other.execute("SELECT id FROM streams WHERE id = 'one' FOR UPDATE")
        for rows in ("events", "seat_holders"):
            other.execute(f"DELETE FROM {rows} WHERE stream = 'one'")  # noqa: S608
        other.execute("DELETE FROM one_time_secrets WHERE table_id = 'one'")
        other.execute("DELETE FROM streams WHERE id = 'one'")
        result = database.write(jobs[what])
        wait_for_lock(postgres)
    if what == "create":
        with pytest.raises(UnknownError, match="there is no table 'one'"):
            result.result()
    else:
        assert not result.result()
    assert database.read(lambda c: held_tables(c, ann)) == set()


def table(database: Database, id: str, holder: str, at: float, *, has_advice: bool) -> None:
    first = StoredEvent(id, 1, "created", at, "{}")
    database.write(lambda c: create_stream(c, "table", first, bytes(32), [(1, holder)], has_advice=has_advice)).result()


def game(database: Database, holder: str) -> str | None:
    return database.read(lambda c: game_without_advice(c, holder))


def test_the_latest_unfinished_game_without_advice_of_a_holder_is_found(database: Database) -> None:
    ann = new_holder(database)
    table(database, "with advice", ann, 9.0, has_advice=True)
    assert game(database, ann) is None
    for id, at in (("first", 5.0), ("second", 6.0)):
        table(database, id, ann, at, has_advice=False)
    assert (game(database, ann), game(database, "somebody else")) == ("second", None)
    database.write(lambda c: update_stream(c, "second", {"ended": True})).result()
    assert game(database, ann) == "first"


def test_every_column_that_can_name_a_holder_is_known() -> None:
    ids = {str(one) for table in metadata.sorted_tables for one in table.c if _size(one) == 32}
    assert ids - {"holders.id"} == {str(one) for one in OWN} | {"open_seats.id", "tries.id"}


def _size(column: Column[Any]) -> int | None:
    return column.type.length if isinstance(column.type, String) else None


def row(table: Table, own: Column[Any], holder: str) -> dict[str, object]:
    """A row of a table with a holder in a column, and with whatever else it must have."""
    found: dict[str, object] = {own.name: holder}
    for one in table.c:
        to = next((key.column for key in one.foreign_keys), None)
        if one is own or one.nullable:
            continue
        if to is not None:
            found[one.name] = "table" if to.table is streams else "other"
        else:
            kinds = {LargeBinary: secrets.token_bytes(32), Boolean: False, Integer: 1, Float: 1.0}
            new = next((value for kind, value in kinds.items() if isinstance(one.type, kind)), None)
            found[one.name] = secrets.token_hex(4)[: _size(one)] if new is None else new
    return found


RATING = {"mean": 25.0, "deviation": 2.0, "games": 3}


def held(database: Database, holder: str) -> dict[str, object]:
    """What the row of a holder has besides its times, as far as it is not null."""
    wanted = select(holders).where(holders.c.id == holder)
    found = database.read(lambda c: c.execute(wanted).mappings().one())
    return {name: value for name, value in found.items() if name not in ("id", "created", "seen") and value is not None}


@pytest.fixture
def filled(database: Database) -> Database:
    """A database in which `ann` has a row in every column that names a holder, `ben` has none, and there is `other`."""

    def fill(connection: Any) -> None:
        at = {"created": 1.0, "seen": 1.0}
        connection.execute(insert(holders), [{"id": id} | at for id in ("ann", "ben", "other")])
        account = {"name": "Ann", "skeleton": "ann", "code": b"code", **RATING}
        connection.execute(update(holders).where(holders.c.id == "ann").values(account))
        connection.execute(insert(streams).values(id="table", kind="table", secret=b"s", created=1.0, active=1.0))
        for own in OWN:
            connection.execute(insert(own.table).values(row(own.table, own, "ann")))

    database.write(fill).result()
    return database


def named(database: Database, holder: str) -> set[str]:
    def read(connection: Any) -> set[str]:
        count = select(func.count())
        return {str(own) for own in OWN if connection.execute(count.where(own == holder)).scalar()}

    return database.read(read)


SIGNING_IN = ("keys", "passkeys")


def test_signing_in_moves_everything_but_what_signs_in(filled: Database) -> None:
    assert filled.write(lambda c: move_in(c, "ann", "ben")).result() == [("table", 1)]
    assert named(filled, "ben") == {str(own) for own in OWN if own.table.name not in SIGNING_IN}
    assert named(filled, "ann") == {"passkeys.holder"}, "no key leads there any more"
    assert held(filled, "ben") == RATING


def test_what_both_have_stays_as_the_other_has_it(filled: Database) -> None:
    once = [own for own in OWN if own.table.name not in ("one_time_secrets", "reminders", "open_seats", *SIGNING_IN)]

    def give(connection: Any) -> None:
        for own in once:
            mine = connection.execute(select(own.table).where(own == "ann")).mappings().first()
            connection.execute(
                insert(own.table).values({**mine, own.name: "ben"} | ({"id": "x"} if "id" in mine else {}))
            )

    filled.write(give).result()
    filled.write(lambda c: move_in(c, "ann", "ben")).result()
    counts = [select(func.count()).where(own == "ben") for own in once]
    assert filled.read(lambda c: [c.execute(one).scalar() for one in counts]) == [1] * len(once)
    assert named(filled, "ann") == {"passkeys.holder", "tries.holder"}, "no rank changes"


def test_nobody_blocks_themselves_after_signing_in(database: Database) -> None:
    def fill(connection: Any) -> None:
        connection.execute(insert(holders), [{"id": id, "created": 1.0, "seen": 1.0} for id in ("ann", "ben")])
        pairs = [("ann", "ben"), ("ben", "ann")]
        rows = [{"holder": one, "other": other, "name": "x", "since": 1.0} for one, other in pairs]
        connection.execute(insert(blocks), rows)

    database.write(fill).result()
    database.write(lambda c: move_in(c, "ann", "ben")).result()
    assert database.read(lambda c: c.execute(select(blocks)).all()) == []


def test_erasing_leaves_tries_without_a_name_and_the_key_that_keeps_them_once(filled: Database) -> None:
    assert set(filled.read(lambda c: own_data(c, "ann"))) >= {"holders", "blocks", "tries"}
    filled.write(lambda c: erase_holder(c, "ann", 2.0)).result()
    assert named(filled, "ann") == {"tries.holder", "keys.holder"}
    assert held(filled, "ann") == {}
    filled.write(lambda c: c.execute(tries.delete())).result()
    filled.write(lambda c: erase_holder(c, "ann", 2.0)).result()
    assert named(filled, "ann") == set()
    left = filled.read(lambda c: c.execute(select(holders.c.id).order_by(holders.c.id)).scalars().all())
    assert left == ["ben", "other"]
