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
    """End the table for all: any seat may before the game has begun, and later if every other seat is away; in a
    tournament nobody may.

    A seat is away if it belongs to a computer player, if one acts for it until the person returns, if it resigned, if
    it is to move and idle, or if the clocks wait for its person to come.
    """

    becomes = Closed

    def decide(self, table: Table, context: Context) -> Step:
        """End the table."""
        check_not_ended(table)
        if table.created.tournament is not None:
            raise NotAllowedError("this game belongs to a tournament: resign instead", "rated")
        closable_at = table.closable_at(context.holds, context.now, context.away)
        if closable_at is None or closable_at > context.now:
            raise NotAllowedError("others are playing: leave your seat to a computer player instead", "others_play")
        return Step.of(table, Closed(at=context.now, seat=self.seat))
