"""Take the last score or announcement back; with real dice, any entry."""

from fivedice.base.errors import IllegalError
from fivedice.server.table.answers import NotAllowedError, check_person
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import State, Table
from fivedice.server.table.verb import SeatCommand
from fivedice.server.table.verbs.play import NOTHING


class Undone(Change, frozen=True, tag="undone"):
    """A seat took its score or announcement back, with the steps of computer players after it; its turn continues with
    the same dice.

    It is the last score or announcement of a person, and no step at a person's seat has followed.

    With real dice it is the last entry: a roll, a score, an announcement or a resignation, also the one that ended the
    game, and everything before it one by one.
    """

    turns: int = 1
    """The turns that are to be played again: with real dice as many as its taking back gives, else always 1."""

    @property
    def changer(self) -> int | None:
        """Its seat."""
        return self.seat

    def apply(self, table: Table) -> Table:
        """The table at the turn before the score."""
        turn = table.undo_turn
        if turn is None or self.seat != turn.position.seat:
            raise IllegalError(f"seat {self.seat} has no score to take back")
        stand_in = table.seats[turn.position.seat].stand_in
        require(stand_in is None, f"{stand_in} acts for the seat")
        undo = {**NOTHING, "entries": table.entries[:-1]}
        after = table.next(self, turn=turn, decision=None, is_given_up=False, **undo)
        turns = after.turns_to_come - table.turns_to_come
        require(not table.is_real or turns == self.turns, f"{turns} turns are played again, not {self.turns}")
        return after


class Undo(SeatCommand, frozen=True, tag="undo"):
    """Take the last score or announcement back, which is possible until the next step at a person's seat or the end.

    A step of a stand-in there ends it, too, since it shows dice of that seat. The steps of computer players in seats of
    their own are taken back with it; they get the same dice again.

    With real dice, every entry can be taken back, the last one first, also after the end, until a rematch begins. In a
    rated game nothing can.
    """

    becomes = Undone

    def decide(self, table: Table, context: Context) -> Step:
        """Take it back."""
        if table.is_rated:
            raise NotAllowedError("this game is rated, so nothing is taken back", "rated")
        if table.undo_seat != self.seat:
            if table.state is State.OVER and not table.is_real:
                raise NotAllowedError(
                    "the game is over: the last score revealed the secret of the dice and stands", "ended"
                )
            raise NotAllowedError(
                "this seat has no score to take back: that is possible until the next roll or score at a person's seat",
                "nothing_to_undo",
            )
        check_person(table.seats[self.seat])
        turns = 1
        if table.is_real and table.undo_turn is not None:
            before = table.but(turn=table.undo_turn, is_given_up=False)
            turns = before.turns_to_come - table.turns_to_come
        return Step.of(table, Undone(at=context.now, seat=self.seat, turns=turns))
