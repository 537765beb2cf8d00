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

from fivedice.game.chance import DiceSource
from fivedice.game.proof_notes import Help as Help


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


_STORED = re.compile(r"([0-9]+|w[A-Za-z0-9_-]*):")


@lru_cache(maxsize=4_096)
def watcher(key: str) -> str:
    """The sender for a browser without a seat; its key cannot be found from it."""
    return f"w{urlsafe_b64encode(hashlib.sha256(key.encode()).digest()[:8]).decode()[:11]}"


def stored_id(sender: str, id: str) -> str:
    """The id as it is stored."""
    return f"{sender}:{id}"


def sender_of(stored: str) -> str | None:
    """The sender in a stored id; None if the server caused the event."""
    found = _STORED.match(stored)
    return found[1] if found else None


class NewSeat(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat of a new table: `kind` is "person" or a kind of computer player; an open seat has no name."""

    kind: str
    name: str = ""


class TournamentLink(Struct, frozen=True, forbid_unknown_fields=True):
    """The tournament that a table belongs to, with the name that it has."""

    id: str
    name: str


class DuplicateEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A game on the dice of a duplicate: the duplicate's id, which names the dice, and when it closes, in seconds since
    1970. Nothing is played from then on."""

    id: str
    closes: float


class Created(Event, frozen=True, tag="created"):
    """The table was created: its rules (a reference in notation, or the text of a TOML file), seats and settings.

    `commitment` is the SHA-256 of the dice's secret, empty for real dice. Events are public, so the secret is not part
    of them.
    """

    table: str
    rules: str
    digest: str
    """The digest of the rules, so that the table is never replayed with other rules of the same name."""
    commitment: str
    seats: list[NewSeat]
    toml: str = ""
    ruleset: str = ""
    """The SHA-256 of `toml` in hexadecimal digits: the database stores such a text once, and the event without it."""
    first: str = "0"
    """The seat that begins, or "highest_roll": then the opening roll decides, in a `RolledOff`."""
    help: Help = "none"
    previous: str = ""
    """The table that this one is a rematch of."""
    dice: DiceSource = "program"
    pace: int = 0
    """The seconds that people have for a turn; 0 has no clock."""
    duplicate: DuplicateEntry | None = None
    """The game on the same dice that the table is an entry of; None for a table with dice of its own."""
    casual: bool = False
    """Whether the game counts for no rating and no strength."""
    tournament: TournamentLink | None = None
    is_called: bool = False
    """Whether its people have been named without being there: by a rematch, a round or the lobby."""

    @property
    def dice_name(self) -> str:
        """What names the dice in their proof."""
        return self.duplicate.id if self.duplicate else self.table
