"""`/api/me/export` and the imports: all data of a browser as one file, for another browser or server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response
from litestar.params import JSONBody
from sqlalchemy import Connection

from fivedice.base.errors import MalformedError
from fivedice.game.record import MAX_CHARACTERS
from fivedice.server.config.limits import (
    MAX_IMPORT_BYTES,
    MAX_IMPORT_SEATS,
    MAX_RECORD_BODY_BYTES,
    ROW_BYTES,
    UPLOAD_TOKENS,
)
from fivedice.server.games.game_list import Held, all_games, key_of, seats_of
from fivedice.server.games.own_seats import own_seat
from fivedice.server.games.records import final_records, read_record
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.endpoints import post
from fivedice.server.http.handling.params import UNCOMPRESSED
from fivedice.server.services import Services
from fivedice.server.table.to_record import TableLog
from fivedice.server.table.verb import SeatNumber
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.own_data import move_tries, own_data, tries_key, tries_owner
from fivedice.storage.rows.records import (
    MAX_RECORDS,
    ListedRecord,
    PlayedBy,
    StoredRecord,
    import_records,
    record_hashes,
    record_texts,
    seats_of_records,
)
from fivedice.storage.rows.seat_links import claim_seats, create_links, existing_tables
from fivedice.storage.rows.streams import held_streams
from fivedice.storage.rows.tables import HeldTable, held_tables, load_logs
from fivedice.views.games import ImportedView

IMPORT_SECONDS = 20.0
"""Reading the records of an import: each may have its own rules."""

EXPORT_BATCH = 10
"""Games read at once, in about 0.1 s; others take turns."""

EXPORT_SECONDS = 30 * 86_400
"""A link in an exported file."""

Text = Annotated[str, msgspec.Meta(max_length=MAX_CHARACTERS)]
Id = Annotated[str, msgspec.Meta(max_length=64)]


class ExportedRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a game, and the browser's own seat if it is known."""

    text: Text
    seat: SeatNumber | None = None


class ExportedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat at a table of this server, and a secret that claims it once, for 30 days."""

    table: Id
    seat: SeatNumber
    secret: Id


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All data of a browser: the records of its finished and imported games, and its seats at tables.

    `tries` is a key to its tries of the daily, which claims them once, for 30 days; null if there are none.
    `stored` is what else the server has about its user: for each table of the database the rows, such as the name of
    the account, passkeys, signed-in browsers, clubs, ratings and blocks. An import ignores it.
    """

    fivedice: Literal["export 1"]
    records: Annotated[list[ExportedRecord], msgspec.Meta(max_length=2 * MAX_RECORDS)]
    seats: Annotated[list[ExportedSeat], msgspec.Meta(max_length=MAX_IMPORT_SEATS)]
    tries: Id | None = None
    stored: dict[str, list[dict[str, str | float | bool | None]]] = {}


# Not compressed: it has secrets beside names that others chose, whose size would tell of them; and it would hold the
# event loop for 50 ms for 1,000 games.
@post("/api/me/export", 403, 503, cost=UPLOAD_TOKENS, opt=UNCOMPRESSED)
async def export_all(asker: TheAsker) -> Response[Export]:
    """Export all data of this browser as one file. It is a POST because it creates new secrets for the seats."""

    holder = asker.holder
    games = await asker.services.database.fetched(partial(all_games, holder=holder)) if holder else []
    records = await asker.work(partial(_exported, asker.services, games))
    now, expires = asker.now, asker.now + EXPORT_SECONDS
    seats = [(game.id, seat) for game in games if isinstance(game, HeldTable) for seat in game.seats]
    asker.store((len(seats) + 1) * ROW_BYTES)

    def create_secrets(connection: Connection) -> tuple[list[ExportedSeat], str | None, dict[str, Any]]:
        stored = own_data(connection, asker.holder) if asker.holder else {}  # before there are the links of the file
        there = existing_tables(connection, [table for table, _ in seats])
        kept = [seat for seat in seats if seat[0] in there]
        secrets = create_links(connection, kept, asker.holder, at=now, expires=expires, kind="export")
        key = tries_key(connection, asker.holder, asker.visitor.key, expires) if asker.holder else None
        return [ExportedSeat(*seat, secret) for seat, secret in zip(kept, secrets, strict=True)], key, stored

    exported = await asker.services.database.written(create_secrets)
    for id in await asker.services.database.fetched(partial(held_streams, holder=asker.holder, kind="club")):
        live = await asker.services.clubs.club(id)
        for member in sorted(live.seats_of(asker.holder)):
            row = {"club": id, "club_name": live.state.name, "name": live.state.members.get(member)}
            exported[2].setdefault("clubs", []).append(row)
    headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="fivedice.json"'}
    return Response(Export("export 1", records, *exported), status_code=200, headers=headers)


async def _exported(services: Services, games: Sequence[Held]) -> list[ExportedRecord]:
    """The records of those of these games that are over or imported, with the holder's first seat."""
    found = []
    for first in range(0, len(games), EXPORT_BATCH):
        batch = games[first : first + EXPORT_BATCH]
        texts = await services.database.fetched(partial(_imported, games=batch))
        logs = await services.database.fetched(partial(_logs, games=batch))
        written = await services.pool.run(final_records, list(logs.values()))
        texts |= {id: text for id, text in zip(logs, written, strict=True) if text}
        found += [
            ExportedRecord(texts[key], min(seats_of(one), default=None))
            for one in batch
            if (key := key_of(one)) in texts
        ]
    return found


def _imported(connection: Connection, games: Sequence[Held]) -> dict[str, str]:
    """The texts of the imported ones of these games, by key."""
    texts = record_texts(connection, [one.hash for one in games if isinstance(one, ListedRecord)])
    return {hash.hex(): text.whole for hash, text in texts.items()}


def _logs(connection: Connection, games: Sequence[Held]) -> dict[str, TableLog]:
    """The events of the tables among these games."""
    versions = {one.id: one.version for one in games if isinstance(one, HeldTable)}
    return {
        id: TableLog(tuple(entry.body for entry in log.entries[: versions[id]]), log.secret, log.toml)
        for id, log in load_logs(connection, list(versions)).items()
    }


@post(
    "/api/me/import", 400, 403, 413, 503, cost=UPLOAD_TOKENS, needs_cookie=True, request_max_body_size=MAX_IMPORT_BYTES
)
async def import_all(data: JSONBody[Export], asker: TheAsker) -> Response[ImportedView]:
    """Import the export of another browser: its seats at this server's tables, its other records, and its tries of the
    daily, which are then this browser's, but for those of a day that it has played, too.

    A request without a cookie is answered with status 401 and a cookie; repeat it with that.
    """
    return await _import(data.records, data.seats, data.tries, asker)


@post(
    "/api/me/records",
    400,
    403,
    413,
    503,
    cost=UPLOAD_TOKENS,
    needs_cookie=True,
    request_max_body_size=MAX_RECORD_BODY_BYTES,
)
async def import_one(data: JSONBody[ExportedRecord], asker: TheAsker) -> Response[ImportedView]:
    """Import the record of one game.

    A request without a cookie is answered with status 401 and a cookie; repeat it with that.
    """
    return await _import([data], [], None, asker)


async def _import(
    records: list[ExportedRecord], seats: list[ExportedSeat], tries: str | None, asker: Asker
) -> Response[ImportedView]:
    now = asker.now
    asker.store(0)  # before anything is read
    read = await asker.work(lambda: _read(asker.services, records, now))
    new = await _new(asker, read)
    if not new and not seats and not tries:
        return asker.answer(ImportedView(0, 0))
    asker.store(_num_bytes(new) + len(seats) * ROW_BYTES)
    asker.count_browser()

    def store(connection: Connection) -> tuple[int, list[tuple[str, int]], str]:
        claimed = claim_seats(connection, [(seat.table, seat.secret) for seat in seats], asker.visitor.key, now)
        former = tries_owner(connection, tries, now) if tries else None
        if not claimed and not new and not former:
            return 0, [], ""  # store no holder without seats, records or tries
        holder = known_holder(connection, asker.visitor.key, now)
        if former:
            move_tries(connection, former, holder)
        held = held_tables(connection, holder)
        return _store(connection, holder, [one for one in new if one.table not in held]), claimed, holder

    num_records, claimed, holder = await asker.services.database.written(store)
    if num_records:
        asker.services.grader.find_marked()
    for table, seat in claimed:
        asker.services.tables.record_claim(table, seat, asker.visitor, holder)
    return asker.answer(ImportedView(num_records, len(claimed)))


@dataclass(frozen=True, slots=True)
class _ReadRecord:
    """A record to import. `people` are the names of people by seat, `table` is the table that proves its dice."""

    stored: StoredRecord
    people: Mapping[int, str]
    table: str


async def _read(services: Services, entries: list[ExportedRecord], now: float) -> list[_ReadRecord]:
    """Let a worker process replay the records, of which those of other imports are read in between.

    Raises `MalformedError`, which names the first record with an error.
    """
    read: list[_ReadRecord] = []
    seconds = 0.0
    for number, entry in enumerate(entries, 1):
        if seconds > IMPORT_SECONDS:
            raise MalformedError(f"reading {len(entries)} records takes too long: import fewer at once")
        one = await services.pool.run(read_record, number, entry.text, entry.seat, now)
        stored = StoredRecord(one.text, one.seat, now, one.toml)
        read.append(_ReadRecord(stored, one.people, one.table))
        seconds += one.seconds
    return read


def _store(connection: Connection, holder: str, wanted: list[_ReadRecord]) -> int:
    """Store records, with the holder's own seat where that follows from other games, and return how many are new."""
    known = seats_of_records(connection, holder)
    stored = []
    for one in wanted:
        seat = one.stored.seat if one.stored.seat is not None else own_seat(one.people, known)
        known.append(PlayedBy(one.people, seat, 1))
        stored.append(replace(one.stored, seat=seat))
    return import_records(connection, holder, stored)


def _num_bytes(records: list[_ReadRecord]) -> int:
    """What records may take in the database, where equal rules are stored once."""
    texts = [*(one.stored.text for one in records), *{one.stored.toml for one in records}]
    return sum(len(text.encode()) for text in texts) + len(records) * ROW_BYTES


async def _new(asker: Asker, read: list[_ReadRecord]) -> list[_ReadRecord]:
    """The records that a visitor does not have yet; raises `UnavailableError`."""
    holder = asker.services.holders.holder_of(asker.visitor)
    if holder is None:
        return read

    def known(connection: Connection) -> tuple[set[bytes], set[str]]:
        return record_hashes(connection, holder), held_tables(connection, holder)

    hashes, held = await asker.services.database.fetched(known)
    return [one for one in read if one.stored.hash not in hashes and one.table not in held]
