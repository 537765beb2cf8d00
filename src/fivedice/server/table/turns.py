"""Steps of play: a roll with the table's own dice, a score, or the opening roll.

The dice depend only on the turn, the number of the roll and the place of the die, never on who decides.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from fivedice.errors import IllegalError
from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.opening import choose_opening
from fivedice.game.placed import places_of
from fivedice.game.position import Position
from fivedice.server.table.apply import Step, after_resignation
from fivedice.server.table.commands import Code
from fivedice.server.table.events import Announced, Resigned, Rolled, RolledOff, Scored
from fivedice.server.table.refusals import NotAllowedError
from fivedice.server.table.state import HIGHEST_ROLL, State, Table


class Chance(Protocol):
    """The dice of one table, derived from its secret and its nonces: `fivedice.proof.TableDice`."""

    def die(self, turn: int, roll: int, index: int, faces: int) -> int:
        """The face that a place shows if it is rolled in this roll of this turn."""
        ...

    def opening(self) -> Callable[[int], int]:
        """A source of random numbers for the opening roll: each call returns a number from 1 to its argument."""
        ...


def roll(table: Table, kept: Sequence[bool], chance: Chance, now: float) -> Step:
    """Roll the dice that are not kept, or all dice for the first roll of a turn.

    Keeping every die is legal, as in the engine: it uses up a roll and changes no die.
    Raises `IllegalError` with the reason if the seat to move cannot roll like this.
    """
    turn, ruleset = table.turn, table.ruleset
    if turn.places:
        keep = turn.keep(tuple(kept))
        if why := turn.position.why_illegal(keep):
            raise _not_allowed(turn.position, keep, why)
    elif kept:
        raise IllegalError("the first roll of a turn keeps no dice: send an empty list as kept")
    dice = [
        turn.places[index] if kept and kept[index] else chance.die(turn.number, turn.num_rolled, index, ruleset.faces)
        for index in range(ruleset.dice)
    ]
    event = Rolled(at=now, seat=turn.position.seat, dice=dice, kept=list(kept), by=table.mover.decider)
    return Step.of(table, event)


def score(table: Table, action: Score, now: float) -> Step:
    """Fill a box for the seat to move; raises `IllegalError` with the reason if the rules do not allow it."""
    position = table.position
    offer = next((offer for offer in position.offers() if offer.action == action), None)
    if offer is None:
        raise _not_allowed(position, action, position.why_illegal(action))
    event = Scored(
        at=now,
        seat=position.seat,
        box=action.box,
        points=offer.points,
        bonus=offer.bonus,
        scratch=action.is_scratch,
        by=table.mover.decider,
    )
    return Step.of(table, event, offer)


def announce(table: Table, action: Announce, now: float) -> Step:
    """Announce a box for the seat to move; raises `IllegalError` with the reason if the rules do not allow it."""
    position = table.position
    if why := position.why_illegal(action):
        raise _not_allowed(position, action, why)
    return Step.of(table, Announced(at=now, seat=position.seat, box=action.box, by=table.mover.decider))


def play(table: Table, action: Action, chance: Chance, now: float) -> Step:
    """Play an action of the seat to move; raises `IllegalError` if the rules do not allow it."""
    if isinstance(action, Score):
        return score(table, action, now)
    if isinstance(action, Announce):
        return announce(table, action, now)
    return roll(table, places_of(action, table.turn.places, table.turn.kept), chance, now)


def resign(table: Table, seat: int, now: float) -> Step:
    """Give up the game for a person's seat; raises `IllegalError` with the reason if it cannot resign now."""
    if table.state in (State.OPEN, State.OPENING):
        raise NotAllowedError("nobody can resign before the game has begun", "not_begun")
    after = after_resignation(table, seat)
    return Step.of(table, Resigned(at=now, seat=seat, unplayed=table.turns_to_come - after.turns_to_come))


def roll_off(table: Table, chance: Chance, now: float, seat: int | None = None) -> Step:
    """Roll for who begins, repeating for tied seats; `seat` is the seat that started it, if any."""
    opening = choose_opening(HIGHEST_ROLL, table.ruleset.dice, table.ruleset.faces, len(table.seats), chance.opening())
    rounds = [[totals.get(index) for index in range(len(table.seats))] for totals in opening.rounds]
    return Step.of(table, RolledOff(at=now, seat=seat, rounds=rounds, first=opening.first))


def _not_allowed(position: Position, action: Action, why: str) -> NotAllowedError:
    return NotAllowedError(f"{action}: {why}", _code(position, action))


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
