"""Finding an opponent, as JSON: open seats, games that were found, and games to watch."""

import msgspec


class OpenSeatView(msgspec.Struct, frozen=True):
    """A seat at which somebody waits for an opponent, with `seconds` for each turn."""

    id: str
    name: str
    rules: str
    rules_name: str
    seconds: int
    level: int | None
    """The number of the level that plays most nearly as this person; null unless they look for somebody near it."""
    near: bool
    """Whether this person looks for somebody of about their level."""
    since: float
    casual: bool
    """Whether the game counts for no rating and no strength."""


class FoundGameView(msgspec.Struct, frozen=True):
    """A game that began at an open seat: `seat` is the id of that seat."""

    seat: str
    table: str
    names: list[str]
    rules_name: str
    seconds: int


class LobbyView(msgspec.Struct, frozen=True):
    """The open seats of others that this browser can take, those at which it waits, the games that it found of late,
    and games to watch."""

    seats: list[OpenSeatView]
    own: list[OpenSeatView]
    found: list[FoundGameView]
    running: list[FoundGameView]


class FoundView(msgspec.Struct, frozen=True):
    """What a search led to: the table of a game, or the seat at which this browser waits now."""

    table: str | None
    seat: str | None


class BlockedView(msgspec.Struct, frozen=True):
    """The names of the people whom this browser has blocked."""

    names: list[str]
