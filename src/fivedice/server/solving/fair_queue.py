"""`FairQueue`: who has the next turn. It knows no clock, process or event loop.

Turns go in rounds. In each round every address that waits has one turn: first those with something urgent, then in the
order in which they came or had their last turn. Within an address its holders take turns in the same way. An address
that comes takes part from the next round on. So an address that asks for much delays only its own work, and no address
waits for more than two turns of each other one.
"""

from collections import Counter
from collections.abc import Hashable
from copy import copy
from dataclasses import dataclass, field
from itertools import count
from math import inf
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)


class Who(NamedTuple):
    """A client that waits: an address, and a holder or a table there."""

    address: str
    holder: str = ""


_ALL = "*"
"""Stands for all addresses together."""


class Held(Counter[str]):
    """Adds to what a key holds, and returns how much that is."""

    def __call__(self, key: str, change: int) -> int:
        self[key] += change
        return self[key] or self.pop(key)


@dataclass(eq=False)
class _Entry:
    number: int
    is_urgent: bool
    waiting: set[Who] = field(default_factory=set)

    def is_for(self, address: str) -> bool:
        """Whether an address waits for it."""
        return any(one.address == address for one in self.waiting)


class FairQueue(Generic[T]):
    """What is waited for, each once, and by whom. One has its turn at a time, and may need several turns.

    An address may ask for `per_address` things and all for `most`; what is urgent is always accepted. At most
    `max_begun` are begun and not done: then others begin only when one of these is done.
    """

    def __init__(
        self,
        *,
        per_address: int,
        most: float = inf,
        max_begun: float = inf,
    ) -> None:
        self._hold = Held()
        self._per_address = per_address
        self._most = most
        self._max_begun = max_begun
        self._entries: dict[T, _Entry] = {}
        self._begun: set[T] = set()
        self._numbers = count()
        self._round = 0
        self._rounds: dict[str, int] = {}
        """The round in which each address has its next turn."""
        self._since: dict[str | Who, int] = {}
        """When each address and client came or had its last turn, as numbers."""
        self._served: Who | None = None
        self.running: T | None = None
        """What has its turn."""
        self._order: list[T] | None = None

    def __contains__(self, what: T) -> bool:
        return what in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def ask(self, what: T, who: Who, *, is_urgent: bool = False) -> bool:
        """Let a client wait for something; return whether that is accepted."""
        entry = self._entries.get(what)
        if entry is None:
            num_own, num = self._hold(who.address, 1), self._hold(_ALL, 1)
            if not is_urgent and (num_own > self._per_address or num > self._most):
                self._hold(who.address, -1)
                self._hold(_ALL, -1)
                return False
            entry = self._entries[what] = _Entry(next(self._numbers), is_urgent)
        elif not entry.is_for(who.address):
            self._hold(who.address, 1)
        if who not in entry.waiting:
            entry.waiting.add(who)
            self._rounds.setdefault(who.address, self._round + 1)
            for key in (who.address, who):
                self._since.setdefault(key, next(self._numbers))
            self._order = None
        return True

    def leave(self, what: T, who: Who) -> None:
        """Let a client stop waiting for something, which is dropped if no other client waits for it."""
        if (entry := self._entries.get(what)) and who in entry.waiting:
            entry.waiting.discard(who)
            if not entry.is_for(who.address):
                self._hold(who.address, -1)
            if not entry.waiting:
                self._hold(_ALL, -1)
                del self._entries[what]
                self._begun.discard(what)
                if what == self.running:
                    self.end_turn()
            self._forget(who)

    def take(self) -> T | None:
        """Begin the next turn; None if nothing waits, or while something has its turn."""
        if self.running is not None or (found := self._next()) is None:
            return None
        what, self._served = found
        self.running = what
        self._begun.add(what)
        self._round = self._rounds[self._served.address]
        self._rounds[self._served.address] += 1
        self._order = None
        return what

    def end_turn(self) -> None:
        """End the turn of what runs, which waits for another one unless it is done."""
        for key in (self._served, self._served.address) if self._served else ():
            if key in self._since:  # else it no longer waits for anything
                self._since[key] = next(self._numbers)
        self.running = self._served = self._order = None

    def done(self, what: T) -> None:
        """Something is done."""
        for who in tuple(self._entries[what].waiting):
            self.leave(what, who)

    @property
    def is_contended(self) -> bool:
        """Whether the turn should end because a client waits for something else."""
        served = self._entries[self.running].waiting if self.running is not None else set()
        return any(not self._entries[what].waiting <= served for what in self._candidates())

    def place(self, what: T) -> int | None:
        """How many have their turn before something has one, if each needs one turn and no client comes.

        It is 0 during its turn, and None if it does not wait.
        """
        if what not in self._entries:
            return None
        if self._order is None:
            self._order = self._simulated()
        return self._order.index(what)

    def _simulated(self) -> list[T]:
        later = copy(self)
        later._entries = {what: _Entry(e.number, e.is_urgent, set(e.waiting)) for what, e in self._entries.items()}
        later._begun, later._rounds, later._since = set(self._begun), dict(self._rounds), dict(self._since)
        later._numbers, later._hold = count(next(copy(self._numbers))), Held()
        order = []
        while (what := later.running if later.running is not None else later.take()) is not None:
            order.append(what)
            later.done(what)
        return order

    def _candidates(self) -> list[T]:
        is_full = len(self._begun) >= self._max_begun
        return [what for what in (self._begun if is_full else self._entries) if what != self.running]

    def _next(self) -> tuple[T, Who] | None:
        found = [
            (self._rank(self._entries[what], who), what, who)
            for what in self._candidates()
            for who in self._entries[what].waiting
        ]
        if not found:
            return None
        _, what, who = min(found, key=lambda one: one[0])
        return what, who

    def _rank(self, entry: _Entry, who: Who) -> tuple[int, ...]:
        address = who.address
        return self._rounds[address], not entry.is_urgent, self._since[address], self._since[who], entry.number

    def _forget(self, who: Who) -> None:
        """Forget when a client had its last turn, if it waits for nothing any more."""
        self._order = None
        waiting = [one for entry in self._entries.values() for one in entry.waiting]
        if who not in waiting:
            self._since.pop(who, None)
        if all(one.address != who.address for one in waiting):
            self._since.pop(who.address, None)
            self._rounds.pop(who.address, None)
