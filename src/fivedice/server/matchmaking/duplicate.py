"""`Duplicate`: a game that 2 to 200 people play alone, each once, on the same dice, as its events replay to it.

It closes at its time, or when all its seats are taken and their games have ended; then the secret of the dice is
revealed, and no one can enter or play.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from fivedice.base.errors import IllegalError
from fivedice.tournament.event import Change, First
from fivedice.tournament.settings import MAX_ON_SAME_DICE
from fivedice.views.duplicates import DuplicateEntryView, EntryState

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

    def state(self, *, is_closed: bool) -> EntryState:
        """What became of it so far."""
        if self.is_finished:
            return "finished"
        if self.ended is not None:
            return "given_up"
        return "late" if is_closed else "playing"


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
        self, table: str, name: str, now: float, number: int | None = None, look_of: Callable[[str], str] = str.casefold
    ) -> "Entered":
        """The event of one more entry, which gets the next number if it has none; raises `IllegalError` if it is full,
        has closed, or has the number or a name that looks like this one already."""
        if self.is_closed(now):
            raise IllegalError("the time for this game has passed")
        if look_of(name) in (look_of(one.name) for one in self.entries):
            raise NameTakenError(f"{name} plays here already: choose another name")
        number = number or max((one.number for one in self.entries), default=0) + 1
        event = Entered(at=now, player=number, table=table, name=name)
        event.apply(self)
        return event

    def is_open(self, now: float) -> bool:
        """Whether somebody else can enter."""
        return not self.is_closed(now) and len(self.entries) < self.seats

    def closed_if_complete(self, now: float) -> "Duplicate":
        """Closed, if everybody has played."""
        is_complete = len(self.entries) >= self.seats and all(one.ended is not None for one in self.entries)
        return replace(self, closes=min(self.closes, now)) if is_complete else self

    def shows_all(self, own: Collection[str], now: float) -> bool:
        """Whether somebody with these tables of their own may see all games: once they have finished theirs, and
        everybody once it has closed.

        To give up is not to finish, so that nobody gives up in order to see the dice and enter again.
        """
        mine = [one for one in self.entries if one.table in own]
        return self.is_closed(now) or (bool(mine) and all(one.is_finished for one in mine))

    def graded(self, own: Collection[str], now: float) -> list[Entry]:
        """The entries of which somebody with these tables may see what their decisions lost."""
        return [one for one in self.entries if one.is_finished] if self.shows_all(own, now) else []

    def entry_views(self, own: Collection[str], lost: Mapping[str, float], now: float) -> list[DuplicateEntryView]:
        """The entries as somebody with these tables may see them, with the points that their tables lost, as far as
        these are known: by rank, once all are."""
        graded, shows_all = self.graded(own, now), self.shows_all(own, now)
        losses = {one.number: lost[one.table] for one in graded if one.table in lost}
        ranked = ranks(losses) if len(losses) == len(graded) else {}
        return [
            DuplicateEntryView(
                number=one.number,
                name=one.name,
                state=one.state(is_closed=self.is_closed(now)),
                is_yours=one.table in own,
                table=one.table if shows_all or one.table in own else None,
                score=one.score if shows_all or one.table in own else None,
                lost=losses.get(one.number),
                rank=ranked.get(one.number),
            )
            for one in in_order(self.entries, ranked)
        ]


class NameTakenError(IllegalError):
    """Another entry has a name that looks like this one."""

    code = "name_taken"


class Opened(First[Duplicate], frozen=True, tag="opened"):
    """The game was opened."""

    rules: str
    seats: int
    closes: float
    tournament: str | None = None

    def start(self) -> Duplicate:
        """The game without entries."""
        return Duplicate(self.id, self.rules, self.seats, self.at, self.closes, self.tournament)


class Entered(Change[Duplicate], frozen=True, tag="entered"):
    """Somebody plays, at a table of their own."""

    player: int
    table: str
    name: str

    def apply(self, duplicate: Duplicate, /) -> Duplicate:
        """The game with one more entry."""
        if len(duplicate.entries) >= duplicate.seats:
            raise IllegalError(f"all {duplicate.seats} seats are taken")
        if self.player in (one.number for one in duplicate.entries):
            raise IllegalError(f"player {self.player} plays here already, under another name")
        return replace(duplicate, entries=(*duplicate.entries, Entry(self.player, self.table, self.name)))


class EntryEnded(Change[Duplicate], frozen=True, tag="ended"):
    """The game at a table ended, with a score unless it was given up; a second result does not count."""

    table: str
    score: int | None = None

    def apply(self, duplicate: Duplicate, /) -> Duplicate:
        """The game with the result; closed if it was the last one."""
        entries = tuple(
            replace(one, ended=self.at, score=self.score) if one.table == self.table and one.ended is None else one
            for one in duplicate.entries
        )
        return replace(duplicate, entries=entries).closed_if_complete(self.at)


class PlayersChanged(Change[Duplicate], frozen=True, tag="players"):
    """In its tournament are these players now, who can enter besides those who have."""

    players: tuple[int, ...]

    def apply(self, duplicate: Duplicate, /) -> Duplicate:
        """The game with seats for them; closed if none are left."""
        seats = len({*self.players, *(one.number for one in duplicate.entries)})
        return replace(duplicate, seats=seats).closed_if_complete(self.at)


class EntryAnonymised(Change[Duplicate], frozen=True, tag="anonymised"):
    """A player has deleted everything: they have this name from now on."""

    player: int
    name: str

    def apply(self, duplicate: Duplicate, /) -> Duplicate:
        """The game with the name."""
        entries = (replace(one, name=self.name) if one.number == self.player else one for one in duplicate.entries)
        return replace(duplicate, entries=tuple(entries))


AnyDuplicateEvent = Opened | Entered | EntryEnded | PlayersChanged | EntryAnonymised


def ranks(losses: Mapping[int, float]) -> dict[int, int]:
    """The rank of each entry by the points that it lost, 1 for the fewest; equal losses share a rank."""
    rounded = {number: round(loss, 6) for number, loss in losses.items()}
    in_order = sorted(rounded.values())
    return {number: 1 + bisect_left(in_order, loss) for number, loss in rounded.items()}


def in_order(entries: Iterable[Entry], ranked: Mapping[int, int]) -> list[Entry]:
    """The entries by rank, then those without one."""
    return sorted(entries, key=lambda one: (ranked.get(one.number, MAX_SEATS + 1), not one.is_finished, one.number))
