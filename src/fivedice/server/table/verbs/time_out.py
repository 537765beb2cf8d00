"""What follows when the clock of the seat to move runs out: no command, since only the server's time decides."""

from dataclasses import replace

from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.available import available_here
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
        seat = table.mover
        require(bool(table.created.pace), "the table has no clock")
        require(table.state is State.PLAYING, f"no clock runs while the table is {table.state}")
        require(self.seat == table.position.seat, f"the clock of seat {table.position.seat} runs, not of {self.seat}")
        require(seat.decider == PERSON, f"{seat.decider} acts for seat {self.seat}")
        return table.next_with_seat(self, replace(seat, stand_in=self.player, is_late=True))


def time_out(table: Table, now: float, due: float | None) -> Step | None:
    """What follows if the clock of the person to move, which ends at `due`, has run out: a computer player finishes the
    turn, or the seat resigns, if its last turn ran out, too. None if the clock has not run out."""
    if due is None or table.due is None or now < due:
        return None
    if table.mover.is_late:
        return resign(table, table.position.seat, now, is_late=True)
    return Step.of(table, TimedOut(at=now, seat=table.position.seat, player=_stand_in(table.ruleset)))


def _stand_in(ruleset: Ruleset) -> str:
    """The kind of computer player that finishes turns: no kind that needs values of the rules."""
    return "random" if available_here(ruleset).player("greedy") else "greedy"
