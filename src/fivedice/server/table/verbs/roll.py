"""Roll the dice."""

from collections.abc import Sequence
from typing import ClassVar

from fivedice.base.errors import IllegalError
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.server.table.answers import check_turn
from fivedice.server.table.apply import Step, require
from fivedice.server.table.context import Chance, Context
from fivedice.server.table.state import PERSON, Decision, LiveTurn, Table
from fivedice.server.table.verb import Kept
from fivedice.server.table.verbs.play import PlayCommand, PlayEvent, not_allowed


class Rolled(PlayEvent, frozen=True, tag="rolled"):
    """Dice were rolled: all dice in their places, and which of them were kept (empty for the first roll of a turn)."""

    dice: list[int]
    kept: list[bool]
    is_real: ClassVar[bool] = False
    """Whether a person entered it."""

    def first(self, before: Position) -> Position:
        """The position after it as the first roll of a turn."""
        return before.roll(tuple(self.dice))

    def play(self, table: Table) -> Table:
        """The table with other dice. The first roll of a turn makes the last score final."""
        require(self.is_real == table.is_real, "rolls are entered at a table with real dice, and only there")
        turn, dice, kept = table.turn, tuple(self.dice), tuple(self.kept)
        before, decision = turn.position, table.decision
        require(len(dice) == table.ruleset.dice, f"{len(dice)} dice are rolled: want {table.ruleset.dice}")
        if turn.places:
            keep = turn.keep(kept)
            places = list(zip(dice, turn.places, kept, strict=True))
            require(all(new == old for new, old, is_kept in places if is_kept), "a kept die shows another face")
            position = before.play(keep, tuple(new for new, _, is_kept in places if not is_kept))
            decision = Decision(before, keep)
        else:
            require(not kept, "no die is kept for the first roll of a turn")
            position = self.first(before)
            kept = (False,) * len(dice)
        new_turn = LiveTurn(number=turn.number, position=position, places=dice, kept=kept, rolled_at=table.version + 1)
        if not turn.places and table.undoable and table.mover.kind == PERSON:
            decision = table.undoable  # it is final now, and can be judged
        return table.next(self, turn=new_turn, decision=decision, **self.undo_after(table))


class Roll(PlayCommand, frozen=True, kw_only=True, tag="roll"):
    """Roll the dice that are not kept. `kept` has one entry for each place; it is empty for the first roll."""

    becomes = Rolled

    kept: Kept

    def action(self, table: Table) -> Keep:
        """The dice to keep."""
        return table.turn.keep(tuple(self.kept))

    def decide(self, table: Table, context: Context) -> Step:
        """Roll with the table's dice."""
        check_turn(table, self.seat)
        if table.is_real:
            raise IllegalError("this table is played with real dice: roll them, and enter what they show")
        return roll(table, self.kept, context.chance, context.now)


def roll(table: Table, kept: Sequence[bool], chance: Chance, now: float) -> Step:
    """Roll the dice that are not kept, or all dice for the first roll of a turn.

    Keeping every die is legal, as in the engine: it uses up a roll and changes no die.
    Raises `IllegalError` with the reason if the seat to move cannot roll like this.
    """
    turn, ruleset = table.turn, table.ruleset
    check_kept(turn, kept)
    dice = [
        turn.places[index] if kept and kept[index] else chance.die(turn.number, turn.num_rolled, index, ruleset.faces)
        for index in range(ruleset.dice)
    ]
    event = Rolled(at=now, seat=turn.position.seat, dice=dice, kept=list(kept), by=table.mover.decider)
    return Step.of(table, event)


def check_kept(turn: LiveTurn, kept: Sequence[bool]) -> None:
    """Raise `IllegalError` with the reason if the seat to move cannot keep these dice and roll the others."""
    if turn.places:
        keep = turn.keep(tuple(kept))
        if turn.position.why_illegal(keep):
            raise not_allowed(turn.position, keep)
    elif kept:
        raise IllegalError("the first roll of a turn keeps no dice: send an empty list as kept")
