"""`Reminders`: tells people who are not connected that it is their turn, that somebody wants another game, or that a
round of their tournament has begun.

The process that wrote an event looks at its table some seconds later. Whoever is connected by then, to any process,
needs no reminder. Messages go over the push services of browsers, encrypted so that only the browser reads them. Each
is sent once: a push service keeps it until the browser is reachable.
"""

import asyncio
import json
import logging
import re
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Protocol

from cachetools import LRUCache
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fivedice.base.errors import MalformedError, UnavailableError, UnknownError, shown
from fivedice.base.language import language
from fivedice.daily.days import RULES, zone_of
from fivedice.server.live.live_table import MAX_CACHED_TABLES, LiveTable
from fivedice.server.ops.background import Repeated
from fivedice.server.table.preview import isolated
from fivedice.server.table.state import PERSON, State
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.reminders import (
    DailyHour,
    Reminded,
    daily_zones,
    forget_reminded,
    langs_due,
    note_refused,
    private_key,
    reminded_at,
    reminded_of,
    store_reminded,
    take_due,
)
from fivedice.storage.rows.streams import load_holders
from fivedice.tournament.state import Tournament

REMIND_AFTER_SECONDS = 10.0
"""Between looks for people to remind: whoever is back by then needs none."""

DAILY_REMINDER_SECONDS = 60.0
"""Between looks for people to remind of the daily ten."""

REMINDER_KEPT_SECONDS = 12 * 3_600
"""How long a push service keeps a reminder for a browser that is off."""

REFUSED_SECONDS = 3 * 86_400.0
"""How long a push service may refuse an address before that is forgotten."""

PUSH_SECONDS = 10.0
"""How long sending a reminder to a push service may take."""

_log = logging.getLogger(__name__)

_GONE = (404, 410)
"""How a push service says that the browser no longer wants messages."""

_REFUSED = (400, 401, 403)
"""How it refuses a message, perhaps for good: it knows another key of this server."""

_ADDRESS = re.compile(
    r"(https?://((?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63})(?::[0-9]{1,5})?)/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*"
)
"""How push services write addresses: origin, host and path in ASCII, without a user, a backslash or a fragment."""


@dataclass(eq=False)
class Reminders(Repeated):
    """`mark` names a table with a new event. Reminders of the last seconds before the end are lost.

    `find` returns a table. `services` are the origins of push services; one that begins with `*.` stands for all
    hosts below a domain. The server sends to no other address, whatever a client asks for.
    """

    pause = REMIND_AFTER_SECONDS
    failure = "nobody is reminded"

    _database: Database
    _find: Callable[[str], Awaitable[LiveTable]]
    _services: tuple[str, ...]
    _new_secret: Callable[[], bytes]
    _clock: Callable[[], float]

    def __post_init__(self) -> None:
        self._marked: set[str] = set()
        self._rounds: list[Tournament] = []
        self._told: LRUCache[str, object] = LRUCache(MAX_CACHED_TABLES)
        """The last reminder of each table, which is sent once."""
        self._key: EllipticCurvePrivateKey | None = None

    def mark(self, table: str) -> None:
        """Look at this table in the next round."""
        self._marked.add(table)

    def mark_round(self, tournament: Tournament) -> None:
        """Remind the players of the last round of a duplicate, in which nobody has a table yet."""
        self._rounds.append(tournament)

    async def public_key(self) -> str:
        """The key that a browser gives its push service, in base64 for URLs; raises `UnavailableError`."""
        point = (await self._private_key()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode()

    async def add(self, holder: str, reminded: Reminded, at: float) -> None:
        """Remind a browser of a holder. If its hour for the daily ten has begun today, that begins tomorrow.

        Raises `MalformedError` if its push service is unknown, `UnknownError` for the time zone of its hour, or
        `UnavailableError`.
        """
        if origin_of(reminded.address, self._services) is None:
            raise MalformedError(f"address {shown(reminded.address)}: want one at {', '.join(self._services)}")
        told = None
        if reminded.hour is not None:
            local = datetime.fromtimestamp(at, zone_of(reminded.zone))
            told = local.date().isoformat() if local.hour >= reminded.hour else None
        await self._database.written(partial(store_reminded, holder=holder, reminded=reminded, at=at, told=told))

    async def is_known(self, holder: str | None, address: str) -> bool:
        """Whether a browser of a holder is reminded at this address; raises `UnavailableError`."""
        return holder is not None and await self._reminded(holder, address) is not None

    async def move(self, holder: str, before: str, address: str, key: str, auth: str) -> None:
        """Remind a browser at another address of its push service, as at the one before; raises as `add` does.

        Raises `UnknownError` if it was not reminded there.
        """
        reminded = await self._reminded(holder, before)
        if reminded is None:
            raise UnknownError("this browser is not reminded at the address before")
        await self.add(holder, replace(reminded, address=address, key=key, auth=auth, refused=None), self._clock())
        if address != before:
            await self.remove(holder, before)

    async def _reminded(self, holder: str, address: str) -> Reminded | None:
        return await self._database.fetched(partial(reminded_at, address=address, holder=holder))

    async def remove(self, holder: str, address: str) -> None:
        """Remind a browser of a holder no longer; raises `UnavailableError`."""
        await self._database.written(partial(forget_reminded, address=address, holder=holder))

    async def work(self) -> None:
        """Remind those who wait at marked tables or play in marked rounds; what cannot be read is marked again."""
        for tournament in list(self._rounds):
            with self.fenced(f"no reminders of tournament {tournament.id}"):
                await self._remind_round(tournament)
        for table in list(self._marked):
            self._marked.remove(table)
            # It may have been deleted since it was marked.
            with self.fenced(f"no reminders of table {table}"), suppress(UnknownError):
                try:
                    await self._remind(await self._find(table))
                except UnavailableError:
                    self._marked.add(table)
                    raise

    async def _remind(self, live: LiveTable) -> None:
        what, path, seats = waiting(live)
        absent = [seat for seat in seats if seat not in live.present]
        holders = {holder for seat in absent for holder in live.holders.get(seat, ())}
        if not holders or self._told.get(live.id) == what:
            return
        found = await self._database.fetched(partial(reminded_of, holders=holders))
        self._told[live.id] = what
        for reminded in found:
            await self.send(reminded, message(live, path, reminded.lang))

    async def _remind_round(self, tournament: Tournament) -> None:
        held = await self._database.fetched(partial(load_holders, stream=tournament.club))
        players = [player for game in tournament.rounds[-1].games for player in game.players]
        holders = {holder for player in players for holder in held.get(player, ())}
        found = await self._database.fetched(partial(reminded_of, holders=holders))
        self._rounds.remove(tournament)
        for reminded in found:
            title, path = language(reminded.lang).say("A round on the same dice begins"), f"/tournament/{tournament.id}"
            told = {"title": title, "body": tournament.settings.name, "tag": f"fivedice {tournament.id}", "path": path}
            await self.send(reminded, told)

    async def send(self, reminded: Reminded, message: dict[str, str], kept: float = REMINDER_KEPT_SECONDS) -> None:
        """Send a browser a message, which its push service keeps for so many seconds. What fails is logged.

        Raises `UnavailableError`.
        """
        private, origin = await self._private_key(), origin_of(reminded.address, self._services)
        status = _GONE[0]
        if origin is not None:
            try:
                async with asyncio.timeout(2 * PUSH_SECONDS):
                    status = await asyncio.to_thread(_push, private, reminded, origin, json.dumps(message), int(kept))
            except (OSError, ValueError, TimeoutError) as error:
                _log.warning("a reminder was not sent to %s: %s", origin, _cause(error))
                return
        if status in _GONE:
            await self._database.written(partial(forget_reminded, address=reminded.address))
        elif status >= 300:
            _log.warning("a reminder was not sent: %s answered %d", origin, status)
        if status in _REFUSED:
            now = self._clock()
            since = now if reminded.refused is None else reminded.refused
            note = partial(note_refused, address=reminded.address, since=since, least=now - REFUSED_SECONDS)
            await self._database.written(note)
        elif status < 300 and reminded.refused is not None:
            await self._database.written(partial(note_refused, address=reminded.address, since=None))

    async def _private_key(self) -> EllipticCurvePrivateKey:
        if self._key is None:
            stored = await self._database.written(partial(private_key, new=self._new_secret()))
            self._key = derive_private_key(int.from_bytes(stored), SECP256R1())
        return self._key


class Days(Protocol):
    """The days of the server. `is_ready` says whether today's ten is drawn; if not, it is drawn in the background."""

    @property
    def today(self) -> date: ...

    @property
    def seconds_to_next(self) -> float: ...

    def is_ready(self, kind: str, rules: str) -> bool: ...


class DailyReminders(Repeated):
    """Tells people of today's ten, at the hour that each chose, if they have not begun one.

    It looks every minute, by `clock`, the seconds since 1970. All processes on a database look; whoever takes a browser
    tells it. Reminders that were due while no process ran are sent within the chosen hour, or not at all.
    """

    pause = DAILY_REMINDER_SECONDS
    failure = "nobody is reminded of the daily ten"

    def __init__(self, database: Database, reminders: Reminders, days: Days, clock: Callable[[], float]) -> None:
        self._database = database
        self._reminders = reminders
        self._days = days
        self._clock = clock

    async def work(self) -> None:
        """Tell those whose hour it is, once the ten of their language is drawn; raises `UnavailableError`."""
        for zone in await self._database.fetched(daily_zones):
            with self.fenced(f"nobody in the time zone {shown(zone)} is reminded of the daily ten"):
                local = datetime.fromtimestamp(self._clock(), zone_of(zone))
                at = DailyHour(zone, local.hour, local.date().isoformat(), self._days.today.isoformat())
                for lang in await self._database.fetched(partial(langs_due, at=at)):
                    if self._days.is_ready("ten", RULES[lang]):
                        await self._remind(at, lang)

    async def _remind(self, at: DailyHour, lang: str) -> None:
        kept = min(REMINDER_KEPT_SECONDS, self._days.seconds_to_next)
        to = language(lang)
        message = {
            "title": to.say("Daily ten"),
            "body": to.say("You have not begun today's ten yet."),
            "tag": "fivedice daily",
            "path": "/daily",
        }
        # One at a time: a failure, or the end of the server, is to lose no more than one.
        while reminded := await self._database.written(partial(take_due, at=at, lang=lang)):
            await self._reminders.send(reminded, message, kept)


def waiting(live: LiveTable) -> tuple[object, str, tuple[int, ...]]:
    """What a table waits for, the page to open, and the seats of the people that it waits for."""
    table, position = live.table, live.table.turn.position
    if table.rematch is not None:
        others = (seat for seat, one in enumerate(table.seats) if one.kind == PERSON and seat != table.rematch_by)
        return table.rematch, f"/t/{table.rematch}", tuple(others)
    is_drawn = table.created.tournament is not None and table.created.duplicate is None
    if is_drawn and not table.has_begun and not table.has_ended:
        return "drawn", f"/t/{live.id}", tuple(seat for seat, one in enumerate(table.seats) if one.kind == PERSON)
    if table.state is not State.PLAYING or table.mover.decider != PERSON:
        return None, "", ()
    return (position.seat, position.round), f"/t/{live.id}", (position.seat,)


def message(live: LiveTable, path: str, lang: str) -> dict[str, str]:
    """A reminder as the service worker of the page shows it. A later one of the same table replaces it."""
    table, to, tournament = live.table, language(lang), live.table.created.tournament
    by = table.seats[table.rematch_by].name if table.rematch_by is not None else ""
    if table.rematch:
        title = to.say("{name} wants to play another game with you", name=isolated(by))
    else:
        is_drawn = tournament is not None and not table.has_begun
        title = to.say("Your table is ready") if is_drawn else to.say("It is your turn")
    return {
        "title": title,
        "body": tournament.name if tournament else table.ruleset.name,
        "tag": f"fivedice {live.id}",
        "path": path,
    }


def origin_of(address: str, services: tuple[str, ...]) -> str | None:
    """The origin of an address at one of these push services; None if it is at none, or has another form than theirs.

    Libraries read unusual addresses differently, so that one could check a host and another connect elsewhere.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return None
    origin, host = found[1], found[2]
    for service in services:
        below = service.removeprefix("https://*")
        if origin == service or (below != service and origin == f"https://{host}" and host.endswith(below)):
            return origin
    return None


def _push(private: EllipticCurvePrivateKey, reminded: Reminded, origin: str, data: str, kept: int) -> int:
    """Send a message to a push service, and return the status of its answer. Raises `OSError` or `ValueError`."""
    import requests  # imported here, because both are slow to import
    from py_vapid import Vapid, VapidException
    from pywebpush import WebPusher, WebPushException

    keys = {"p256dh": reminded.key, "auth": reminded.auth}
    with requests.Session() as session:
        session.max_redirects = 0  # a push service has no reason to name other addresses
        try:
            pusher = WebPusher({"endpoint": reminded.address, "keys": keys}, session)
            signed = Vapid(private).sign({"sub": reminded.site, "aud": origin})
        except (VapidException, WebPushException) as error:
            raise ValueError(str(error)) from error
        answer = pusher.send(data, headers=signed, ttl=kept, timeout=PUSH_SECONDS)
        return int(answer.status_code)


def _cause(error: BaseException) -> str:
    """What was wrong, without the address, which is a secret: whoever knows it can send to it."""
    while error.__context__ is not None:
        error = error.__context__
    return (isinstance(error, OSError) and error.strerror) or type(error).__name__
