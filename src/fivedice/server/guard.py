"""The `guard`: what stands before every request: its origin is checked, and every answer gets its security headers."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import Message, Receive, Scope, Send

from fivedice.server.errors import ErrorView

Application: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application: uvicorn and Litestar each have types of their own for it."""

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
        b"frame-ancestors 'none'; object-src 'none'",
    ),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)

_READING = {"GET", "HEAD", "OPTIONS"}


def guard(app: Litestar) -> Application:
    """The application behind the guard. It stands outside of all else, so that no answer gets around it."""

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        if scope["type"] == "lifespan" or is_reading(scope) or comes_from_here(scope):
            await app(scope, receive, send_with_headers)
        else:
            await _refuse(scope, receive, send_with_headers)

    return guarded


def is_reading(scope: Scope) -> bool:
    """Whether a request can change nothing."""
    return scope["type"] == ScopeType.HTTP and scope["method"] in _READING


def comes_from_here(scope: Scope) -> bool:
    """Whether a request is from a page of this server, or from no page at all: programs send no origin."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get(b"host")
    except ValueError:  # it is no address at all
        return False


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == ScopeType.WEBSOCKET:
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": "from another site"})
        return
    body = msgspec.json.encode(ErrorView("this request comes from the page of another site", "not_yours"))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
