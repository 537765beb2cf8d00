"""Connections that end when their client is too slow, sends too much or does not read.

Uvicorn sets no deadline for the head of a request or for a client that does not read what it is sent.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from fivedice.server.config.limits import (
    HEAD_SECONDS,
    MAX_FRAMES,
    MAX_HEAD_BYTES,
    MAX_UNHANDLED_MESSAGES,
    MAX_UNREAD_BYTES,
    UNREAD_SECONDS,
)
from fivedice.server.http.hosts import Proxies
from fivedice.server.ops.rate_limits import RateLimiter

_HEAD_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class _WriteTimeout:
    """Ends a connection whose client does not read. A mixin for both protocols."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _write_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The write buffer is full: start the timer."""
        super().pause_writing()  # type: ignore[misc]
        self._write_timer = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads: stop the timer."""
        self._cancel_write_timer()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._cancel_write_timer()
        super().connection_lost(exc)  # type: ignore[misc]

    def _cancel_write_timer(self) -> None:
        if self._write_timer:
            self._write_timer.cancel()
            self._write_timer = None


CONNECTION = "fivedice.connection"
"""The key of the `SocketConnection` in the extensions of its scope."""


class SocketConnection(_WriteTimeout, WebSocketsSansIOProtocol):
    """A WebSocket connection.

    It takes messages directly, because to pass each one through the layers of the application takes several times as
    long as to send it.
    """

    _is_sending = False

    def handle_connect(self, event: Request) -> None:
        """Begin with a valid or invalid request."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][CONNECTION] = self  # type: ignore[assignment]

    async def send_texts(self, messages: Sequence[bytes]) -> None:
        """Send text messages; raises `OSError` if the client is gone."""
        self._is_sending = True
        try:
            await self.writable.wait()
        finally:
            self._is_sending = False
        if self._is_gone:
            raise ClientDisconnected
        self._write(messages)

    def send_now(self, message: bytes) -> bool:
        """Send a text message if the client reads, and nothing waits to be sent before it; returns whether it did."""
        if self._is_sending or self._is_gone or not self.writable.is_set():
            return False
        self._write([message])
        return True

    def _write(self, messages: Sequence[bytes]) -> None:
        for message in messages:
            self.conn.send_text(message)
        self.transport.write(b"".join(self.conn.data_to_send()))

    @property
    def _is_gone(self) -> bool:
        return self.disconnected or self.conn.state is not State.OPEN

    def send_receive_event_to_app(self) -> None:
        """Hand a message to the application, and stop reading only if several wait for it."""
        reads_on = not self.read_paused and self.queue.qsize() < MAX_UNHANDLED_MESSAGES
        self.read_paused = self.read_paused or reads_on  # uvicorn would stop after every message
        super().send_receive_event_to_app()
        if reads_on:
            self.read_paused = False

    def data_received(self, data: bytes) -> None:
        """Process input, unless too much output is waiting to be read."""
        if self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)

    async def send(self, message: Any) -> None:
        """Send a message of the application."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message["more_body"]:
            # The handshake was refused with an HTTP response, which uvicorn would log as an error of the application.
            self.handshake_complete = True

    def handle_cont(self, event: Frame) -> None:
        """Process a continuation frame."""
        if len(self.frames) < MAX_FRAMES:
            super().handle_cont(event)
        else:
            self.transport.abort()


class HttpConnection(_WriteTimeout, HttpToolsProtocol):
    """An HTTP connection. `connection_class` makes one subclass per server, which holds the class variables."""

    max_connections: ClassVar[int]
    proxies: ClassVar[Proxies]
    rate_limiter: ClassVar[RateLimiter]

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _counted_host = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection and abort it if its address has too many; a proxy's connections are not counted."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if self.max_connections and host and host not in self.proxies:
            self._counted_host = host
            if self.rate_limiter.open(host, 1) > self.max_connections:
                transport.abort()
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._cancel_head_timer()
        self._uncount()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to a `SocketConnection`, which `with_security` counts."""
        self._cancel_head_timer()
        self._uncount()
        self._cancel_write_timer()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Process input, and refuse a head that is too large."""
        super().data_received(data)
        if self._head_timer:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
                self.transport.write(_HEAD_TOO_LARGE)
                self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        if not self._head_timer:
            self._start_head_timer()

    def on_headers_complete(self) -> None:
        """The head of a request is complete."""
        self._cancel_head_timer()
        super().on_headers_complete()

    def _start_head_timer(self) -> None:
        self._head_bytes = 0
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _cancel_head_timer(self) -> None:
        if self._head_timer:
            self._head_timer.cancel()
            self._head_timer = None

    def _uncount(self) -> None:
        if self._counted_host:
            self.rate_limiter.open(self._counted_host, -1)
            self._counted_host = ""


def connection_class(max_connections: int, proxies: Proxies, rate_limiter: RateLimiter) -> type[HttpConnection]:
    """The connection class of a server that allows each address `max_connections` at once; 0 is no limit."""
    namespace = {"max_connections": max_connections, "proxies": proxies, "rate_limiter": rate_limiter}
    return type("HttpConnection", (HttpConnection,), namespace)
