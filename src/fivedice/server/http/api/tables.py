"""`/api/tables`: create a table, show it, and follow its events."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Annotated

from litestar import MediaType, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from fivedice.game.proof import commitment
from fivedice.server.config.limits import KEEPALIVE_SECONDS, MAX_RULESET_BODY_BYTES
from fivedice.server.config.shards import new_table_id
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import (
    UNCOMPRESSED,
    AnyRequest,
    Since,
    TableId,
    TheServices,
    TheVisitor,
    seen_table,
    sender_of,
    with_cookie,
)
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.broadcast import PONG
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.registry import TableRegistry
from fivedice.server.ops.rate_limits import Use, address_of
from fivedice.server.replies.rules import table_rules
from fivedice.server.services import Services
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.event_json import game_bytes
from fivedice.server.table.messages import AnySocketMessage, Update
from fivedice.views.access import CreatedView
from fivedice.views.offered import TableRulesView
from fivedice.views.rules import rules_view


@post(
    "/api/tables",
    guards=[rate_limit_work],
    request_max_body_size=MAX_RULESET_BODY_BYTES,
    responses=documented(400, 403, 404, 413, 503),
)
async def create_table(
    data: JSONBody[NewTable], request: AnyRequest, services: TheServices, visitor: TheVisitor, asker: TheAsker
) -> Response[CreatedView]:
    """Create a table. Its link is the invitation: anyone who has it can watch and take an open seat."""
    sender = sender_of(request, visitor)
    if data.toml:
        services.rate_limiter.require("uploads", sender.address)
    settings, secret, id = services.settings, services.settings.new_secret(), new_table_id(services.settings.shards)
    with services.storage_guard.reading_rules(sender) if data.toml else nullcontext():
        # In a thread, because reading custom rules can take a second.
        created = await asker.one_game(
            "table", lambda: in_rules_thread(create, data, id, commitment(secret), settings.clock()), id
        )
    services.storage_guard.count_table(sender, game_bytes(created))
    if data.taken_here:
        services.storage_guard.count_browser(sender)
    live = await services.tables.create(created, secret, visitor, data.taken_here, sender.address)
    content = CreatedView(live.id, f"/t/{live.id}", data.taken_here)
    return with_cookie(content, request, visitor, status_code=201)


@get("/api/tables/{table:str}", responses=documented(400, 404, 503))
async def show_table(
    table: TableId,
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
    rules: Annotated[bool, QueryParameter(description="whether to include the rules")] = False,
) -> Response[Update]:
    """The current state of a table."""
    live = await seen_table(services, table, visitor)
    return await _update(services, live, visitor, address_of(request.scope), since=0, with_rules=rules)


@get("/api/tables/{table:str}/rules", responses=documented(400, 404, 503))
async def show_table_rules(table: TableId, services: TheServices) -> TableRulesView:
    """The rules of a table, to create another one with them."""
    return table_rules((await services.tables.find(table)).table)


@get("/api/tables/{table:str}/events", responses=documented(400, 404, 503))
async def show_events(
    table: TableId, request: AnyRequest, services: TheServices, visitor: TheVisitor, since: Since = 0
) -> Response[Update]:
    """The events since a version, or a snapshot if they are too many or the version is unknown."""
    live = await seen_table(services, table, visitor, since)
    return await _update(services, live, visitor, address_of(request.scope), since, with_rules=False)


@get(
    "/api/tables/{table:str}/stream",
    media_type="text/event-stream",
    opt=UNCOMPRESSED,
    responses={
        200: ResponseSpec(
            AnySocketMessage,
            generate_examples=False,
            description="Server-sent events. The data of each is one message; the first is an update.",
            media_type="text/event-stream",
        ),
        **documented(400, 404, 503),
    },
)
async def stream_events(
    table: TableId, request: AnyRequest, services: TheServices, visitor: TheVisitor, since: Since = 0
) -> Stream:
    """Follow a table with server-sent events: the messages of the WebSocket, for clients that cannot open one."""
    live = await seen_table(services, table, visitor, since)
    return Stream(
        _event_stream(services.tables, live, visitor, since, address_of(request.scope)),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _event_stream(
    tables: TableRegistry, live: LiveTable, visitor: Visitor, since: int, address: str
) -> AsyncIterator[bytes]:
    subscriber = await tables.subscribe(live, visitor, since, address)
    try:
        async for message in subscriber.messages(KEEPALIVE_SECONDS):
            yield b"data: " + message + b"\n\n" if message else b"event: pong\ndata: " + PONG + b"\n\n"
    finally:
        tables.unsubscribe(live, subscriber)


async def _update(
    services: Services, live: LiveTable, visitor: Visitor, address: str, since: int, *, with_rules: bool
) -> Response[Update]:
    """An update, whose bytes are counted for the address; raises `TooFastError`."""
    broadcaster, rules = services.tables.broadcaster, rules_view(live.table.ruleset) if with_rules else None
    withheld = await broadcaster.withheld(live, visitor.holder)
    content = broadcaster.update(live, visitor.holder, since, withheld, rules)
    services.rate_limiter.require_all(Use("sent", address, len(content)))
    return Response(content, media_type=MediaType.JSON, headers={"cache-control": "no-store"})  # type: ignore[arg-type]
