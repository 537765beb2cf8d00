"""A connection as uvicorn keeps it, ended when its other end is too slow, too greedy or never reads.

Uvicorn itself waits for ever for the rest of a request's head, and for whoever does not take what it is sent.
"""

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from fivedice.server.http.proxies import Proxies

HEAD_SECONDS = 10.0
"""How long the head of a request may take, and a new connection to begin one."""

MAX_HEAD = 65_536
"""Bytes of a request's head."""

UNREAD_SECONDS = 30.0
"""How long a connection may leave what it is sent unread, once its buffers are full."""

MAX_UNREAD = 1_048_576
"""Bytes that may wait for a socket which goes on sending: each ping asks for a pong."""

MAX_FRAMES = 64
"""Frames of a socket's message: empty ones would come without end, and cost memory each."""

_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class _Unread:
    """Ends a connection whose other end does not read: what both protocols have in common."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Buffers are full: uvicorn waits, and so does the connection's end."""
        super().pause_writing()  # type: ignore[misc]
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The other end read something."""
        self._forget()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._forget()
        super().connection_lost(exc)  # type: ignore[misc]

    def _forget(self) -> None:
        if self._unread:
            self._unread.cancel()
            self._unread = None


class SocketConnection(_Unread, WebSocketsSansIOProtocol):
    """A connection that became a WebSocket."""

    def data_received(self, data: bytes) -> None:
        """Take what came, unless the other end takes nothing itself."""
        if self.transport.get_write_buffer_size() > MAX_UNREAD:
            self.transport.abort()
        else:
            super().data_received(data)

    async def send(self, message: Any) -> None:
        """Send what the application says."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message["more_body"]:
            # The handshake was answered with a refusal; uvicorn would log that as a mistake of the application.
            self.handshake_complete = True

    def handle_cont(self, event: Frame) -> None:
        """One more piece of a message."""
        if len(self.frames) < MAX_FRAMES:
            super().handle_cont(event)
        else:
            self.transport.abort()


class HttpConnection(_Unread, HttpToolsProtocol):
    """A connection that sends requests. `connection_class` makes the classes of servers, with what is counted."""

    most: ClassVar[int]
    proxies: ClassVar[Proxies]
    open_now: ClassVar[Counter[str]]

    _head: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _counted = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection begins; one too many of an address ends at once. Those of a proxy are of many people."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if self.most and host and host not in self.proxies:
            self._counted = host
            self.open_now[host] += 1
            if self.open_now[host] > self.most:
                transport.abort()
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._end_head()
        self._uncount()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """The connection goes on as a socket, which is counted where it is let in."""
        self._end_head()
        self._uncount()
        self._forget()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Take what came, unless a head has no end."""
        super().data_received(data)
        if self._head:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD and not self.transport.is_closing():
                self.transport.write(_TOO_LONG)
                self.transport.close()

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        if not self._head:
            self._expect_head()

    def on_headers_complete(self) -> None:
        """The last byte of its head."""
        self._end_head()
        super().on_headers_complete()

    def _expect_head(self) -> None:
        self._head_bytes = 0
        self._head = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _end_head(self) -> None:
        if self._head:
            self._head.cancel()
            self._head = None

    def _uncount(self) -> None:
        if self._counted:
            self.open_now[self._counted] -= 1
            if not self.open_now[self._counted]:
                del self.open_now[self._counted]
            self._counted = ""


def connection_class(most: int, proxies: Proxies) -> type[HttpConnection]:
    """The class of a server's connections, of which an address may have so many at once; 0 is any number."""
    return type("HttpConnection", (HttpConnection,), {"most": most, "proxies": proxies, "open_now": Counter()})
