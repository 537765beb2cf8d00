"""Announcements: handed over after the commit of their transaction, and not after a rollback."""

from sqlalchemy import Connection

from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import announce, append_events
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.streams import hold_seat
from tests.storage.rows.test_events import create, entry
from tests.waiting import wait_for


class Heard:
    """The announcements of a database so far."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.lines: list[str] = []
        database.on_commit(self.lines.extend)

    def take(self) -> list[str]:
        """Those that are new."""
        self.database.write(lambda c: announce(c, ["the end"])).result()
        wait_for(lambda: "the end" in self.lines, "the last announcement is heard")
        found = self.lines[:-1]
        self.lines.clear()
        return found


def test_events_and_new_holders_are_announced_after_their_transaction(postgres_database: Database) -> None:
    database = postgres_database
    heard = Heard(database)
    create(database)
    holder = database.write(lambda c: known_holder(c, "key", 1.0)).result()
    assert heard.take() == ["one 1"]
    database.append(entry(2)).result()
    database.append(entry(2, "too late")).result()
    database.write(lambda c: hold_seat(c, "one", 0, holder, 1.0)).result()
    database.write(lambda c: hold_seat(c, "one", 0, holder, 2.0)).result()  # already a holder
    assert heard.take() == ["one 2", "one 0"]


def test_what_is_rolled_back_is_not_announced(postgres_database: Database) -> None:
    database = postgres_database
    heard = Heard(database)
    create(database)
    heard.take()

    def fail(connection: Connection) -> None:
        assert append_events(connection, [entry(2)]) == [True]
        raise ValueError("rolled back")

    assert isinstance(database.write(fail).exception(), ValueError)
    assert heard.take() == []


def test_sqlite_announces_nothing(sqlite_database: Database) -> None:
    lines: list[str] = []
    sqlite_database.on_commit(lines.extend)
    sqlite_database.write(lambda c: announce(c, ["one 1"])).result()
    assert lines == []
