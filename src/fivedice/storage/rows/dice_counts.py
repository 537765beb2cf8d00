"""Counts of dice in the database, to which processes add."""

from collections import Counter

from sqlalchemy import Connection, select

from fivedice.analysis.dice_counts import Cell, DiceCounts
from fivedice.storage.schema import dice_counts, insert_into


def add_counts(connection: Connection, counts: DiceCounts) -> None:
    """Add counts."""
    added = insert_into(connection, dice_counts)
    rows = [
        {"kind": cell.table, "faces": cell.faces, "row": cell.row, "column": cell.column, "num": num}
        for cell, num in sorted(counts.items())  # in one order, so that no two processes wait for each other
    ]
    keys = ["kind", "faces", "row", "column"]
    more = added.on_conflict_do_update(index_elements=keys, set_={"num": dice_counts.c.num + added.excluded.num})
    connection.execute(more, rows)


def load_counts(connection: Connection) -> DiceCounts:
    """All counts."""
    rows = connection.execute(select(*(dice_counts.c[name] for name in ("kind", "faces", "row", "column", "num"))))
    return Counter({Cell(kind, faces, row, column): num for kind, faces, row, column, num in rows})
