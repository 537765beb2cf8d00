"""Error responses: each is an `ErrorReply` with a sentence and a code; each kind of error has one status."""

from collections.abc import Iterable, Mapping
from math import ceil

from litestar import MediaType, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Scope
from sqlalchemy.exc import IntegrityError

from fivedice.base.errors import UnavailableError
from fivedice.server.http.handling.params import AnyRequest, new_cookies
from fivedice.server.identity.holders import InvalidLinkError
from fivedice.server.identity.passkeys import RefusedPasskeyError
from fivedice.server.live.event_store import NewerError
from fivedice.server.ops.budget import TooFastError
from fivedice.server.replies.endpoint import ERRORS, ErrorReply, Errors, error_reply
from fivedice.storage.rows.holders import new_secret
from fivedice.tournament.event import NotOrganiserError

_ERROR = "fivedice.error"
"""The key in the scope of a request that ended with an internal error."""


class NotYoursError(ValueError):
    """The visitor does not hold the seat."""


class NoAdviceError(ValueError):
    """The table gives no advice."""


class DisconnectedError(Exception):
    """The client disconnected before its response was ready, so that the error is not received."""


class NoCookieError(Exception):
    """The request needs the cookie of this server; the response sets one."""


SERVER_ERRORS: Errors = {
    **ERRORS,
    NoCookieError: (401, "no_cookie"),
    InvalidLinkError: (403, "not_yours"),
    NotYoursError: (403, "not_yours"),
    NotOrganiserError: (403, "not_yours"),
    RefusedPasskeyError: (403, "not_yours"),
    NoAdviceError: (403, "no_advice"),
    TooFastError: (429, "too_fast"),
    UnavailableError: (503, "unavailable"),
    NewerError: (503, "reload"),
}

DEFAULT_CODES: Mapping[int, str] = {
    400: "malformed",
    403: "not_yours",
    404: "unknown",
    405: "no_such_method",
    413: "too_large",
    421: "wrong_host",
    429: "too_fast",
    503: "unavailable",
}
"""The code of each status with which Litestar, or what is before it, refuses a request."""

_DESCRIPTIONS: Mapping[int, str] = {
    400: "The request is malformed or not allowed.",
    401: "The request came without a cookie: repeat it with the cookie that this response sets.",
    403: "The visitor does not hold the seat, advice is off, or the request comes from another site.",
    404: "The resource does not exist.",
    409: "The table is not in the required state.",
    413: "The body is too large.",
    429: "The address asks for too much; `retry-after` is the number of seconds to wait.",
    503: "The database or the process that computes this is unavailable, the disk is nearly full, or the server is "
    "stopping. The request may be repeated later.",
}


def described(statuses: Iterable[int]) -> dict[int, ResponseSpec]:
    """The OpenAPI description of these error responses."""
    return {
        status: ResponseSpec(ErrorReply, generate_examples=False, description=_DESCRIPTIONS[status])
        for status in sorted(statuses)
    }


def _expected(request: AnyRequest, error: Exception) -> Response[ErrorReply]:
    """Errors that the server raises on purpose."""
    status, view = error_reply(error, SERVER_ERRORS)
    response = Response(view, status_code=status, media_type=MediaType.JSON)
    if isinstance(error, NoCookieError):
        response.set_header("www-authenticate", "Cookie")
        is_secure = request.url.scheme == "https"
        response.cookies.extend(new_cookies(new_secret(), request.cookies, is_secure=is_secure))
    if isinstance(error, TooFastError):
        response.set_header("retry-after", retry_after(error.seconds))
    return response


def retry_after(seconds: float) -> str:
    """The value of the `retry-after` header, in whole seconds."""
    return str(ceil(seconds))


def _http(request: AnyRequest, error: HTTPException) -> Response[ErrorReply]:
    """Errors that Litestar raises: unknown paths, wrong methods, invalid parameters, and its internal errors."""
    if error.status_code >= 500:
        return _internal(request, error)
    sentence = error.detail
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        sentence = "; ".join(f"{found.get('key', 'it')}: {found['message']}" for found in error.extra)
    status = error.status_code if error.status_code in DEFAULT_CODES else 400
    view = ErrorReply(sentence, DEFAULT_CODES[status])
    return Response(view, status_code=status, media_type=MediaType.JSON, headers=error.headers or {})


def _deleted(request: AnyRequest, error: Exception) -> Response[ErrorReply]:
    """What is to be stored belongs to something that was deleted since it was read, perhaps by another process."""
    request.scope[_ERROR] = error  # type: ignore[literal-required]
    request.app.state.services.holders.forget()
    return _expected(request, UnavailableError("what this belongs to was changed or deleted meanwhile: try again"))


def _disconnected(_: AnyRequest, error: Exception) -> Response[bytes]:
    """For the log and the metrics: 499 is what nginx logs for such requests."""
    return Response(b"", status_code=499, media_type=MediaType.TEXT)


def error_of(scope: Scope) -> Exception | None:
    """The internal error that a request ended with, for its line in the log."""
    error: Exception | None = scope.get(_ERROR)  # type: ignore[assignment]
    return error


def _internal(request: AnyRequest, error: Exception) -> Response[ErrorReply]:
    request.scope[_ERROR] = error  # type: ignore[literal-required]
    return Response(ErrorReply("internal server error; the server's log has the details", "mistake"), status_code=500)


HANDLERS = {
    **dict.fromkeys(SERVER_ERRORS, _expected),
    IntegrityError: _deleted,
    DisconnectedError: _disconnected,
    HTTPException: _http,
    Exception: _internal,
}
"""For `Litestar(exception_handlers=…)`."""
