"""Counts of dice in the database, to which every roll of every table is added exactly once.

A table has a cursor: the version up to which its events are counted. A process moves the cursor and adds to the counts
in one transaction, and only if the cursor has not moved since it was read: of several processes that count the same
events, one succeeds. On PostgreSQL only one process adds at a time, since all of them would update the same few rows;
the others skip their turn instead of waiting.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, insert, select, text, update

from fivedice.analysis.dice_counts import Cell, DiceCounts
from fivedice.storage.advisory_locks import COUNTING
from fivedice.storage.rows.rulesets import ruleset_text
from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import dice_counts, dice_cursors, events


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
class Counted:
    """The counts that one table adds: `before` is its cursor as read, `after` the new one."""

    table: str
    before: DiceCursor
    after: DiceCursor
    counts: DiceCounts


def new_cursor(connection: Connection, table: str) -> None:
    """Create the cursor of a new table."""
    connection.execute(insert(dice_cursors).values(table_id=table, **asdict(DiceCursor())))


def uncounted(connection: Connection, table: str) -> tuple[DiceCursor, list[str], str] | None:
    """The cursor of a table, the bodies of the events after it, oldest first, up to a gap, and the text of custom rules
    if the first event is one of them; None if the table does not exist, as an older copy of the database may have been
    restored."""
    columns = (dice_cursors.c[name] for name in ("version", "open_boxes", "faces", "dice", "last"))
    row = connection.execute(select(*columns).where(dice_cursors.c.table_id == table)).first()
    if row is None:
        return None
    cursor = DiceCursor(*row)
    later = select(events.c.version, events.c.body).where(events.c.table_id == table, events.c.version > cursor.version)
    rows = connection.execute(later.order_by(events.c.version)).all()
    bodies = [body for number, (version, body) in enumerate(rows, cursor.version + 1) if version == number]
    toml = "" if cursor.version else ruleset_text(connection, table)
    return cursor, bodies, toml


def open_tables(connection: Connection, after: str, limit: int) -> list[str]:
    """Up to `limit` tables that may have uncounted rolls, in the order of their ids, after the given one."""
    wanted = select(dice_cursors.c.table_id).where(dice_cursors.c.open_boxes > 0, dice_cursors.c.table_id > after)
    return list(connection.execute(wanted.order_by(dice_cursors.c.table_id).limit(limit)).scalars())


def add_counts(connection: Connection, counted: Sequence[Counted]) -> bool:
    """Move cursors and add their counts, skipping tables whose cursor has moved; False if another process is adding."""
    if connection.dialect.name == "postgresql":
        is_mine = connection.execute(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": COUNTING}).scalar()
        if not is_mine:
            return False
    sums: DiceCounts = Counter()
    for one in counted:
        moved = connection.execute(
            update(dice_cursors)
            .where(dice_cursors.c.table_id == one.table, dice_cursors.c.version == one.before.version)
            .values(**asdict(one.after))
        )
        if moved.rowcount:
            sums.update(one.counts)
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
    return True


def load_counts(connection: Connection) -> DiceCounts:
    """All counts."""
    rows = connection.execute(select(*(dice_counts.c[name] for name in ("kind", "faces", "row", "column", "num"))))
    return Counter({Cell(kind, faces, row, column): num for kind, faces, row, column, num in rows})
