"""Connections that end when their client is too slow, sends too much or does not read.

Uvicorn sets no deadline for the head of a request or for a client that does not read what it is sent.
"""

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from fivedice.server.config.limits import HEAD_SECONDS, MAX_FRAMES, MAX_HEAD_BYTES, MAX_UNREAD_BYTES, UNREAD_SECONDS
from fivedice.server.http.proxies import Proxies

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


class SocketConnection(_WriteTimeout, WebSocketsSansIOProtocol):
    """A WebSocket connection."""

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
    num_open: ClassVar[Counter[str]]

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _counted_host = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection and abort it if its address has too many; a proxy's connections are not counted."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if self.max_connections and host and host not in self.proxies:
            self._counted_host = host
            self.num_open[host] += 1
            if self.num_open[host] > self.max_connections:
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
            self.num_open[self._counted_host] -= 1
            if not self.num_open[self._counted_host]:
                del self.num_open[self._counted_host]
            self._counted_host = ""


def connection_class(max_connections: int, proxies: Proxies) -> type[HttpConnection]:
    """The connection class of a server that allows each address `max_connections` at once; 0 is no limit."""
    namespace = {"max_connections": max_connections, "proxies": proxies, "num_open": Counter()}
    return type("HttpConnection", (HttpConnection,), namespace)
