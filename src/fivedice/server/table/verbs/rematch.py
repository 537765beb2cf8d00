"""Play again."""

from fivedice.base.errors import IllegalError
from fivedice.server.table.answers import NotAllowedError
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import State, Table
from fivedice.server.table.verb import SeatCommand
from fivedice.server.table.verbs.play import NOTHING


class Rematched(Change, frozen=True, tag="rematched"):
    """The same players started another game at another table."""

    table: str

    def apply(self, table: Table) -> Table:
        """The table with its rematch."""
        require(table.state is State.OVER and table.rematch is None, "no rematch can follow")
        return table.next(self, rematch=self.table, rematch_by=self.seat, **NOTHING)


class Rematch(SeatCommand, frozen=True, tag="rematch"):
    """Start another game with the same players after the game is over; the next seat begins."""

    becomes = Rematched

    def decide(self, table: Table, context: Context) -> Step:
        """Name the table of the rematch."""
        if table.state is not State.OVER:
            raise IllegalError("a rematch is possible after the game")
        if table.rematch is not None:
            raise IllegalError(f"the rematch is at table {table.rematch}")
        if context.is_blocked:
            raise NotAllowedError("these players play no rematch now", "no_rematch")
        return Step.of(table, Rematched(at=context.now, seat=self.seat, table=context.rematch))
