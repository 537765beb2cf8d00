"""A step of play as an event: a roll with the dice of the table's own chance, or a score.

Whoever decides, the dice are the same: they depend on the turn, the number of its roll and their place alone.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from fivedice.dice import Dice
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Score
from fivedice.game.opening import choose_opening
from fivedice.game.placed import places_of
from fivedice.game.position import Position
from fivedice.server.table.commands import Code
from fivedice.server.table.events import Rolled, RolledOff, Scored
from fivedice.server.table.refusals import NotAllowedError
from fivedice.server.table.state import HIGHEST_ROLL, Table


class Chance(Protocol):
    """The dice of one table, made from its secret and its nonces: `fivedice.proof.TableDice`."""

    def dice(self, turn: int, roll: int, num_dice: int, faces: int) -> Dice:
        """What each place shows if it is rolled then."""
        ...

    def opening(self) -> Callable[[int], int]:
        """Chance for who begins: each call gives a number from 1 to its argument."""
        ...


def roll(table: Table, kept: Sequence[bool], chance: Chance, now: float) -> Rolled:
    """The next roll of the seat to move: of the dice that are not kept, or of all for the first of the turn.

    Keeping every die is legal, as in the engine: a roll of none, that changes no die and is gone.
    Raises `IllegalError` with the reason if the seat cannot roll so.
    """
    turn, ruleset = table.turn, table.ruleset
    if turn.places:
        _check(turn.position, turn.keep(tuple(kept)))
    elif kept:
        raise IllegalError("there is nothing to keep before the first roll of a turn: kept is empty for it")
    came_up = chance.dice(turn.number, turn.num_rolled, ruleset.dice, ruleset.faces)
    if turn.places:
        places = zip(turn.places, came_up, kept, strict=True)
        came_up = tuple(old if is_kept else new for old, new, is_kept in places)
    return Rolled(at=now, seat=turn.position.seat, dice=list(came_up), kept=list(kept), by=table.mover.decider)


def score(table: Table, action: Score, now: float) -> Scored:
    """The seat to move fills a box; raises `IllegalError` with the reason if it cannot."""
    _check(table.position, action)
    offer = table.position.offer_for(action)
    return Scored(
        at=now,
        seat=table.position.seat,
        box=action.box,
        points=offer.points,
        bonus=offer.bonus,
        scratch=action.is_scratch,
        by=table.mover.decider,
    )


def _check(position: Position, action: Action) -> None:
    why = position.why_illegal(action)
    if why:
        raise NotAllowedError(f"{action}: {why}", _code(position, action))


def _code(position: Position, action: Action) -> Code | None:
    """Which of the usual reasons bars an illegal action; None for those that only a faulty client meets."""
    if not position.dice:
        return "roll_first"
    if not isinstance(action, Score):
        return None if position.rolls_left else "no_rolls"
    box = position.ruleset.box_index.get(action.box)
    if box is None:
        return None
    if position.card.boxes[box] is not None:
        return "box_filled"
    return "box_closed" if position.why_closed(box) else None


def step(table: Table, action: Action, chance: Chance, now: float) -> Rolled | Scored:
    """An action of the seat to move, as an event; raises `IllegalError` if the rules do not allow it."""
    if isinstance(action, Score):
        return score(table, action, now)
    return roll(table, places_of(action, table.turn.places, table.turn.kept), chance, now)


def roll_off(table: Table, chance: Chance, now: float, seat: int | None = None) -> RolledOff:
    """All seats roll for who begins, the tied ones again; `seat` is the one that asked for it."""
    opening = choose_opening(HIGHEST_ROLL, table.ruleset, len(table.seats), chance.opening())
    rounds = [[totals.get(index) for index in range(len(table.seats))] for totals in opening.rounds]
    return RolledOff(at=now, seat=seat, rounds=rounds, first=opening.first)
