"""`decide`: turns a command into the next step of a table, or raises `RefusedError` with the reason."""

from collections.abc import Callable

from msgspec.structs import replace

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Action, Announce, Score
from fivedice.game.placed_turn import places_of
from fivedice.game.position import Position
from fivedice.game.proof import TableDice
from fivedice.server.limits import MAX_CHANGES
from fivedice.server.table.answers import NotAllowedError, RefusedError
from fivedice.server.table.apply import Step
from fivedice.server.table.state import PERSON, State, Table
from fivedice.server.table.tutor import check_loss
from fivedice.server.table.verb import Context
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.begin import AddNonce, roll_off
from fivedice.server.table.verbs.end import Rematch
from fivedice.server.table.verbs.play import PlayCommand, announce, roll, score


def decide(table: Table, command: AnyCommand, context: Context) -> Step:
    """Return the event that a command becomes, with the table after it; raises `RefusedError`.

    A command made against an earlier version is stale, whatever it asks for: its user has seen another table.
    """
    if command.version > table.version:
        raise RefusedError("malformed", f"the table never had version {command.version}: it is at {table.version}")
    if command.version < table.version:
        raise RefusedError("stale", f"the table has moved on from version {command.version} to {table.version}")
    try:
        _check_seat(table, command, context.holds)
        _check_duplicate(table, command, context.now)
        step = command.decide(table, context)
        if isinstance(command, PlayCommand):
            step = _tutored(table, step, command, context)
        seat = step.event.changer
        if seat is not None and context.num_changes[seat] >= MAX_CHANGES:
            raise IllegalError(
                f"seat {seat} has reached the limit of {MAX_CHANGES} undone scores and changes of name at this table"
            )
    except NotAllowedError as error:
        raise RefusedError("illegal", str(error), code=error.code) from None
    except IllegalError as error:
        raise RefusedError("illegal", str(error)) from None
    except (MalformedError, UnknownError) as error:
        raise RefusedError("malformed", str(error)) from None
    return step


def _check_seat(table: Table, command: AnyCommand, holds: frozenset[int]) -> None:
    """Check that the seat exists and that the sender may act for it."""
    if command.seat is not None and command.seat >= len(table.seats):
        raise UnknownError(f"there is no seat {command.seat}: the seats are 0 to {len(table.seats) - 1}")
    if not command.may_act(table, holds):
        raise RefusedError("not_yours", f"seat {command.seat} is not yours")


def _check_duplicate(table: Table, command: AnyCommand, now: float) -> None:
    """Check that an entry of a duplicate keeps its dice and its player, and that the duplicate has not closed."""
    duplicate = table.created.duplicate
    if duplicate is None:
        return
    if isinstance(command, AddNonce | Rematch):
        raise IllegalError("everybody plays the same dice here, alone and once: there is no nonce and no rematch")
    if now >= duplicate.closes:
        raise NotAllowedError("the time for this game has passed", "closed")


def _tutored(table: Table, step: Step, command: PlayCommand, context: Context) -> Step:
    """The step, with the tutor's questions in its decision; a costly one is refused if it is not asked for anyway."""
    if table.help != "tutor" or not table.turn.places:
        return step
    action = command.action(table)
    if not command.anyway and context.loss_of is not None:
        check_loss(table, action, context.loss_of, context.questions)
    asked = context.questions.about(table)
    if not asked:
        return step
    return Step.of(table, replace(step.event, asked=len(asked), changed=action not in asked))


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


def bot_step(table: Table, choose: Choose, chance: TableDice, now: float) -> Step | None:
    """The next step of the computer player to move; None on a person's turn, or if `choose` has no action yet."""
    if not is_bots_turn(table):
        return None
    if table.state is State.OPENING:
        return roll_off(table, chance, now)
    if not table.turn.places:
        return roll(table, (), chance, now)
    action = choose(table.mover.decider, table.position)
    return None if action is None else play(table, action, chance, now)


def play(table: Table, action: Action, chance: TableDice, now: float) -> Step:
    """Play an action of the seat to move; raises `IllegalError` if the rules do not allow it."""
    if isinstance(action, Score):
        return score(table, action, now)
    if isinstance(action, Announce):
        return announce(table, action, now)
    return roll(table, places_of(action, table.turn.places, table.turn.kept), chance, now)
