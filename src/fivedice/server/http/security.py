"""`with_security`: the middleware that every request passes first.

It checks the host and the origin, counts the request, and adds headers to the response: those of security, and those
that tell a cache what the response depends on.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from fivedice.server.http.handling.error_responses import DEFAULT_CODES, DisconnectedError, retry_after
from fivedice.server.http.handling.params import PROBES, with_cache_headers
from fivedice.server.http.hosts import Hosts
from fivedice.server.ops.budget import Budget, TooFastError, address_of
from fivedice.server.replies.endpoint import ErrorReply

if TYPE_CHECKING:
    from litestar.types import HTTPReceiveMessage, WebSocketReceiveMessage

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

WORKER_POLICY = {
    "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
"""The header of the worker in which the page plays without the server: it may run WebAssembly, which no page may. A
worker has the policy of its own script."""

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


PAGE_HEADER = "fivedice-page"
"""The header of all responses with the version of the page that the server has, if it has one."""


def with_security(
    app: ASGIApp, budget: Budget, hosts: Hosts, page: str = "", is_stopping: Callable[[], bool] = lambda: False
) -> ASGIApp:
    """Wrap an application in the middleware, for requests to one of these hosts.

    `page` is the version of the page. When the server stops, each response closes its connection.
    """
    headers = (*HEADERS, (PAGE_HEADER.encode(), page.encode())) if page else HEADERS

    async def secured(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):
            await app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, headers, is_stopping)
        try:
            names = [name for name, _ in scope["headers"] if name == b"host"]
            if len(names) != 1 and scope["http_version"] == "1.1":
                await exchange.refuse(400, "a request of HTTP/1.1 has one Host")
                return
            if scope["path"] not in PROBES and (why := hosts.why_refused(dict(scope["headers"]).get(b"host"))):
                await exchange.refuse(421, why)
                return
            if (is_in_path := "\0" in scope["path"]) or b"%00" in scope["query_string"]:  # PostgreSQL has no such text
                await exchange.refuse(404 if is_in_path else 400, "an address cannot have a NUL character")
                return
            if not is_safe(scope) and not is_same_origin(scope):
                await exchange.refuse(403, "this request comes from a page of another site")
                return
            if scope["path"] in PROBES:
                await app(scope, exchange.receive, exchange.send)
                return
            budget.spend(address_of(scope), 1)
            await app(scope, exchange.receive, exchange.send)
        except asyncio.CancelledError:
            if not is_stopping():
                raise
            await exchange.refuse(503, "the server is stopping: repeat the request")
        except TooFastError as error:
            await exchange.refuse(429, str(error), {"retry-after": retry_after(error.seconds)})

    return secured


def is_safe(scope: Scope) -> bool:
    """Whether a request has a safe method, which changes nothing. A WebSocket can send commands, so it is not safe."""
    return scope["type"] == ScopeType.HTTP and scope["method"] in _SAFE_METHODS


def is_same_origin(scope: Scope) -> bool:
    """Whether a request comes from a page of this server or from no page: other programs send no origin.

    Pages cannot set either header. Browsers send `Sec-Fetch-Site` over HTTPS only, and some not for WebSockets. Without
    it `Origin` is compared with `Host`, which a proxy must pass on.
    """
    headers = dict(scope["headers"])
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is None or origin.partition(b"://")[2] == headers.get(b"host")


class _Exchange:
    """A request and its response, to which it adds the headers."""

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        headers: Iterable[tuple[bytes, bytes]],
        is_stopping: Callable[[], bool],
    ) -> None:
        self._headers = headers
        self._is_stopping = is_stopping
        self._scope = scope
        self._receive = receive
        self._send = send
        names = {name for name, _ in scope["headers"]}
        self._has_more_body = bool(names & {b"content-length", b"transfer-encoding"}) and not _is_socket(scope)

    async def receive(self) -> "HTTPReceiveMessage | WebSocketReceiveMessage":
        """The next message of the client; raises `DisconnectedError` if it leaves before the end of the body."""
        message = await self._receive()
        if self._has_more_body:
            if message["type"] == "http.disconnect":
                self._has_more_body = False
                raise DisconnectedError("the client disconnected before the end of its request")
            self._has_more_body = message["type"] == "http.request" and message["more_body"]
        return message

    async def send(self, message: Message) -> None:
        """Send a message. A response of a server that stops closes the connection."""
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            is_last = self._is_stopping() and not _is_socket(self._scope)
            close = [(b"connection", b"close")] if is_last else []
            own = {name.lower() for name, _ in message["headers"]}
            general = [(name, value) for name, value in self._headers if name not in own]
            message["headers"] = with_cache_headers([*message["headers"], *general, *close], self._scope)
        await self._send(message)

    async def refuse(self, status: int, sentence: str, more_headers: Mapping[str, str] | None = None) -> None:
        """Answer with an error instead of calling the application."""
        if _is_socket(self._scope):
            await self._receive()
        kind = "websocket.http.response" if _is_socket(self._scope) else "http.response"
        body = msgspec.json.encode(ErrorReply(sentence, DEFAULT_CODES[status]))
        headers = {"content-type": "application/json", "content-length": str(len(body)), **(more_headers or {})}
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        start: Any = {"type": f"{kind}.start", "status": status, "headers": encoded}
        end: Any = {"type": f"{kind}.body", "body": body, "more_body": False}
        await self.send(start)
        await self._send(end)


def _is_socket(scope: Scope) -> bool:
    return scope["type"] == ScopeType.WEBSOCKET
