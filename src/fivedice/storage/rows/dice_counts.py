"""Counts of dice as the database has them, and those of all dice, to which processes add."""

from collections import Counter

import msgspec
from sqlalchemy import Connection, select, update

from fivedice.analysis.dice_counts import Cell, DiceCounts
from fivedice.storage.rows.server import set_once
from fivedice.storage.schema import server

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[tuple[Cell, int]]).decode


def encoded_counts(counts: DiceCounts) -> str:
    """Counts as JSON."""
    return _encode(list(counts.items())).decode()


def decoded_counts(text: str) -> DiceCounts:
    """The counts that `encoded_counts` has written."""
    return Counter(dict(_decode(text)))


def add_counts(connection: Connection, counts: DiceCounts) -> None:
    """Add to the counts of all dice."""
    set_once(connection, dice="[]")
    before = connection.execute(select(server.c.dice).with_for_update()).scalar_one()
    connection.execute(update(server).values(dice=encoded_counts(decoded_counts(before or "[]") + counts)))


def load_counts(connection: Connection) -> DiceCounts:
    """The counts of all dice."""
    return decoded_counts(connection.execute(select(server.c.dice)).scalar() or "[]")
