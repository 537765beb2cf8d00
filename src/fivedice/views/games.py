"""The games of a browser as JSON: what they mean for its players, imported ones, and how it finds an opponent."""

import msgspec


class PlayedSeatView(msgspec.Struct, frozen=True):
    """A seat of a game: its player, its total so far, its final rank, 1 for winners, and whether it gave up."""

    name: str
    kind: str
    total: int
    rank: int | None
    resigned: bool


class StandingView(msgspec.Struct, frozen=True):
    """The result of a seat of this browser, and that player's finished games under the same rules up to this one.

    Totals of cards that a resignation left incomplete do not count, so `games` may be 0, and `average` then null.
    """

    seat: int
    total: int
    games: int
    best_before: int | None
    """The highest earlier total, or null for a first game."""
    average: float | None
    """The mean total, with this game."""
    wins: int
    streak: int
    """The wins in a row that end with this game. A shared win is none, and a game alone does not count."""
    is_cut_short: bool
    """Whether a resignation left this card incomplete, so that its total does not count."""


class OutcomeView(msgspec.Struct, frozen=True):
    """The standing of each seat of this browser in a finished game; empty for all other games."""

    seats: list[StandingView]


class PlayedWithView(msgspec.Struct, frozen=True):
    """Imported games that the same people played. `own` is the name of this browser's user among them, empty if none of
    them is, and null until they have said which."""

    names: list[str]
    games: int
    own: str | None


class ImportedGamesView(msgspec.Struct, frozen=True):
    """The people of the imported games, those first of whom the user has not said which they are."""

    people: list[PlayedWithView]


class ImportedView(msgspec.Struct, frozen=True):
    """The result of an import: the numbers of new records and of tables with claimed seats."""

    records: int
    tables: int


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

    version: int
    """The number of changes so far, which the stream `lobby` tells."""
    seats: list[OpenSeatView]
    own: list[OpenSeatView]
    found: list[FoundGameView]
    running: list[FoundGameView]


class BlockedView(msgspec.Struct, frozen=True):
    """The names of the people whom this browser has blocked."""

    names: list[str]
