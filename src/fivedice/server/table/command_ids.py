"""Command ids: each belongs to the sender who used it, and to what the command says.

A sender is a seat, or a watcher who holds none. The id of a command is stored with its sender, as in `0:ID`, so that
two senders may use the same id and neither learns of or blocks the other. Events that were stored without a sender, by
earlier versions of fivedice, get it from their content.
"""

import hashlib
import re
from base64 import urlsafe_b64encode
from functools import lru_cache

from fivedice.server.table.event import Event

MAX_STORED = 64
"""Characters of a stored id."""

_STORED = re.compile(r"([0-9]+|w[A-Za-z0-9_-]*)[:#]")


@lru_cache(maxsize=4_096)
def watcher(key: str) -> str:
    """The sender for a browser without a seat; its key cannot be found from it."""
    return f"w{_short(key)[:11]}"


def stored_id(sender: str, id: str) -> str:
    """The id as it is stored. A long one is replaced by its hash, since the column has 64 characters."""
    plain = f"{sender}:{id}"
    return plain if len(plain) <= MAX_STORED else f"{sender}#{_short(id)}"


def sender_and_id(stored: str, event: Event) -> tuple[str, str] | None:
    """The sender of a stored event, and its id with the sender; None if the server caused it."""
    if found := _STORED.match(stored):
        return found[1], stored
    return None if event.sender is None else (event.sender, stored_id(event.sender, stored))


def _short(text: str) -> str:
    """A hash of a text, in 43 characters of the URL's alphabet of 64."""
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
