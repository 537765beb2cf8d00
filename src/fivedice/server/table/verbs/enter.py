"""Enter a roll of real dice."""

from typing import Annotated, ClassVar

from msgspec import Meta

from fivedice.base.errors import IllegalError
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.server.table.answers import check_turn
from fivedice.server.table.apply import Step
from fivedice.server.table.context import Context
from fivedice.server.table.state import Table
from fivedice.server.table.verb import Faces, Kept
from fivedice.server.table.verbs.play import PlayCommand
from fivedice.server.table.verbs.roll import Rolled, check_kept

MAX_MISSING = 1_000
"""Far more than the rolls of any turn, with all that a card can save."""


class Entered(Rolled, frozen=True, tag="entered"):
    """A roll of real dice was entered: all dice in their places, and which of them were kept (empty for the first roll
    that is entered in a turn)."""

    missing: int = 0
    """The rolls of this turn before the first entered one, of which nothing is known."""
    is_real: ClassVar[bool] = True

    def first(self, before: Position) -> Position:
        """The position after it as the first known roll of a turn."""
        return before.roll(tuple(self.dice), self.missing)


class Enter(PlayCommand, frozen=True, kw_only=True, tag="enter"):
    """Enter the faces of a roll of real dice, in their places, at a table that was created for them.

    `kept` says of each place whether its die stayed; it is empty for the first roll that is entered in a turn. That may
    be a later one than the first, also the last: then `missing` rolls before it are not entered.
    """

    becomes = Entered

    dice: Faces
    kept: Kept
    missing: Annotated[int, Meta(ge=0, le=MAX_MISSING)] = 0

    def action(self, table: Table) -> Keep:
        """The dice that stayed."""
        return table.turn.keep(tuple(self.kept))

    def decide(self, table: Table, context: Context) -> Step:
        """Take the faces over."""
        check_turn(table, self.seat)
        if not table.is_real:
            raise IllegalError("this table rolls its own dice: faces are entered only where the dice are real")
        check_kept(table.turn, self.kept)
        if table.turn.places and self.missing:
            raise IllegalError("rolls are missing only before the first one that is entered in a turn")
        event = Entered(at=context.now, seat=self.seat, dice=self.dice, kept=self.kept, missing=self.missing)
        return Step(event, event.apply(table))
