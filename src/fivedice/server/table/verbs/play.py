"""What the verbs of a turn have in common: roll, score and announce."""

from dataclasses import replace
from typing import Any

from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.server.table.answers import Code, NotAllowedError
from fivedice.server.table.apply import Change, require
from fivedice.server.table.state import PERSON, Decision, State, Table
from fivedice.server.table.verb import SeatCommand

NOTHING: dict[str, Any] = {"undo": None, "undoable": None, "entries": ()}
"""The changes after which nothing can be taken back."""


def entered(table: Table) -> dict[str, Any]:
    """The changes after one more entry at a table with real dice, which can be taken back."""
    return {"entries": (*table.entries, table.turn)}


class PlayCommand(SeatCommand, frozen=True):
    """A command of the seat to move."""

    anyway: bool = False
    """Skip the tutor's question about a costly action."""

    def action(self, table: Table) -> Action:
        """The action that it asks for, once the first dice of the turn are rolled."""
        raise NotImplementedError


class PlayEvent(Change, frozen=True, kw_only=True):
    """An action of a seat, and how the tutor had a part in it."""

    asked: int = 0
    """The actions that the tutor had questioned before this one, in the same decision."""
    changed: bool = False
    """Whether this action is none of them."""
    by: str = PERSON
    """"person", or the kind of the computer player that decided."""

    @property
    def actor(self) -> int | None:
        """Its seat; None if a computer player decided."""
        return self.seat if self.by == PERSON else None

    def play(self, table: Table) -> Table:
        """The table after the action of the seat to move, apart from the tutor's questions; raises `ValueError`."""
        raise NotImplementedError

    def apply(self, table: Table) -> Table:
        """The table after the action, with the tutor's questions counted: those of undone decisions, too."""
        require(table.state is State.PLAYING, f"nothing is played while the table is {table.state}")
        require(self.seat == table.position.seat, f"seat {self.seat} acts in the turn of seat {table.position.seat}")
        decider = table.mover.decider
        require(self.by == decider, f"{self.by} acts for seat {self.seat}, but {decider} decides there")
        after = self.play(table)
        if not self.asked:
            return after
        index = after.index(self.seat)
        seat = after.seats[index]
        seat = replace(seat, asked=seat.asked + self.asked, changed=seat.changed + self.changed)
        return after.but(seats=after.seats_with(index, seat))

    def undo_after(self, table: Table, decision: Decision | None = None) -> dict[str, Any]:
        """What can be taken back then, as changes: `decision` if a person took it, nothing once a person's seat acts.

        Undo after a step at a person's seat, also of a stand-in, would let that person decide with dice known that the
        seat rolls later. A computer player's dice come up again if its steps are taken back, and it does not know them.
        Real dice are entered, so nobody learns them from an undo.
        """
        if table.is_real:
            return entered(table)
        if table.mover.kind != PERSON:
            return {}
        return {**NOTHING, "undo": table.turn, "undoable": decision} if decision and self.by == PERSON else NOTHING


def not_allowed(position: Position, action: Action) -> NotAllowedError:
    """The error for an illegal action, with its code."""
    return NotAllowedError(f"{action}: {position.why_illegal(action)}", _code(position, action))


def _code(position: Position, action: Action) -> Code | None:
    """The code for an illegal action; None for mistakes that only a faulty client makes."""
    if not position.dice:
        return "roll_first"
    if isinstance(action, Keep):
        return "no_rolls" if not position.rolls_left else "must_announce" if position.card.must_announce else None
    box = position.ruleset.box_index.get(action.box)
    if box is None:
        return None
    if position.card.boxes[box] is not None:
        return "box_filled"
    return "box_closed" if position.why_closed(box) else None
