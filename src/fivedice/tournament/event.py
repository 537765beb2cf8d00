"""`Event`: an append-only fact of a club or a tournament, and `Command`: a request for one.

Events are stored as JSON: a new field needs a default, and fields are never renamed. A field that a program does not
know makes the event unreadable for it, since the field may change what follows.
"""

from typing import Annotated

from msgspec import Meta, Struct

from fivedice.base.errors import IllegalError

# $ also matches before a final line break, so (?!\n) excludes it.
CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
PlayerNumber = Annotated[int, Meta(ge=1, le=100_000)]


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    """The field of every event: `at` in seconds since 1970."""

    at: float


class Command(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """The field of every command: an id chosen by the client. A command repeated with its id changes nothing."""

    id: CommandId


class NotOrganiserError(ValueError):
    """Only somebody else may do that: the organiser, or the player concerned."""


def require(condition: bool, otherwise: str) -> None:
    """Raise `IllegalError` with a reason unless a condition holds."""
    if not condition:
        raise IllegalError(otherwise)
