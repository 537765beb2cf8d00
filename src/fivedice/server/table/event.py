"""`Event`: an append-only fact of a table.

Events replay to the state of a table. They contain all randomness and time, so that replay is deterministic. They are
stored as JSON: a new field needs a default, and fields are never renamed. A field that a program does not know makes
the event unreadable for it, since the field may change what follows.

An event is stored with the id of the command that caused it, which belongs to the sender: a seat, or a watcher who
holds none. So two senders may use the same id, as in `0:ID`, and neither learns of or blocks the other.
"""

import hashlib
import re
from base64 import urlsafe_b64encode
from functools import lru_cache

from msgspec import Struct


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    """The fields of every event: `at` in seconds since 1970, and the seat that it belongs to, if any."""

    at: float
    seat: int | None = None

    @property
    def changer(self) -> int | None:
        """The seat whose person renamed it, undid a score, or changed who decides there; None for all other events.

        The rules bound the number of rolls and scores in a game, but not of these changes. All other events are bounded
        by the rules and these changes together.
        """
        return None

    @property
    def actor(self) -> int | None:
        """The seat whose person caused it; None if the server, a computer player or somebody without a seat did."""
        return self.seat


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


def sender_of(stored: str) -> str | None:
    """The sender in a stored id; None if the server caused the event."""
    found = _STORED.match(stored)
    return found[1] if found else None


def _short(text: str) -> str:
    """A hash of a text, in 43 characters of the URL's alphabet of 64."""
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
