"""`/api/tables`: create a table, show it, follow its events, and change it."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import MediaType, Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from fivedice.game.proof import commitment
from fivedice.server.config.limits import MAX_RULESET_BODY_BYTES, SENT_BYTES_PER_TOKEN, UPLOAD_TOKENS
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.error_responses import retry_after
from fivedice.server.http.handling.params import UNCOMPRESSED, Since, StreamId, TableId, TheServices, seen_stream
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.live.broadcast import PONG
from fivedice.server.live.event_store import new_id
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.replies.rules import table_rules
from fivedice.server.table.answers import REASON_STATUSES, Accepted, Refused
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.event_json import game_bytes
from fivedice.server.table.messages import AnySocketMessage, KeptDice, Reaction, Update
from fivedice.server.table.verbs import AnyCommand
from fivedice.views.access import CreatedView
from fivedice.views.answers import ErrorView
from fivedice.views.offered import TableRulesView
from fivedice.views.rules import rules_view

KEEPALIVE_SECONDS = 15.0
"""Silence on a stream before a keep-alive, so that both ends see a loss."""


@post("/api/tables", 400, 403, 404, 413, 503, status_code=201, request_max_body_size=MAX_RULESET_BODY_BYTES)
async def create_table(data: JSONBody[NewTable], asker: TheAsker) -> Response[CreatedView]:
    """Create a table. Its link is the invitation: anyone who has it can watch and take an open seat."""
    if data.toml:
        asker.services.budget.spend(asker.address, UPLOAD_TOKENS)
    settings = asker.services.settings
    secret, id = settings.new_secret(), new_id()
    # In a thread, because reading custom rules can take a second.
    created = await asker.read_rules(create, data, id, commitment(secret), asker.now, look_of=skeleton)
    asker.store(game_bytes(created))
    if data.taken_here:
        asker.count_browser()
    live = await asker.services.tables.create(created, secret, asker.visitor, data.taken_here, asker.address)
    content = CreatedView(live.id, f"/t/{live.id}", data.taken_here)
    return asker.answer(content, status_code=201)


@get("/api/tables/{table:str}", 400, 404, 503, cost=0)
async def show_table(
    table: TableId,
    asker: TheAsker,
    rules: Annotated[bool, QueryParameter(description="whether to include the rules")] = False,
) -> Response[Update]:
    """The current state of a table."""
    return await _update(asker, await asker.table(table), with_rules=rules)


@get("/api/tables/{table:str}/rules", 400, 404, 503, cost=0)
async def show_table_rules(table: TableId, services: TheServices) -> TableRulesView:
    """The rules of a table, to create another one with them."""
    return table_rules((await services.tables.find(table)).table)


@get("/api/tables/{table:str}/events", 400, 404, 503, cost=0)
async def show_events(table: TableId, asker: TheAsker, since: Since = 0) -> Response[Update]:
    """The events since a version, or a snapshot if they are too many or the version is unknown."""
    return await _update(asker, await asker.table(table, since), since)


_STREAM: dict[str, Any] = {
    "cost": 0,
    "media_type": "text/event-stream",
    "opt": UNCOMPRESSED,
    "responses": {
        200: ResponseSpec(
            AnySocketMessage,
            generate_examples=False,
            description="Server-sent events. The data of each is one message; the first says what is new.",
            media_type="text/event-stream",
        )
    },
}


@get("/api/tables/{table:str}/stream", 400, 404, 503, **_STREAM)
async def stream_events(table: TableId, asker: TheAsker, since: Since = 0) -> Stream:
    """Follow a table with server-sent events: the messages of the WebSocket, for clients that cannot open one."""
    return _event_stream(asker, await asker.table(table, since), since)


@get("/api/streams/{stream:str}/stream", 400, 404, 503, **_STREAM)
async def stream_versions(stream: StreamId, asker: TheAsker, since: Since = 0) -> Stream:
    """Follow a club or a tournament in the same way: each message names its newest version."""
    return _event_stream(asker, await seen_stream(asker.services, stream, asker.visitor, since), since)


def _event_stream(asker: Asker, live: LiveStream, since: int) -> Stream:
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(_messages(asker, live, since), media_type="text/event-stream", headers=headers)


async def _messages(asker: Asker, live: LiveStream, since: int) -> AsyncIterator[bytes]:
    tables = asker.services.tables
    subscriber = await tables.subscribe(live, asker.visitor, since, asker.address)
    try:
        async for message in subscriber.messages(KEEPALIVE_SECONDS):
            yield b"data: " + message + b"\n\n" if message else b"event: pong\ndata: " + PONG + b"\n\n"
    finally:
        tables.unsubscribe(live, subscriber)


async def _update(asker: Asker, live: LiveTable, since: int = 0, *, with_rules: bool = False) -> Response[Update]:
    """An update, whose bytes the address pays for."""
    broadcaster, rules = asker.services.tables.broadcaster, rules_view(live.table.ruleset) if with_rules else None
    content = broadcaster.update(live, asker.holder, since, rules)
    asker.services.budget.charge(asker.address, len(content) / SENT_BYTES_PER_TOKEN)
    return Response(content, media_type=MediaType.JSON, headers={"cache-control": "no-store"})  # type: ignore[arg-type]


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
_ERRORS = {404: ErrorView, 413: ErrorView, 400: ErrorView | Refused, 403: ErrorView | Refused, 503: ErrorView | Refused}


@post(
    "/api/tables/{table:str}/commands",
    cost=0,
    responses={
        status: ResponseSpec(_ERRORS.get(status, Refused), generate_examples=False, description=description)
        for status, description in _DESCRIPTIONS.items()
    },
)
async def command_table(table: TableId, data: JSONBody[AnyCommand], asker: TheAsker) -> Response[Accepted | Refused]:
    """Send a command, as over the WebSocket. A repeated command is answered again and changes nothing."""
    live = await asker.table(table)
    answer = await asker.services.command_handler.handle(live, asker.visitor, data, asker.address)
    status = 200 if isinstance(answer, Accepted) else REASON_STATUSES[answer.reason]
    response = asker.answer(answer, status_code=status)
    if isinstance(answer, Refused) and answer.reason == "too_fast" and answer.seconds:
        response.set_header("retry-after", retry_after(answer.seconds))
    return response


@post("/api/tables/{table:str}/kept", 400, 404, 413, 503, cost=0, status_code=204)
async def keep_dice(table: TableId, data: JSONBody[KeptDice], asker: TheAsker) -> None:
    """Show the others the dice that you keep for the next roll, as over the WebSocket. It is not stored, and ignored if
    they are not yours to choose."""
    asker.services.tables.presence.keep_dice(await asker.table(table), asker.visitor, data)


@post("/api/tables/{table:str}/reactions", 400, 404, 413, 503, cost=0, status_code=204)
async def react(table: TableId, data: JSONBody[Reaction], asker: TheAsker) -> None:
    """Show everybody at the table a reaction, as over the WebSocket. It is not stored, and ignored if the seat is not
    yours or has just reacted."""
    asker.services.tables.presence.react(await asker.table(table), asker.visitor, data)
