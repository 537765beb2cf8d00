"""The Litestar application: endpoints, WebSocket, static files and error responses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from litestar import Litestar, MediaType, Response
from litestar.config.compression import CompressionConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from fivedice.server.http.api import (
    account,
    clubs,
    daily,
    daily_archive,
    duplicates,
    lessons,
    lobby,
    me,
    seats,
    tables,
    transfer,
    values,
)
from fivedice.server.http.handling.endpoints import StrictRequest, handler_of, require_wanted_cookie
from fivedice.server.http.handling.error_responses import HANDLERS
from fivedice.server.http.handling.params import COMPRESSION_OPTION
from fivedice.server.http.pages import MIN_COMPRESSED_BYTES, Page, show_page
from fivedice.server.http.websocket import stream_socket
from fivedice.server.limits import MAX_BODY_BYTES
from fivedice.server.ops.heartbeat import Health, Readiness
from fivedice.server.replies import games, positions, rules
from fivedice.server.replies.endpoint import endpoints_of, get
from fivedice.server.services import Services

_NO_STORE = {"cache-control": "no-store"}


@get("/health", cost=0, is_described=False)
async def health() -> Response[str]:
    """The process is running."""
    return Response("ok\n", media_type=MediaType.TEXT, headers=_NO_STORE)


@get("/ready", cost=0, is_described=False)
async def ready(readiness: Readiness) -> Response[Health]:
    """200 if the database answers and the server is not stopping, else 503."""
    result = await readiness.check()
    return Response(result, status_code=200 if result.ready else 503, headers=_NO_STORE)


ENDPOINTS = [
    health,
    ready,
    *endpoints_of(
        account,
        clubs,
        daily,
        daily_archive,
        duplicates,
        games,
        lessons,
        lobby,
        me,
        positions,
        rules,
        seats,
        tables,
        transfer,
        values,
    ),
]
"""All endpoints."""


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    services: Services = app.state.services
    await services.start()
    try:
        yield
    finally:
        await asyncio.create_task(services.close())  # a task, so that the `ShutdownDeadline` can log where it hangs


def make_app() -> Litestar:
    """The application; it can be served when `give_services` was called."""
    return Litestar(
        [*map(handler_of, ENDPOINTS), stream_socket, show_page],
        # A higher level takes longer than the network saves.
        compression_config=CompressionConfig(
            "gzip", minimum_size=MIN_COMPRESSED_BYTES, gzip_compress_level=4, exclude_opt_key=COMPRESSION_OPTION
        ),
        guards=[require_wanted_cookie],
        exception_handlers=HANDLERS,  # type: ignore[arg-type]
        lifespan=[_lifespan],
        logging_config=None,  # `fivedice.server.ops.log` configures it
        openapi_config=OpenAPIConfig(
            title="fivedice",
            version=version("fivedice"),
            description="Tables of Yahtzee and its variants: create, join, play and review them.",
            operation_id_creator=lambda handler, method, path: handler.handler_name,
            use_handler_docstrings=True,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/")],
        ),
        request_class=StrictRequest,
        request_max_body_size=MAX_BODY_BYTES,
    )


def give_services(app: Litestar, services: Services) -> None:
    """Let an application work with started services, which it closes when it stops."""
    app.state.services, app.state.page = services, Page.read(services.settings.page, services.settings.legal)
