"""Links and devices of seats, and games that withhold advice from them."""

from collections.abc import Callable
from functools import partial

import psycopg
import pytest
from sqlalchemy import Connection, func, select

from fivedice.base.errors import UnknownError
from fivedice.storage.engine.database import Database
from fivedice.storage.rows import seat_links
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import holder_of, known_holder, new_secret
from fivedice.storage.rows.seat_links import (
    MAX_LINKS,
    claim_seats,
    create_links,
    links_of,
    remove_device,
    revoke_link,
)
from fivedice.storage.rows.streams import load_holders
from fivedice.storage.rows.tables import create_table, game_without_advice, held_tables, store_end
from fivedice.storage.schema import seat_secrets
from tests.amount import amount
from tests.waiting import wait_for

ONE = ("one", 0)


def holder(database: Database, key: str) -> str:
    return database.write(lambda c: known_holder(c, key, 1.0)).result()


def seated(database: Database) -> str:
    """A holder with the seat `ONE`."""
    ann = holder(database, new_secret())
    first = StoredEvent("one", 1, "created", 1.0, "{}")
    database.write(lambda c: create_table(c, bytes(32), first, [(0, ann)])).result()
    return ann


def created(database: Database, maker: str | None, at: float = 2.0, expires: float = 9.0) -> str:
    """The secret of a new link to the seat `ONE`."""
    [secret] = database.write(lambda c: create_links(c, [ONE], maker, at=at, expires=expires)).result()
    return secret


def claimed(database: Database, secret: str, key: str, at: float = 3.0) -> bool:
    return database.write(lambda c: claim_seats(c, [("one", secret)], key, at)).result() == [ONE]


def test_many_seats_are_claimed_at_once_and_wrong_secrets_are_skipped(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = amount(25, full=500)
    monkeypatch.setattr(seat_links, "_BATCH", batch)
    ann, key = holder(database, new_secret()), new_secret()
    seats = [(f"table {number}", number % 3) for number in range(batch + 10)]

    def fill(connection: Connection) -> list[str]:
        for table, seat in seats:
            create_table(connection, bytes(32), StoredEvent(table, 1, "created", 1.0, "{}"), [(seat, ann)])
        return create_links(connection, seats, ann, at=2.0, expires=9.0)

    secrets = database.write(fill).result()
    assert len(set(secrets)) == len(seats)
    claims = [(table, secret) for (table, _), secret in zip(seats, secrets, strict=True)]
    wrong = [("table 0", secrets[1]), ("table 1", new_secret()), ("nowhere", secrets[2])]
    assert database.write(lambda c: claim_seats(c, wrong, key, 3.0)).result() == []
    assert database.read(lambda c: holder_of(c, key)) is None, "no holder is created without a seat"
    claimed = database.write(lambda c: claim_seats(c, [*claims[:9], *wrong, *claims], key, 3.0)).result()
    assert claimed == seats
    ben = database.read(lambda c: holder_of(c, key))
    assert ben is not None
    assert database.read(lambda c: held_tables(c, ben)) == {table for table, _ in seats}


def test_a_removed_device_cannot_come_back(database: Database) -> None:
    """Neither with the link that it used, nor with one that it created."""
    ann, key = seated(database), new_secret()
    secret, of_ann = created(database, ann), created(database, ann)
    assert claimed(database, secret, key)
    ben = holder(database, key)
    of_ben = created(database, ben)
    assert database.write(lambda c: remove_device(c, *ONE, ben)).result()
    assert not database.write(lambda c: remove_device(c, *ONE, ben)).result()
    assert database.read(lambda c: load_holders(c, "one")) == {0: {ann}}
    for lost in (secret, of_ben):
        assert not claimed(database, lost, key)
    assert claimed(database, of_ann, key), "the link of another device is still valid"


def test_the_links_of_a_seat_do_not_grow_without_end(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = seated(database)
    secrets = [created(database, ann, at=2.0 + number / 100) for number in range(MAX_LINKS + 2)]

    def count() -> int:
        return database.read(lambda c: c.execute(select(func.count()).select_from(seat_secrets)).scalar_one())

    assert count() == MAX_LINKS
    times = [link.created for link in database.read(lambda c: links_of(c, *ONE, 8.0))]
    assert times == sorted(times, reverse=True)
    assert [claimed(database, secret, new_secret()) for secret in secrets[:3]] == [False, False, True]
    export = database.write(lambda c: create_links(c, [ONE], ann, at=3.0, expires=30.0, kind="export")).result()
    assert count() == MAX_LINKS + 1, "exports and links do not displace each other"
    monkeypatch.setattr(seat_links, "_FORGET", MAX_LINKS - 1)
    created(database, ann, at=9.0, expires=30.0)
    assert count() == 3, "expired links are deleted, a bounded number at once"
    created(database, ann, at=9.0, expires=30.0)
    assert count() == 3
    assert claimed(database, export[0], new_secret(), at=10.0)


@pytest.mark.parametrize("what", ["create", "claim", "revoke", "remove device"])
def test_a_table_may_be_deleted_by_another_process_at_the_same_moment(
    postgres_database: Database, postgres: str, what: str
) -> None:
    """The other process has deleted the rows of the table, and commits while this one waits for them."""
    database = postgres_database
    ann, key = seated(database), new_secret()
    secret = created(database, ann)
    link = database.read(lambda c: links_of(c, *ONE, 2.0))[0].id
    jobs: dict[str, Callable[[Connection], object]] = {
        "create": lambda c: create_links(c, [ONE], ann, at=3.0, expires=9.0),
        "claim": lambda c: claim_seats(c, [("one", secret)], key, 3.0),
        "revoke": lambda c: revoke_link(c, *ONE, link),
        "remove device": lambda c: remove_device(c, *ONE, ann),
    }
    with psycopg.connect(postgres) as other:
        other.execute("SELECT id FROM streams WHERE id = 'one' FOR UPDATE")
        for rows in ("changed_streams", "events", "seat_holders"):
            other.execute(f"DELETE FROM {rows} WHERE stream = 'one'")  # noqa: S608
        other.execute("DELETE FROM seat_secrets WHERE table_id = 'one'")
        other.execute("DELETE FROM streams WHERE id = 'one'")
        result = database.write(jobs[what])
        wait_for(partial(is_waiting, postgres), "it waits for the other process")
    if what == "create":
        with pytest.raises(UnknownError, match="there is no table 'one'"):
            result.result()
    else:
        assert not result.result()
    assert database.read(lambda c: held_tables(c, ann)) == set()


def is_waiting(postgres: str) -> bool:
    """Whether a connection waits for a lock."""
    with psycopg.connect(postgres) as connection:
        return bool(connection.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchall())


@pytest.fixture
def ann(database: Database) -> str:
    """A holder."""
    return database.write(lambda c: known_holder(c, "a key", 1.0)).result()


def table(database: Database, id: str, holder: str, at: float, *, has_advice: bool) -> None:
    first = StoredEvent(id, 1, "created", at, "{}")
    database.write(lambda c: create_table(c, bytes(32), first, [(1, holder)], has_advice=has_advice)).result()


def game(database: Database, holder: str) -> str | None:
    return database.read(lambda c: game_without_advice(c, holder))


def test_the_latest_unfinished_game_without_advice_of_a_holder_is_found(database: Database, ann: str) -> None:
    table(database, "with advice", ann, 9.0, has_advice=True)
    assert game(database, ann) is None
    for id, at in (("first", 5.0), ("second", 6.0)):
        table(database, id, ann, at, has_advice=False)
    assert (game(database, ann), game(database, "somebody else")) == ("second", None)
    database.write(lambda c: store_end(c, "second", has_ended=True)).result()
    assert game(database, ann) == "first"
