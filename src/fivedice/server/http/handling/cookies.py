"""The cookie of a browser, as an answer sets it."""

from collections.abc import Mapping

from litestar.datastructures import Cookie

from fivedice.server.identity.visitor import COOKIE, SECURE_COOKIE

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
