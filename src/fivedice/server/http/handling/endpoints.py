"""`get`, `post` and `delete` of endpoints: what a request costs, what it needs, and the errors that it may get."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import litestar
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Guard

from fivedice.server.config.limits import WORK_TOKENS
from fivedice.server.http.handling.error_responses import NoCookieError, documented
from fivedice.server.identity.visitor import has_key
from fivedice.server.ops.budget import address_of

Connection = ASGIConnection[Any, Any, Any, Any]


WANTED = "fivedice-cookie"
"""The header of a request that is of use only to a browser that is known again."""


def costing(tokens: float) -> Guard:
    """A guard that makes an address pay for a request which is costly to answer; it raises `TooFastError`."""

    async def pay(connection: Connection, _: BaseRouteHandler) -> None:
        connection.app.state.services.budget.spend(address_of(connection.scope), tokens)

    return pay


async def require_cookie(connection: Connection, _: BaseRouteHandler | None = None) -> None:
    """Raise `NoCookieError` without a cookie; the response sets one."""
    if not has_key(connection.cookies):
        raise NoCookieError(
            "this needs a cookie, so that your browser finds it again: repeat the request with the one that is now set"
        )


async def require_wanted_cookie(connection: Connection, handler: BaseRouteHandler) -> None:
    """Raise `NoCookieError` without a cookie if the request says that it needs one, as those of the page do."""
    if connection.headers.get(WANTED) == "required":
        await require_cookie(connection, handler)


def _endpoint(
    method: type[HTTPRouteHandler],
    path: str,
    *errors: int,
    cost: float = WORK_TOKENS,
    needs_cookie: bool = False,
    responses: Mapping[int, ResponseSpec] | None = None,
    **options: Any,
) -> HTTPRouteHandler:
    """An endpoint, which may answer with these errors, for `ErrorView`.

    `cost` is in tokens beyond that of any request: `WORK_TOKENS` if it computes, reads many rows or writes,
    `UPLOAD_TOKENS` if it takes rulesets or records, or exports them, and 0 if it is answered from memory. One that
    stores something for a browser `needs_cookie`, with which the browser finds it again.
    """
    guards, described = [costing(cost)] if cost else [], documented(*errors)
    if needs_cookie:
        guards.append(require_cookie)
        described |= documented(401)
    return method(path, guards=guards, responses=described | dict(responses or {}), **options)


get, delete = partial(_endpoint, litestar.get), partial(_endpoint, litestar.delete)
post = partial(_endpoint, litestar.post, status_code=200)
