"""`/api/tables`: create a table, look at it, and follow its events."""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from litestar import MediaType, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from fivedice.proof import commitment
from fivedice.server.http.api.costs import work
from fivedice.server.http.api.params import AnyRequest, Since, TableId, TheServices, TheVisitor, with_cookie
from fivedice.server.http.api.rulesets import MAX_BODY
from fivedice.server.http.error_responses import documented
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.broadcast import PONG
from fivedice.server.live.event_store import new_id
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.registry import TableRegistry
from fivedice.server.ops.rate_limits import address_of
from fivedice.server.services import Services
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.messages import AnySocketMessage, Update
from fivedice.views.rules import rules_view

QUIET_SECONDS = 15.0
"""A stream without news for so long is written to all the same: so each end finds out when the other is gone."""


class CreatedView(msgspec.Struct, frozen=True):
    """A new table: its id, the path of its page, and the seats that this browser holds."""

    table: str
    url: str
    yours: list[int]


@post("/api/tables", guards=[work], request_max_body_size=MAX_BODY, responses=documented(400, 403, 404, 413, 503))
async def create_table(
    data: JSONBody[NewTable], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[CreatedView]:
    """A new table. Its link is the invitation: whoever has it can look on, and take an open seat."""
    if data.toml:
        services.rate_limiter.require("uploads", address_of(request.scope))
    settings, secret, id = services.settings, services.settings.new_secret(), new_id()
    # In a thread: reading somebody's own rules can take a second.
    created = await in_pool("rules", create, data, id, commitment(secret), settings.clock())
    await services.advisor.check_players(created)
    live = await services.tables.create(created, secret, visitor, data.taken_here)
    content = CreatedView(live.id, f"/t/{live.id}", data.taken_here)
    return with_cookie(content, request, visitor, status_code=201)


@get("/api/tables/{table:str}", responses=documented(400, 404, 503))
async def show_table(
    table: TableId,
    services: TheServices,
    visitor: TheVisitor,
    rules: Annotated[bool, QueryParameter(description="whether to send the rules as well")] = False,
) -> Response[Update]:
    """The table as it is now."""
    live = await services.tables.find(table)
    return _news(services, live, visitor, since=0, with_rules=rules)


@get("/api/tables/{table:str}/events", responses=documented(400, 404, 503))
async def show_events(table: TableId, services: TheServices, visitor: TheVisitor, since: Since = 0) -> Response[Update]:
    """What happened since a version: nothing, these events, too much to tell, or that version never was."""
    live = await services.tables.find(table, since)
    return _news(services, live, visitor, since, with_rules=False)


@get(
    "/api/tables/{table:str}/stream",
    media_type="text/event-stream",
    responses={
        200: ResponseSpec(
            AnySocketMessage,
            generate_examples=False,
            description="Server-sent events; the data of each is one message, the first an update.",
            media_type="text/event-stream",
        ),
        **documented(400, 404, 503),
    },
)
async def stream_events(table: TableId, services: TheServices, visitor: TheVisitor, since: Since = 0) -> Stream:
    """The table's news as they come, as server-sent events: what a socket sends, for where there can be none."""
    live = await services.tables.find(table, since)
    return Stream(
        _event_stream(services.tables, live, visitor, since),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _event_stream(tables: TableRegistry, live: LiveTable, visitor: Visitor, since: int) -> AsyncIterator[bytes]:
    subscriber = tables.subscribe(live, visitor, since)
    try:
        async for message in subscriber.messages(QUIET_SECONDS):
            yield b"data: " + message + b"\n\n" if message else b"event: pong\ndata: " + PONG + b"\n\n"
    finally:
        tables.unsubscribe(live, subscriber)


def _news(services: Services, live: LiveTable, visitor: Visitor, since: int, *, with_rules: bool) -> Response[Update]:
    rules = rules_view(live.table.ruleset) if with_rules else None
    content = services.tables.broadcaster.since(live, visitor.holder, since, rules)
    return Response(content, media_type=MediaType.JSON, headers={"cache-control": "no-store"})  # type: ignore[arg-type]
