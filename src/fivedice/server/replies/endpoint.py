"""`Endpoint`: a request that a server answers, a browser without one, or both, as a function with what belongs to it.

HTTP, the browser's worker, the OpenAPI document and the lists in the documentation are made from endpoints. Of the
parameters of the function, those that are `Annotated` come from the path or the query, `data` is the body, and the
others are what the place that answers has of their type.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import Parameter, Signature, iscoroutinefunction, signature
from types import ModuleType
from typing import Annotated, Any, TypeAlias, TypeVar, get_origin

import msgspec

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.base.outside_text import decoded, plain, unmarked
from fivedice.server.limits import MAX_BODY_BYTES, WORK_TOKENS

T = TypeVar("T")

JSON, TEXT = "application/json", "text/plain"


@dataclass
class Endpoint:
    """A method and a path, such as `/api/tables/{table}`, and the function that answers, in a thread if it is a plain
    one. Its errors are its own, and those that follow from the rest.

    `cost` is in tokens beyond that of any request: `WORK_TOKENS` if it computes, reads many rows or writes,
    `UPLOAD_TOKENS` if it takes rulesets or records, or exports them, and 0 if it is answered from memory. One that
    stores something for a browser `needs_cookie`, with which the browser finds it again; one that may store something
    `renews_cookie`. One whose answer may be large `pays_for_bytes`. An answer that is a file is `saved_as` that name.
    `described` is for the document: what its errors are, if that differs from other endpoints, and its answer, if the
    function does not say that.
    """

    method: str
    path: str
    answer: Callable[..., Any]
    errors: set[int]
    cost: float = WORK_TOKENS
    success: int = 200
    media_type: str = JSON
    max_bytes: int = MAX_BODY_BYTES
    needs_cookie: bool = False
    renews_cookie: bool = False
    is_compressed: bool = True
    is_described: bool = True
    pays_for_bytes: bool = False
    saved_as: str = ""
    described: Mapping[int, tuple[Any, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found: Signature = signature(self.answer)
        parameters = dict(found.parameters)
        self.name, self.returned = self.answer.__name__, found.return_annotation
        self.is_long, self.status = not iscoroutinefunction(self.answer), 204 if self.returned is None else self.success
        self.body = parameters.pop("data").annotation if "data" in parameters else None
        self.asked = {name: one for name, one in parameters.items() if get_origin(one.annotation) is Annotated}
        self.needs = {name: one.annotation for name, one in parameters.items() if name not in self.asked}
        follows = {400: self.asked or self.body, 401: self.needs_cookie, 413: self.body, 429: True, 503: self.needs}
        self.errors |= {status for status, is_so in follows.items() if is_so}
        self.renews_cookie |= self.needs_cookie

    @cached_property
    def asked_type(self) -> type[msgspec.Struct]:
        """A structure of what a request gives in its path and query."""
        fields = [
            (name, one.annotation, msgspec.NODEFAULT if one.default is Parameter.empty else one.default)
            for name, one in self.asked.items()
        ]
        return msgspec.defstruct(self.name, fields, kw_only=True)


def _endpoint(method: str, path: str, *errors: int, **options: Any) -> Callable[[Callable[..., Any]], Endpoint]:
    """Make an endpoint of a function, which may answer with these errors besides those that follow from the rest."""
    return lambda answer: Endpoint(method, path, answer, {*errors}, **options)


get, post, delete = (partial(_endpoint, method) for method in ("GET", "POST", "DELETE"))


def read_json(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    """Decode a text from outside; raises `MalformedError`."""
    if b"\\u0000" in text if isinstance(text, bytes) else "\\u0000" in text:  # PostgreSQL has no text with it
        raise MalformedError("it has a NUL character")
    try:
        return decoder.decode(unmarked(text, "it") if isinstance(text, bytes) else plain(text, "it"))
    except msgspec.DecodeError as error:
        raise MalformedError(str(error)) from None
    except UnicodeDecodeError:
        decoded(text if isinstance(text, bytes) else text.encode(), "it")  # names the byte
        raise
    except RecursionError:
        raise MalformedError("it is nested too deeply") from None


def endpoints_of(*files: ModuleType) -> list[Endpoint]:
    """The endpoints of files."""
    return [found for file in files for found in vars(file).values() if isinstance(found, Endpoint)]


class ErrorReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error: a sentence for people and a code for programs."""

    error: str
    code: str


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


def error_reply(error: Exception, known: Errors = ERRORS) -> tuple[int, ErrorReply]:
    """The status and the reply for one of these errors."""
    status, code = next(known[kind] for kind in type(error).__mro__ if kind in known)
    return status, ErrorReply(str(error), getattr(error, "code", None) or code)
