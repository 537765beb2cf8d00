"""Answers to commands, with the codes of refusals that clients translate; and the errors that become refusals."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from fivedice.base.errors import IllegalError
from fivedice.server.table.state import PERSON, Seat, State, Table
from fivedice.views.action import ActionParts


class Accepted(Struct, frozen=True, tag_field="type", tag="accepted"):
    """The command is durable, as event `version` of the table."""

    id: str
    version: int


Reason = Literal["stale", "illegal", "not_yours", "costly", "malformed", "too_fast", "unavailable"]

Code = Literal[
    "not_begun",
    "ended",
    "not_your_turn",
    "stood_in",
    "roll_first",
    "no_rolls",
    "box_filled",
    "box_closed",
    "must_announce",
    "nothing_to_undo",
    "name_taken",
    "others_play",
    "no_rematch",
    "closed",
    "rated",
]
"""Why a table does not allow something that a person may reasonably try.

"not_begun" (a seat is free, or nobody has rolled for who begins), "ended", "not_your_turn", "stood_in" (a computer
player finishes the turn), "roll_first" (no dice are rolled in this turn), "no_rolls" (no roll is left), "box_filled",
"box_closed" (by the order of its column, the joker rule or an announcement), "must_announce" (only boxes that need an
announcement are open), "nothing_to_undo", "name_taken", "others_play" (other people are
still playing at the table), "no_rematch" (one of the players wants none with another), "closed" (the time of a game on
the same dice has passed), "rated" (what a rated game or one of a tournament does not allow: to take a turn back, or to
close the table).
"""


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """The command changed nothing; `version` is the table's current version.

    `reason`: "stale" (catch up first), "illegal" (the rules or the table do not allow it), "not_yours" (somebody
    else holds the seat), "costly" (the tutor's question: to confirm, send it under a new id with `anyway`),
    "malformed" (it cannot be read, the table never had that version, or its id belongs to another command of the
    same sender), "too_fast", "unavailable" (the server cannot store it now: try again with the same id).
    """

    id: str
    version: int
    reason: Reason
    detail: str
    loss: float | None = None
    """For "costly": the loss of the action in points of expected final score."""
    best: str | None = None
    """For "costly": the best action, in notation."""
    best_parts: ActionParts | None = None
    """For "costly": the parts of the best action."""
    asked: str | None = None
    """For "costly": the action that the command asked for, in notation."""
    asked_parts: ActionParts | None = None
    """For "costly": the parts of that action."""
    code: Code | None = None
    """For "illegal": the usual reason that applies, for a client to translate; None for any other reason."""
    seconds: float | None = None
    """For "too_fast": the seconds to wait."""
    gives_away_win: bool | None = None
    """For "costly": true if the best action wins the game at once, so that the loss is no number of points."""


AnyAnswer = Accepted | Refused

REASON_STATUSES: Mapping[Reason, int] = {
    "illegal": 400,
    "malformed": 400,
    "not_yours": 403,
    "stale": 409,
    "costly": 428,
    "too_fast": 429,
    "unavailable": 503,
}
"""The HTTP status of each reason for a refusal."""

_ENDED = {State.OVER: "the game is over", State.CLOSED: "the table is closed"}


class NotAllowedError(IllegalError):
    """The table does not allow this now. `code` is None if only the message gives the reason."""

    def __init__(self, message: str, code: Code | None) -> None:
        super().__init__(message)
        self.code = code


class RefusedError(Exception):
    """A refused command. `details` are other fields of `Refused`, as `loss` and `best`, or `code` and `seconds`."""

    def __init__(self, reason: Reason, detail: str, **details: Any) -> None:
        super().__init__(detail)
        self.reason = reason
        self.details = details

    def answer(self, command_id: str, version: int) -> Refused:
        """The answer to the client; `version` is the table's."""
        return Refused(command_id, version, self.reason, str(self), **self.details)


def check_not_ended(table: Table) -> None:
    """Raise `NotAllowedError` if play has ended."""
    if table.has_ended:
        raise NotAllowedError(_ENDED[table.state], "ended")


def check_turn(table: Table, seat: int) -> None:
    """Raise `NotAllowedError` unless the person at a seat is to move."""
    check_not_ended(table)
    if table.state is State.OPEN:
        raise NotAllowedError("the game begins when every seat is taken", "not_begun")
    if table.state is State.OPENING:
        raise NotAllowedError("the seats must first roll for who begins", "not_begun")
    if seat != table.position.seat:
        raise NotAllowedError(f"it is the turn of seat {table.position.seat}, not of seat {seat}", "not_your_turn")
    check_person(table.seats[seat])


def check_person(seat: Seat) -> None:
    """Raise `NotAllowedError` if a computer player acts for a seat."""
    if seat.decider != PERSON:
        raise NotAllowedError(f"the time is up: {seat.decider} finishes this turn", "stood_in")
