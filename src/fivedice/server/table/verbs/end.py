"""How play is taken back and ended: undo, resign, close the table, play again, and a clock that ran out."""

from dataclasses import replace

from fivedice.base.errors import IllegalError, require
from fivedice.server.table.answers import NotAllowedError, check_not_ended, check_person
from fivedice.server.table.apply import Change, Step
from fivedice.server.table.state import PERSON, LiveTurn, State, Table
from fivedice.server.table.verb import Context, SeatCommand
from fivedice.server.table.verbs.play import NOTHING, entered


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
        replayed = max(table.replayed, table.turn.number if table.turn.places else table.turn.number - 1)
        after = table.next(self, turn=turn, decision=None, is_given_up=False, replayed=replayed, **undo)
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
            raise NotAllowedError("you can resign once the game has begun", "not_begun")
        return resign(table, self.seat, context.now)


def resign(table: Table, seat: int, now: float, *, is_late: bool = False) -> Step:
    """Give up for a seat; raises `IllegalError`."""
    unplayed = table.turns_to_come - _without(table, seat).turns_to_come
    return Step.of(table, Resigned(at=now, seat=seat, unplayed=unplayed, is_late=is_late))


def _without(table: Table, seat: int) -> Table:
    """The table with a person's seat that has just resigned, still at its version; raises `IllegalError`."""
    require(table.state is State.PLAYING, f"no seat can resign while the table is {table.state}")
    require(table.seats[seat].kind == PERSON, f"seat {seat} belongs to a computer player")
    turn = table.turn
    position = turn.position.resign(seat)
    if position.dice:
        turn = replace(turn, position=position)
    else:  # a turn with dice counts, as in the proof of a record, although it has no score
        turn = LiveTurn(turn.number + bool(turn.places), position, rolled_at=turn.rolled_at)
    people = (index for index, one in enumerate(table.seats) if one.kind == PERSON)
    return table.but(turn=turn, is_given_up=all(position.cards[index].resigned for index in people))


class TimedOut(Change, frozen=True, tag="timed_out"):
    """The clock of the seat to move ran out, so that a computer player finishes its turn."""

    player: str

    @property
    def actor(self) -> int | None:
        """None: no player did this."""
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
    stand_in = "random" if table.here.greedy else "greedy"  # no kind that needs values of the rules
    return Step.of(table, TimedOut(at=now, seat=table.position.seat, player=stand_in))


class Closed(Change, frozen=True, tag="closed"):
    """A seat ended the table before its game was over; the secret is revealed."""

    def apply(self, table: Table) -> Table:
        """The table, closed."""
        require(not table.has_ended, f"the table is {table.state} already")
        return table.next(self, is_closed=True, **NOTHING)


class Close(SeatCommand, frozen=True, tag="close"):
    """End the table for all: any seat may before the game has begun, and later only while no other person plays; no
    seat of a tournament may."""

    becomes = Closed

    def decide(self, table: Table, context: Context) -> Step:
        """End the table."""
        check_not_ended(table)
        if table.created.tournament is not None:
            raise NotAllowedError("this game belongs to a tournament: resign instead", "rated")
        if not table.can_close(context.holds):
            raise NotAllowedError("others are playing: resign instead", "others_play")
        return Step.of(table, Closed(at=context.now, seat=self.seat))


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
