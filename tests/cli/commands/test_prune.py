"""`fivedice prune`: what it prints and deletes."""

import json
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.life import trust
from fivedice.storage.rows.tables import create_table
from fivedice.storage.schema import changed_streams, streams
from tests.cli.run_command import fivedice, refused

CREATED = (
    '{"type":"created","at":1000.0,"table":"old","rules":"yahtzee","digest":"","commitment":"","seats":'
    '[{"kind":"person","name":"Ann"}]}'
)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with a table of 1970, whose creation no server has read."""
    url = f"sqlite:///{tmp_path / 'fivedice.db'}"
    database = Database(url)

    def store(connection: Connection) -> None:
        first = StoredEvent("old", 1, "command", 1000.0, CREATED)
        create_table(connection, bytes(32), first, [(0, known_holder(connection, "key", 1000.0))])

    database.write(store).result()
    database.close()
    return url


def num_tables(url: str) -> int | None:
    database = Database(url)
    num = database.read(lambda connection: connection.execute(select(func.count()).select_from(streams)).scalar())
    database.close()
    return num


def test_it_says_what_it_deletes(url: str) -> None:
    dry = fivedice("prune", "--database-url", url, "--dry-run")
    assert (dry.status, dry.err) == (0, "")
    assert "1 table not examined: no server has read their newest events yet." in dry.out
    assert num_tables(url) == 1
    done = fivedice("prune", "--database-url", url)
    lines = [line.strip() for line in done.out.splitlines()]
    assert lines[:4] == [
        "1  unfinished games: not used for 90 days",
        "0  finished games: not used for 365 days",
        "1  browsers without a game: not used for 365 days",
        "They are deleted.",
    ]
    assert lines[4].startswith("The file keeps its size; ")
    assert num_tables(url) == 0


def test_what_a_wrong_clock_may_delete_must_be_confirmed(url: str) -> None:
    database = Database(url)
    database.write(lambda connection: connection.execute(changed_streams.delete())).result()
    database.write(lambda connection: trust(connection, 91 * 86_400.0)).result()
    database.close()
    found = fivedice("prune", "--database-url", url, "--keep-unfinished", "100")
    assert "days by this clock do not count, because no server has seen them pass" in found.err
    assert (found.status, num_tables(url)) == (0, 1)
    assert fivedice("prune", "--database-url", url, "--keep-unfinished", "100", "--confirm").err == ""
    assert num_tables(url) == 0


@pytest.mark.parametrize("command", [("backup", "backup.jsonl"), ("prune",), ("prune", "--dry-run")])
def test_a_database_that_does_not_exist_is_named(tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "none" / "fivedice.db"
    sentence = refused(*command, "--database-url", f"sqlite:///{file}")
    assert f"No such file or directory: {file}" in sentence
    assert not file.parent.exists()


def test_a_dry_run_counts_what_would_be_deleted(url: str) -> None:
    fivedice("prune", "--database-url", url, "--keep-unfinished", "0")
    found = json.loads(fivedice("prune", "--database-url", url, "--json", "--dry-run", "--confirm").out)
    counts = [found[name] for name in ("unfinished", "finished", "browsers", "unread_tables")]
    assert (found["is_dry"], counts, num_tables(url)) == (True, [1, 0, 0, 0], 1)
    kept = fivedice("prune", "--database-url", url, "--keep-unfinished", "0", "--keep-finished", "0")
    assert "0  unfinished games: kept for ever" in kept.out
    assert num_tables(url) == 1


def test_a_file_that_is_served_is_examined_but_not_changed(url: str) -> None:
    server = Database(url, serves=True)
    assert refused("prune", "--database-url", url) == (
        "fivedice: a server uses this SQLite file, and deletes old games itself: stop it first, or use --dry-run\n"
    )
    assert fivedice("prune", "--database-url", url, "--dry-run").status == 0
    server.close()
    assert num_tables(url) == 1
