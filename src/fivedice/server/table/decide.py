"""The judge: `decide` turns a command into the event that it becomes, or raises a `RefusedError` with the reason."""

from collections.abc import Callable

from fivedice.errors import IllegalError, MalformedError, UnknownError, shown, suggest
from fivedice.game import action as game
from fivedice.game.position import Position
from fivedice.proof import MAX_NONCES
from fivedice.server.table import turns
from fivedice.server.table.bot_kinds import COMPUTERS, require_quick
from fivedice.server.table.commands import (
    AddNonce,
    AnyCommand,
    Close,
    Code,
    Reason,
    Refused,
    Rematch,
    Return,
    Roll,
    RollOff,
    Score,
    Sit,
    StandIn,
    Undo,
)
from fivedice.server.table.events import (
    AnyEvent,
    Closed,
    NonceAdded,
    Rematched,
    Returned,
    Sat,
    StoodIn,
    Undone,
    changer,
)
from fivedice.server.table.names import checked_name
from fivedice.server.table.refusals import NotAllowedError
from fivedice.server.table.state import PERSON, Seat, State, Table
from fivedice.server.table.turns import Chance
from fivedice.server.table.uptime import ALWAYS, Uptime

LossOf = Callable[[Position, game.Action], tuple[float, game.Action] | None]
"""What an action costs, in points of expected final score, and the best action; None while that is not known."""

MAX_CHANGES = 200
"""Names, undone scores, stand-ins and returns that a seat has at most: whoever loads a table replays all of its log."""

_ENDED = {State.OVER: "the game is over", State.CLOSED: "the table is closed"}


class RefusedError(Exception):
    """A refused command. `loss` and `best` are set for "costly", `code` and `seconds` from a `NotAllowedError`."""

    def __init__(
        self,
        reason: Reason,
        detail: str,
        loss: float | None = None,
        best: str | None = None,
        code: Code | None = None,
        seconds: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.loss = loss
        self.best = best
        self.code = code
        self.seconds = seconds

    def answer(self, command_id: str, version: int) -> Refused:
        """What the client is told; `version` is the table's."""
        return Refused(command_id, version, self.reason, self.detail, self.loss, self.best, self.code, self.seconds)


def decide(
    table: Table,
    command: AnyCommand,
    *,
    holds: frozenset[int],
    now: float,
    chance: Chance,
    num_changes: Callable[[int, int], int] = lambda seat, version: 0,
    table_at: Callable[[int], Table],
    rematch: str,
    loss_of: LossOf | None = None,
    uptime: Uptime = ALWAYS,
) -> AnyEvent:
    """The event that a command becomes, at `now` seconds since 1970; raises `RefusedError`.

    `num_changes(seat, version)` is how often a seat's person had changed anything by then, as `events.changer` says.
    `holds` are the seats of whoever sent it. `table_at(version)` gives the table as it was: a command made against an
    earlier version is judged by that one, and if it was legal there it is stale. So a refused command gets the same
    answer again however late it is repeated, unless time itself was the reason. `rematch` is the id that a rematch
    would have, `loss_of` the tutor's knowledge, and `uptime` when the service was up.
    """
    if command.version > table.version:
        raise RefusedError("malformed", f"the table never had version {command.version}: it is at {table.version}")
    judged = table if command.version == table.version else table_at(command.version)
    try:
        _check_seat(judged, command, holds)
        event = _decide(judged, command, holds, now, chance, uptime, rematch)
        if isinstance(command, Roll | Score) and not command.anyway:
            _ask_tutor(judged, command, loss_of)
        changing = changer(event)
        if changing is not None and num_changes(changing, judged.version) >= MAX_CHANGES:
            raise IllegalError(
                f"seat {changing} has taken back scores, or changed its name or player, {MAX_CHANGES} times: "
                "that is the most at one table"
            )
    except NotAllowedError as error:
        raise RefusedError("illegal", str(error), code=error.code, seconds=error.seconds) from None
    except IllegalError as error:
        raise RefusedError("illegal", str(error)) from None
    except (MalformedError, UnknownError) as error:
        raise RefusedError("malformed", str(error)) from None
    if judged is not table:
        raise RefusedError("stale", f"the table went on from version {command.version} to {table.version}")
    return event


def _check_seat(table: Table, command: AnyCommand, holds: frozenset[int]) -> None:
    """The seat exists, and whoever sent the command may speak for it."""
    seat = command.seat
    if seat is None:
        return
    if seat >= len(table.seats):
        raise UnknownError(f"there is no seat {seat}: the seats are 0 to {len(table.seats) - 1}")
    is_free = isinstance(command, Sit) and table.seats[seat].is_open
    is_for_another = isinstance(command, StandIn) and bool(holds)
    if seat not in holds and not is_free and not is_for_another:
        raise RefusedError("not_yours", f"seat {seat} is not yours")


def _decide(
    table: Table,
    command: AnyCommand,
    holds: frozenset[int],
    now: float,
    chance: Chance,
    uptime: Uptime,
    rematch: str,
) -> AnyEvent:
    match command:
        case Roll():
            _require_turn(table, command.seat)
            return turns.roll(table, command.kept, chance, now)
        case Score():
            _require_turn(table, command.seat)
            return turns.score(table, game.Score(command.box, command.scratch), now)
        case Undo():
            return _undo(table, command, now)
        case Rematch():
            return _rematch(table, command, now, rematch)
    if table.has_ended:
        raise NotAllowedError(_ENDED[table.state], "ended")
    match command:
        case Sit():
            return _sit(table, command, now)
        case AddNonce():
            return _add_nonce(table, command, now)
        case RollOff():
            if table.state is not State.OPENING:
                raise IllegalError("who begins is not rolled for now")
            return turns.roll_off(table, chance, now, command.seat)
        case StandIn():
            return _stand_in(table, command, holds, now, uptime)
        case Return():
            if table.seats[command.seat].stand_in is None:
                raise IllegalError(f"nobody acts for seat {command.seat}")
            return Returned(at=now, seat=command.seat)
        case Close():
            return _close(table, command, holds, now, uptime)


def _require_turn(table: Table, seat: int) -> None:
    match table.state:
        case State.OPEN:
            raise NotAllowedError("the game begins when every seat is taken", "not_begun")
        case State.OPENING:
            raise NotAllowedError("the highest roll has yet to say who begins", "not_begun")
        case State.OVER | State.CLOSED:
            raise NotAllowedError(_ENDED[table.state], "ended")
    if seat != table.position.seat:
        raise NotAllowedError(f"it is the turn of seat {table.position.seat}, not of seat {seat}", "not_your_turn")
    _require_person(table.seats[seat])


def _require_person(seat: Seat) -> None:
    if seat.decider != PERSON:
        raise NotAllowedError(f"{seat.decider} acts for this seat: return to it first", "stood_in")


def _ask_tutor(table: Table, command: Roll | Score, loss_of: LossOf | None) -> None:
    """Raise the tutor's question if a legal action costs more than the table's threshold."""
    turn, threshold = table.turn, table.created.tutor
    if not threshold or loss_of is None or not turn.places:
        return
    if isinstance(command, Score):
        action: game.Action = game.Score(command.box, command.scratch)
    else:
        action = turn.keep(tuple(command.kept))
    known = loss_of(turn.position, action)
    if known is not None and known[0] > threshold:
        loss, best = known
        raise RefusedError("costly", f"{action} costs {loss:.2f} points", loss, str(best))


def _undo(table: Table, command: Undo, now: float) -> Undone:
    if table.undoer != command.seat:
        if table.state is State.OVER:
            raise NotAllowedError("the game is over: its last score shows the secret of the dice, and stands", "ended")
        raise NotAllowedError(
            "there is no score of this seat to take back: it can be until the next roll", "nothing_to_undo"
        )
    _require_person(table.seats[command.seat])
    return Undone(at=now, seat=command.seat)


def _sit(table: Table, command: Sit, now: float) -> Sat:
    if table.seats[command.seat].kind != PERSON:
        raise IllegalError(f"seat {command.seat} is a computer player's")
    name = checked_name(command.name)
    if any(seat.name == name for index, seat in enumerate(table.seats) if index != command.seat):
        raise NotAllowedError(f"{name} sits here already: take another name", "name_taken")
    if command.nonce:
        _check_nonce(table, command.seat)
    return Sat(at=now, seat=command.seat, name=name, nonce=command.nonce or "")


def _add_nonce(table: Table, command: AddNonce, now: float) -> NonceAdded:
    _check_nonce(table, command.seat)
    return NonceAdded(at=now, seat=command.seat, nonce=command.nonce)


def _check_nonce(table: Table, seat: int | None) -> None:
    """A nonce is added before any dice are rolled, once for a seat; watchers leave room for every seat's."""
    if table.has_begun:
        raise IllegalError("the dice have been rolled: a nonce comes before")
    if seat is not None:
        if any(nonce.startswith(f"seat {seat} ") for nonce in table.nonces):
            raise IllegalError(f"seat {seat} has added its nonce")
    elif sum(nonce.startswith("watcher ") for nonce in table.nonces) >= MAX_NONCES - len(table.seats):
        raise IllegalError("this table has all the nonces of watchers that it takes")


def _stand_in(table: Table, command: StandIn, holds: frozenset[int], now: float, uptime: Uptime) -> StoodIn:
    seat = table.seats[command.seat]
    if seat.kind != PERSON or seat.is_open:
        raise IllegalError(f"no person sits at seat {command.seat}")
    if command.player not in COMPUTERS:
        raise UnknownError(f"there is no computer player {shown(command.player)}: {suggest(command.player, COMPUTERS)}")
    require_quick(command.player, table.ruleset)
    if command.seat in holds:
        return StoodIn(at=now, seat=command.seat, player=command.player, turns=command.turns)
    silent_at = table.silent_at(now, uptime) if command.seat == table.position.seat else None
    if silent_at is None:
        raise IllegalError(f"seat {command.seat} is not one that the others wait for too long")
    if now < silent_at:
        left = silent_at - now
        raise NotAllowedError(f"seat {command.seat} may still act for {left:.0f} s", "still_acts", left)
    asked_by = min(holds)
    return StoodIn(at=now, seat=command.seat, player=command.player, turns=command.turns, asked_by=asked_by)


def _close(table: Table, command: Close, holds: frozenset[int], now: float, uptime: Uptime) -> Closed:
    others = [index for index in range(len(table.seats)) if index not in holds]
    if table.has_begun and not all(table.is_away(index, now, uptime) for index in others):
        raise NotAllowedError("others are playing: leave your seat to a computer player instead", "others_play")
    return Closed(at=now, seat=command.seat)


def _rematch(table: Table, command: Rematch, now: float, rematch: str) -> Rematched:
    if table.state is not State.OVER:
        raise IllegalError("a rematch comes after the game")
    if table.rematch is not None:
        raise IllegalError(f"the rematch is at table {table.rematch}")
    return Rematched(at=now, seat=command.seat, table=rematch)
