"""The socket of a table: news out, commands in, as JSON messages of text."""

import asyncio
import logging

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from fivedice.errors import MalformedError, UnknownError
from fivedice.server.http.api.params import Since, TableId, TheServices
from fivedice.server.http.strict_json import read_json
from fivedice.server.identity.visitor import cookie
from fivedice.server.live.broadcast import PONG, encode_answer
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.ops.rate_limits import address_of
from fivedice.server.services import Services
from fivedice.server.table.commands import AnyCommand, Refused
from fivedice.storage.engine.database import UnavailableError

MAX_COMMAND = 8_192
"""Characters of a message; a longer one is refused, and one beyond uvicorn's own limit ends the connection."""

UNKNOWN, UNAVAILABLE, TRY_AGAIN, MISTAKE = 4404, 4503, 1012, 1011
"""Close codes: there is no such table; the database cannot be used now; the server stops or starts again; it failed."""

_log = logging.getLogger(__name__)

AnySocket = WebSocket[None, None, State]


class Ping(msgspec.Struct, frozen=True, tag_field="type", tag="ping"):
    """Asks for `{"type":"pong"}`: a page finds out in time that its connection is dead."""


class _Id(msgspec.Struct, frozen=True):
    """The id of what is no command, where it has one."""

    id: str = ""


_messages: msgspec.json.Decoder[AnyCommand | Ping] = msgspec.json.Decoder(AnyCommand | Ping)
_ids = msgspec.json.Decoder(_Id)


@websocket("/api/tables/{table:str}/socket")
async def table_socket(socket: AnySocket, table: TableId, services: TheServices, since: Since = 0) -> None:
    """Follow a table and play at it: the server sends messages as the stream does, and answers to commands."""
    try:
        visitor = await services.holders.visitor(socket.cookies)
        live = await services.tables.find(table, since)
    except (UnknownError, UnavailableError) as error:
        await socket.accept()
        await socket.close(code=UNKNOWN if isinstance(error, UnknownError) else UNAVAILABLE, reason=str(error)[:120])
        return
    key = cookie(visitor.key, is_secure=socket.url.scheme == "wss")
    await socket.accept(headers={"set-cookie": key})
    subscriber = services.tables.subscribe(live, visitor, since)
    try:
        async with asyncio.TaskGroup() as both:
            sending = both.create_task(_send(socket, subscriber))
            await _receive(socket, subscriber, live, services)
            sending.cancel()
    except* Exception as mistakes:  # noqa: BLE001
        # Whatever it is, it is in the log and the other end is told: Litestar would do only the latter.
        _log.error("the socket of table %s failed", table, exc_info=mistakes)
        services.metrics.errors.labels("mistake").inc()
        await socket.close(code=MISTAKE, reason="the server made a mistake")
    finally:
        services.tables.unsubscribe(live, subscriber)


async def _send(socket: AnySocket, subscriber: Subscriber) -> None:
    try:
        async for message in subscriber.messages():
            await socket.send({"type": "websocket.send", "text": message.decode(), "bytes": None})
        await socket.close(code=TRY_AGAIN, reason="the server stops; connect again")
    except (WebSocketDisconnect, OSError, RuntimeError):
        return  # the other end went away first, which whoever receives will notice
    finally:
        subscriber.give_up()


async def _receive(socket: AnySocket, subscriber: Subscriber, live: LiveTable, services: Services) -> None:
    address = address_of(socket.scope)
    while True:
        await subscriber.room()
        event = await socket.receive()
        if event["type"] != "websocket.receive":
            return
        if seconds := services.rate_limiter.wait("messages", address):
            await asyncio.sleep(seconds)
        text = event.get("text") or event.get("bytes") or b""
        if len(text) > MAX_COMMAND:
            subscriber.answer(_malformed("", live, f"a message of {len(text):,} characters: {MAX_COMMAND:,} at most"))
            continue
        try:
            message = read_json(_messages, text)
        except MalformedError as error:
            subscriber.answer(_malformed(text, live, str(error)))
            continue
        if isinstance(message, Ping):
            subscriber.answer(PONG)
        else:
            subscriber.answer(encode_answer(await services.command_handler.handle(live, subscriber.visitor, message)))


def _malformed(text: str | bytes, live: LiveTable, detail: str) -> bytes:
    try:
        id = read_json(_ids, text).id
    except MalformedError:
        id = ""
    return encode_answer(Refused(id[:64], live.table.version, "malformed", detail))
