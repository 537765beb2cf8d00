"""Backups during play, between both kinds of databases, and damaged ones."""

import asyncio
import gzip
import random
from hashlib import sha256
from pathlib import Path

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnavailableError
from fivedice.server.table.apply import replay
from fivedice.server.table.view import view
from fivedice.storage.backup import backup, restore
from fivedice.storage.engine.database import Database
from tests.reliability.client import Client
from tests.reliability.databases import TargetDatabase, create_sqlite
from tests.reliability.ledger import Ledger, Notes
from tests.reliability.process import ServerProcess
from tests.reliability.replay import decoded_events
from tests.waiting import wait_for_async


@pytest.mark.parametrize("is_from_sqlite", [True, False])
def test_games_continue_from_a_backup_taken_during_play(
    is_from_sqlite: bool, postgres_database: TargetDatabase, tmp_path: Path
) -> None:
    with create_sqlite(tmp_path) as sqlite:
        source, target = (sqlite, postgres_database) if is_from_sqlite else (postgres_database, sqlite)
    ledger, file = Ledger(), tmp_path / "backup.jsonl.gz"
    with ServerProcess(source.url) as server:
        notes, versions = asyncio.run(_backup_during_play(Client(server.url, ledger, random.Random(7)), source, file))
    restore(target.url, file)
    commands = target.commands()
    for note in notes:
        # The backup has every command acknowledged before it began, and a prefix of each table's log.
        known, found = versions[note.table], commands[note.table]
        assert {id for id, (version, _) in note.acknowledged.items() if version <= known} <= set(found)
        assert sorted(found.values()) == list(range(1, len(found) + 1))
    with ServerProcess(target.url) as server:
        restored_notes = [Notes(note.table, note.cookies) for note in notes]
        asyncio.run(_play_all(Client(server.url, Ledger(), random.Random(8)), restored_notes))
    assert all(note.has_ended for note in restored_notes)


async def _backup_during_play(client: Client, source: TargetDatabase, file: Path) -> tuple[list[Notes], dict[str, int]]:
    """Back up during play. Returns the tables, and the acknowledged version of each when the backup began."""
    notes = [await client.create(computer=number == 0) for number in range(4)]
    playing = asyncio.create_task(_play_all(client, notes))
    await wait_for_async(lambda: client.ledger.num_acknowledged >= 40, "40 commands are acknowledged")
    versions = {note.table: max([1, *note.events]) for note in notes}
    await asyncio.to_thread(backup, source.url, file)
    assert not playing.done(), "the games ended before the backup did"
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    return notes, versions


async def _play_all(client: Client, notes: list[Notes]) -> None:
    async with asyncio.TaskGroup() as group:
        for number, note in enumerate(notes):
            group.create_task(client.play(note, over_websocket=number % 2 == 0))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup with two games, one of them unfinished."""
    folder = tmp_path_factory.mktemp("archive")
    with create_sqlite(folder) as database, ServerProcess(database.url) as server:
        asyncio.run(_play_one_of_two(Client(server.url, Ledger(), random.Random(9))))
        backup(database.url, folder / "backup.jsonl")
    return folder / "backup.jsonl"


async def _play_one_of_two(client: Client) -> None:
    await client.play(await client.create(computer=True), over_websocket=False)
    await client.create(computer=True)


def test_a_restored_database_has_the_rows_and_the_games_of_its_backup(
    database: TargetDatabase, archive: Path, tmp_path: Path
) -> None:
    rows = restore(database.url, archive)
    copy = tmp_path / "copy.jsonl"
    assert backup(database.url, copy) == rows
    assert copy.read_bytes() == archive.read_bytes()
    assert copy.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    states = sorted(view(replay(events), secret=bytes(32)).state for events in decoded_events(database).values())
    assert states == ["open", "over"]


def test_a_damaged_backup_is_refused_without_a_change(database: TargetDatabase, archive: Path, tmp_path: Path) -> None:
    rows = restore(database.url, archive)
    before = database.commands()
    lines = archive.read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    *foreign, end = [line.replace(b'"seat_holders"', b'"pg_authid"') for line in lines]
    signed = end.replace(
        sha256(b"".join(lines[:-1])).hexdigest().encode(), sha256(b"".join(foreign)).hexdigest().encode()
    )
    bad = {
        "this is not a fivedice backup": b"something else\n",
        "its last line is missing": b"".join(lines[:-1]),
        "was modified or damaged": b"".join([*lines[:middle], *lines[middle + 1 :]]),
        "modified or damaged: ": b"".join([*lines, lines[-1]]),
        "is truncated after ": b"".join([*lines[:middle], lines[middle][:20]]),
        "is of schema 9999, which this fivedice does not know": lines[0].replace(b"0001", b"9999"),
        "or another checksum": b"".join([*foreign, end]),
        "a table or a column that its schema has not": b"".join([*foreign, signed]),
    }
    for number, (sentence, content) in enumerate(bad.items()):
        file = tmp_path / f"{number}.jsonl"
        file.write_bytes(content)
        with pytest.raises((MalformedError, IllegalError), match=sentence):
            restore(database.url, file, replace=True)
    assert database.commands() == before
    packed, whole = tmp_path / "packed.jsonl.gz", gzip.compress(archive.read_bytes())
    middle = len(whole) // 2
    for damaged in (whole[:-40], whole[:middle] + bytes(99) + whole[middle + 99 :], b"no gzip at all"):
        packed.write_bytes(damaged)
        with pytest.raises(MalformedError, match=r"backup cannot be (unpacked|read): "):
            restore(database.url, packed, replace=True)
        assert database.commands() == before
    assert restore(database.url, archive, replace=True) == rows


def test_a_database_in_use_or_with_content_is_not_overwritten(database: TargetDatabase, archive: Path) -> None:
    server = ServerProcess(database.url)
    with server, pytest.raises(IllegalError, match=r"a server uses this database|another fivedice serves"):
        restore(database.url, archive, replace=True)
    restore(database.url, archive)
    with pytest.raises(IllegalError, match="this database is not empty: restore into a new one"):
        restore(database.url, archive)


def test_a_failed_backup_keeps_the_previous_one(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'fivedice.db'}", tmp_path / "backup.jsonl"
    file.write_text("the previous one")
    with pytest.raises(UnavailableError, match="No such file"):
        backup(url, file, replace=True)
    assert not (tmp_path / "fivedice.db").exists()
    Database(url).close()
    with pytest.raises(FileNotFoundError):
        backup(url, tmp_path / "no folder" / "backup.jsonl")
    assert file.read_text() == "the previous one"
    assert {path.name for path in tmp_path.iterdir()} == {"fivedice.db", "backup.jsonl"}
