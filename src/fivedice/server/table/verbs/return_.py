"""Take one's seat back from a computer player."""

from fivedice.base.errors import IllegalError
from fivedice.server.table.answers import NotAllowedError, check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import Table
from fivedice.server.table.verb import SeatCommand
from fivedice.server.table.verbs.stand_in import decided_by


class Returned(Change, frozen=True, tag="returned"):
    """A person took their seat back from a computer player."""

    @property
    def changer(self) -> int | None:
        """Its seat."""
        return self.seat

    def apply(self, table: Table) -> Table:
        """The table with the person at the seat."""
        has_stand_in = table.seats[table.index(self.seat)].stand_in is not None
        require(has_stand_in, f"no computer player acts for seat {self.seat}")
        return decided_by(table, self, None)


class Return(SeatCommand, frozen=True, tag="return"):
    """Take one's own seat back from a computer player."""

    becomes = Returned

    def decide(self, table: Table, context: Context) -> Step:
        """Take the seat back."""
        check_not_ended(table)
        if table.seats[self.seat].stand_in is None:
            raise IllegalError(f"no computer player acts for seat {self.seat}")
        if self.seat == table.position.seat and table.is_late:
            raise NotAllowedError("the time is up: the computer player finishes this turn", "stood_in")
        return Step.of(table, Returned(at=context.now, seat=self.seat))
