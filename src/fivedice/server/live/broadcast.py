"""`Broadcaster`: sends changes of a table to its connections, each message encoded once for all that get the same."""

from collections.abc import Callable
from typing import Literal, TypeAlias, cast
from weakref import WeakKeyDictionary

import msgspec

from fivedice.server.config.limits import MAX_UPDATE_EVENTS, WITHHELD_CHECK_SECONDS
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.live.withholding import Withholding
from fivedice.server.ops.background import Repeated
from fivedice.server.table.answers import AnyAnswer
from fivedice.server.table.clocks import Uptime
from fivedice.server.table.messages import Farewell, Presence, Reaction, SocketAnswer, TableView, Update
from fivedice.server.table.verbs import AnyEvent
from fivedice.server.table.view import shows_values
from fivedice.storage.engine.database import UnavailableError
from fivedice.views.rules import RulesView

Status: TypeAlias = Literal["up_to_date", "events", "snapshot", "unknown_version"]

_encode = msgspec.json.Encoder().encode

FAREWELL = _encode(Farewell())
PONG = b'{"type":"pong"}'

UNKNOWN_GAME = ""
"""In place of the game that withholds advice, while the database cannot tell whether there is one."""


class Broadcaster:
    """Encodes messages. `view_of` returns the current view of a table, `clock` the seconds since 1970, and `uptime`
    when a table could be played."""

    def __init__(
        self,
        view_of: Callable[[LiveTable], TableView],
        withholding: Withholding,
        clock: Callable[[], float],
        uptime: Callable[[LiveTable], Uptime],
    ) -> None:
        self._view_of = view_of
        self._withholding = withholding
        self._clock = clock
        self._uptime = uptime

    async def withheld(self, live: LiveTable, holder: str | None) -> str | None:
        """The other game that withholds from a holder what this table shows now; None if there is none.

        A caller must go on to `update` at once: a game may begin at any time.
        """
        if not shows_values(live.table):
            return None
        try:
            return await self._withholding.game(holder, besides=live.id)
        except UnavailableError:
            return UNKNOWN_GAME

    def update(
        self, live: LiveTable, holder: str | None, version: int, withheld: str | None, rules: RulesView | None = None
    ) -> bytes:
        """The answer to "events since `version`"; version 0 requests a snapshot."""
        newest = live.table.version
        if version == newest:
            status: Status = "up_to_date"
        elif version > newest:
            status = "unknown_version"
        else:
            status = "events" if version and newest - version <= MAX_UPDATE_EVENTS else "snapshot"
        return self._update(live, status, version if status == "events" else newest, holder, withheld, rules)

    def publish(self, live: LiveTable, num_events: int | None) -> None:
        """Send the last events to every connection: 0 if only the view changed, None for a snapshot."""
        status: Status = "events" if num_events else "up_to_date"
        if num_events is None or num_events > MAX_UPDATE_EVENTS:
            status, num_events = "snapshot", 0
        since = live.table.version - num_events
        missed = 0 if status == "snapshot" else since
        depends = shows_values(live.table)
        encoded: dict[frozenset[int], bytes] = {}
        for subscriber in live.subscribers:
            if depends or subscriber.is_delayed:
                subscriber.update_since(missed)
                continue
            seats = live.seats_of(subscriber.visitor.holder)
            if seats not in encoded:
                encoded[seats] = self._update(live, status, since, subscriber.visitor.holder)
            subscriber.put(encoded[seats], missed)

    def publish_presence(self, live: LiveTable) -> None:
        """Send the connected seats to every connection."""
        self._send(live, Presence(live.present))

    def publish_kept_dice(self, live: LiveTable, sender: Subscriber | None) -> None:
        """Send the dice that the player to move keeps to every connection except the sender's."""
        self._send(live, live.kept_dice, sender)

    def publish_reaction(self, live: LiveTable, reaction: Reaction) -> None:
        """Send a reaction to every connection, the sender's too: it shows that the others got it."""
        self._send(live, reaction)

    def send_kept_dice(self, live: LiveTable, subscriber: Subscriber) -> None:
        """Send the dice that the player to move keeps to a new connection, if they are known."""
        if live.kept_dice and live.kept_dice.roll_id == live.table.turn.rolled_at:
            subscriber.put(_encode(live.kept_dice), live.table.version)

    def _send(self, live: LiveTable, what: object, sender: Subscriber | None = None) -> None:
        message = _encode(what)
        for subscriber in live.subscribers - {sender}:
            subscriber.put(message, live.table.version)

    def _update(
        self,
        live: LiveTable,
        status: Status,
        since: int,
        holder: str | None,
        withheld: str | None = None,
        rules: RulesView | None = None,
    ) -> bytes:
        is_whole = withheld is None
        if is_whole not in live.views:
            view = self._view_of(live)
            shown = view if is_whole else msgspec.structs.replace(view, advice=None, last=None)
            encoded = _encode(shown)
            live.views[is_whole], live.view_bytes = msgspec.Raw(encoded), len(encoded)
        now, seats = self._clock(), live.seats_of(holder)
        # The events and the view are already encoded, and take the place of the declared types.
        return _encode(
            Update(
                status=status,
                events=cast("list[AnyEvent]", live.history.encoded(since)),
                view=cast("TableView", live.views[is_whole]),
                yours=sorted(seats),
                here=live.present,
                now=now,
                can_close_at=live.table.closable_at(seats, now, self._uptime(live)),
                rules=rules,
                withheld=withheld,
            )
        )


def encode_answer(answer: AnyAnswer) -> bytes:
    """Encode the answer to a command for a socket."""
    return _encode(SocketAnswer(answer))


class WithheldWatch(Repeated):
    """Asks the database from time to time whether values are still withheld.

    A game may end in another process, and nothing happens when it begins to rest, so no event can tell.
    """

    pause = WITHHELD_CHECK_SECONDS
    failure = "nobody knows whether values are still withheld"

    def __init__(self, broadcaster: Broadcaster) -> None:
        self._broadcaster = broadcaster
        self._told: WeakKeyDictionary[Subscriber, tuple[LiveTable, str | None, str]] = WeakKeyDictionary()

    def note(self, subscriber: Subscriber, live: LiveTable, holder: str | None, withheld: str | None) -> None:
        """Remember because of which game a connection to a table was just sent no values; None if it was sent them."""
        if withheld is None:
            self._told.pop(subscriber, None)
        else:
            self._told[subscriber] = live, holder, withheld

    async def look(self) -> None:
        """Send a new view to each connection for which another game withholds values now, or none does."""
        for subscriber, (live, holder, told) in list(self._told.items()):
            with self.fenced(f"{self.failure} at table {live.id}"):
                if await self._broadcaster.withheld(live, holder) != told:
                    subscriber.update_since(live.table.version)

    async def _work(self) -> None:
        await self.look()
