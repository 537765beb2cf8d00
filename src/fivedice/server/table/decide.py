"""`decide`: turns a command into the next step of a table, or raises `RefusedError` with the reason."""

from msgspec.structs import replace

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.server.config.limits import MAX_CHANGES
from fivedice.server.table.answers import NotAllowedError, RefusedError
from fivedice.server.table.apply import Step
from fivedice.server.table.state import Table
from fivedice.server.table.tutor import check_loss
from fivedice.server.table.verb import Context
from fivedice.server.table.verbs import AddNonce, AnyCommand, Rematch
from fivedice.server.table.verbs.play import PlayCommand


def decide(table: Table, command: AnyCommand, context: Context) -> Step:
    """Return the event that a command becomes, with the table after it; raises `RefusedError`.

    A command made against an earlier version is checked against the table at that version, and if it was legal there it
    is stale. So a refused command gets the same answer however late it is repeated, unless the reason was time itself.
    """
    if command.version > table.version:
        raise RefusedError("malformed", f"the table never had version {command.version}: it is at {table.version}")
    newest, is_stale = table.version, command.version < table.version
    if is_stale:
        table = context.table_at(command.version)
    try:
        _check_seat(table, command, context.holds)
        _check_duplicate(table, command, context.now)
        step = command.decide(table, context)
        if isinstance(command, PlayCommand):
            step = _tutored(table, step, command, context)
        seat = step.event.changer
        if seat is not None and context.num_changes(seat, table.version) >= MAX_CHANGES:
            raise IllegalError(
                f"seat {seat} has reached the limit of {MAX_CHANGES} undone scores and changes of name at this table"
            )
    except NotAllowedError as error:
        raise RefusedError("illegal", str(error), code=error.code) from None
    except IllegalError as error:
        raise RefusedError("illegal", str(error)) from None
    except (MalformedError, UnknownError) as error:
        raise RefusedError("malformed", str(error)) from None
    if is_stale:
        raise RefusedError("stale", f"the table has moved on from version {command.version} to {newest}")
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
