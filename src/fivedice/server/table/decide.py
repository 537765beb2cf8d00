"""`decide`: turns a command into the next step of a table, or raises `RefusedError` with the reason."""

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec.structs import replace

from fivedice.errors import IllegalError, MalformedError, UnknownError, shown, suggest
from fivedice.game import action as game
from fivedice.game.names import checked_name
from fivedice.game.position import Position
from fivedice.proof import MAX_NONCES
from fivedice.server.config.limits import MAX_CHANGES
from fivedice.server.table import turns
from fivedice.server.table.apply import Step
from fivedice.server.table.available import COMPUTERS, require_player
from fivedice.server.table.commands import (
    AddNonce,
    Announce,
    AnyCommand,
    Close,
    Rematch,
    Resign,
    Return,
    Roll,
    RollOff,
    Score,
    Sit,
    StandIn,
    Undo,
)
from fivedice.server.table.events import (
    Closed,
    NonceAdded,
    Rematched,
    Returned,
    Sat,
    StoodIn,
    Undone,
    changer,
)
from fivedice.server.table.questions import Questions
from fivedice.server.table.refusals import NotAllowedError, RefusedError
from fivedice.server.table.state import PERSON, Seat, State, Table
from fivedice.server.table.turns import Chance
from fivedice.server.table.uptime import ALWAYS, Uptime
from fivedice.views.action import action_parts

LossOf = Callable[[Position, game.Action], tuple[float, game.Action] | None]
"""Returns the loss of an action in points of expected final score, and the best action; None if not known yet."""

_ENDED = {State.OVER: "the game is over", State.CLOSED: "the table is closed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a decision depends on besides the table and the command."""

    holds: frozenset[int]
    """The seats that the sender holds."""
    now: float
    """Seconds since 1970."""
    chance: Chance
    """The dice of the table."""
    table_at: Callable[[int], Table]
    """Returns the table at an earlier version."""
    num_changes: Callable[[int, int], int]
    """Returns how many changes, as `events.changer` counts them, a seat had made up to a version."""
    rematch: str
    """The id for a rematch."""
    num_watcher_nonces: int = 0
    """How many nonces the sender has added as a watcher."""
    loss_of: LossOf | None = None
    """The tutor's loss function."""
    questions: Questions = field(default_factory=Questions)
    """The tutor's questions so far; `decide` adds those that it asks."""
    uptime: Uptime = ALWAYS
    """When the service was up."""


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
        step = _decide(table, command, context)
        if isinstance(command, Roll | Score | Announce):
            step = _tutored(table, step, command, context)
        seat = changer(step.event)
        if seat is not None and context.num_changes(seat, table.version) >= MAX_CHANGES:
            raise IllegalError(
                f"seat {seat} has reached the limit of {MAX_CHANGES} undone scores and changes of name or player "
                "at this table"
            )
    except NotAllowedError as error:
        raise RefusedError("illegal", str(error), code=error.code, seconds=error.seconds) from None
    except IllegalError as error:
        raise RefusedError("illegal", str(error)) from None
    except (MalformedError, UnknownError) as error:
        raise RefusedError("malformed", str(error)) from None
    if is_stale:
        raise RefusedError("stale", f"the table has moved on from version {command.version} to {newest}")
    return step


def _check_seat(table: Table, command: AnyCommand, holds: frozenset[int]) -> None:
    """Check that the seat exists and that the sender may act for it."""
    seat = command.seat
    if seat is None:
        return
    if seat >= len(table.seats):
        raise UnknownError(f"there is no seat {seat}: the seats are 0 to {len(table.seats) - 1}")
    is_free = isinstance(command, Sit) and table.seats[seat].is_open
    is_for_another = isinstance(command, StandIn) and bool(holds)
    if seat not in holds and not is_free and not is_for_another:
        raise RefusedError("not_yours", f"seat {seat} is not yours")


def _decide(table: Table, command: AnyCommand, context: Context) -> Step:
    now = context.now
    match command:
        case Roll():
            _require_turn(table, command.seat)
            return turns.roll(table, command.kept, context.chance, now)
        case Score():
            _require_turn(table, command.seat)
            return turns.score(table, game.Score(command.box, command.scratch), now)
        case Announce():
            _require_turn(table, command.seat)
            return turns.announce(table, game.Announce(command.box), now)
        case Undo():
            return Step.of(table, _undo(table, command, now))
        case Rematch():
            return Step.of(table, _rematch(table, command, context))
    if table.has_ended:
        raise NotAllowedError(_ENDED[table.state], "ended")
    match command:
        case Sit():
            return Step.of(table, _sit(table, command, now))
        case AddNonce():
            _check_nonce(table, command.seat, context.num_watcher_nonces)
            return Step.of(table, NonceAdded(at=now, seat=command.seat, nonce=command.nonce))
        case RollOff():
            if table.state is not State.OPENING:
                raise IllegalError("no opening roll is due now")
            return turns.roll_off(table, context.chance, now, command.seat)
        case StandIn():
            return Step.of(table, _stand_in(table, command, context))
        case Return():
            if table.seats[command.seat].stand_in is None:
                raise IllegalError(f"no computer player acts for seat {command.seat}")
            return Step.of(table, Returned(at=now, seat=command.seat))
        case Resign():
            return turns.resign(table, command.seat, now)
        case Close():
            return Step.of(table, _close(table, command, context))


def _require_turn(table: Table, seat: int) -> None:
    match table.state:
        case State.OPEN:
            raise NotAllowedError("the game begins when every seat is taken", "not_begun")
        case State.OPENING:
            raise NotAllowedError("the seats must first roll for who begins", "not_begun")
        case State.OVER | State.CLOSED:
            raise NotAllowedError(_ENDED[table.state], "ended")
    if seat != table.position.seat:
        raise NotAllowedError(f"it is the turn of seat {table.position.seat}, not of seat {seat}", "not_your_turn")
    _require_person(table.seats[seat])


def _require_person(seat: Seat) -> None:
    if seat.decider != PERSON:
        raise NotAllowedError(f"{seat.decider} acts for this seat: return to it first", "stood_in")


def _tutored(table: Table, step: Step, command: Roll | Score | Announce, context: Context) -> Step:
    """The step, with the tutor's questions in its decision; a costly one is refused if it is not asked for anyway."""
    turn = table.turn
    if table.help != "tutor" or not turn.places:
        return step
    if isinstance(command, Score):
        action: game.Action = game.Score(command.box, command.scratch)
    elif isinstance(command, Announce):
        action = game.Announce(command.box)
    else:
        action = turn.keep(tuple(command.kept))
    if not command.anyway and context.loss_of is not None:
        _check_loss(table, action, context.loss_of, context.questions)
    asked = context.questions.about(table)
    if not asked:
        return step
    return Step.of(table, replace(step.event, asked=len(asked), changed=action not in asked))


def _check_loss(table: Table, action: game.Action, loss_of: LossOf, questions: Questions) -> None:
    """Refuse a legal action as costly if its loss exceeds the tutor's threshold, and remember the question."""
    turn = table.turn
    found = loss_of(turn.position, action)
    if found is not None and found[0] > table.created.tutor_loss:
        loss, best = found
        wins = any(offer.wins and offer.action == best for offer in turn.position.offers())
        detail = f"{action} gives away a win" if wins else f"{action} costs {loss:.2f} points"
        questions.add(table, action)
        raise RefusedError(
            "costly",
            detail,
            loss=loss,
            best=str(best),
            best_parts=action_parts(best),
            asked=str(action),
            asked_parts=action_parts(action),
            gives_away_win=wins or None,
        )


def _undo(table: Table, command: Undo, now: float) -> Undone:
    if table.undoer != command.seat:
        if table.state is State.OVER:
            raise NotAllowedError(
                "the game is over: the last score revealed the secret of the dice and stands", "ended"
            )
        raise NotAllowedError(
            "this seat has no score to take back: that is possible until the next roll or score at a person's seat",
            "nothing_to_undo",
        )
    _require_person(table.seats[command.seat])
    return Undone(at=now, seat=command.seat)


def _sit(table: Table, command: Sit, now: float) -> Sat:
    if table.seats[command.seat].kind != PERSON:
        raise IllegalError(f"seat {command.seat} belongs to a computer player")
    name = checked_name(command.name)
    if any(seat.name == name for index, seat in enumerate(table.seats) if index != command.seat):
        raise NotAllowedError(f"{name} sits here already: take another name", "name_taken")
    if command.nonce:
        _check_nonce(table, command.seat)
    return Sat(at=now, seat=command.seat, name=name, nonce=command.nonce or "")


def _check_nonce(table: Table, seat: int | None, num_watcher_nonces: int = 0) -> None:
    """Check that no dice are rolled and that the seat or watcher has no nonce yet.

    Watchers leave room for the nonces of all seats, in whichever order they come.
    """
    if table.has_begun:
        raise IllegalError("the dice have been rolled: nonces are added before that")
    if seat is not None:
        if any(nonce.startswith(f"seat {seat} ") for nonce in table.nonces):
            raise IllegalError(f"seat {seat} has already added a nonce")
    elif num_watcher_nonces:
        raise IllegalError("you have already added a nonce as a watcher")
    elif sum(nonce.startswith("watcher ") for nonce in table.nonces) >= MAX_NONCES - len(table.seats):
        raise IllegalError("this table takes no more nonces of watchers")


def _stand_in(table: Table, command: StandIn, context: Context) -> StoodIn:
    seat, now = table.seats[command.seat], context.now
    if seat.kind != PERSON or seat.is_open:
        raise IllegalError(f"no person sits at seat {command.seat}")
    if table.position.cards[command.seat].resigned:
        raise IllegalError(f"seat {command.seat} has resigned")
    if command.player not in COMPUTERS:
        raise UnknownError(f"there is no computer player {shown(command.player)}: {suggest(command.player, COMPUTERS)}")
    require_player(command.player, table.ruleset)
    asked_by = None
    if command.seat not in context.holds:
        silent_at = table.silent_at(now, context.uptime) if command.seat == table.position.seat else None
        if silent_at is None:
            raise IllegalError(f"seat {command.seat} does not keep the others waiting")
        if now < silent_at:
            left = silent_at - now
            raise NotAllowedError(f"seat {command.seat} may still act for {left:.0f} s", "still_acts", left)
        asked_by = min(context.holds)
    return StoodIn(at=now, seat=command.seat, player=command.player, turns=command.turns, asked_by=asked_by)


def _close(table: Table, command: Close, context: Context) -> Closed:
    closable_at = table.closable_at(context.holds, context.now, context.uptime)
    if closable_at is None or closable_at > context.now:
        raise NotAllowedError("others are playing: leave your seat to a computer player instead", "others_play")
    return Closed(at=context.now, seat=command.seat)


def _rematch(table: Table, command: Rematch, context: Context) -> Rematched:
    if table.state is not State.OVER:
        raise IllegalError("a rematch is possible after the game")
    if table.rematch is not None:
        raise IllegalError(f"the rematch is at table {table.rematch}")
    return Rematched(at=context.now, seat=command.seat, table=context.rematch)
