"""Shared parts of endpoints: path and query parameters, tables, and cookies."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from fivedice.game.parsed_line import MAX_SEATS
from fivedice.server.http.handling.caching import mark_private
from fivedice.server.identity.visitor import COOKIE, SECURE_COOKIE, Visitor
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.services import Services

TableId = Annotated[str, PathParameter(description="the table's id, the last part of its link", max_length=64)]
StreamId = Annotated[
    str,
    PathParameter(description="the id of a table, a club or a tournament, the last part of its link", max_length=64),
]
SeatIndex = Annotated[int, PathParameter(description="the number of a seat", ge=0, le=MAX_SEATS - 1)]
Since = Annotated[int, QueryParameter(description="the version that the client has, or 0", ge=0, le=1_000_000)]

Lang = Annotated[
    Literal["en", "de", "sv", "da", "nb", "es", "fr"],
    QueryParameter(description="the language of the texts; in da, nb, es and fr only names, with English sentences"),
]
TableParameter = Annotated[
    str, QueryParameter(description="the table whose rules they are, unless these are shipped", max_length=64)
]

TheServices = NamedDependency[Services]
"""The type of the handler parameter `services`."""

AnyRequest = Request[Any, Any, State]

COMPRESSION_OPTION = "is_uncompressed"
UNCOMPRESSED = {COMPRESSION_OPTION: True}
"""For `opt=` of endpoints whose answers Litestar must not compress: streams, and what is compressed already."""


async def provide_services(state: State) -> Services:
    """The services of the application."""
    services: TheServices = state.services
    return services


async def visitor_of(connection: ASGIConnection[Any, Any, Any, Any], services: Services) -> Visitor:
    """The visitor who sent a request; its response is then private."""
    mark_private(connection.scope)
    return await services.holders.visitor(connection.cookies)


async def seen_table(services: Services, table: str, visitor: Visitor, since: int = 0) -> LiveTable:
    """A table that a visitor may see, at version `since` or later; raises `UnknownError` or `UnavailableError`."""
    live = await services.tables.find(table, since)
    await services.duplicates.check_shown(live, visitor.holder)
    return live


async def seen_stream(services: Services, stream: str, visitor: Visitor, since: int = 0) -> LiveStream:
    """The same for a stream of any kind."""
    live = await services.tables.find_stream(stream, since)
    if isinstance(live, LiveTable):
        await services.duplicates.check_shown(live, visitor.holder)
    return live


COOKIE_SECONDS = 400 * 24 * 3600
"""The longest lifetime that browsers accept; every visit with a seat renews it."""


def new_cookies(key: str, cookies: Mapping[str, str], *, is_secure: bool) -> list[Cookie]:
    """The cookies to set for a browser with this key, hidden from scripts and from requests of other sites.

    `cookies` are those of the request, and `is_secure` is whether it certainly used https. Then a plain cookie is
    replaced by the secure one. If a request has the secure cookie, but https is not certain, nothing is set: the key
    must not go into a plain cookie again.
    """
    if is_secure:
        replaced = [_cookie(COOKIE, "", seconds=0, is_secure=True)] if COOKIE in cookies else []
        return [_cookie(SECURE_COOKIE, key, is_secure=True), *replaced]
    return [] if SECURE_COOKIE in cookies else [_cookie(COOKIE, key)]


def _cookie(name: str, value: str, *, seconds: int = COOKIE_SECONDS, is_secure: bool = False) -> Cookie:
    return Cookie(name, value=value, max_age=seconds, httponly=True, samesite="lax", secure=is_secure)
