"""Let a computer player act for a seat."""

from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from fivedice.base.errors import IllegalError
from fivedice.server.table.answers import NotAllowedError, check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.available import require_player
from fivedice.server.table.context import Context
from fivedice.server.table.event import Event
from fivedice.server.table.state import PERSON, Table
from fivedice.server.table.verb import SeatCommand


class StoodIn(Change, frozen=True, tag="stood_in"):
    """A computer player acts for a seat: for one turn (`turns` is 1) or until the person returns (0).

    `asked_by` is the seat that asked for it, unless the seat's own person did.
    """

    player: str
    turns: int = 0
    asked_by: int | None = None

    @property
    def changer(self) -> int | None:
        """Its seat, if its own person asked."""
        return self.seat if self.asked_by is None else None

    @property
    def actor(self) -> int | None:
        """The seat that asked."""
        return self.seat if self.asked_by is None else self.asked_by

    def apply(self, table: Table) -> Table:
        """The table with the stand-in."""
        return decided_by(table, self, self.player, is_skip=self.turns == 1)


class StandIn(SeatCommand, frozen=True, tag="stand_in"):
    """Let a computer player act for one's own seat, unless the game is rated, or for an idle one.

    `turns` is 1 for one turn, or 0 until the person returns.
    Only this command may name a seat that the sender does not hold; the sender must hold another seat at the table.
    """

    becomes = StoodIn

    player: Annotated[str, Meta(max_length=40)] = "greedy"
    turns: Annotated[int, Meta(ge=0, le=1)] = 0

    def may_act(self, table: Table, holds: frozenset[int]) -> bool:
        """Whether the sender holds any seat."""
        return bool(holds)

    def sender(self, holds: frozenset[int], watcher: str) -> str:
        """Its seat, or the one that asks for a stand-in elsewhere."""
        return str(self.seat if self.seat in holds else min(holds))

    def decide(self, table: Table, context: Context) -> Step:
        """Let the computer player act, if the seat is the sender's own or idle."""
        check_not_ended(table)
        seat, now = table.seats[self.seat], context.now
        if seat.kind != PERSON or seat.is_open:
            raise IllegalError(f"no person sits at seat {self.seat}")
        if table.is_real:
            raise IllegalError("this table is played with real dice, which no computer player can roll")
        if table.position.cards[self.seat].resigned:
            raise IllegalError(f"seat {self.seat} has resigned")
        require_player(self.player, table.ruleset)
        if table.is_rated and self.seat in context.holds:
            raise NotAllowedError("this game is rated: play it yourself, or resign", "rated")
        asked_by = None
        if self.seat not in context.holds:
            silent_at = table.silent_at(context.away) if self.seat == table.position.seat else None
            if silent_at is None:
                raise IllegalError(f"seat {self.seat} does not keep the others waiting")
            if now < silent_at:
                left = silent_at - now
                raise NotAllowedError(f"seat {self.seat} may still act for {left:.0f} s", "still_acts", left)
            asked_by = min(context.holds)
        event = StoodIn(at=now, seat=self.seat, player=self.player, turns=self.turns, asked_by=asked_by)
        return Step.of(table, event)


def decided_by(table: Table, event: Event, stand_in: str | None, *, is_skip: bool = False) -> Table:
    """The table after an event that changes who acts for a person's seat; None is the person."""
    index = table.index(event.seat)
    seat = table.seats[index]
    require(seat.kind == PERSON and not seat.is_open, f"no person sits at seat {index}")
    require(not table.has_ended, f"the table is {table.state}")
    require(not table.is_real, "no computer player acts with real dice")
    return table.next_with_seat(event, replace(seat, stand_in=stand_in, is_skip=is_skip))
