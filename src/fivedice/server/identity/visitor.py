"""A `Visitor`: the browser behind a request, known by the key in its cookie; a holder, once it holds a seat."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fivedice.storage.rows.holders import SECRET_CHARACTERS, new_secret

COOKIE = "fivedice"
COOKIE_SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie at most; every visit that holds a seat renews it."""

_KEY = re.compile(f"[A-Za-z0-9_-]{{{SECRET_CHARACTERS}}}")


@dataclass(frozen=True, slots=True)
class Visitor:
    """`key` is the browser's secret, a new one where it brought none; `holder` is None until it holds anything."""

    key: str
    holder: str | None


def key_of(cookies: Mapping[str, str]) -> str:
    """The key that a browser brought, or a new one.

    A key of the right form is taken as it is although nothing may be stored of it yet: a page opens its socket and
    sends its first command at once, and both must be the same browser's.
    """
    key = cookies.get(COOKIE, "")
    return key if _KEY.fullmatch(key) else new_secret()


def cookie(key: str, *, is_secure: bool) -> str:
    """The `Set-Cookie` header that gives a browser its key; no script and no other site's request can use it."""
    secure = "; Secure" if is_secure else ""
    return f"{COOKIE}={key}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}"
