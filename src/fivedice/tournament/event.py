"""`Event`: an append-only fact of a club, a tournament or a game on the same dice; and requests for such facts.

A log replays to a state: its first event is a `First`, all others are `Change`s. Replay is strict: an event that the
state before it does not allow is an error.

Events are stored as JSON: a new field needs a default, and fields are never renamed. A field that a program does not
know makes the event unreadable for it, since the field may change what follows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta, Struct

from fivedice.base.errors import IllegalError
from fivedice.tournament.settings import Settings
from fivedice.tournament.state import Tournament

S = TypeVar("S")

# $ also matches before a final line break, so (?!\n) excludes it.
CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
PlayerNumber = Annotated[int, Meta(ge=1, le=100_000)]


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    """The field of every event: `at` in seconds since 1970."""

    at: float


class First(Event, Generic[S], frozen=True):
    """The first event of a log. `id` is that of what it begins."""

    id: str

    def start(self) -> S:
        """The state at version 1."""
        raise NotImplementedError


class Change(Event, Generic[S], frozen=True):
    """An event that changes a state, as all but the first do."""

    def apply(self, state: S, /) -> S:
        """The state after this event; raises `IllegalError` if it does not allow it."""
        raise NotImplementedError


def apply(state: S, event: Event) -> S:
    """The state after one more event; raises `IllegalError` if that is not allowed."""
    if not isinstance(event, Change):
        raise IllegalError("only the first event of a log begins it")
    after: S = event.apply(state)
    return after


def replay(events: Iterable[Event]) -> Any:
    """The state after a complete log; raises `IllegalError`."""
    first, *later = events
    if not isinstance(first, First):
        raise IllegalError("a log does not begin with its first event")
    return reduce(apply, later, first.start())


class NotOrganiserError(ValueError):
    """Only somebody else may do that: the organiser, or the player concerned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a decision depends on besides the tournament and the command.

    `member` is the sender's number in the club, None if they are not in it, and `members` names all who are.
    `seed` is that of the next round, and `new_table` returns the id of a new table.
    """

    now: float
    member: int | None = None
    is_organiser: bool = False
    members: Mapping[int, str]
    seed: str = ""
    new_table: Callable[[], str] = str


class Created(First[Tournament], frozen=True, tag="created"):
    """The tournament of a club was created. `commitment` is the SHA-256 of the secret from which its seeds follow."""

    club: str
    settings: Settings
    commitment: str

    def start(self) -> Tournament:
        """The tournament without players."""
        return Tournament(self.id, self.club, self.settings, self.commitment)


class TournamentCommand(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A request to change a tournament. Its id is chosen by the client: repeated with that, it changes nothing."""

    id: CommandId

    def decide(self, tournament: Tournament, context: Context) -> Change[Tournament]:
        """The event that it becomes; raises `NotOrganiserError`, `IllegalError` or `MalformedError` with the reason."""
        raise NotImplementedError


class PlayerCommand(TournamentCommand, frozen=True):
    """A command about a player: the sender, or another member of the club if the organiser sends it."""

    player: PlayerNumber | None = None

    def number(self, context: Context) -> int:
        """The number of the player; raises `NotOrganiserError`."""
        if self.player is None or self.player == context.member:
            if context.member is None:
                raise NotOrganiserError("only members of the club take part: join it first")
            return context.member
        require_organiser(context)
        return self.player


def require_organiser(context: Context) -> None:
    """Raise `NotOrganiserError` unless the sender has the organiser's link."""
    if not context.is_organiser:
        raise NotOrganiserError("only the organiser can do that, with the organiser's link")
