"""What requests cost: endpoints that make the server work say so, and are counted for the address that asks."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from fivedice.server.ops.rate_limits import address_of


async def work(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For `guards=[work]`: raises `TooFastError`."""
    connection.app.state.services.rate_limiter.require("work", address_of(connection.scope))


async def upload(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For `guards=[upload]`: raises `TooFastError`."""
    connection.app.state.services.rate_limiter.require("uploads", address_of(connection.scope))
