"""Command ids: each belongs to the sender who used it, and to what the command says.

A sender is a seat, or a watcher who holds none. The id of a command is stored with its sender, as in `0:ID`, so that
two senders may use the same id and neither learns of or blocks the other. Events that were stored without a sender, by
earlier versions of fivedice, get it from their content.
"""

import hashlib
import re
from base64 import urlsafe_b64encode
from functools import lru_cache

from fivedice.game.names import normal_name
from fivedice.server.table.commands import (
    AddNonce,
    Announce,
    AnyCommand,
    Close,
    Rematch,
    Resign,
    Return,
    Roll,
    RollOff,
    Score,
    Sit,
    StandIn,
    Undo,
)
from fivedice.server.table.events import (
    Announced,
    AnyEvent,
    Closed,
    NonceAdded,
    Rematched,
    Resigned,
    Returned,
    Rolled,
    RolledOff,
    Sat,
    Scored,
    StoodIn,
    Undone,
)
from fivedice.server.table.state import PERSON

MAX_STORED = 64
"""Characters of a stored id."""

UNKNOWN_WATCHER = "w"
"""The sender of watchers' nonces that were stored without one."""

_STORED = re.compile(r"([0-9]+|w[A-Za-z0-9_-]*)[:#]")


@lru_cache(maxsize=4_096)
def watcher(key: str) -> str:
    """The sender for a browser without a seat; its key cannot be found from it."""
    return f"w{_short(key)[:11]}"


def sender_of(command: AnyCommand, holds: frozenset[int], watcher: str) -> str:
    """The sender of a command that may be carried out: its seat, or that which asks for a stand-in elsewhere."""
    if command.seat is None:
        return watcher
    is_for_another = isinstance(command, StandIn) and command.seat not in holds
    return str(min(holds) if is_for_another else command.seat)


def stored_id(sender: str, id: str) -> str:
    """The id as it is stored. A long one is replaced by its hash, since the column has 64 characters."""
    plain = f"{sender}:{id}"
    return plain if len(plain) <= MAX_STORED else f"{sender}#{_short(id)}"


def sender_and_id(stored: str, event: AnyEvent) -> tuple[str, str] | None:
    """The sender of a stored event, and its id with the sender; None if the server caused it."""
    if found := _STORED.match(stored):
        return found[1], stored
    match event:
        case NonceAdded(seat=None):
            sender = UNKNOWN_WATCHER
        case Rolled(by=by) | Scored(by=by) | Announced(by=by) if by != PERSON:
            return None
        case StoodIn(asked_by=int(asked_by)):
            sender = str(asked_by)
        case _ if event.seat is None:
            return None
        case _:
            sender = str(event.seat)
    return sender, stored_id(sender, stored)


def is_repeat(command: AnyCommand, event: AnyEvent) -> bool:
    """Whether an event is exactly what a command asks for.

    `version` and `anyway` are not compared: they say when and how the command was sent, but not what it does.
    """
    if command.seat != event.seat:
        return False
    match command, event:
        case Sit(), Sat():
            return (normal_name(command.name), command.nonce or "") == (event.name, event.nonce)
        case AddNonce(), NonceAdded():
            return command.nonce == event.nonce
        case Roll(), Rolled():
            return command.kept == event.kept and event.by == PERSON
        case Score(), Scored():
            return (command.box, command.scratch, PERSON) == (event.box, event.scratch, event.by)
        case Announce(), Announced():
            return (command.box, PERSON) == (event.box, event.by)
        case StandIn(), StoodIn():
            return (command.player, command.turns) == (event.player, event.turns)
        case (
            (RollOff(), RolledOff())
            | (Undo(), Undone())
            | (Return(), Returned())
            | (Resign(), Resigned())
            | (Close(), Closed())
            | (Rematch(), Rematched())
        ):
            return True
    return False


def _short(text: str) -> str:
    """A hash of a text, in 43 characters of the URL's alphabet of 64."""
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
