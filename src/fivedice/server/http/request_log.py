"""`with_request_log`: the middleware that gives each request an id, logs it and updates the metrics.

What is refused because an address asks for too much is counted, and not logged: a flood must not fill the log.
"""

import secrets
from time import perf_counter

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from fivedice.server.http.handling.error_responses import error_of
from fivedice.server.http.handling.params import PROBES
from fivedice.server.ops.metrics import Metrics

SLOW_REQUEST_SECONDS = 1.0
"""A slower request is logged as a warning."""

_log = structlog.get_logger("fivedice.server")


def with_request_log(app: ASGIApp, metrics: Metrics) -> ASGIApp:
    """Wrap an application in the middleware."""

    async def logged(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):
            await app(scope, receive, send)
            return
        id = secrets.token_hex(8)
        with bound_contextvars(request=id):
            if scope["type"] == ScopeType.HTTP:
                await _request(app, metrics, id, scope, receive, send)
            else:
                await _socket(app, metrics, scope, receive, send)

    return logged


async def _request(app: ASGIApp, metrics: Metrics, id: str, scope: Scope, receive: Receive, send: Send) -> None:
    start, status, is_stream = perf_counter(), 0, False

    async def send_with_id(message: Message) -> None:
        nonlocal status, is_stream
        if message["type"] == "http.response.start":
            status = message["status"]
            types = [value for name, value in message["headers"] if name.lower() == b"content-type"]
            is_stream = any(value.startswith(b"text/event-stream") for value in types)
            message["headers"] = [*message["headers"], (b"x-request-id", id.encode())]
            if is_stream:
                metrics.streams.inc()
        await send(message)

    try:
        await app(scope, receive, send_with_id)
    finally:
        seconds = perf_counter() - start
        path = _path(scope)
        if is_stream:
            metrics.streams.dec()
        else:
            metrics.request_seconds.observe(seconds)
        method = str(scope.get("method"))
        metrics.requests.labels(method, path, str(status)).inc()
        is_slow = seconds > SLOW_REQUEST_SECONDS and not is_stream
        if status != 429 and (path not in PROBES or status != 200):
            error = error_of(scope)
            log = _log.error if error else _log.warning if status >= 500 or is_slow else _log.info
            ms = round(seconds * 1000, 1)
            log("request", method=method, path=path, status=status, ms=ms, exc_info=error, **_table(scope))


async def _socket(app: ASGIApp, metrics: Metrics, scope: Scope, receive: Receive, send: Send) -> None:
    start, code = perf_counter(), None

    async def send_and_note_code(message: Message) -> None:
        nonlocal code
        if message["type"] == "websocket.close":
            code = message["code"]
        elif message["type"] == "websocket.http.response.start":
            code = message["status"]
        await send(message)

    metrics.sockets.inc()
    try:
        await app(scope, receive, send_and_note_code)
    finally:
        metrics.sockets.dec()
        metrics.requests.labels("SOCKET", _path(scope), str(code)).inc()
        if code != 429:
            _log.info("socket", path=_path(scope), code=code, s=round(perf_counter() - start, 1), **_table(scope))


def _path(scope: Scope) -> str:
    """The path template of the endpoint, so that metrics have few labels; "-" if no endpoint was called."""
    return str(scope.get("path_template") or "-")


def _table(scope: Scope) -> dict[str, str]:
    name = "stream" if _path(scope).startswith("/api/tables/{stream") else "table"  # that of a socket
    table = scope.get("path_params", {}).get(name)
    return {"table": table} if isinstance(table, str) else {}
