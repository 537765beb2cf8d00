"""Events as the JSON that is stored. The text of custom rules is not part of it: the event names it by its SHA-256."""

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from fivedice.base.errors import IllegalError
from fivedice.rulesets.compact import text_hash
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import EVENT_BYTES, ROW_BYTES, TABLE_BYTES
from fivedice.server.table.created import Created
from fivedice.server.table.event import Event
from fivedice.server.table.state import Table, ruleset_of
from fivedice.server.table.verbs import Announced, AnyEvent, Closed, Rolled, RolledOff, Scored, Undone

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
