"""Shared parts of handlers: visitors, the tables and streams that they see, and cookies."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.types import Scope

from fivedice.server.identity.holders import COOKIE, SECURE_COOKIE, Visitor
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.services import Services
from fivedice.server.table.verb import Name

IMMUTABLE = "public, max-age=31536000, immutable"
"""The `cache-control` of what never changes at its address."""

PROBES = frozenset({"/health", "/ready"})
"""Paths that load balancers request often: they cost no tokens, and only other answers than 200 are logged."""

_PRIVATE = "fivedice.is_private"
"""The key in the scope of a request whose response depends on the cookie."""

Headers = list[tuple[bytes, bytes]]


def with_cache_headers(headers: Iterable[tuple[bytes, bytes]], scope: Scope) -> Headers:
    """The headers of a response with `vary`, and with `cache-control` if the response must not be stored.

    A response that depends on the cookie, or sets one, is stored nowhere. One that calls itself public is the same for
    everybody.
    """
    result, varies, control, sets_cookie = Headers(), [b"accept-encoding"], b"", False
    for name, value in headers:
        match name.lower():
            case b"vary":
                varies += [one.strip().lower() for one in value.split(b",")]
            case b"cache-control":
                control = value
            case lower:
                sets_cookie = sets_cookie or lower == b"set-cookie"
                result.append((name, value))
    if (scope.get(_PRIVATE) or sets_cookie) and not control.startswith(b"public"):
        control = b"no-store"
        varies.append(b"cookie")
    if control:
        result.append((b"cache-control", control))
    return [*result, (b"vary", b", ".join(dict.fromkeys(varies)))]


AnyRequest = Request[Any, Any, State]


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of an account or a club, or the one under which somebody plays."""

    name: Name


COMPRESSION_OPTION = "is_uncompressed"
UNCOMPRESSED = {COMPRESSION_OPTION: True}
"""For `opt=` of handlers whose answers Litestar must not compress: streams, and what is compressed already."""


async def visitor_of(connection: ASGIConnection[Any, Any, Any, Any], services: Services) -> Visitor:
    """The visitor who sent a request; its response is then private."""
    connection.scope[_PRIVATE] = True  # type: ignore[literal-required]
    return await services.holders.visitor(connection.cookies)


async def seen_table(services: Services, table: str, visitor: Visitor, since: int = 0) -> LiveTable:
    """A table that a visitor may see, at version `since` or later; raises `UnknownError` or `UnavailableError`."""
    live = await services.tables.find(table, since)
    await services.same_dice.check_shown(live, visitor.holder)
    return live


async def seen_stream(services: Services, stream: str, visitor: Visitor, since: int = 0) -> LiveStream:
    """The same for a stream of any kind."""
    live = await services.tables.find_stream(stream, since)
    if isinstance(live, LiveTable):
        await services.same_dice.check_shown(live, visitor.holder)
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
