"""Replies to requests that cannot be answered: each kind of error has one status, with a code for programs."""

from collections.abc import Mapping

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.server.table.answers import NotAllowedError
from fivedice.views.answers import ErrorView


class StaleError(ValueError):
    """The table is not in the state that the request requires."""


STATUSES: Mapping[type[Exception], int] = {MalformedError: 400, IllegalError: 400, UnknownError: 404, StaleError: 409}

CODES: Mapping[int, str] = {400: "malformed", 404: "unknown", 409: "stale"}
"""The code of each status, but `code_of` has another one for what the rules or the table do not allow."""


def code_of(error: Exception) -> str:
    """The code of what the rules or the table do not allow, else empty."""
    if isinstance(error, NotAllowedError):
        return error.code or "illegal"
    return "illegal" if isinstance(error, IllegalError) else ""


def error_reply(error: Exception) -> tuple[int, ErrorView]:
    """The status and the reply for one of these errors."""
    status = next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    return status, ErrorView(str(error), code_of(error) or CODES[status])
