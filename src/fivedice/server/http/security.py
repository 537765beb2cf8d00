"""The `with_security`: what stands before every request.

Its origin is checked, it is counted, its body has to come in time, and every answer gets its security headers.
"""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from fivedice.server.http.error_responses import CODES, ErrorView, TooSlowError, retry_after
from fivedice.server.ops.rate_limits import RateLimiter, TooFastError, address_of

if TYPE_CHECKING:
    from litestar.types import HTTPReceiveMessage, WebSocketReceiveMessage

BODY_SECONDS = 20.0
"""How long the body of a request may take."""

DROP_SECONDS, MAX_DROPPED = 5.0, 33_554_432
"""How long, and how many bytes, are read of a body that was answered before its end."""

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
        b"frame-ancestors 'none'; object-src 'none'",
    ),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)

PROBES = frozenset({"/health", "/ready"})
"""Paths that are asked for again and again by whoever runs the server, and cost nothing."""

_READING = {"GET", "HEAD", "OPTIONS"}


def with_security(app: ASGIApp, rate_limiter: RateLimiter) -> ASGIApp:
    """The application behind the guard."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):
            await app(scope, receive, send)
            return
        answering = _Answering(scope, receive, send)
        try:
            if not is_reading(scope) and not comes_from_here(scope):
                await answering.refuse(403, "this request comes from the page of another site")
                return
            if scope["path"] in PROBES:
                await app(scope, answering.receive, answering.send)
                return
            address = address_of(scope)
            rate_limiter.require("requests", address)
            with rate_limiter.connection(address) as is_one_too_many:
                if is_one_too_many:
                    await answering.refuse(429, "too many connections from here at once")
                else:
                    await app(scope, answering.receive, answering.send)
        except TooFastError as error:
            await answering.refuse(429, str(error), {"retry-after": retry_after(error)})

    return guarded


def is_reading(scope: Scope) -> bool:
    """Whether a request can change nothing."""
    return scope["type"] == ScopeType.HTTP and scope["method"] in _READING


def comes_from_here(scope: Scope) -> bool:
    """Whether a request is from a page of this server, or from no page at all: programs send no origin.

    No page can forge either header. `Sec-Fetch-Site` says it outright, but comes over HTTPS only, and not from every
    browser's sockets; `Origin` is compared with the host that was asked, which a proxy must pass on.
    """
    headers = dict(scope["headers"])
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get(b"host")
    except ValueError:  # it is no address at all
        return False


class _Answering:
    """One request and its answer: the body has a deadline, and the answer has the headers of all."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        names = {name for name, _ in scope["headers"]}
        self._waits_for_body = bool(names & {b"content-length", b"transfer-encoding"}) and not _is_socket(scope)
        self._until = asyncio.get_running_loop().time() + BODY_SECONDS

    async def receive(self) -> "HTTPReceiveMessage | WebSocketReceiveMessage":
        """What comes next; raises `TooSlowError` where the body's time is over."""
        if not self._waits_for_body:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise TooSlowError(f"the body of this request took more than {BODY_SECONDS:.0f} s") from None
        self._waits_for_body = message["type"] == "http.request" and message["more_body"]
        return message

    async def send(self, message: Message) -> None:
        """Pass an answer on. One that comes well before the end of the body ends the connection."""
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            await self._drop_rest()
            end = [(b"connection", b"close")] if self._waits_for_body else []
            message["headers"] = [*message["headers"], *HEADERS, *end]
        await self._send(message)

    async def _drop_rest(self) -> None:
        """Take what is left of a body that the answer does not wait for.

        If the connection were ended at once, whoever still sends might never see the answer.
        """
        self._until = min(self._until, asyncio.get_running_loop().time() + DROP_SECONDS)
        size = 0
        with contextlib.suppress(TooSlowError):
            while self._waits_for_body and size < MAX_DROPPED:
                message = await self.receive()
                size += len(message["body"]) if message["type"] == "http.request" else 0

    async def refuse(self, status: int, sentence: str, more: Mapping[str, str] | None = None) -> None:
        """Answer instead of the application."""
        if _is_socket(self._scope):
            await self._receive()
        kind = "websocket.http.response" if _is_socket(self._scope) else "http.response"
        body = msgspec.json.encode(ErrorView(sentence, CODES[status]))
        headers = {"content-type": "application/json", "content-length": str(len(body)), **(more or {})}
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        start: Any = {"type": f"{kind}.start", "status": status, "headers": encoded}
        end: Any = {"type": f"{kind}.body", "body": body, "more_body": False}
        await self.send(start)
        await self._send(end)


def _is_socket(scope: Scope) -> bool:
    return scope["type"] == ScopeType.WEBSOCKET
