"""Access to seats as JSON: the seats of a browser, and the devices and links of a seat."""

from typing import Literal

import msgspec


class CreatedView(msgspec.Struct, frozen=True):
    """A new table: its id, the path of its page, and the seats of this browser."""

    table: str
    url: str
    yours: list[int]


class ClaimedView(msgspec.Struct, frozen=True):
    """The claimed seat."""

    seat: int


class DeviceView(msgspec.Struct, frozen=True):
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


class LinkView(msgspec.Struct, frozen=True):
    """A link to a seat, until it expires. `kind` is "link", or "export" for one in a file with all games."""

    id: str
    kind: Literal["link", "export"]
    created: float
    expires: float
    used: float | None
    """When it was used; null if it can still be used."""


class SeatAccessView(msgspec.Struct, frozen=True):
    """The devices that hold a seat, the first first, and the links to it, the newest first."""

    devices: list[DeviceView]
    links: list[LinkView]
