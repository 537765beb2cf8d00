"""Fill a box."""

from dataclasses import replace

from fivedice.game import action as game
from fivedice.game.action import Offer
from fivedice.server.table.answers import check_turn
from fivedice.server.table.apply import Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import PERSON, Decision, LiveTurn, Table
from fivedice.server.table.verb import BoxId
from fivedice.server.table.verbs.play import NOTHING, PlayCommand, PlayEvent, not_allowed


class Scored(PlayEvent, frozen=True, tag="scored"):
    """A box was filled, which ended the turn. The last score ends the game and reveals the secret."""

    box: str
    points: int
    bonus: int = 0
    scratch: bool = False

    @property
    def action(self) -> game.Score:
        """The score as an action of the game."""
        return game.Score(self.box, self.scratch)

    def play(self, table: Table) -> Table:
        """The table at the next turn, if the box pays these points."""
        before = table.position
        offer = before.offer_for(self.action)
        require(
            (offer.points, offer.bonus) == (self.points, self.bonus),
            f"{offer.action} scores {offer.points} +{offer.bonus} in {before}, not {self.points} +{self.bonus}",
        )
        return self.take(table, offer)

    def take(self, table: Table, offer: Offer) -> Table:
        """The table at the next turn, after what the position offers for this score."""
        turn, before = table.turn, table.position
        position, seat = before.take(offer), table.mover
        decision = Decision(before, offer.action)
        # The end of the game reveals the secret of the dice, if there is one, so nothing can be taken back after it.
        undo = NOTHING if position.is_over and not table.is_real else self.undo_after(table, decision)
        if seat.stand_in:
            seat = replace(seat, stand_in=None)
        elif seat.is_late and self.by == PERSON:
            seat = replace(seat, is_late=False)
        return table.next(
            self,
            seats=table.seats_with(before.seat, seat),
            turn=LiveTurn(turn.number + 1, position, rolled_at=turn.rolled_at),
            decision=decision,
            **undo,
        )


class Score(PlayCommand, frozen=True, kw_only=True, tag="score"):
    """Fill a box."""

    becomes = Scored

    box: BoxId
    scratch: bool = False

    def action(self, table: Table) -> game.Score:
        """The score in a box."""
        return game.Score(self.box, self.scratch)

    def decide(self, table: Table, context: Context) -> Step:
        """Fill the box."""
        check_turn(table, self.seat)
        return score(table, self.action(table), context.now)


def score(table: Table, action: game.Score, now: float) -> Step:
    """Fill a box for the seat to move; raises `IllegalError` with the reason if the rules do not allow it."""
    position = table.position
    offer = next((offer for offer in position.offers() if offer.action == action), None)
    if offer is None:
        raise not_allowed(position, action)
    event = Scored(
        at=now,
        seat=position.seat,
        box=action.box,
        points=offer.points,
        bonus=offer.bonus,
        scratch=action.is_scratch,
        by=table.mover.decider,
    )
    return Step(event, event.take(table, offer))
