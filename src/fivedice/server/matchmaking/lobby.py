"""`Lobby`: who looks for an opponent. `decide` turns a command into what happens, and `apply` into the next lobby.

Two people meet if they want the same rules, the same time for a turn, and both a rated or both a casual game, if
neither has blocked the other, and if their levels are near where one of them asks for that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.players.pace import RELAXED_SECONDS
from fivedice.server.config.limits import MAX_OPEN_SEATS

LIVE_SEAT_SECONDS = 70.0
"""That a seat stays open without its page: hidden ones ask each minute."""

RELAXED_SEAT_SECONDS = 3 * 86_400.0
"""That somebody waits for a relaxed game."""

NEAR = 2
"""Levels that are at most so far apart are near."""


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """Somebody who waits for an opponent: `holder` under a name, with `seconds` for each turn.

    `rules` are a reference in notation; a `casual` game counts for no rating. `level` is the number of the level that
    plays most nearly as the person does, None if it is not known. With `near`, only somebody of about that level fits.
    `since` is when it was opened, and `seen` when the person's page last asked, in seconds since 1970.
    """

    id: str
    holder: str
    name: str
    rules: str
    seconds: int
    level: int | None
    near: bool
    since: float
    seen: float
    casual: bool = False

    @property
    def is_relaxed(self) -> bool:
        """Whether the person need not stay."""
        return self.seconds >= RELAXED_SECONDS

    def waits(self, now: float) -> bool:
        """Whether the person still waits: at the page, or in a relaxed game for some days."""
        return now - (self.since if self.is_relaxed else self.seen) < (
            RELAXED_SEAT_SECONDS if self.is_relaxed else LIVE_SEAT_SECONDS
        )

    @property
    def game(self) -> tuple[str, int, bool]:
        """What both must want."""
        return self.rules, self.seconds, self.casual

    def wants_same(self, other: "OpenSeat") -> bool:
        """Whether another person wants the same game, and the levels are near where one of them asks for that."""
        if self.game != other.game:
            return False
        if not (self.near or other.near):
            return True
        return _are_near(self.level, other.level)


@dataclass(frozen=True, slots=True)
class Seek:
    """Play the person who fits best, or wait for one."""

    wish: OpenSeat


@dataclass(frozen=True, slots=True)
class SitDown:
    """Play the person at a seat, under a name."""

    seat: str
    holder: str
    name: str
    level: int | None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Wait no longer."""

    seat: str
    holder: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A person waits at a seat, which is new or was theirs before."""

    seat: OpenSeat


@dataclass(frozen=True, slots=True)
class Matched:
    """The person at a seat, and another, play."""

    seat: OpenSeat
    holder: str
    name: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Nobody waits at a seat any more."""

    seat: OpenSeat


Command = Seek | SitDown | Withdraw
Event = Offered | Matched | Withdrawn


@dataclass(frozen=True, slots=True)
class Lobby:
    """Those who wait, and the pairs of holders of whom the first has blocked the second."""

    seats: tuple[OpenSeat, ...] = ()
    blocked: frozenset[tuple[str, str]] = frozenset()

    def at(self, now: float) -> "Lobby":
        """The lobby without those who have left."""
        return replace(self, seats=tuple(seat for seat in self.seats if seat.waits(now)))

    def may_meet(self, one: str, other: str) -> bool:
        """Whether two holders are different people, and neither has blocked the other."""
        return one != other and not {(one, other), (other, one)} & self.blocked

    def shown_to(self, holder: str) -> list[OpenSeat]:
        """The seats of others that a holder may take, the longest waiting first."""
        return sorted(
            (seat for seat in self.seats if self.may_meet(seat.holder, holder)), key=lambda seat: (seat.since, seat.id)
        )

    def of(self, holder: str) -> list[OpenSeat]:
        """The seats at which a holder waits."""
        return [seat for seat in self.seats if seat.holder == holder]

    def decide(self, command: Command, now: float) -> Event:
        """What follows from a command; raises `IllegalError` or `UnknownError`."""
        lobby = self.at(now)
        match command:
            case Seek(wish):
                return lobby._seek(wish)
            case SitDown(id, holder, name, level):
                seat = lobby._seat(id)
                if not lobby.may_meet(seat.holder, holder):
                    raise UnknownError("this seat is no longer open")
                if seat.near and not _are_near(seat.level, level):
                    raise IllegalError("this person looks for somebody of about their level")
                return Matched(seat, holder, name)
            case Withdraw(id, holder):
                seat = lobby._seat(id)
                if seat.holder != holder:
                    raise UnknownError("this seat is no longer open")
                return Withdrawn(seat)

    def apply(self, event: Event) -> "Lobby":
        """The lobby after something happened. Whoever plays a live game now waits for no other live one."""
        match event:
            case Offered(seat):
                return replace(self, seats=(*(one for one in self.seats if one.id != seat.id), seat))
            case Matched() | Withdrawn():
                gone = {seat.id for seat in self.left_by(event)}
                return replace(self, seats=tuple(one for one in self.seats if one.id not in gone))

    def left_by(self, event: Event) -> Iterable[OpenSeat]:
        """The seats at which nobody waits after an event."""
        if isinstance(event, Offered):
            return []
        if isinstance(event, Withdrawn):
            return [event.seat]
        players = {event.seat.holder, event.holder}
        also = [one for one in self.seats if one.holder in players and not one.is_relaxed and not event.seat.is_relaxed]
        return {seat.id: seat for seat in (event.seat, *also)}.values()

    def _seek(self, wish: OpenSeat) -> Event:
        fitting = [seat for seat in self.shown_to(wish.holder) if seat.wants_same(wish)]
        if fitting:
            # The nearest level, as far as levels are known; of several, who has waited longest.
            return Matched(min(fitting, key=lambda seat: _distance(seat, wish)), wish.holder, wish.name)
        own = self.of(wish.holder)
        for seat in own:
            if seat.game == wish.game:
                return Offered(replace(wish, id=seat.id, since=seat.since))
        if len(own) >= MAX_OPEN_SEATS:
            raise IllegalError(f"you wait at {len(own)} seats already: leave one of them first")
        return Offered(wish)

    def _seat(self, id: str) -> OpenSeat:
        seat = next((seat for seat in self.seats if seat.id == id), None)
        if seat is None:
            raise UnknownError("this seat is no longer open")
        return seat


def _are_near(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= NEAR


def _distance(seat: OpenSeat, wish: OpenSeat) -> int:
    return NEAR if seat.level is None or wish.level is None else abs(seat.level - wish.level)
