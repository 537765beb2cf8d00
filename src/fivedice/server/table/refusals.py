"""Errors of commands: `NotAllowedError` with a code that clients can translate, and `RefusedError` with an answer."""

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
    """A refused command. `loss` and `best` are set for "costly", `code` and `seconds` from a `NotAllowedError`."""

    def __init__(
        self,
        reason: Reason,
        detail: str,
        *,
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
        """The answer to the client; `version` is the table's."""
        return Refused(
            id=command_id,
            version=version,
            reason=self.reason,
            detail=self.detail,
            loss=self.loss,
            best=self.best,
            code=self.code,
            seconds=self.seconds,
        )
