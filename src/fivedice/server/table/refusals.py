"""Errors of commands: `NotAllowedError` with a code that clients can translate, and `RefusedError` with an answer."""

from typing import Any

from fivedice.errors import IllegalError
from fivedice.server.table.commands import Code, Reason, Refused


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
