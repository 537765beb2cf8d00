"""Counts of dice in the database, to which every roll of every table is added exactly once.

A table has a cursor: the version up to which its events are counted. A process moves the cursor and adds to the counts
in one transaction, and only if the cursor has not moved since it was read: of several processes that count the same
events, one succeeds. On PostgreSQL only one process adds at a time, since all of them would update the same few rows;
the others skip their turn instead of waiting.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, exists, select, update

from fivedice.analysis.dice_counts import Cell, DiceCounts
from fivedice.storage.rows.rulesets import ruleset_text
from fivedice.storage.schema import (
    COUNTING,
    dice_counts,
    events,
    insert_into,
    is_alone,
    streams,
)


@dataclass(frozen=True, slots=True)
class DiceCursor:
    """How far a table is counted. `dice` are the digits of its last roll in place order, empty before the first, and
    `last` is the die rolled last, 0 before that; `open_boxes` counts those of all seats, 0 once the game is over."""

    version: int = 0
    open_boxes: int = 1
    faces: int = 0
    dice: str = ""
    last: int = 0


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A table to count: its cursor, and the bodies of the events after it, oldest first, up to a gap.

    `toml` is the text
    of custom rules if the table's first event is one of these. `has_shared_dice`: whether other tables have the same
    dice, those of a duplicate.
    """

    cursor: DiceCursor
    later: Sequence[str]
    toml: str
    has_shared_dice: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts that one table adds: `before` is its cursor as read, `after` the new one."""

    table: str
    before: DiceCursor
    after: DiceCursor
    counts: DiceCounts


def stored_cursor(cursor: DiceCursor = DiceCursor()) -> str:
    """A cursor as it is stored; by default that of a new table."""
    return msgspec.json.encode(cursor).decode()


def uncounted(connection: Connection, table: str) -> Uncounted | None:
    """What is to be counted of a table; None if it does not exist, as an older copy of the database may have been
    restored, or the table deleted, or is no table."""
    shared = streams.alias()
    is_entry = exists().where(streams.c.id == table, shared.c.id == streams.c.parent, shared.c.kind == "duplicate")
    row = connection.execute(select(streams.c.counted, is_entry).where(streams.c.id == table)).first()
    if row is None or row.counted is None:
        return None
    cursor, has_shared_dice = msgspec.json.decode(row.counted, type=DiceCursor), row[1]
    since = cursor.version
    log = select(events.c.version, events.c.body).where(events.c.stream == table, events.c.version > since)
    rows = connection.execute(log.order_by(events.c.version)).all()
    bodies = [body for number, (version, body) in enumerate(rows, since + 1) if version == number]
    toml = "" if since else ruleset_text(connection, table)
    return Uncounted(cursor, bodies, toml, bool(has_shared_dice))


def add_counts(connection: Connection, counted: Sequence[Counted]) -> set[str] | None:
    """Move cursors and add their counts, skipping tables whose cursor has moved since it was read.

    Returns the tables that are not skipped; None, without a change, if another process is adding.
    """
    if not is_alone(connection, COUNTING):
        return None
    sums: DiceCounts = Counter()
    current: set[str] = set()
    for one in counted:
        moved = connection.execute(
            update(streams)
            .where(streams.c.id == one.table, streams.c.counted == stored_cursor(one.before))
            .values(counted=stored_cursor(one.after))
        )
        if moved.rowcount:
            sums.update(one.counts)
            current.add(one.table)
    if sums:
        added = insert_into(connection, dice_counts)
        connection.execute(
            added.on_conflict_do_update(
                index_elements=["kind", "faces", "row", "column"],
                set_={"num": dice_counts.c.num + added.excluded.num},
            ),
            [
                {"kind": cell.table, "faces": cell.faces, "row": cell.row, "column": cell.column, "num": num}
                for cell, num in sums.items()
            ],
        )
    return current


def load_counts(connection: Connection) -> DiceCounts:
    """All counts."""
    rows = connection.execute(select(*(dice_counts.c[name] for name in ("kind", "faces", "row", "column", "num"))))
    return Counter({Cell(kind, faces, row, column): num for kind, faces, row, column, num in rows})
