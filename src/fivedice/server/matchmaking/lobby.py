"""`Lobby`: who looks for an opponent, and whom they may meet.

Two people meet if they want the same rules, the same time for a turn, and both a rated or both a casual game, if
neither has blocked the other, and if their levels are near where one of them asks for that.
"""

from dataclasses import dataclass, replace

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.players.pace import RELAXED_SECONDS
from fivedice.server.limits import MAX_OPEN_SEATS

LIVE_SEAT_SECONDS = 70.0
"""That a seat stays open without a connection of its page."""

RELAXED_SEAT_SECONDS = 3 * 86_400.0
"""That somebody waits for a relaxed game."""

GONE = "this seat is no longer open"

NEAR = 2
"""Levels that are at most so far apart are near."""


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """Somebody who waits for an opponent: `holder` under a name, with `seconds` for each turn.

    `rules` are a reference in notation; a `casual` game counts for no rating. `level` is the number of the level that
    plays most nearly as the person does, None if it is not known. With `near`, only somebody of about that level fits.
    `since` is when it was opened, and `seen` when the person's page was last connected, in seconds since 1970.
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

    def seek(self, wish: OpenSeat) -> OpenSeat:
        """Return the seat of the person who fits best. If nobody fits, return the seat at which the holder of `wish`
        waits: the one they have for the same game, or a new one. Raises `IllegalError` if they have too many."""
        fitting = [seat for seat in self.shown_to(wish.holder) if seat.wants_same(wish)]
        if fitting:
            # The nearest level, as far as levels are known; of several, who has waited longest.
            return min(fitting, key=lambda seat: _distance(seat, wish))
        own = self.of(wish.holder)
        for seat in own:
            if seat.game == wish.game:
                return replace(wish, id=seat.id, since=seat.since)
        if len(own) >= MAX_OPEN_SEATS:
            raise IllegalError(f"you wait at {len(own)} seats already: leave one of them first")
        return wish

    def open_to(self, holder: str, level: int | None, id: str) -> OpenSeat:
        """The seat with an id, for a holder of a level to play its person; raises `UnknownError` or `IllegalError`."""
        seat = next((one for one in self.seats if one.id == id and self.may_meet(one.holder, holder)), None)
        if seat is None:
            raise UnknownError(GONE)
        if seat.near and not _are_near(seat.level, level):
            raise IllegalError("this person looks for somebody of about their level")
        return seat

    def left_by(self, seat: OpenSeat, holder: str) -> set[str]:
        """The ids of the other seats that close when a holder plays the person at a seat: people who play a live game
        wait for no other live game."""
        if seat.is_relaxed:
            return set()
        of_both = (one for one in self.seats if one.holder in (seat.holder, holder) and not one.is_relaxed)
        return {one.id for one in of_both} - {seat.id}


def _are_near(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= NEAR


def _distance(seat: OpenSeat, wish: OpenSeat) -> int:
    return NEAR if seat.level is None or wish.level is None else abs(seat.level - wish.level)
