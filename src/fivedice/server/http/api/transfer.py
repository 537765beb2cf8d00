"""`/api/me/export` and the imports: all that a browser has, as one file, for another browser or another server."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from litestar import Response, post
from litestar.params import JSONBody
from sqlalchemy import Connection

from fivedice.errors import MalformedError
from fivedice.game.record import MAX_CHARACTERS, Record, parse_record
from fivedice.server.games.library import Game, own_seat
from fivedice.server.http.api.costs import upload
from fivedice.server.http.api.params import AnyRequest, TheServices, TheVisitor, with_cookie
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.commands import SeatNumber
from fivedice.server.table.state import ruleset_of
from fivedice.storage.rows.holders import claim_seats, known_holder, new_seat_secrets
from fivedice.storage.rows.records import MAX_RECORDS, StoredRecord, import_records
from fivedice.storage.rows.tables import held_tables

MAX_IMPORT = 16 * 2**20
"""Bytes of an import: some three thousand games."""

MAX_SECONDS = 20.0
"""How long the records of an import may take: each can have rules of its own."""

MAX_TABLES = 10_000

Text = Annotated[str, msgspec.Meta(max_length=MAX_CHARACTERS)]
Id = Annotated[str, msgspec.Meta(max_length=64)]


class ExportedRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as text, and the seat in it that is one's own, where that is known."""

    text: Text
    seat: SeatNumber | None = None


class ExportedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat at a table of this server, and a secret that claims it. Whoever has the file holds the seat."""

    table: Id
    seat: SeatNumber
    secret: Id


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a browser has. The records are of whole games and of those imported; unfinished ones go on by seat."""

    fivedice: Literal["export 1"]
    records: Annotated[list[ExportedRecord], msgspec.Meta(max_length=2 * MAX_RECORDS)]
    seats: Annotated[list[ExportedSeat], msgspec.Meta(max_length=MAX_TABLES)]


class ImportedView(msgspec.Struct, frozen=True):
    """What an import brought: records that were new here, and seats that this browser holds now."""

    records: int
    seats: int


@post("/api/me/export", guards=[upload], status_code=200, responses=documented(403, 503))
async def export_all(services: TheServices, visitor: TheVisitor) -> Response[Export]:
    """Everything of this browser as one file. It is a POST, because it makes fresh secrets for the seats."""
    games = await services.library.games(visitor.holder)
    now = services.settings.clock()
    records = await in_pool("games", _written, games)

    def make(connection: Connection) -> list[ExportedSeat]:
        seats = [(game.table, seat) for game in games if game.table for seat in game.seats]
        secrets = new_seat_secrets(connection, seats, now)
        return [ExportedSeat(*seat, secret) for seat, secret in zip(seats, secrets, strict=True)]

    seats = await asyncio.wrap_future(services.database.write(make))
    headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="fivedice.json"'}
    return Response(Export("export 1", records, seats), status_code=200, headers=headers)


@post(
    "/api/me/import",
    guards=[upload],
    status_code=200,
    request_max_body_size=MAX_IMPORT,
    responses=documented(400, 403, 413, 503),
)
async def import_all(
    data: JSONBody[Export], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[ImportedView]:
    """Take over what another browser exported: seats of this server's tables, and records that are not theirs."""
    now = services.settings.clock()
    read = await in_pool("imports", _read, data.records, services.settings.clock)

    def take(connection: Connection) -> tuple[int, list[tuple[str, int]], str]:
        claimed = claim_seats(connection, [(seat.table, seat.secret) for seat in data.seats], visitor.key, now)
        if not claimed and not read:
            return 0, [], ""  # nothing is stored of who holds nothing
        holder = known_holder(connection, visitor.key, now)
        held = held_tables(connection, holder)
        new = [
            StoredRecord(entry.text, entry.seat, now)
            for entry, record in read
            if not (record.proof and record.proof.table in held)
        ]
        return import_records(connection, holder, new), claimed, holder

    num_records, claimed, holder = await asyncio.wrap_future(services.database.write(take))
    for table, seat in claimed:
        services.tables.record_claim(table, seat, visitor, holder)
    return with_cookie(ImportedView(num_records, len(claimed)), request, visitor)


@post(
    "/api/me/records",
    guards=[upload],
    status_code=200,
    request_max_body_size=4 * MAX_CHARACTERS,
    responses=documented(400, 403, 413, 503),
)
async def import_one(
    data: JSONBody[ExportedRecord], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[ImportedView]:
    """Import the record of one game. Without a seat it is the only one at which a person played, if there is one."""
    now = services.settings.clock()
    [(entry, record)] = await in_pool("imports", _read, [data], services.settings.clock)
    seat = own_seat(record) if entry.seat is None else entry.seat
    holder = await services.holders.ensure(visitor, now)
    stored = StoredRecord(entry.text, seat, now)
    num_new = await asyncio.wrap_future(
        services.database.write(lambda connection: import_records(connection, holder, [stored]))
    )
    return with_cookie(ImportedView(num_new, 0), request, visitor)


def _written(games: list[Game]) -> list[ExportedRecord]:
    """The records of whole games, and of those imported."""
    return [
        ExportedRecord(str(game.record), game.seats[0] if game.seats else None)
        for game in games
        if not game.table or game.record.position.is_over
    ]


def _read(entries: list[ExportedRecord], clock: Callable[[], float]) -> list[tuple[ExportedRecord, Record]]:
    """The records, replayed; raises `MalformedError` with the first fault, and which record it is in."""
    read: list[tuple[ExportedRecord, Record]] = []
    until = clock() + MAX_SECONDS
    for number, entry in enumerate(entries, 1):
        if clock() > until:
            raise MalformedError(f"{len(read)} of {len(entries)} records take too long: import fewer at once")
        try:
            record = parse_record(entry.text, ruleset_of)
        except ValueError as error:
            raise MalformedError(f"record {number}: {error}") from None
        if entry.seat is not None and entry.seat >= len(record.seats):
            raise MalformedError(f"record {number}: seat {entry.seat}: the seats are 0 to {len(record.seats) - 1}")
        read.append((entry, record))
    return read
