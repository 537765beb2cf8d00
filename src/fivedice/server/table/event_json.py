"""Events as the JSON that is stored. The text of custom rules is not part of it: the event names it by its SHA-256."""

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from fivedice.errors import IllegalError
from fivedice.rulesets.compact import text_hash
from fivedice.server.table.created import Created
from fivedice.server.table.event import Event
from fivedice.server.table.verbs import AnyEvent

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
