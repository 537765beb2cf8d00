"""The next step of a computer player at a table, and when it is due.

Where people play, the server takes the steps at once, and each page shows them at the pace that its user has set.
Where only computer players play, the server takes them at a human pace, so that people can watch.
"""

from collections.abc import Callable

from fivedice.game.action import Action, Announce, Score
from fivedice.game.placed_turn import places_of
from fivedice.game.position import Position
from fivedice.server.table.apply import Step
from fivedice.server.table.state import PERSON, State, Table
from fivedice.server.table.verb import Chance
from fivedice.server.table.verbs.begin import roll_off
from fivedice.server.table.verbs.play import announce, roll, score

Choose = Callable[[str, Position], Action | None]
"""Returns the action of a kind of computer player in a position; None without what it plays by."""

_PACES_BEFORE_DICE = 5
"""Leaves time to add nonces, which must come before the first dice."""


def is_bots_turn(table: Table) -> bool:
    """Whether the table waits for a computer player. The opening roll does so only if no person can start it."""
    if table.state is State.OPENING:
        return all(seat.decider != PERSON for seat in table.seats)
    return table.state is State.PLAYING and table.mover.decider != PERSON


def due_at(table: Table, pace: float, acted_at: float) -> float | None:
    """When the computer player's next step is due, in seconds since 1970; None if it is a person's turn.

    `pace` is the number of seconds for one step where no person plays, and `acted_at` when the last one was.
    """
    if not is_bots_turn(table):
        return None
    people = [index for index, seat in enumerate(table.seats) if seat.decider == PERSON]
    if not table.has_begun and not all(_has_nonce(table, index) for index in people or range(len(table.seats))):
        return acted_at + _PACES_BEFORE_DICE * pace
    return acted_at if people else acted_at + pace


def _has_nonce(table: Table, seat: int) -> bool:
    return any(nonce.startswith(f"seat {seat} ") for nonce in table.nonces)


def bot_step(table: Table, choose: Choose, chance: Chance, now: float) -> Step | None:
    """The next step of the computer player to move; None on a person's turn, or if `choose` has no action yet."""
    if not is_bots_turn(table):
        return None
    if table.state is State.OPENING:
        return roll_off(table, chance, now)
    if not table.turn.places:
        return roll(table, (), chance, now)
    action = choose(table.mover.decider, table.position)
    return None if action is None else play(table, action, chance, now)


def play(table: Table, action: Action, chance: Chance, now: float) -> Step:
    """Play an action of the seat to move; raises `IllegalError` if the rules do not allow it."""
    if isinstance(action, Score):
        return score(table, action, now)
    if isinstance(action, Announce):
        return announce(table, action, now)
    return roll(table, places_of(action, table.turn.places, table.turn.kept), chance, now)
