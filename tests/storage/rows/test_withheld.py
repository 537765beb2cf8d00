"""The game that withholds advice from a holder, as the stored seats and events tell it, in both databases."""

from collections.abc import Iterable

import pytest

from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent, append_events
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.tables import create_table, hold_seat, store_withheld, withholding_game, withholding_query
from tests.storage.rows.test_events import plan


@pytest.fixture
def ann(database: Database) -> str:
    """A holder."""
    return database.write(lambda c: known_holder(c, "a key", 1.0)).result()


def table(database: Database, id: str, ann: str, at: float, withheld: Iterable[int], seat: int = 1) -> None:
    first = StoredEvent(id, 1, "created", at, "{}")
    database.write(lambda c: create_table(c, bytes(32), first, [(seat, ann)], withheld_from=withheld)).result()


def game(database: Database, holder: str, since: float = 0.0, besides: str = "") -> str | None:
    return database.read(lambda c: withholding_game(c, holder, since, besides))


def test_a_game_withholds_from_the_seats_that_it_names(database: Database, ann: str) -> None:
    table(database, "others", ann, 5.0, [0, 2])
    assert game(database, ann) is None
    table(database, "own", ann, 5.0, [11], seat=11)
    assert game(database, ann) == "own"
    assert game(database, "somebody else") is None
    database.write(lambda c: hold_seat(c, "others", 2, ann, 6.0)).result()
    assert game(database, ann, besides="own") == "others"


def test_its_latest_event_decides_how_long(database: Database, ann: str) -> None:
    table(database, "first", ann, 5.0, [1])
    assert game(database, ann, since=4.9) == "first"
    assert game(database, ann, since=5.0) is None
    later = StoredEvent("first", 2, "later", 9.0, "{}", "created")
    database.write(lambda c: append_events(c, [later])).result()
    assert game(database, ann, since=8.9) == "first"
    table(database, "second", ann, 9.5, [1])
    assert game(database, ann) == "second", "the one with the latest event"
    assert game(database, ann, besides="second") == "first"


def test_another_process_sees_a_game_begin_and_end(database: Database, url: str, ann: str) -> None:
    table(database, "one", ann, 5.0, [])
    other = Database(url)
    assert game(other, ann) is None
    database.write(lambda c: store_withheld(c, "one", [0, 1])).result()
    assert game(other, ann) == "one"
    database.write(lambda c: store_withheld(c, "one", [])).result()
    assert game(other, ann) is None
    other.close()


def test_the_query_finds_seats_tables_and_events_by_their_keys(database: Database) -> None:
    if database.is_shared:
        pytest.skip("PostgreSQL reads small tables as a whole")
    query = withholding_query().params(holder="ann", since=0.0, besides="")
    steps = database.read(lambda connection: plan(connection, query))
    assert len(steps) > 3
    assert not [step for step in steps if step.startswith("SCAN")], steps
