"""Take a seat."""

from dataclasses import replace

from fivedice.base.errors import IllegalError
from fivedice.game.names import checked_name, normal_name
from fivedice.server.table.answers import NotAllowedError, check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.event import Event
from fivedice.server.table.state import PERSON, Table
from fivedice.server.table.verb import Name, Nonce, SeatCommand
from fivedice.server.table.verbs.add_nonce import check_nonce, with_nonce


class Sat(Change, frozen=True, tag="sat"):
    """A person took an open seat, with or without a nonce, or renamed their seat."""

    name: str
    nonce: str = ""
    is_shared: bool = False
    """Whether their browser holds another seat, too."""

    @property
    def changer(self) -> int | None:
        """Its seat."""
        return self.seat

    def apply(self, table: Table) -> Table:
        """The table with the person at the seat."""
        index = table.index(self.seat)
        seat = table.seats[index]
        require(seat.kind == PERSON, f"seat {index} belongs to a computer player")
        require(not table.has_ended, f"the table is {table.state}")
        require(bool(self.name), "a person at a seat has a name")
        nonces = with_nonce(table, index, self.nonce) if self.nonce else table.nonces
        is_shared = table.is_shared or self.is_shared
        return table.next_with_seat(self, replace(seat, name=self.name), nonces=nonces, is_shared=is_shared)


class Sit(SeatCommand, frozen=True, tag="sit"):
    """Take an open seat under a name, ideally with a nonce for the dice; or rename a seat of one's own."""

    becomes = Sat

    name: Name
    nonce: Nonce | None = None

    def may_act(self, table: Table, holds: frozenset[int]) -> bool:
        """Whether the seat is open, or the sender holds it."""
        return super().may_act(table, holds) or table.seats[self.seat].is_open

    def decide(self, table: Table, context: Context) -> Step:
        """Take the seat."""
        check_not_ended(table)
        if table.seats[self.seat].kind != PERSON:
            raise IllegalError(f"seat {self.seat} belongs to a computer player")
        name = checked_name(self.name)
        others = (seat.name for index, seat in enumerate(table.seats) if index != self.seat)
        if context.look_of(name) in map(context.look_of, others):
            raise NotAllowedError(f"{name} sits here already: take another name", "name_taken")
        if self.nonce:
            check_nonce(table, self.seat)
        shared = bool(context.holds - {self.seat})
        return Step.of(table, Sat(at=context.now, seat=self.seat, name=name, nonce=self.nonce or "", is_shared=shared))

    def asks_for(self, event: Event) -> bool:
        """Whether the seat was taken under the name, with the nonce."""
        wanted = (self.seat, normal_name(self.name), self.nonce or "")
        return isinstance(event, Sat) and wanted == (event.seat, event.name, event.nonce)
