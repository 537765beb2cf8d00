"""What follows when the clock of the seat to move runs out: no command, since only the server's time decides."""

from dataclasses import replace

from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.clocks import Away
from fivedice.server.table.state import PERSON, State, Table
from fivedice.server.table.verbs.resign import resign


class TimedOut(Change, frozen=True, tag="timed_out"):
    """The clock of the seat to move ran out, so that a computer player finishes its turn."""

    player: str

    @property
    def actor(self) -> int | None:
        """Nobody."""
        return None

    def apply(self, table: Table) -> Table:
        """The table with the computer player."""
        clocks, seat = table.clocks, table.mover
        require(clocks is not None, "the table has no clocks")
        require(table.state is State.PLAYING, f"no clock runs while the table is {table.state}")
        require(self.seat == table.position.seat, f"the clock of seat {table.position.seat} runs, not of {self.seat}")
        require(seat.decider == PERSON, f"{seat.decider} acts for seat {self.seat}")
        assert clocks is not None
        late = replace(seat, stand_in=self.player, is_skip=True, is_late=True)
        return table.next_with_seat(self, late, clocks=replace(clocks, late=table.turn.number))


def time_out(table: Table, now: float, away: Away) -> Step | None:
    """What follows if the clock of the person to move has run out: a computer player finishes the turn, or the seat
    resigns, if its last turn ran out, too. None if the clock has not run out."""
    late_at, clocks = table.late_at(away), table.clocks
    if late_at is None or clocks is None or now < late_at:
        return None
    seat = table.position.seat
    if table.mover.is_late and not table.is_late:
        return resign(table, seat, now, is_late=True)
    return Step.of(table, TimedOut(at=now, seat=seat, player=clocks.pace.player))
