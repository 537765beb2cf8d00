"""`Duplicate`: a game that 2 to 200 people play alone, each once, on the same dice, until it closes.

`enter` and `end` return the next one. It closes at its time, or when all its seats are taken and their games have
ended; then the secret of the dice is told, and nobody can enter or play any more.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from fivedice.base.errors import IllegalError
from fivedice.tournament.settings import MAX_ON_SAME_DICE

MIN_SEATS = 2
MAX_SEATS = MAX_ON_SAME_DICE
"""An answer with so many entries has about 30 KB."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A person's game, at a table of its own. Entries are numbered from 1. `ended` is in seconds since 1970, None while
    it is played; `score` is None then, and if it was given up."""

    number: int
    table: str
    name: str
    ended: float | None = None
    score: int | None = None

    @property
    def is_finished(self) -> bool:
        """Whether it was played to its end."""
        return self.score is not None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """`rules` are a reference in notation; `opened` and `closes` are in seconds since 1970. `tournament` is the id of
    the tournament of which it is a round: then its seats are those of the players, and entries have their numbers."""

    id: str
    rules: str
    seats: int
    opened: float
    closes: float
    tournament: str | None = None
    entries: tuple[Entry, ...] = ()

    def is_closed(self, now: float) -> bool:
        """Whether nobody plays any more."""
        return now >= self.closes

    def enter(
        self,
        table: str,
        name: str,
        now: float,
        number: int | None = None,
        look_of: Callable[[str], str] = str.casefold,
    ) -> "Duplicate":
        """With one more entry, which gets the next number if it has none; raises `IllegalError` if it is full, has
        closed, or has the number or a name that looks like this one already."""
        if self.is_closed(now):
            raise IllegalError("the time for this game has passed")
        if len(self.entries) >= self.seats:
            raise IllegalError(f"all {self.seats} seats are taken")
        if look_of(name) in (look_of(one.name) for one in self.entries):
            raise IllegalError(f"{name} plays here already: choose another name")
        number = number or max((one.number for one in self.entries), default=0) + 1
        if number in (one.number for one in self.entries):
            raise IllegalError(f"player {number} plays here already, under another name")
        return replace(self, entries=(*self.entries, Entry(number, table, name)))

    def end(self, table: str, score: int | None, now: float) -> "Duplicate":
        """With the result of a table; closed if it was the last one."""
        entries = tuple(
            replace(one, ended=now, score=score) if one.table == table and one.ended is None else one
            for one in self.entries
        )
        return replace(self, entries=entries)._closed_if_complete(now)

    def for_players(self, players: Collection[int], now: float) -> "Duplicate":
        """With seats for these players of its tournament besides those who have entered; closed if none are left."""
        seats = len({*players, *(one.number for one in self.entries)})
        return replace(self, seats=seats)._closed_if_complete(now)

    def _closed_if_complete(self, now: float) -> "Duplicate":
        is_complete = len(self.entries) >= self.seats and all(one.ended is not None for one in self.entries)
        return replace(self, closes=min(self.closes, now)) if is_complete else self

    def shows(self, entry: Entry, own: Collection[str], now: float) -> bool:
        """Whether somebody with these tables of their own may see the game of an entry: their own; once they have
        finished it, all others; and everybody once it has closed.

        To give up is not to finish, so that nobody gives up in order to see the dice and enter again.
        """
        return entry.table in own or self.shows_all(own, now)

    def shows_all(self, own: Collection[str], now: float) -> bool:
        """Whether somebody with these tables may see all games."""
        mine = [one for one in self.entries if one.table in own]
        return self.is_closed(now) or (bool(mine) and all(one.is_finished for one in mine))


def ranks(losses: Mapping[int, float]) -> dict[int, int]:
    """The rank of each entry by the points that it lost, 1 for the fewest; equal losses share a rank."""
    rounded = {number: round(loss, 6) for number, loss in losses.items()}
    return {number: 1 + sum(other < loss for other in rounded.values()) for number, loss in rounded.items()}


def in_order(entries: Iterable[Entry], ranked: Mapping[int, int]) -> list[Entry]:
    """The entries by rank, then those without one."""
    return sorted(entries, key=lambda one: (ranked.get(one.number, MAX_SEATS + 1), not one.is_finished, one.number))
