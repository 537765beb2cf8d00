"""Clubs in both databases: a version has one writer, and a command counts once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from fivedice.storage.backup import backup, restore
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.clubs import append_to_log, create_log, has_command, load_log
from tests.storage.empty import OpenDatabase

CLUB, TOURNAMENT = "club", "a tournament"


@pytest.fixture
def database(open_database: OpenDatabase, url: str) -> Database:
    """A database with a club and a tournament."""
    opened = open_database(url)
    opened.write(lambda connection: create_log(connection, CLUB, None, b"", "{}")).result()
    opened.write(lambda connection: create_log(connection, TOURNAMENT, CLUB, b"secret", "{}")).result()
    return opened


def append(database: Database, after: int, command: str) -> bool:
    """Whether an event is stored; a conflict of two processes is none."""
    entries = [(command, f'"{command}"')]
    try:
        return database.write(lambda connection: append_to_log(connection, TOURNAMENT, after, entries)).result()
    except IntegrityError:
        return False


def test_one_of_several_processes_stores_a_version(open_database: OpenDatabase, url: str, database: Database) -> None:
    others = [database, open_database(url)]
    with ThreadPoolExecutor(4) as threads:
        stored = list(threads.map(lambda number: append(others[number % 2], 1, f"command {number}"), range(4)))
    assert stored.count(True) == 1
    log = database.read(lambda connection: load_log(connection, TOURNAMENT))
    assert log is not None
    assert (log.club, log.secret, len(log.bodies)) == (CLUB, b"secret", 2)


def test_a_command_is_stored_once(database: Database) -> None:
    assert append(database, 1, "draw")
    assert not append(database, 1, "other")
    assert not append(database, 2, "draw")
    assert append(database, 2, "other")
    assert database.read(lambda connection: has_command(connection, TOURNAMENT, "draw"))
    assert not database.read(lambda connection: has_command(connection, CLUB, "draw"))


def test_a_backup_has_a_tournament_before_its_club(database: Database, url: str, tmp_path: Path) -> None:
    rows = backup(url, tmp_path / "backup.jsonl")
    assert restore(f"sqlite:///{tmp_path / 'restored.db'}", tmp_path / "backup.jsonl") == rows
