"""What any request can be answered with instead of its result, as JSON: an error, and the server's health."""

import msgspec


class ErrorView(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error: a sentence for people and a code for programs."""

    error: str
    code: str


class HealthView(msgspec.Struct, frozen=True):
    """`ready` is whether the server takes requests; `reason` is why it does not."""

    ready: bool
    reason: str = ""


class ReminderKeyView(msgspec.Struct, frozen=True):
    """The public key of a server, which a browser names to its push service."""

    key: str
    is_known: bool
    """Whether this browser is reminded at the address that the request names."""
