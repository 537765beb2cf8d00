"""`Matchmaker`: lets people find an opponent, with one truth about the open seats in all processes on a database."""

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

from sqlalchemy import Connection

from fivedice.base.errors import UnavailableError, UnknownError
from fivedice.game.names import numbered
from fivedice.game.proof import commitment
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.live.event_store import new_id, store_new
from fivedice.server.live.registry import TableRegistry
from fivedice.server.matchmaking.lobby import GONE, RELAXED_SEAT_SECONDS, Lobby, OpenSeat
from fivedice.server.ops.background import Repeated
from fivedice.server.settings import Settings
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.event import Created
from fivedice.server.table.state import PERSON, ruleset_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows import open_seats as rows
from fivedice.storage.rows.open_seats import LOBBY_STREAM, FoundRow, count_change, num_changes
from fivedice.views.games import FoundGameView, LobbyView, OpenSeatView

MAX_LISTED_SEATS = 100
"""Open seats in one answer, those first that have been open longest."""

MAX_WATCHED = 10
"""Running games to watch in one answer."""

SEEN_SEAT_SECONDS = 10.0
"""Between two records of whose page is connected to the lobby."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search led to: the table of a game, or the seat at which the person waits."""

    table: str | None
    seat: str | None


@dataclass(eq=False)
class Matchmaker(Repeated):
    """Decides in one transaction, in which no other process changes the seats. `on_game` is told of each new table.

    All methods raise `UnavailableError`.
    """

    pause = SEEN_SEAT_SECONDS
    failure = "people who wait in the lobby are not seen"

    _database: Database
    _settings: Settings
    _tables: TableRegistry
    _on_game: Callable[[str], None]
    _has_other_games = False
    """Whether a game has ended that others could watch."""

    async def work(self) -> None:
        """Store who is connected to the lobby through this process, and let those who have gone leave their seats."""
        followers, now = self._tables.followers(LOBBY_STREAM), self._settings.clock()
        if self._has_other_games:
            self._has_other_games = False
            try:
                await self.tell()
            except UnavailableError:
                self._has_other_games = True
                raise
        if not followers or not await self._database.fetched(rows.waiting):
            return

        def see(connection: Connection) -> bool:
            rows.lock_seats(connection)
            rows.see_seats(connection, {one.holder for one in followers if one.holder}, now)
            return self._current(connection, "")[1]

        if await self._database.written(see):
            self._tables.on_notice(LOBBY_STREAM, 0)

    async def tell(self) -> None:
        """Let everybody look at the lobby again."""
        await self._database.written(count_change)
        self._tables.on_notice(LOBBY_STREAM, 0)

    def note_end(self) -> None:
        """Note that a game of strangers has ended: within some seconds it is no longer one to watch."""
        self._has_other_games = True

    async def seek(self, wish: OpenSeat) -> Found:
        """Play the person who fits best, or wait for one; raises `IllegalError`."""

        def decide(connection: Connection, lobby: Lobby) -> Found:
            seat = lobby.seek(wish)
            if seat.holder != wish.holder:
                return self._begin(connection, lobby, seat, wish.holder, wish.name)
            rows.put_seat(connection, asdict(seat))
            return Found(None, seat.id)

        return await self._change(wish.holder, decide)

    async def sit_down(self, id: str, holder: str, name: str, level: int | None) -> Found:
        """Play the person at a seat, under a name; raises `IllegalError` or `UnknownError`."""

        def decide(connection: Connection, lobby: Lobby) -> Found:
            return self._begin(connection, lobby, lobby.open_to(holder, level, id), holder, name)

        return await self._change(holder, decide)

    async def withdraw(self, id: str, holder: str) -> None:
        """Wait at a seat no longer; raises `UnknownError`."""

        def decide(connection: Connection, lobby: Lobby) -> Found:
            if id not in (one.id for one in lobby.of(holder)):
                raise UnknownError(GONE)
            rows.remove_seats(connection, [id])
            return Found(None, None)

        await self._change(holder, decide)

    async def look(self, holder: str | None) -> LobbyView:
        """The lobby as a holder sees it."""
        now = self._settings.clock()

        def read(connection: Connection) -> LobbyView:
            version = num_changes(connection)  # before what may change
            lobby, since = _lobby(connection, holder or "").at(now), now - RELAXED_SEAT_SECONDS
            own, found = [], []
            if holder is not None:
                own, found = lobby.of(holder), rows.found_by(connection, holder, since)
            running = rows.running(connection, holder or "", since, MAX_WATCHED)
            seats = lobby.shown_to(holder or "")[:MAX_LISTED_SEATS]
            return LobbyView(
                version, [*map(_seat, seats)], [*map(_seat, own)], [*map(_game, found)], [*map(_game, running)]
            )

        return await self._database.fetched(read)

    def created(self, seat: OpenSeat | OpenSeatView, opponent: str, id: str, secret: bytes) -> Created:
        """The first event of a game: who waited has seat 0, and chance decides who begins.

        Raises `MalformedError`, `UnknownError` or `IllegalError` for rules that cannot be played.
        """
        # Two people may have names that look alike.
        name = opponent if skeleton(opponent) != skeleton(seat.name) else numbered(opponent, 2)
        people = [WantedSeat(PERSON, one, here=True) for one in (seat.name, name)]
        first = str(secrets.randbelow(2))
        wanted = NewTable(people, seat.rules, first=first, help="none", pace=seat.seconds, casual=seat.casual)
        return create(wanted, id, commitment(secret), self._settings.clock(), is_called=True, look_of=skeleton)

    async def _change(self, holder: str, decide: Callable[[Connection, Lobby], Found]) -> Found:
        """What comes of a decision about the lobby as a holder sees it, without those who have left."""

        def work(connection: Connection) -> Found | ValueError:
            rows.lock_seats(connection)
            lobby, _ = self._current(connection, holder)
            try:
                found = decide(connection, lobby)
            except ValueError as error:
                return error  # returned, so that those who have left stay removed
            count_change(connection)
            return found

        found = await self._database.written(work)
        self._tables.on_notice(LOBBY_STREAM, 0)
        if isinstance(found, ValueError):
            raise found
        if found.table is not None:
            self._on_game(found.table)
        return found

    def _current(self, connection: Connection, holder: str) -> tuple[Lobby, bool]:
        """The lobby without those who have left, and whether anybody has."""
        before = _lobby(connection, holder)
        lobby = before.at(self._settings.clock())
        gone = {seat.id for seat in before.seats} - {seat.id for seat in lobby.seats}
        if gone:
            rows.remove_seats(connection, gone)
            count_change(connection)
        return lobby, bool(gone)

    def _begin(self, connection: Connection, lobby: Lobby, seat: OpenSeat, holder: str, name: str) -> Found:
        """Begin the game of a holder and the person at a seat."""
        secret, id = self._settings.new_secret(), new_id()
        created = self.created(seat, name, id, secret)
        rows.remove_seats(connection, lobby.left_by(seat, holder))
        store_new(connection, created, secret, [(0, seat.holder), (1, holder)])
        rows.fill_seat(connection, seat.id, id, name, created.at)
        return Found(id, seat.id)

    async def block(self, holder: str | None, table: str, seat: int, name: str) -> None:
        """Let a holder meet the people at a seat no more; raises `UnknownError` unless they sat at that table."""
        at = self._settings.clock()
        work = partial(rows.block, holder=holder or "", table=table, seat=seat, name=name, at=at)
        if not await self._database.written(work):
            raise UnknownError("you have played nobody at this seat")
        await self.tell()


def _lobby(connection: Connection, holder: str) -> Lobby:
    """The lobby, with the blocks of one holder only: no other matter to what this holder does or sees."""
    seats = tuple(OpenSeat(**row) for row in rows.waiting(connection))
    return Lobby(seats, rows.blocks_of(connection, holder))


def _seat(seat: OpenSeat) -> OpenSeatView:
    name = ruleset_of(seat.rules).name
    return OpenSeatView(
        seat.id, seat.name, seat.rules, name, seat.seconds, seat.level, seat.near, seat.since, seat.casual
    )


def _game(row: FoundRow) -> FoundGameView:
    return FoundGameView(row.id, row.table, [row.name, row.opponent], ruleset_of(row.rules).name, row.seconds)
