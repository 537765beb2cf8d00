"""`/api/me/export` and the imports: all data of a browser as one file, for another browser or server."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import Connection

from fivedice.base.errors import MalformedError
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.record import MAX_CHARACTERS
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.games.game_list import MAX_LISTED_GAMES, own_seat
from fivedice.server.games.grading import Grader
from fivedice.server.games.read_games import ReadRecord, final_records, read_record
from fivedice.server.http.handling.asker import Asker
from fivedice.server.limits import MAX_IMPORT_BYTES, MAX_RECORD_BODY_BYTES, ROW_BYTES, UPLOAD_TOKENS
from fivedice.server.live.registry import TableRegistry
from fivedice.server.replies.endpoint import post
from fivedice.server.solving.pool import Pool
from fivedice.server.table.to_record import TableLog
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.listed_games import ListedGame, listed_games
from fivedice.storage.rows.own_data import own_data
from fivedice.storage.rows.records import (
    MAX_RECORDS,
    NO_SEAT,
    PlayedBy,
    import_records,
    load_records,
    record_hashes,
    seats_of_records,
)
from fivedice.storage.rows.seat_links import claim_export, create_export
from fivedice.storage.rows.streams import held_streams, held_tables, load_streams
from fivedice.views.games import ImportedView

IMPORT_SECONDS = 20.0
"""Reading the records of an import: each may have its own rules."""

EXPORT_BATCH = 10
"""Games read at once, in about 0.1 s; others take turns."""

EXPORT_SECONDS = 30 * 86_400
"""The key in an exported file."""

Text = Annotated[str, Meta(max_length=MAX_CHARACTERS)]
Id = Annotated[str, Meta(max_length=64)]


class ExportedRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a game, and the browser's own seat if it is known: -1 if its user played none of them."""

    text: Text
    seat: Annotated[int, Meta(ge=NO_SEAT, lt=MAX_SEATS)] | None = None


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All data of a browser: the records of its finished and imported games.

    `key` claims its seats at tables of this server and its tries of the daily once, for 30 days; null if it has
    nothing.
    `stored` is what else the server has about its user: for each table of the database the rows, such as the name of
    the account, passkeys, signed-in browsers, clubs, ratings and blocks. An import ignores it.
    """

    fivedice: Literal["export 1"]
    records: Annotated[list[ExportedRecord], Meta(max_length=2 * MAX_RECORDS)]
    key: Id | None = None
    stored: dict[str, list[dict[str, str | float | bool | None]]] = {}


# Not compressed: it has secrets beside names that others chose, whose size would tell of them; and it would hold the
# event loop for 50 ms for 1,000 games.
@post("/api/me/export", 403, cost=UPLOAD_TOKENS, is_compressed=False, saved_as="fivedice.json")
async def export_all(asker: Asker, clubs: Clubs, pool: Pool) -> Export:
    """Export all data of this browser as one file. It is a POST because it creates a secret."""
    holder = asker.holder
    all_games = partial(listed_games, holder=holder or "", num_tables=MAX_LISTED_GAMES, num_records=MAX_RECORDS)
    games = await asker.fetched(all_games)
    records = await asker.work(partial(_exported, asker, pool, games))
    now, expires = asker.now, asker.now + EXPORT_SECONDS
    asker.store(ROW_BYTES)

    def create_key(connection: Connection) -> tuple[str | None, dict[str, Any]]:
        if not holder:
            return None, {}
        stored = own_data(connection, holder)  # before there is the key of the file
        return create_export(connection, holder, at=now, expires=expires), stored

    exported = await asker.written(create_key)
    for id in await asker.fetched(partial(held_streams, holder=asker.holder, kind="club")):
        live = await clubs.club(id)
        for member in sorted(live.seats_of(asker.holder)):
            row = {"club": id, "club_name": live.state.name, "name": live.state.members.get(member)}
            exported[1].setdefault("clubs", []).append(row)
    return Export("export 1", records, *exported)


async def _exported(asker: Asker, pool: Pool, games: Sequence[ListedGame]) -> list[ExportedRecord]:
    """The records of those of these games that are over or imported, with the holder's first seat."""
    found = []
    for first in range(0, len(games), EXPORT_BATCH):
        batch = games[first : first + EXPORT_BATCH]
        texts = await asker.fetched(partial(_imported, games=batch))
        logs = await asker.fetched(partial(_logs, games=batch))
        written = await pool.run(final_records, list(logs.values()))
        texts |= {id: text for id, text in zip(logs, written, strict=True) if text}
        for one in batch:
            if one.key in texts:
                seat = NO_SEAT if one.is_of_others else min(one.seats, default=None)
                found.append(ExportedRecord(texts[one.key], seat))
    return found


def _imported(connection: Connection, games: Sequence[ListedGame]) -> dict[str, str]:
    """The texts of the imported ones of these games, by key."""
    found = load_records(connection, [bytes.fromhex(one.key) for one in games if one.is_record])
    return {hash.hex(): one.whole for hash, one in found.items()}


def _logs(connection: Connection, games: Sequence[ListedGame]) -> dict[str, TableLog]:
    """The events of the tables among these games."""
    versions = {one.key: one.version for one in games if not one.is_record}
    return {
        id: TableLog(tuple(entry.body for entry in log.entries[: versions[id]]), log.secret, log.toml)
        for id, log in load_streams(connection, list(versions)).items()
    }


@post("/api/me/import", 403, cost=UPLOAD_TOKENS, needs_cookie=True, max_bytes=MAX_IMPORT_BYTES)
async def import_all(asker: Asker, pool: Pool, grader: Grader, tables: TableRegistry, data: Export) -> ImportedView:
    """Import the export of another browser: its seats at this server's tables, its other records, and its tries of the
    daily, which are then this browser's, but for those of a day that it has played, too.

    A request without a cookie is answered with status 401 and a cookie; repeat it with that.
    """
    return await _import(asker, pool, grader, tables, data)


@post("/api/me/records", 403, cost=UPLOAD_TOKENS, needs_cookie=True, max_bytes=MAX_RECORD_BODY_BYTES)
async def import_one(
    asker: Asker, pool: Pool, grader: Grader, tables: TableRegistry, data: ExportedRecord
) -> ImportedView:
    """Import the record of one game.

    A request without a cookie is answered with status 401 and a cookie; repeat it with that.
    """
    return await _import(asker, pool, grader, tables, Export("export 1", [data]))


async def _import(asker: Asker, pool: Pool, grader: Grader, tables: TableRegistry, data: Export) -> ImportedView:
    now, key = asker.now, data.key
    asker.store(0)  # before anything is read
    read = await asker.work(lambda: _read(pool, data.records, now))
    new = await _new(asker, read)
    if not new and not key:
        return ImportedView(0, 0)
    asker.store(_num_bytes(new))
    asker.count_browser()

    def store(connection: Connection) -> tuple[int, list[tuple[str, int]], str]:
        claimed = claim_export(connection, key, asker.visitor.key, now) if key else None
        if claimed is None and not new:
            return 0, [], ""  # store no holder without seats, tries or records
        holder = known_holder(connection, asker.visitor.key, now)
        held = held_tables(connection, holder)
        return _store(connection, holder, [one for one in new if one.table not in held]), claimed or [], holder

    num_records, claimed, holder = await asker.written(store)
    if num_records:
        grader.find_marked()
    for table, seat in claimed:
        tables.record_claim(table, seat, asker.visitor, holder)
    return ImportedView(num_records, len({table for table, _ in claimed}))


async def _read(pool: Pool, entries: list[ExportedRecord], now: float) -> list[ReadRecord]:
    """Let a worker process replay the records, of which those of other imports are read in between.

    Raises `MalformedError`, which names the first record with an error.
    """
    read: list[ReadRecord] = []
    seconds = 0.0
    for number, entry in enumerate(entries, 1):
        if seconds > IMPORT_SECONDS:
            raise MalformedError(f"reading {len(entries)} records takes too long: import fewer at once")
        read.append(await pool.run(read_record, number, entry.text, entry.seat, now))
        seconds += read[-1].seconds
    return read


def _store(connection: Connection, holder: str, wanted: list[ReadRecord]) -> int:
    """Store records, with the holder's own seat where that follows from other games, and return how many are new."""
    known = seats_of_records(connection, holder)
    stored = []
    for one in wanted:
        seat = one.stored.seat if one.stored.seat is not None else own_seat(one.people, known)
        known.append(PlayedBy(one.people, seat, 1))
        stored.append(replace(one.stored, seat=seat))
    return import_records(connection, holder, stored)


def _num_bytes(records: list[ReadRecord]) -> int:
    """What records may take in the database, where equal rules are stored once."""
    texts = [*(one.stored.text for one in records), *{one.stored.toml for one in records}]
    return sum(len(text.encode()) for text in texts) + len(records) * ROW_BYTES


async def _new(asker: Asker, read: list[ReadRecord]) -> list[ReadRecord]:
    """The records that a visitor does not have yet; raises `UnavailableError`."""
    holder = asker.holder
    if holder is None:
        return read

    def known(connection: Connection) -> tuple[set[bytes], set[str]]:
        return record_hashes(connection, holder), held_tables(connection, holder)

    hashes, held = await asker.fetched(known)
    return [one for one in read if one.stored.hash not in hashes and one.table not in held]
