"""Access as JSON: the devices and links of a seat, and the account of a browser."""

from typing import Any

from msgspec import Struct


class CreatedView(Struct, frozen=True):
    """A new table: its id, the path of its page, and the seats of this browser."""

    table: str
    url: str
    yours: list[int]


class ClaimedView(Struct, frozen=True):
    """The claimed seat."""

    seat: int


class DeviceView(Struct, frozen=True):
    """A browser or program that holds a seat. Times are seconds since 1970.

    `is_this`: it is the one that asks. `is_connected`: it has a connection to this server process. `can_remove`:
    whether the one that asks may remove it.
    """

    id: str
    is_this: bool
    since: float
    seen: float | None
    """When it was last connected, to about an hour; null if not since it holds the seat."""
    is_connected: bool
    can_remove: bool


class LinkView(Struct, frozen=True):
    """A link to a seat, until it expires."""

    id: str
    created: float
    expires: float
    used: float | None
    """When it was used; null if it can still be used."""


class SeatAccessView(Struct, frozen=True):
    """The devices that hold a seat, the first first, and the links to it, the newest first."""

    devices: list[DeviceView]
    links: list[LinkView]


class PasskeyView(Struct, frozen=True):
    """A passkey: the browser that created it, and when it was created and last used, in seconds since 1970; `copied` is
    when its counter of signatures last did not grow, as if there were two of it."""

    id: str
    agent: str
    created: float
    used: float | None
    copied: float | None


class SessionView(Struct, frozen=True):
    """A browser that is signed in, since when, in seconds since 1970."""

    id: str
    agent: str
    created: float
    is_this: bool


class AccountView(Struct, frozen=True):
    """The account of this browser; `name` is null without one. `code` is a new printed code, which is shown once.

    Passkeys `is_possible` under the address of the page.
    """

    name: str | None
    passkeys: list[PasskeyView]
    sessions: list[SessionView]
    code: str | None
    is_possible: bool


class PasskeyOptionsView(Struct, frozen=True):
    """The options to give to the browser's `navigator.credentials`, in its JSON form."""

    options: dict[str, Any]
