"""What a computer player at a table does next, and when: one event at a time, as a person would."""

from collections.abc import Callable

from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.table.events import Rolled, RolledOff, Scored
from fivedice.server.table.state import PERSON, State, Table
from fivedice.server.table.turns import Chance, roll, roll_off, step

Choose = Callable[[str, Position], Action | None]
"""The action of a kind of computer player in a position; None while it cannot decide: its rules are being solved."""

_PACES_BEFORE_DICE = 5
"""Time for nonces, which must come before the first dice."""

_PACES_BEFORE_ROLL = 3
"""Time to take back the score before, which a roll makes final."""


def is_bots_turn(table: Table) -> bool:
    """Whether the table waits for a computer player; for who begins only if no person can press for it."""
    if table.state is State.OPENING:
        return all(seat.decider != PERSON for seat in table.seats)
    return table.state is State.PLAYING and table.mover.decider != PERSON


def due_at(table: Table, pace: float) -> float | None:
    """When the computer player's next step is due, in seconds since 1970, with `pace` seconds a step; None if no
    computer player is to act."""
    if not is_bots_turn(table):
        return None
    if not table.has_begun:
        return table.acted_at + _PACES_BEFORE_DICE * pace
    return table.acted_at + (pace if table.undo is None else _PACES_BEFORE_ROLL * pace)


def bot_step(table: Table, choose: Choose, chance: Chance, now: float) -> Rolled | Scored | RolledOff | None:
    """The next step of the computer player to move; None if a person is to act, or if it cannot decide yet."""
    if not is_bots_turn(table):
        return None
    if table.state is State.OPENING:
        return roll_off(table, chance, now)
    if not table.turn.places:
        return roll(table, (), chance, now)
    action = choose(table.mover.decider, table.position)
    return None if action is None else step(table, action, chance, now)
