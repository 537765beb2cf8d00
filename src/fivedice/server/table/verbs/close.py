"""End a table for all."""

from fivedice.server.table.answers import NotAllowedError, check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import Table
from fivedice.server.table.verb import SeatCommand
from fivedice.server.table.verbs.play import NOTHING


class Closed(Change, frozen=True, tag="closed"):
    """A seat ended the table before its game was over; the secret is revealed."""

    def apply(self, table: Table) -> Table:
        """The table, closed."""
        require(not table.has_ended, f"the table is {table.state} already")
        return table.next(self, is_closed=True, **NOTHING)


class Close(SeatCommand, frozen=True, tag="close"):
    """End the table for all: any seat may before the game has begun, and later only while no other person plays; in a
    tournament nobody may."""

    becomes = Closed

    def decide(self, table: Table, context: Context) -> Step:
        """End the table."""
        check_not_ended(table)
        if table.created.tournament is not None:
            raise NotAllowedError("this game belongs to a tournament: resign instead", "rated")
        if not table.can_close(context.holds):
            raise NotAllowedError("others are playing: resign instead", "others_play")
        return Step.of(table, Closed(at=context.now, seat=self.seat))
