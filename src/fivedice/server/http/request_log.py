"""The `with_request_log` of a request: its id, its line in the log, and what the metrics learn of it."""

import secrets
from time import perf_counter

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from fivedice.server.ops.metrics import Metrics

_log = structlog.get_logger("fivedice.server")

_ERRORS = {500: "mistake", 503: "unavailable"}

SLOW_SECONDS = 1.0
"""A request that takes longer is a warning; streams and sockets last as long as they like."""


def with_request_log(app: ASGIApp, metrics: Metrics) -> ASGIApp:
    """The application with every request traced."""

    async def traced(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            with bound_contextvars(request=_new_id()):
                await _request(app, metrics, scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            with bound_contextvars(request=_new_id()):
                await _socket(app, metrics, scope, receive, send)
        else:
            await app(scope, receive, send)

    return traced


async def _request(app: ASGIApp, metrics: Metrics, scope: Scope, receive: Receive, send: Send) -> None:
    began, status, is_stream = perf_counter(), 0, False
    id = structlog.contextvars.get_contextvars()["request"]

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
        seconds = perf_counter() - began
        path = _path(scope)
        if is_stream:
            metrics.streams.dec()
        else:
            metrics.request_seconds.observe(seconds)
        method = str(scope.get("method"))
        metrics.requests.labels(method, path, str(status)).inc()
        if status in _ERRORS:
            metrics.errors.labels(_ERRORS[status]).inc()
        is_odd = status >= 500 or (seconds > SLOW_SECONDS and not is_stream)
        tell = _log.warning if is_odd else _log.info
        tell("request", method=method, path=path, status=status, ms=round(seconds * 1000, 1), **_table(scope))


async def _socket(app: ASGIApp, metrics: Metrics, scope: Scope, receive: Receive, send: Send) -> None:
    began, code = perf_counter(), None

    async def send_and_look(message: Message) -> None:
        nonlocal code
        if message["type"] == "websocket.close":
            code = message["code"]
        elif message["type"] == "websocket.http.response.start":
            code = message["status"]
        await send(message)

    metrics.sockets.inc()
    try:
        await app(scope, receive, send_and_look)
    finally:
        metrics.sockets.dec()
        _log.info("socket", path=_path(scope), code=code, s=round(perf_counter() - began, 1), **_table(scope))


def _new_id() -> str:
    return secrets.token_hex(8)


def _path(scope: Scope) -> str:
    """The path as its endpoint writes it, so that there are few of them; "-" where nothing was asked."""
    return str(scope.get("path_template") or "-")


def _table(scope: Scope) -> dict[str, str]:
    table = scope.get("path_params", {}).get("table")
    return {"table": table} if isinstance(table, str) else {}
