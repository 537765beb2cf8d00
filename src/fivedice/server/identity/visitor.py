"""`Visitor`: the browser behind a request, identified by the key in its cookie."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fivedice.storage.rows.holders import SECRET_CHARACTERS, new_secret

COOKIE = "fivedice"
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest lifetime that browsers accept; every visit with a seat renews it."""

_KEY = re.compile(f"[A-Za-z0-9_-]{{{SECRET_CHARACTERS}}}")


@dataclass(frozen=True, slots=True)
class Visitor:
    """`key` is the secret of the browser; `holder` is None until it holds a seat or a record."""

    key: str
    holder: str | None


def key_of(cookies: Mapping[str, str]) -> str:
    """The key in the cookies, or a new one.

    A well-formed key is accepted even if the database does not contain it: a page opens its WebSocket and sends its
    first command at the same time, and both must belong to the same browser.
    """
    return cookies[COOKIE] if has_key(cookies) else new_secret()


def has_key(cookies: Mapping[str, str]) -> bool:
    """Whether the cookies have a well-formed key."""
    return _KEY.fullmatch(cookies.get(COOKIE, "")) is not None


def cookie(key: str, *, is_secure: bool) -> str:
    """The `Set-Cookie` header with a key, hidden from scripts and from requests of other sites."""
    secure = "; Secure" if is_secure else ""
    return f"{COOKIE}={key}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}"
