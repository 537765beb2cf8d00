"""Announce a box."""

from dataclasses import replace

from fivedice.game import action as game
from fivedice.server.table.answers import check_turn
from fivedice.server.table.apply import Step
from fivedice.server.table.context import Context
from fivedice.server.table.state import Decision, Table
from fivedice.server.table.verb import BoxId
from fivedice.server.table.verbs.play import PlayCommand, PlayEvent, not_allowed


class Announced(PlayEvent, frozen=True, tag="announced"):
    """A box was announced after the first roll of a turn, which must end in this box; the dice stay."""

    box: str

    @property
    def action(self) -> game.Announce:
        """The announcement as an action of the game."""
        return game.Announce(self.box)

    def play(self, table: Table) -> Table:
        """The table with the announcement."""
        turn = replace(table.turn, position=table.position.announce(self.action))
        decision = Decision(table.position, self.action)
        changes = self.undo_after(table, decision)
        return table.next(self, turn=turn, decision=decision, **changes)


class Announce(PlayCommand, frozen=True, kw_only=True, tag="announce"):
    """Announce a box after the first roll of a turn, under rules with columns whose boxes are announced."""

    becomes = Announced

    box: BoxId

    def action(self, table: Table) -> game.Announce:
        """The announcement."""
        return game.Announce(self.box)

    def decide(self, table: Table, context: Context) -> Step:
        """Announce the box."""
        check_turn(table, self.seat)
        return announce(table, self.action(table), context.now)


def announce(table: Table, action: game.Announce, now: float) -> Step:
    """Announce a box for the seat to move; raises `IllegalError` with the reason if the rules do not allow it."""
    position = table.position
    if position.why_illegal(action):
        raise not_allowed(position, action)
    return Step.of(table, Announced(at=now, seat=position.seat, box=action.box, by=table.mover.decider))
