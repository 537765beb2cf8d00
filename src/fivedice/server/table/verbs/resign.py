"""Give up the game."""

from dataclasses import replace

from fivedice.server.table.answers import NotAllowedError, check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import PERSON, LiveTurn, State, Table
from fivedice.server.table.verb import SeatCommand
from fivedice.server.table.verbs.play import NOTHING, entered


class Resigned(Change, frozen=True, tag="resigned"):
    """A person gave up the game; the others play on, or the last seat wins. What was scored before is final, unless the
    dice are real.

    The game also ends if no person is left. Its end reveals the secret.
    """

    unplayed: int
    """The turns that will not be played: those left on the card, or on all cards if the game ended."""
    is_late: bool = False
    """Whether the seat resigned because its clock had run out twice in a row."""

    @property
    def actor(self) -> int | None:
        """Its seat; None if the clock ran out."""
        return None if self.is_late else self.seat

    def apply(self, table: Table) -> Table:
        """The table without the seat, and without a stand-in for it."""
        index = table.index(self.seat)
        after = _without(table, index)
        unplayed = table.turns_to_come - after.turns_to_come
        require(self.unplayed == unplayed, f"{unplayed} turns are not played now, not {self.unplayed}")
        seat = replace(table.seats[index], stand_in=None)
        undo = NOTHING | (entered(table) if table.is_real else {})
        return table.next_with_seat(self, seat, turn=after.turn, is_given_up=after.is_given_up, **undo)


class Resign(SeatCommand, frozen=True, tag="resign"):
    """Give up the game for one's own seat, also when another seat is to move, and while a computer player acts for it.

    The others play on without the seat. If one seat is left, it wins; if no person is left, the game ends as well.
    """

    becomes = Resigned

    def decide(self, table: Table, context: Context) -> Step:
        """Give up."""
        check_not_ended(table)
        if table.state in (State.OPEN, State.OPENING):
            raise NotAllowedError("nobody can resign before the game has begun", "not_begun")
        return resign(table, self.seat, context.now)


def resign(table: Table, seat: int, now: float, *, is_late: bool = False) -> Step:
    """Give up for a seat; raises `IllegalError`."""
    unplayed = table.turns_to_come - _without(table, seat).turns_to_come
    return Step.of(table, Resigned(at=now, seat=seat, unplayed=unplayed, is_late=is_late))


def _without(table: Table, seat: int) -> Table:
    """The table with a person's seat that has just resigned, still at its version; raises `IllegalError`."""
    require(table.state is State.PLAYING, f"nobody can resign while the table is {table.state}")
    require(table.seats[seat].kind == PERSON, f"seat {seat} belongs to a computer player")
    turn = table.turn
    position = turn.position.resign(seat)
    if position.dice:
        turn = replace(turn, position=position)
    else:  # a turn with dice counts, as in the proof of a record, although it has no score
        turn = LiveTurn(turn.number + bool(turn.places), position, rolled_at=turn.rolled_at)
    people = (index for index, one in enumerate(table.seats) if one.kind == PERSON)
    return table.but(turn=turn, is_given_up=all(position.cards[index].resigned for index in people))
