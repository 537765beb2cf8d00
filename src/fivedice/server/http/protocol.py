"""`SocketConnection`: WebSockets that take messages directly, and end when their client sends or leaves too much.

Deadlines for slow clients, and the number of connections of an address, are left to the proxy.
"""

from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from fivedice.server.config.limits import MAX_FRAMES, MAX_UNHANDLED_MESSAGES, MAX_UNREAD_BYTES

CONNECTION = "fivedice.connection"
"""The key of the `SocketConnection` in the extensions of its scope."""


class SocketConnection(WebSocketsSansIOProtocol):
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
