"""Replies to requests that cannot be answered: each kind of error has one status, with a code for programs."""

from collections.abc import Mapping
from typing import TypeAlias

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.views.answers import ErrorView


class StaleError(ValueError):
    """The table is not in the state that the request requires."""


class NotHereError(Exception):
    """What only a server answers, or what is not kept on a device; `code` says which."""

    def __init__(self, sentence: str, code: str) -> None:
        super().__init__(sentence)
        self.code = code


Errors: TypeAlias = Mapping[type[Exception], tuple[int, str]]

ERRORS: Errors = {
    MalformedError: (400, "malformed"),
    IllegalError: (400, "illegal"),
    UnknownError: (404, "unknown"),
    NotHereError: (404, "unknown"),
    StaleError: (409, "stale"),
}
"""The status and the code of each kind of error; the `code` attribute of an error takes precedence."""


def error_reply(error: Exception, known: Errors = ERRORS) -> tuple[int, ErrorView]:
    """The status and the reply for one of these errors."""
    status, code = next(known[kind] for kind in type(error).__mro__ if kind in known)
    return status, ErrorView(str(error), getattr(error, "code", None) or code)
