"""Errors on the wire: each is an `ErrorView` with one sentence and a code, and has one status."""

import logging
from collections.abc import Mapping
from math import ceil

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec

from fivedice.errors import IllegalError, MalformedError, UnknownError
from fivedice.server.ops.rate_limits import TooFastError
from fivedice.server.table.refusals import NotAllowedError
from fivedice.storage.engine.database import UnavailableError

_log = logging.getLogger(__name__)


class ErrorView(msgspec.Struct, frozen=True):
    """What went wrong, in a sentence for a person; `code` is for a program."""

    error: str
    code: str


class NotYoursError(ValueError):
    """Somebody else's seat, or none of the visitor's."""


class StaleError(ValueError):
    """The table is not where the request takes it to be."""


class TooSlowError(Exception):
    """A body that does not come to its end in time."""


CODES: Mapping[int, str] = {
    400: "malformed",
    403: "not_yours",
    404: "unknown",
    405: "no_such_method",
    408: "too_slow",
    409: "stale",
    413: "too_large",
    429: "too_fast",
    503: "unavailable",
}
"""Status → its usual code; 400 is "illegal" or a `Code` where the rules or the table do not allow what was read."""

_ABOUT: Mapping[int, str] = {
    400: "It cannot be read, or is not allowed.",
    403: "It is not the visitor's, or comes from another site.",
    404: "It names nothing that exists.",
    409: "It comes too early or too late for the table.",
    413: "It is too long.",
    429: "There are too many of its kind from one address; `retry-after` has the seconds to wait.",
    503: "The database cannot be used now: nothing was changed, and it may be tried again.",
}


def documented(*statuses: int) -> dict[int, ResponseSpec]:
    """What OpenAPI says of an endpoint's errors; anybody can be too fast anywhere."""
    return {
        status: ResponseSpec(ErrorView, generate_examples=False, description=_ABOUT[status])
        for status in sorted({*statuses, 429})
    }


def _answer(status: int, sentence: str, code: str = "") -> Response[ErrorView]:
    return Response(ErrorView(sentence, code or CODES[status]), status_code=status, media_type=MediaType.JSON)


def _value_error(_: Request, error: ValueError) -> Response[ErrorView]:  # type: ignore[type-arg]
    match error:
        case UnknownError():
            return _answer(404, str(error))
        case NotYoursError():
            return _answer(403, str(error))
        case StaleError():
            return _answer(409, str(error))
        case NotAllowedError(code=str(code)):
            return _answer(400, str(error), code)
        case IllegalError():
            return _answer(400, str(error), "illegal")
    return _answer(400, str(error))


def _unavailable(_: Request, error: UnavailableError) -> Response[ErrorView]:  # type: ignore[type-arg]
    return _answer(503, str(error))


def _too_fast(_: Request, error: TooFastError) -> Response[ErrorView]:  # type: ignore[type-arg]
    answer = _answer(429, str(error))
    answer.set_header("retry-after", retry_after(error))
    return answer


def retry_after(error: TooFastError) -> str:
    """The header's value: whole seconds."""
    return str(ceil(error.seconds))


def _too_slow(_: Request, error: TooSlowError) -> Response[ErrorView]:  # type: ignore[type-arg]
    return _answer(408, str(error))


def _http(request: Request, error: HTTPException) -> Response[ErrorView]:  # type: ignore[type-arg]
    """Litestar's own refusals: no such path, another method, a parameter that is wrong; and its own mistakes."""
    if error.status_code >= 500:
        return _mistake(request, error)
    sentence = error.detail
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        sentence = "; ".join(f"{found.get('key', 'it')}: {found['message']}" for found in error.extra)
    answer = _answer(error.status_code if error.status_code in CODES else 400, sentence)
    for name, value in (error.headers or {}).items():
        answer.set_header(name, value)
    return answer


def _mistake(request: Request, error: Exception) -> Response[ErrorView]:  # type: ignore[type-arg]
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return Response(ErrorView("the server made a mistake, which is in its log", "mistake"), status_code=500)


HANDLERS = {
    MalformedError: _value_error,
    IllegalError: _value_error,
    UnknownError: _value_error,
    NotYoursError: _value_error,
    StaleError: _value_error,
    UnavailableError: _unavailable,
    TooFastError: _too_fast,
    TooSlowError: _too_slow,
    HTTPException: _http,
    Exception: _mistake,
}
"""For `Litestar(exception_handlers=…)`."""
