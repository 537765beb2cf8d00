"""Shared parts of handlers: visitors, the tables and streams that they see, and cookies."""

from collections.abc import Mapping
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State

from fivedice.server.http.handling.caching import mark_private
from fivedice.server.identity.holders import COOKIE, SECURE_COOKIE, Visitor
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.services import Services

AnyRequest = Request[Any, Any, State]

COMPRESSION_OPTION = "is_uncompressed"
UNCOMPRESSED = {COMPRESSION_OPTION: True}
"""For `opt=` of handlers whose answers Litestar must not compress: streams, and what is compressed already."""


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
