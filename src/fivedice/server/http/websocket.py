"""The WebSocket of a stream: sends what changes, and takes commands, kept dice and reactions at a table, as JSON.

Deadlines for slow clients, and the number of connections of an address, are left to the proxy.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, cast

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import PathParameter, QueryParameter
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

from fivedice.base.errors import MalformedError, UnavailableError, UnknownError
from fivedice.server.http.handling.params import new_cookies, seen_stream
from fivedice.server.limits import (
    MAX_COMMAND_CHARACTERS,
    MAX_FRAMES,
    MAX_UNHANDLED_MESSAGES,
    MAX_UNREAD_BYTES,
    MESSAGE_TOKENS,
)
from fivedice.server.live.broadcast import PONG, encode_answer
from fivedice.server.live.event_store import NewerError
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.ops.budget import address_of
from fivedice.server.replies.endpoint import read_json
from fivedice.server.services import Services
from fivedice.server.table.answers import Refused
from fivedice.server.table.messages import KeptDice, Reaction
from fivedice.server.table.verbs import AnyCommand

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
        return self.disconnected or self.conn.state is not OPEN

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


UNKNOWN, UNAVAILABLE, RESTARTING, INTERNAL_ERROR = 4404, 4503, 1012, 1011
"""Close codes: the stream does not exist; the database is unavailable; the server is stopping; it failed."""

_log = logging.getLogger(__name__)

AnySocket = WebSocket[None, None, State]


class Ping(msgspec.Struct, frozen=True, tag_field="type", tag="ping"):
    """Requests a `{"type":"pong"}`, with which a page detects a dead connection."""


class _Id(msgspec.Struct, frozen=True):
    """The id of a message that is not a valid command."""

    id: str = ""


_AnyMessage = AnyCommand | KeptDice | Reaction | Ping
_messages: msgspec.json.Decoder[_AnyMessage] = msgspec.json.Decoder(_AnyMessage)
_ids = msgspec.json.Decoder(_Id)


@websocket(["/api/tables/{stream:str}/socket", "/api/streams/{stream:str}/socket"])
async def stream_socket(
    socket: AnySocket,
    stream: Annotated[str, PathParameter(max_length=64)],
    since: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
) -> None:
    """Follow a stream, and play at a table: the server sends the same messages as on the stream, and answers
    commands."""
    services: Services = socket.app.state.services
    try:
        visitor = await services.holders.visitor(socket.cookies)
        live = await seen_stream(services, stream, visitor, since)
    except NewerError:
        await _refuse(socket)
        return
    except (UnknownError, UnavailableError) as error:
        await socket.accept()
        await socket.close(code=UNKNOWN if isinstance(error, UnknownError) else UNAVAILABLE, reason=str(error)[:120])
        return
    cookies = new_cookies(visitor.key, socket.cookies, is_secure=socket.url.scheme == "wss")
    await socket.accept(headers=[cookie.to_encoded_header() for cookie in cookies])
    subscriber = await services.tables.subscribe(live, visitor, since, address_of(socket.scope))
    try:
        async with asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(_send(socket, subscriber))
            await _receive(socket, subscriber, live, services)
            sending.cancel()
    except* Exception as errors:  # noqa: BLE001
        # Log every error and close the WebSocket: Litestar would close it without a log line.
        _log.error("the socket of %s %s failed", live.kind, stream, exc_info=errors)
        await socket.close(code=INTERNAL_ERROR, reason="internal server error")
    finally:
        services.tables.unsubscribe(live, subscriber)


async def _refuse(socket: AnySocket) -> None:
    """Answer the handshake with status 503, at which a load balancer tries another server."""
    await socket.receive()
    start = {"type": "websocket.http.response.start", "status": 503, "headers": [(b"content-length", b"0")]}
    for message in (start, {"type": "websocket.http.response.body", "body": b"", "more_body": False}):
        await socket.send(message)  # type: ignore[arg-type]


async def _send(socket: AnySocket, subscriber: Subscriber) -> None:
    connection = cast("SocketConnection", (socket.scope["extensions"] or {})[CONNECTION])
    subscriber.send_now = connection.send_now
    try:
        async for messages in subscriber.batches():
            await connection.send_texts(messages)
        await socket.close(code=RESTARTING, reason="the server is stopping; connect again")
    except (WebSocketDisconnect, OSError, RuntimeError):
        return  # the client disconnected, which ends `_receive` too
    finally:
        subscriber.give_up()


async def _receive(socket: AnySocket, subscriber: Subscriber, live: LiveStream, services: Services) -> None:
    address, opener = address_of(socket.scope), subscriber.visitor.holder
    while True:
        await subscriber.room()
        event = await socket.receive()
        if event["type"] != "websocket.receive":
            return
        if subscriber.is_closing:
            continue  # the client sends it again where it connects next
        while seconds := services.budget.wait(address, MESSAGE_TOKENS):
            await asyncio.sleep(seconds)
        text = event.get("text") or event.get("bytes") or b""
        if len(text) > MAX_COMMAND_CHARACTERS:
            detail = f"the message has {len(text):,} characters; at most {MAX_COMMAND_CHARACTERS:,} are allowed"
            subscriber.answer(_malformed("", live, detail))
            continue
        try:
            message = read_json(_messages, text)
        except MalformedError as error:
            subscriber.answer(_malformed(text, live, str(error)))
            continue
        if isinstance(message, Ping):
            subscriber.answer(PONG)
        elif not isinstance(live, LiveTable):
            subscriber.answer(_malformed(text, live, "this is no table: only tables take commands over a socket"))
        elif isinstance(message, KeptDice):
            services.tables.broadcaster.keep_dice(live, subscriber.visitor, message, subscriber)
        elif isinstance(message, Reaction):
            services.tables.broadcaster.react(live, subscriber.visitor, message)
        else:
            if opener is not None and await _is_signed_out(socket, opener, services):
                await socket.close(code=RESTARTING, reason="this browser was signed out; connect again")
                return
            with subscriber.busy(), suppress(NewerError):  # the table has sent a farewell
                answer = await services.command_handler.handle(live, subscriber.visitor, message, address)
                subscriber.answer(encode_answer(answer))


async def _is_signed_out(socket: AnySocket, opener: str, services: Services) -> bool:
    """Whether the key of a socket is no longer that of the holder who opened it."""
    try:
        return (await services.holders.visitor(socket.cookies)).holder != opener
    except UnavailableError:
        return False  # the command says so


def _malformed(text: str | bytes, live: LiveStream, detail: str) -> bytes:
    try:
        id = read_json(_ids, text).id
    except MalformedError:
        id = ""
    return encode_answer(Refused(id[:64], live.version, "malformed", detail))
