"""`History`: the stored events of a table, and the table that they replay to."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from fivedice.base.errors import IllegalError
from fivedice.rulesets.compact import text_hash
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.limits import EVENT_BYTES, ROW_BYTES, TABLE_BYTES
from fivedice.server.table.answers import RefusedError
from fivedice.server.table.apply import Step, replay
from fivedice.server.table.event import Created, Event, sender_of, stored_id
from fivedice.server.table.state import Table, ruleset_of
from fivedice.server.table.verbs import AnyCommand, AnyEvent
from fivedice.server.table.verbs.begin import RolledOff
from fivedice.server.table.verbs.end import Closed, Undone
from fivedice.server.table.verbs.play import Announced, Rolled, Scored

encode = msgspec.json.Encoder().encode
decode: Callable[[str | bytes], AnyEvent] = msgspec.json.Decoder(AnyEvent).decode


def stored_json(event: Event) -> str:
    """The JSON to store."""
    if isinstance(event, Created) and event.ruleset:
        event = replace(event, toml="")
    return encode(event).decode()


def decode_log(bodies: Iterable[str | bytes], toml: str) -> Iterator[Event]:
    """The events of a stored log; `toml` is the text that its first event names, empty if it names none.

    Raises `IllegalError` for another text, and `msgspec.DecodeError` for JSON that is no event.
    """
    return (with_rules(decode(body), toml) for body in bodies)


def with_rules(event: Event, toml: str) -> Event:
    """The event with the text of the rules that it names; raises `IllegalError` for another text."""
    if not isinstance(event, Created) or not event.ruleset:
        return event
    if text_hash(toml).hex() != event.ruleset:
        raise IllegalError(f"table {event.table}: the stored text of its rules is not the one that it was created with")
    return replace(event, toml=toml)


def game_bytes(created: Created) -> int:
    """The bytes of a table with its whole game, but without what `change_bytes` counts."""
    ruleset = ruleset_of(created.rules, created.toml)
    num_events = len(created.seats) * ruleset.rounds * _events_per_turn(ruleset)
    own = len(stored_json(created).encode()) + len(created.toml.encode())
    return TABLE_BYTES + own + len(created.seats) * ROW_BYTES + num_events * EVENT_BYTES


def change_bytes(table: Table, event: Event) -> int:
    """The bytes that an event adds to those of `game_bytes`: 0 for the steps of the game itself."""
    match event:
        case Rolled() | Scored() | Announced() | RolledOff() | Closed():
            return 0
        case Undone() if table.is_real:
            return 2 * EVENT_BYTES  # one event is taken back, and entered again
        case Undone():
            # The turn of the seat and those of the computer players after it are played again.
            return EVENT_BYTES + len(table.seats) * _events_per_turn(table.ruleset) * EVENT_BYTES
    return EVENT_BYTES + len(stored_json(event).encode())


def _events_per_turn(ruleset: Ruleset) -> int:
    """The most events of one turn: its rolls, an announcement, and its score."""
    return ruleset.rolls + bool(ruleset.announceable_boxes) + 1


class StoredEvent(Protocol):
    """An event as it is stored: `body` is its JSON, `command` the stored id of the command that caused it."""

    @property
    def version(self) -> int:
        """The version of the table after it."""

    @property
    def command(self) -> str:
        """The stored id."""

    @property
    def body(self) -> str:
        """Its JSON."""


S = TypeVar("S", bound=StoredEvent)


class History(Generic[S]):
    """All events of a table, at least the first; events are appended one at a time. `toml` is the text of custom
    rules that is stored apart from them.

    Raises `IllegalError` or `msgspec.DecodeError` for a log that this program cannot replay.
    """

    def __init__(self, events: Iterable[S], toml: str = "") -> None:
        first, *later = events
        created = with_rules(decode(first.body), toml)
        self.table: Table = replay([created])
        """The table at its newest version."""
        self.newest = first
        """The newest event."""
        self._bodies = [encode(created) if toml else first.body.encode()]
        self._versions: dict[str, int] = {}
        self._sent: dict[str, list[int]] = defaultdict(list)
        self.num_changes = Counter[int]()
        """The number of changes of each seat, as `changer` counts them."""
        for stored in later:
            self.append(stored)

    def append(self, stored: S, step: Step | None = None) -> None:
        """Append an event. `step` is the result of applying it, if this process has just done so.

        If this raises, nothing has changed.
        """
        step = step or Step.of(self.table, decode(stored.body))
        self.table = step.table
        self.newest = stored
        self._bodies.append(stored.body.encode())
        if sender := sender_of(stored.command):
            self._versions[stored.command] = stored.version
            self._sent[sender].append(stored.version)
        if step.event.changer is not None:
            self.num_changes[step.event.changer] += 1

    def version_of(self, sender: str, id: str) -> int | None:
        """The version of the event that a sender's command with this id led to; None if there is none."""
        return self._versions.get(stored_id(sender, id))

    def num_sent(self, sender: str, version: int) -> int:
        """The number of a sender's commands that were accepted up to a version."""
        return bisect_right(self._sent.get(sender, ()), version)

    def event_at(self, version: int) -> Event:
        """The event with which a version began."""
        return decode(self._bodies[version - 1])

    def repeated(self, senders: Iterable[str], command: AnyCommand) -> int | None:
        """The version that a command led to when one of these senders sent it before; None if its id is new.

        Raises `RefusedError` if one of them has used the id for another command. A client may send a command again with
        a newer version, but not after it has seen a later command of the same sender: that is a new command.
        """
        used = [(one, version) for one in senders if (version := self.version_of(one, command.id)) is not None]
        for sender, version in used:
            has_gone_on = self.num_sent(sender, command.version) > self.num_sent(sender, version)
            if command.asks_for(self.event_at(version)) and not has_gone_on:
                return version
        if used:
            raise RefusedError(
                "malformed",
                f"the id {command.id} belongs to another command, which led to version {used[0][1]}: "
                "send each command with a new id",
            )
        return None

    def encoded(self, since: int) -> Sequence[msgspec.Raw]:
        """The events after a version as JSON, oldest first."""
        return [msgspec.Raw(body) for body in self._bodies[since:]]

    def bodies(self) -> tuple[bytes, ...]:
        """All events as JSON, oldest first, the first one with the text of custom rules."""
        return tuple(self._bodies)
