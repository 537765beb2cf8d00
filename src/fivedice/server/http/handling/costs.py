"""Guards of endpoints: two count requests which are costly to answer, per address, and raise `TooFastError`; one
requires a cookie; and one refuses browsers that play a game which withholds advice."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from fivedice.server.http.handling.error_responses import NoCookieError
from fivedice.server.http.handling.params import visitor_of
from fivedice.server.identity.visitor import has_key
from fivedice.server.ops.rate_limits import address_of


async def rate_limit_work(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For endpoints that compute, read many rows or write."""
    connection.app.state.services.rate_limiter.require("work", address_of(connection.scope))


async def rate_limit_upload(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For endpoints that take rulesets or records, or export them."""
    connection.app.state.services.rate_limiter.require("uploads", address_of(connection.scope))


async def require_cookie(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For endpoints that store something for a browser, which must keep cookies to find it again.

    Raises `NoCookieError`; the response sets a cookie.
    """
    if not has_key(connection.cookies):
        raise NoCookieError(
            "this needs a cookie, so that your browser finds it again: repeat the request with the one that is now set"
        )


async def refuse_withheld(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """For endpoints whose answers are all about the value of positions; raises `WithheldError`."""
    services = connection.app.state.services
    await services.withholding.check((await visitor_of(connection, services)).holder)
