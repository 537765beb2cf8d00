"""`append_all`: appends events to SQLite in the usual case, in which all of them can be stored.

The driver lets go of the interpreter for each row that it reads or writes, and has to wait for it again while the event
loop is busy. So each statement here does its work for any number of events in one step.
"""

import json
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fivedice.storage.rows.event import StoredEvent

_NUM_FOUND = """
    SELECT count(*) FROM json_each(?) AS wanted CROSS JOIN events
        ON table_id = json_extract(wanted.value, '$[0]')
        AND version = json_extract(wanted.value, '$[1]')
        AND command = json_extract(wanted.value, '$[2]')
"""

_INSERT = "INSERT INTO events (table_id, version, command, at, body) VALUES "

_MARK_CHANGED = """
    INSERT INTO changed_tables (table_id) SELECT DISTINCT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING
"""


def append_all(connection: sqlite3.Connection, entries: "Sequence[StoredEvent]") -> bool:
    """Append events and enter their tables as changed; False, without a change, if one of them cannot be stored.

    An event that follows another one of `entries` counts as one that cannot. Must be called within a transaction.
    """
    followed = [(entry.table, entry.version - 1, entry.after) for entry in entries if entry.version > 1]
    if followed and connection.execute(_NUM_FOUND, [json.dumps(followed)]).fetchone()[0] < len(followed):
        return False
    values = [value for e in entries for value in (e.table, e.version, e.command, e.at, e.body)]
    try:
        connection.execute(_INSERT + ", ".join(["(?, ?, ?, ?, ?)"] * len(entries)), values)
    except sqlite3.IntegrityError:
        return False  # SQLite has taken the whole statement back
    connection.execute(_MARK_CHANGED, [json.dumps([entry.table for entry in entries])])
    return True
