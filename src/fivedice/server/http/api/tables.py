"""`/api/tables`: create a table, show it, follow its events, and change it."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, cast

from litestar import Response
from litestar.response import Stream
from msgspec import Meta

from fivedice.game.proof import commitment
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.error_responses import retry_after
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.limits import MAX_RULESET_BODY_BYTES, UPLOAD_TOKENS
from fivedice.server.live.broadcast import PONG
from fivedice.server.live.command_handler import CommandHandler
from fivedice.server.live.event_store import new_id
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.registry import TableRegistry
from fivedice.server.replies.asking import Since, TableId, WithRules
from fivedice.server.replies.endpoint import ErrorReply, get, post
from fivedice.server.table.answers import REASON_STATUSES, Accepted, Refused
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.history import game_bytes
from fivedice.server.table.messages import AnySocketMessage, KeptDice, Reaction, Update
from fivedice.server.table.verbs import AnyCommand
from fivedice.views.access import CreatedView
from fivedice.views.rules import rules_view

StreamId = Annotated[
    str,
    Meta(description="lobby, or the id of a table, a club or a tournament, the last part of its link", max_length=64),
]

KEEPALIVE_SECONDS = 15.0
"""Silence on a stream before a keep-alive, so that both ends see a loss."""


@post("/api/tables", 403, 404, success=201, max_bytes=MAX_RULESET_BODY_BYTES, renews_cookie=True)
async def create_table(asker: Asker, tables: TableRegistry, data: NewTable) -> CreatedView:
    """Create a table. Its link is the invitation: anyone who has it can watch and take an open seat."""
    if data.toml:
        asker.spend(UPLOAD_TOKENS)
    secret, id = asker.settings.new_secret(), new_id()
    # In a thread, because reading custom rules can take a second.
    created = await asker.read_rules(create, data, id, commitment(secret), asker.now, look_of=skeleton)
    asker.store(game_bytes(created))
    if data.taken_here:
        asker.count_browser()
    live = await tables.create(created, secret, asker.visitor, data.taken_here, asker.address)
    return CreatedView(live.id, f"/t/{live.id}", data.taken_here)


@get("/api/tables/{table}", 404, cost=0, pays_for_bytes=True)
async def show_table(asker: Asker, tables: TableRegistry, table: TableId, rules: WithRules = False) -> Update:
    """The current state of a table."""
    live = await asker.table(table)
    shown = rules_view(live.table.ruleset) if rules else None
    return cast("Update", tables.broadcaster.update(live, asker.holder, 0, shown))


@get("/api/tables/{table}/events", 404, cost=0, pays_for_bytes=True)
async def show_events(asker: Asker, tables: TableRegistry, table: TableId, since: Since = 0) -> Update:
    """The events since a version, or a snapshot if they are too many or the version is unknown."""
    return cast("Update", tables.broadcaster.update(await asker.table(table, since), asker.holder, since, None))


_FOLLOWED: dict[str, Any] = {
    "cost": 0,
    "media_type": "text/event-stream",
    "is_compressed": False,
    "described": {
        200: (AnySocketMessage, "Server-sent events. The data of each is one message; the first says what is new.")
    },
}


@get("/api/tables/{table}/stream", 404, **_FOLLOWED)
async def stream_events(asker: Asker, tables: TableRegistry, table: TableId, since: Since = 0) -> Stream:
    """Follow a table with server-sent events: the messages of the WebSocket, for clients that cannot open one."""
    return _event_stream(asker, tables, await asker.table(table, since), since)


@get("/api/streams/{stream}/stream", 404, **_FOLLOWED)
async def stream_versions(asker: Asker, tables: TableRegistry, stream: StreamId, since: Since = 0) -> Stream:
    """Follow a club, a tournament or the lobby in the same way: each message names its newest version."""
    return _event_stream(asker, tables, await asker.stream(stream, since), since)


def _event_stream(asker: Asker, tables: TableRegistry, live: LiveStream, since: int) -> Stream:
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(_messages(asker, tables, live, since), media_type="text/event-stream", headers=headers)


async def _messages(asker: Asker, tables: TableRegistry, live: LiveStream, since: int) -> AsyncIterator[bytes]:
    subscriber = await tables.subscribe(live, asker.visitor, since, asker.address)
    try:
        async for message in subscriber.messages(KEEPALIVE_SECONDS):
            yield b"data: " + message + b"\n\n" if message else b"event: pong\ndata: " + PONG + b"\n\n"
    finally:
        tables.unsubscribe(live, subscriber)


_DESCRIPTIONS = {
    400: "Refused as illegal or malformed; an error if the body is not a command.",
    403: "Refused, because the seat is not yours; an error if the request comes from another site.",
    404: "The table does not exist.",
    409: "Refused as stale: fetch the newer events first.",
    413: "The command is larger than 8 KB.",
    428: "Refused as costly by the tutor: repeat it with a new id and `anyway` to confirm it.",
    429: "Refused as too fast.",
    503: "Refused, because the database is unavailable, the disk is nearly full or the server is stopping: "
    "repeat it later, with the same id.",
}
_ERRORS = {
    404: ErrorReply,
    413: ErrorReply,
    400: ErrorReply | Refused,
    403: ErrorReply | Refused,
    503: ErrorReply | Refused,
}


@post(
    "/api/tables/{table}/commands",
    cost=0,
    described={status: (_ERRORS.get(status, Refused), words) for status, words in _DESCRIPTIONS.items()},
)
async def command_table(
    asker: Asker, command_handler: CommandHandler, table: TableId, data: AnyCommand
) -> Response[Accepted | Refused]:
    """Send a command, as over the WebSocket. A repeated command is answered again and changes nothing."""
    live = await asker.table(table)
    answer = await command_handler.handle(live, asker.visitor, data, asker.address)
    status = 200 if isinstance(answer, Accepted) else REASON_STATUSES[answer.reason]
    response = Response(answer, status_code=status, cookies=asker.new_cookies())
    if isinstance(answer, Refused) and answer.reason == "too_fast" and answer.seconds:
        response.set_header("retry-after", retry_after(answer.seconds))
    return response


@post("/api/tables/{table}/kept", 404, cost=0)
async def keep_dice(asker: Asker, tables: TableRegistry, table: TableId, data: KeptDice) -> None:
    """Show the others the dice that you keep for the next roll, as over the WebSocket. It is not stored, and ignored if
    they are not yours to choose."""
    tables.broadcaster.keep_dice(await asker.table(table), asker.visitor, data)


@post("/api/tables/{table}/reactions", 404, cost=0)
async def react(asker: Asker, tables: TableRegistry, table: TableId, data: Reaction) -> None:
    """Show everybody at the table a reaction, as over the WebSocket. It is not stored, and ignored if the seat is not
    yours or has just reacted."""
    tables.broadcaster.react(await asker.table(table), asker.visitor, data)
