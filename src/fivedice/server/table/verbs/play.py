"""Play a turn: roll, enter a roll of real dice, score and announce."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from fivedice.base.errors import IllegalError, require
from fivedice.game import action as game
from fivedice.game.action import Action, Keep, Offer
from fivedice.game.position import Position
from fivedice.game.proof import TableDice
from fivedice.server.table.answers import Code, NotAllowedError, check_turn
from fivedice.server.table.apply import Change, Step
from fivedice.server.table.state import PERSON, Decision, LiveTurn, State, Table
from fivedice.server.table.verb import BoxId, Context, Faces, Kept, SeatCommand

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


def roll(table: Table, kept: Sequence[bool], chance: TableDice, now: float) -> Step:
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
