"""`ClubLogs`: clubs and tournaments, replayed from the database and kept in memory.

Several processes may change the same one: an event is stored only if its version is the next one, and is otherwise
decided again on what another process has stored.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from fivedice.base.errors import UnknownError, shown
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.clubs import StoredClubLog, append_to_log, create_log, has_command, load_log
from fivedice.tournament.change import Created, apply, replay
from fivedice.tournament.club import AnyClubEvent, Club, ClubChange, Founded, replay_club
from fivedice.tournament.event import Event
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import AnyTournamentEvent

MAX_CACHED_CLUBS = 500
"""Clubs and tournaments in memory: 500 players and eight rounds take 2 MB."""

_encode = msgspec.json.Encoder().encode
_club_event = msgspec.json.Decoder(AnyClubEvent).decode
_tournament_event = msgspec.json.Decoder(AnyTournamentEvent).decode

ExtraWrite = Callable[[Connection], None]
"""Writes more in the transaction of events, if they are stored."""


@dataclass(frozen=True, slots=True)
class _Known:
    state: Club | Tournament
    secret: bytes


@dataclass(frozen=True, slots=True)
class Decided:
    """Events to append, each with the command that is stored with it, and what to write with them."""

    entries: Sequence[tuple[str, Event]]
    extra_write: ExtraWrite | None = None


class ClubLogs:
    """Reads and changes clubs and tournaments. All methods raise `UnavailableError`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._known: LRUCache[str, _Known] = LRUCache(MAX_CACHED_CLUBS)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def club(self, id: str) -> Club:
        """A club; raises `UnknownError`."""
        state = (await self._load(id)).state
        if not isinstance(state, Club):
            raise _unknown("club", id)
        return state

    async def tournament(self, id: str) -> Tournament:
        """A tournament; raises `UnknownError`."""
        return (await self.with_secret(id))[0]

    async def with_secret(self, id: str) -> tuple[Tournament, bytes]:
        """A tournament and the secret of its seeds; raises `UnknownError`."""
        known = await self._load(id)
        if not isinstance(known.state, Tournament):
            raise _unknown("tournament", id)
        return known.state, known.secret

    async def found(self, first: Founded) -> None:
        """Store a new club."""
        body = _encode(first).decode()
        await self.database.written(lambda connection: create_log(connection, first.club, None, b"", body))

    async def change_club(self, id: str, command: str, decide: Callable[[Club], Decided]) -> Club:
        """Append what `decide` returns for a club, and return the club then.

        Nothing happens if the command is stored already; an empty one never is.
        """
        await self.club(id)
        await self._change(id, command, decide)
        return await self.club(id)

    async def change_tournament(self, id: str, command: str, decide: Callable[[Tournament], Decided]) -> Tournament:
        """The same for a tournament."""
        await self.tournament(id)
        await self._change(id, command, decide)
        return await self.tournament(id)

    async def _change(self, id: str, command: str, decide: Callable[..., Decided]) -> None:
        lock = self._locks.setdefault(id, asyncio.Lock())
        async with lock:
            while True:
                known = await self._load(id)
                if command:
                    is_stored = await self.database.fetched(lambda connection: has_command(connection, id, command))
                    if is_stored:
                        return
                decided = await asyncio.to_thread(decide, known.state)
                after = known.state
                for _, event in decided.entries:
                    after = _after(after, event)
                if await self._append(id, known.state.version, decided):
                    self._known[id] = _Known(after, known.secret)
                    return
                self._known.pop(id, None)  # another process has changed it, or an older copy was restored

    async def _append(self, id: str, version: int, decided: Decided) -> bool:
        entries = [(command, _encode(event).decode()) for command, event in decided.entries]

        def job(connection: Connection) -> bool:
            if entries and not append_to_log(connection, id, version, entries):
                return False
            if decided.extra_write:
                decided.extra_write(connection)
            return True

        try:
            return await self.database.written(job)
        except IntegrityError:
            return False

    async def _load(self, id: str) -> _Known:
        known = self._known.get(id)
        since = known.state.version if known else 0
        stored = await self.database.fetched(lambda connection: load_log(connection, id, since))
        if stored is None:
            raise _unknown("club or tournament", id)
        if known is None:
            known = _Known(_replayed(stored), stored.secret)
        elif stored.bodies:
            state = known.state
            for body in stored.bodies:
                decode = _club_event if isinstance(state, Club) else _tournament_event
                state = _after(state, decode(body))
            known = _Known(state, known.secret)
        self._known[id] = known
        return known


def created_write(created: Created, secret: bytes) -> ExtraWrite:
    """The write of a new tournament, which goes with the event of its club."""
    body = _encode(created).decode()
    return lambda connection: create_log(connection, created.tournament, created.club, secret, body)


def _replayed(stored: StoredClubLog) -> Club | Tournament:
    if stored.club is None:
        return replay_club(map(_club_event, stored.bodies))
    return replay(map(_tournament_event, stored.bodies))


def _after(state: Club | Tournament, event: Event) -> Club | Tournament:
    if isinstance(state, Tournament):
        return apply(state, event)
    assert isinstance(event, ClubChange), "a club is founded once"
    return event.apply(state)


def _unknown(what: str, id: str) -> UnknownError:
    return UnknownError(f"there is no {what} {shown(id)}")
