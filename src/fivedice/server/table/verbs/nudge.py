"""Remind the seat to move of its turn, once, in a relaxed game."""

from fivedice.base.errors import IllegalError
from fivedice.server.table.answers import NotAllowedError, check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import State, Table
from fivedice.server.table.verb import SeatCommand


class Nudged(Change, frozen=True, tag="nudged"):
    """A seat reminded the one to move of its turn."""

    def apply(self, table: Table) -> Table:
        """The table, at which nobody else can do that in the same turn."""
        require(table.state is State.PLAYING, f"nobody is waited for while the table is {table.state}")
        require(table.nudged != table.turn.number, "somebody has nudged in this turn")
        return table.next(self, nudged=table.turn.number)


class Nudge(SeatCommand, frozen=True, tag="nudge"):
    """Remind the player to move of their turn, where a turn may take an hour or longer; once in each turn."""

    becomes = Nudged

    def decide(self, table: Table, context: Context) -> Step:
        """Nudge."""
        check_not_ended(table)
        if table.clocks is None or not table.clocks.pace.is_relaxed:
            raise IllegalError("players can nudge only where a turn may take an hour or longer")
        if table.nudged == table.turn.number:
            raise NotAllowedError("a player is nudged once in each turn", "nudged")
        if not table.can_nudge or table.position.seat in context.holds:
            raise IllegalError("nobody else is waited for")
        return Step.of(table, Nudged(at=context.now, seat=self.seat))
