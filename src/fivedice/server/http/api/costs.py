"""Guards that count requests which are costly to answer, per address; both raise `TooFastError`."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from fivedice.server.ops.rate_limits import address_of


async def rate_limit_work(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For endpoints that compute, read many rows or write."""
    connection.app.state.services.rate_limiter.require("work", address_of(connection.scope))


async def rate_limit_upload(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For endpoints that take rulesets or records, or export them."""
    connection.app.state.services.rate_limiter.require("uploads", address_of(connection.scope))
