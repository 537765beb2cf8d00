"""Errors of commands: `NotAllowedError` with a code that clients can translate, and `RefusedError` with an answer."""

from typing import Any

from fivedice.errors import IllegalError
from fivedice.server.table.answers import Code, Reason, Refused
from fivedice.server.table.state import PERSON, Seat, State, Table

_ENDED = {State.OVER: "the game is over", State.CLOSED: "the table is closed"}


class NotAllowedError(IllegalError):
    """The table does not allow this now. `code` is None if only the message gives the reason.

    `seconds` is the time until it is allowed, where that is known.
    """

    def __init__(self, message: str, code: Code | None, seconds: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.seconds = seconds


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
        raise NotAllowedError(f"{seat.decider} acts for this seat: return to it first", "stood_in")
