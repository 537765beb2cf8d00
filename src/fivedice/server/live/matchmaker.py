"""`Matchmaker`: lets people find an opponent, with one truth about the open seats in all processes on a database."""

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

from sqlalchemy import Connection

from fivedice.base.errors import UnknownError
from fivedice.game.proof import commitment
from fivedice.server.config.settings import Settings
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.live.event_store import new_id, store_new
from fivedice.server.matchmaking.lobby import (
    RELAXED_SEAT_SECONDS,
    Command,
    Event,
    Lobby,
    Matched,
    Offered,
    OpenSeat,
    Seek,
)
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.event import Created
from fivedice.server.table.state import PERSON
from fivedice.storage.engine.database import Database
from fivedice.storage.rows import open_seats as rows
from fivedice.storage.rows.open_seats import FoundRow

MAX_LISTED_SEATS = 100
"""Open seats in one answer, those first that have been open longest."""

MAX_WATCHED = 10
"""Running games to watch in one answer."""

SEEN_SEAT_SECONDS = 10.0
"""Between two records that the page of whoever waits has asked."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search led to: the table of a game, or the seat at which the person waits."""

    table: str | None
    seat: str | None


@dataclass(frozen=True, slots=True)
class Seen:
    """The lobby as a holder sees it: seats of others, own ones, games found of late, and games to watch."""

    seats: list[OpenSeat]
    own: list[OpenSeat]
    found: list[FoundRow]
    running: list[FoundRow]


class Matchmaker:
    """Decides in one transaction, in which no other process changes the seats. `on_game` is told of each new table.

    All methods raise `UnavailableError`.
    """

    def __init__(self, database: Database, settings: Settings, on_game: Callable[[str], None]) -> None:
        self._database = database
        self._settings = settings
        self._on_game = on_game
        self._seen: dict[str, float] = {}
        """When it was last stored that the page of a holder who waits has asked."""

    async def handle(self, command: Command) -> Found:
        """Carry a command out; raises `IllegalError` or `UnknownError`."""
        found = await self._database.written(partial(self._handle, command=command))
        if isinstance(found, Exception):
            raise found
        if found.table is not None:
            self._on_game(found.table)
        return found

    async def look(self, holder: str | None) -> Seen:
        """The lobby, and that the page of a holder is there."""
        now = self._settings.clock()

        def read(connection: Connection) -> Seen:
            lobby, since = _lobby(connection, holder or "").at(now), now - RELAXED_SEAT_SECONDS
            own, found = [], []
            if holder is not None:
                own, found = lobby.of(holder), rows.found_by(connection, holder, since)
            running = rows.running(connection, holder or "", since, MAX_WATCHED)
            return Seen(lobby.shown_to(holder or "")[:MAX_LISTED_SEATS], own, found, running)

        seen = await self._database.fetched(read)
        if holder is not None and seen.own and now - self._seen.get(holder, 0.0) > SEEN_SEAT_SECONDS:
            self._seen = {one: at for one, at in self._seen.items() if now - at < SEEN_SEAT_SECONDS} | {holder: now}
            await self._database.written(partial(rows.see_seats, holder=holder, at=now))
        return seen

    def created(self, seat: OpenSeat, opponent: str, id: str, secret: bytes) -> Created:
        """The first event of a game: who waited has seat 0, and chance decides who begins.

        Raises `MalformedError`, `UnknownError` or `IllegalError` for rules that cannot be played.
        """
        # Two people may have names that look alike.
        name = opponent if skeleton(opponent) != skeleton(seat.name) else f"{opponent[:38]} 2"
        people = [WantedSeat(PERSON, one, here=True) for one in (seat.name, name)]
        first = str(secrets.randbelow(2))
        wanted = NewTable(people, seat.rules, first=first, help="none", pace=seat.seconds, casual=seat.casual)
        return create(wanted, id, commitment(secret), self._settings.clock(), is_called=True)

    def _handle(self, connection: Connection, command: Command) -> Found | Exception:
        rows.lock_seats(connection)
        now = self._settings.clock()
        before = _lobby(connection, command.wish.holder if isinstance(command, Seek) else command.holder)
        lobby = before.at(now)
        rows.remove_seats(connection, {seat.id for seat in before.seats} - {seat.id for seat in lobby.seats})
        try:
            event = lobby.decide(command, now)
        except ValueError as error:
            return error  # returned, so that those who have left stay removed
        return self._store(connection, lobby, event)

    def _store(self, connection: Connection, lobby: Lobby, event: Event) -> Found:
        if isinstance(event, Offered):
            rows.put_seat(connection, asdict(event.seat))
            return Found(None, event.seat.id)
        rows.remove_seats(connection, {seat.id for seat in lobby.left_by(event)} - {event.seat.id})
        if not isinstance(event, Matched):
            rows.remove_seats(connection, [event.seat.id])
            return Found(None, None)
        secret, id = self._settings.new_secret(), new_id()
        created = self.created(event.seat, event.name, id, secret)
        store_new(connection, created, secret, [(0, event.seat.holder), (1, event.holder)])
        rows.fill_seat(connection, event.seat.id, id, event.name)
        return Found(id, event.seat.id)

    async def block(self, holder: str | None, table: str, seat: int, name: str) -> None:
        """Let a holder meet the people at a seat no more; raises `UnknownError` unless they sat at that table."""
        at = self._settings.clock()
        work = partial(rows.block, holder=holder or "", table=table, seat=seat, name=name, at=at)
        if not await self._database.written(work):
            raise UnknownError("you have played nobody at this seat")


def new_seat_id() -> str:
    """The id of a new open seat."""
    return secrets.token_urlsafe(12)


def _lobby(connection: Connection, holder: str) -> Lobby:
    """The lobby, with the blocks of one holder only: no other matter to what this holder does or sees."""
    seats = tuple(OpenSeat(**row) for row in rows.waiting(connection))
    return Lobby(seats, rows.blocks_of(connection, holder))
