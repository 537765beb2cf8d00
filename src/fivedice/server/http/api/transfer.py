"""`/api/me/export` and the imports: all data of a browser as one file, for another browser or server."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from litestar import Response, post
from litestar.params import JSONBody
from sqlalchemy import Connection

from fivedice.errors import MalformedError
from fivedice.game.record import MAX_CHARACTERS, Record, parse_record
from fivedice.server.config.limits import (
    GAME_BATCH,
    IMPORT_SECONDS,
    MAX_IMPORT_BYTES,
    MAX_IMPORT_SEATS,
    MAX_RECORD_BODY_BYTES,
)
from fivedice.server.games.library import Game, own_seat
from fivedice.server.http.api.asker import TheAsker
from fivedice.server.http.api.costs import rate_limit_upload
from fivedice.server.http.api.params import AnyRequest, TheServices, TheVisitor, with_cookie
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.commands import SeatNumber
from fivedice.server.table.state import ruleset_of
from fivedice.storage.rows.holders import claim_seats, known_holder, new_seat_secrets
from fivedice.storage.rows.records import MAX_RECORDS, StoredRecord, import_records
from fivedice.storage.rows.tables import held_tables

Text = Annotated[str, msgspec.Meta(max_length=MAX_CHARACTERS)]
Id = Annotated[str, msgspec.Meta(max_length=64)]


class ExportedRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a game, and the browser's own seat if it is known."""

    text: Text
    seat: SeatNumber | None = None


class ExportedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat at a table of this server, and a secret that claims it."""

    table: Id
    seat: SeatNumber
    secret: Id


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All data of a browser: the records of its finished and imported games, and its seats at tables."""

    fivedice: Literal["export 1"]
    records: Annotated[list[ExportedRecord], msgspec.Meta(max_length=2 * MAX_RECORDS)]
    seats: Annotated[list[ExportedSeat], msgspec.Meta(max_length=MAX_IMPORT_SEATS)]


class ImportedView(msgspec.Struct, frozen=True):
    """The result of an import: the numbers of new records and of claimed seats."""

    records: int
    seats: int


@post("/api/me/export", guards=[rate_limit_upload], status_code=200, responses=documented(403, 503))
async def export_all(services: TheServices, visitor: TheVisitor, asker: TheAsker) -> Response[Export]:
    """Export all data of this browser as one file. It is a POST because it creates new secrets for the seats."""

    async def read() -> tuple[list[Game], list[ExportedRecord]]:
        games, written = await services.library.games(visitor.holder), []
        for start in range(0, len(games), GAME_BATCH):
            written += await in_pool("games", _written, games[start : start + GAME_BATCH])
        return games, written

    games, records = await asker.many_games("export", read)
    now = services.settings.clock()

    def create_secrets(connection: Connection) -> list[ExportedSeat]:
        seats = [(game.table, seat) for game in games if game.table for seat in game.seats]
        secrets = new_seat_secrets(connection, seats, now)
        return [ExportedSeat(*seat, secret) for seat, secret in zip(seats, secrets, strict=True)]

    seats = await asyncio.wrap_future(services.database.write(create_secrets))
    headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="fivedice.json"'}
    return Response(Export("export 1", records, seats), status_code=200, headers=headers)


@post(
    "/api/me/import",
    guards=[rate_limit_upload],
    status_code=200,
    request_max_body_size=MAX_IMPORT_BYTES,
    responses=documented(400, 403, 413, 503),
)
async def import_all(
    data: JSONBody[Export], request: AnyRequest, services: TheServices, visitor: TheVisitor, asker: TheAsker
) -> Response[ImportedView]:
    """Import the export of another browser: its seats at this server's tables, and its other records."""
    now = services.settings.clock()
    read = await asker.many_games("import", lambda: _read(data.records, services.settings.clock), id(data))

    def store(connection: Connection) -> tuple[int, list[tuple[str, int]], str]:
        claimed = claim_seats(connection, [(seat.table, seat.secret) for seat in data.seats], visitor.key, now)
        if not claimed and not read:
            return 0, [], ""  # store no holder without seats or records
        holder = known_holder(connection, visitor.key, now)
        held = held_tables(connection, holder)
        new = [
            StoredRecord(entry.text, entry.seat, now)
            for entry, record in read
            if not (record.proof and record.proof.table in held)
        ]
        return import_records(connection, holder, new), claimed, holder

    num_records, claimed, holder = await asyncio.wrap_future(services.database.write(store))
    for table, seat in claimed:
        services.tables.record_claim(table, seat, visitor, holder)
    return with_cookie(ImportedView(num_records, len(claimed)), request, visitor)


@post(
    "/api/me/records",
    guards=[rate_limit_upload],
    status_code=200,
    request_max_body_size=MAX_RECORD_BODY_BYTES,
    responses=documented(400, 403, 413, 503),
)
async def import_one(
    data: JSONBody[ExportedRecord], request: AnyRequest, services: TheServices, visitor: TheVisitor, asker: TheAsker
) -> Response[ImportedView]:
    """Import the record of one game. The default for `seat` is the only person's seat, if there is exactly one."""
    now = services.settings.clock()
    [(entry, record)] = await asker.many_games("import", lambda: _read([data], services.settings.clock), id(data))
    seat = own_seat(record) if entry.seat is None else entry.seat
    holder = await services.holders.ensure(visitor, now)
    stored = StoredRecord(entry.text, seat, now)
    num_new = await asyncio.wrap_future(
        services.database.write(lambda connection: import_records(connection, holder, [stored]))
    )
    return with_cookie(ImportedView(num_new, 0), request, visitor)


def _written(games: list[Game]) -> list[ExportedRecord]:
    """The records of finished and imported games."""
    return [
        ExportedRecord(str(game.record), game.seats[0] if game.seats else None)
        for game in games
        if not game.table or game.record.position.is_over
    ]


async def _read(entries: list[ExportedRecord], clock: Callable[[], float]) -> list[tuple[ExportedRecord, Record]]:
    """Replay the records, of which those of other imports are read in between.

    Raises `MalformedError`, which names the first record with an error.
    """
    read: list[tuple[ExportedRecord, Record]] = []
    seconds = 0.0
    for number, entry in enumerate(entries, 1):
        if seconds > IMPORT_SECONDS:
            raise MalformedError(f"reading {len(entries)} records takes too long: import fewer at once")
        record, took = await in_pool("imports", _read_one, number, entry, clock)
        read.append((entry, record))
        seconds += took
    return read


def _read_one(number: int, entry: ExportedRecord, clock: Callable[[], float]) -> tuple[Record, float]:
    """A record, and the seconds that reading it took."""
    began = clock()
    try:
        record = parse_record(entry.text, ruleset_of)
    except ValueError as error:
        raise MalformedError(f"record {number}: {error}") from None
    if entry.seat is not None and entry.seat >= len(record.seats):
        raise MalformedError(f"record {number}: seat {entry.seat}: the seats are 0 to {len(record.seats) - 1}")
    return record, clock() - began
