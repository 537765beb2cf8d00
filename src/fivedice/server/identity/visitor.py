"""`Visitor`: the browser behind a request, identified by the key in its cookie."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fivedice.storage.rows.holders import SECRET_CHARACTERS, new_secret

COOKIE = "fivedice"
SECURE_COOKIE = "__Host-fivedice"
"""The name over https. Browsers accept it from https only, so that nobody can replace it on an unencrypted connection
or from a neighbouring domain."""

_KEY = re.compile(f"[A-Za-z0-9_-]{{{SECRET_CHARACTERS}}}")


@dataclass(frozen=True, slots=True)
class Visitor:
    """`key` is the secret of the browser; `holder` is None until it holds a seat or a record."""

    key: str
    holder: str | None


def key_of(cookies: Mapping[str, str]) -> str:
    """The key in the cookies, or a new one.

    A well-formed key is accepted even if the database does not contain it: a page opens its WebSocket and sends its
    first command at the same time, and both must belong to the same browser. The secure cookie takes precedence.
    """
    for name in (SECURE_COOKIE, COOKIE):
        key = cookies.get(name, "")
        if _KEY.fullmatch(key):
            return key
    return new_secret()


def has_key(cookies: Mapping[str, str]) -> bool:
    """Whether the cookies have a well-formed key."""
    return any(_KEY.fullmatch(cookies.get(name, "")) for name in (SECURE_COOKIE, COOKIE))
