"""Backups: of a server that is being played on, from each kind of database into each; whole, or refused."""

import asyncio
import gzip
import random
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from fivedice.errors import IllegalError, MalformedError
from fivedice.storage.backup.backup import backup, restore
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.migrate import newest_schema
from tests.reliability.client import Client
from tests.reliability.databases import Place, sqlite_place
from tests.reliability.ledger import Ledger, Notes
from tests.reliability.process import ServerProcess
from tests.waiting import wait_for_async

SCHEMA_1, SCHEMA_10 = (Path(__file__).with_name(f"schema_{number}.jsonl") for number in ("0001", "0010"))
"""Two games, one of them under way, with holders, seat secrets and a record, as each schema before this one kept them;
from the second on with counts of dice and a lesson."""

NewPlace = Callable[[str], Place]


@pytest.fixture
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> NewPlace:
    """Makes an empty database of a kind; one of PostgreSQL at most."""

    def make(kind: str) -> Place:
        if kind == "postgres":
            made: Place = request.getfixturevalue("postgres_database")
            return made
        folder = tmp_path / f"sqlite{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        with sqlite_place(folder) as place:
            return place

    return make


@pytest.mark.parametrize(("before", "after"), [("sqlite", "postgres"), ("postgres", "sqlite")])
def test_a_backup_taken_during_play_is_played_on_elsewhere(
    new_place: NewPlace, before: str, after: str, tmp_path: Path
) -> None:
    source, target, ledger = new_place(before), new_place(after), Ledger()
    file = tmp_path / "backup.jsonl.gz"
    with ExitStack() as stack:
        notes, known = asyncio.run(_backup_during_play(stack, source, file, ledger))
        restore(target.url, file)
        commands = target.commands()
        for note in notes:
            # All that was acknowledged before the backup began is in it, and each table up to one version.
            assert {id for id, (version, _) in note.acknowledged.items() if version <= known[note.table]} <= set(
                commands[note.table]
            )
            assert sorted(commands[note.table].values()) == list(range(1, len(commands[note.table]) + 1))
        server = ServerProcess(target.url)
        server.start()
        stack.callback(server.kill)
        again = [Notes(note.table, note.cookies) for note in notes]
        client = Client(server.url, Ledger(), random.Random(8))
        asyncio.run(_play_all(client, again))
        assert all(note.has_ended for note in again)


async def _backup_during_play(
    stack: ExitStack, source: Place, file: Path, ledger: Ledger
) -> tuple[list[Notes], dict[str, int]]:
    """The tables, and up to which version each was acknowledged before the backup began."""
    server = ServerProcess(source.url)
    server.start()
    stack.callback(server.kill)
    client = Client(server.url, ledger, random.Random(7))
    notes = [await client.create(computer=number == 0) for number in range(4)]
    playing = asyncio.create_task(_play_all(client, notes))
    await wait_for_async(lambda: ledger.num_acknowledged >= 40, "play is under way")
    known = {note.table: max([1, *note.events]) for note in notes}
    await asyncio.to_thread(backup, source.url, file)
    assert not playing.done(), "the games were over before the backup was"
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    return notes, known


async def _play_all(client: Client, notes: list[Notes]) -> None:
    async with asyncio.TaskGroup() as group:
        for number, note in enumerate(notes):
            group.create_task(client.play(note, over_socket=number % 2 == 0))


@pytest.mark.parametrize("schema", [SCHEMA_1, SCHEMA_10], ids=lambda schema: schema.stem)
def test_a_backup_of_what_was_restored_is_the_same(database: Place, schema: Path, tmp_path: Path) -> None:
    rows = restore(database.url, schema)
    again = tmp_path / "again.jsonl"
    # A later schema may add rows of its own, and takes none away.
    assert backup(database.url, again) >= rows
    before, after = (set(path.read_bytes().splitlines()) for path in (schema, again))
    assert {row for row in before if row.startswith(b"[")} <= after
    assert newest_schema() in again.read_text().partition("\n")[0]
    assert again.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("schema", [SCHEMA_1, SCHEMA_10], ids=lambda schema: schema.stem)
def test_a_database_of_an_earlier_schema_is_brought_forward_and_goes_on_where_it_was(
    database: Place, schema: Path
) -> None:
    restore(database.url, schema)
    server = ServerProcess(database.url)
    server.start()
    try:
        tables = database.select("SELECT id FROM tables ORDER BY created")
        client = Client(server.url, Ledger(), random.Random(9))
        updates = [asyncio.run(client.look(Notes(table, {0: ""}))) for (table,) in tables]
        assert [update and update["view"]["state"] for update in updates] == ["over", "playing"]
    finally:
        server.kill()


def test_what_is_no_whole_backup_is_refused_and_changes_nothing(database: Place, tmp_path: Path) -> None:
    rows = restore(database.url, SCHEMA_1)
    before = database.commands()
    lines = SCHEMA_1.read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    bad = {
        "this is not a fivedice backup": b"dear diary\n",
        "its last line is missing": b"".join(lines[:-1]),
        "was modified or damaged": b"".join([*lines[:middle], *lines[middle + 1 :]]),
        "continues after its last line": b"".join([*lines, lines[-1]]),
        f"line {middle + 1} of the backup cannot be read": b"".join([*lines[:middle], lines[middle][:20]]),
        "is of schema 9999, which this fivedice does not know": lines[0].replace(b"0001", b"9999"),
        "names a table or a column": b"".join(lines).replace(b'"seat_holders"', b'"pg_authid"'),
    }
    for number, (sentence, content) in enumerate(bad.items()):
        file = tmp_path / f"{number}.jsonl"
        file.write_bytes(content)
        with pytest.raises((MalformedError, IllegalError), match=sentence):
            restore(database.url, file, replace=True)
    assert database.commands() == before
    packed, content = tmp_path / "packed.jsonl.gz", gzip.compress(SCHEMA_1.read_bytes())
    middle = len(content) // 2
    for damaged in (content[:-40], content[:middle] + bytes(99) + content[middle + 99 :], b"no gzip at all"):
        packed.write_bytes(damaged)
        with pytest.raises(MalformedError, match="the backup cannot be unpacked: "):
            restore(database.url, packed, replace=True)
        assert database.commands() == before
    assert restore(database.url, SCHEMA_1, replace=True) == rows


def test_a_database_that_is_in_use_or_not_empty_is_not_replaced(database: Place) -> None:
    server = ServerProcess(database.url)
    server.start()
    try:
        with pytest.raises(IllegalError, match=r"a server uses this database|another fivedice serves"):
            restore(database.url, SCHEMA_1, replace=True)
    finally:
        server.kill()
    restore(database.url, SCHEMA_1)
    with pytest.raises(IllegalError, match="this database is not empty: restore into a new one"):
        restore(database.url, SCHEMA_1)


def test_a_backup_that_fails_leaves_the_last_one_in_place(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'fivedice.db'}", tmp_path / "backup.jsonl"
    file.write_text("the last one")
    with pytest.raises(UnavailableError, match="No such file"):
        backup(url, file)
    assert not (tmp_path / "fivedice.db").exists()
    Database(url).close()
    with pytest.raises(FileNotFoundError):
        backup(url, tmp_path / "no folder" / "backup.jsonl")
    assert file.read_text() == "the last one"
    assert {path.name for path in tmp_path.iterdir()} == {"fivedice.db", "backup.jsonl"}
