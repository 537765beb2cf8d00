"""When tables were last played and holders last visited, and which tables have unread events.

A table is entered in `changed_tables` in the transaction of its event, and removed when the background job has read all
of its events. So the job finds the changes of processes that crashed, without a look at any other table.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, delete, select, update

from fivedice.storage.rows.life import at_least_lived
from fivedice.storage.schema import changed_tables, events, holders, tables

VISIT_SECONDS = 6 * 3600.0
"""How exact the times of visits are: a visit is stored if the one before it is older."""


def find_changed(connection: Connection, after: str, limit: int) -> list[str]:
    """Up to `limit` changed tables in the order of their ids, after the given one."""
    wanted = select(changed_tables.c.table_id).where(changed_tables.c.table_id > after)
    return list(connection.execute(wanted.order_by(changed_tables.c.table_id).limit(limit)).scalars())


def lock_tables(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Lock tables against new events until the end of the transaction; those with an event under way are left out."""
    # On PostgreSQL an event locks the row of its table, which its foreign key refers to. SQLite has one writer.
    wanted = select(tables.c.id).where(tables.c.id.in_(ids)).order_by(tables.c.id)
    return list(connection.execute(wanted.with_for_update(skip_locked=True)).scalars())


def store_read(connection: Connection, found: Mapping[str, int]) -> None:
    """Store that the events of tables are read up to a version, and when the last of them was.

    Tables with a newer event, or with one under way, are skipped and stay entered as changed.
    """
    for id in lock_tables(connection, list(found)):
        newest = select(events.c.version, events.c.at).where(events.c.table_id == id)
        row = connection.execute(newest.order_by(events.c.version.desc()).limit(1)).first()
        if row is None or row.version != found[id]:
            continue
        connection.execute(update(tables).where(tables.c.id == id).values(active=at_least_lived(row.at)))
        connection.execute(delete(changed_tables).where(changed_tables.c.table_id == id))


def visit_holder(connection: Connection, holder: str, at: float) -> None:
    """Store that a holder has come back."""
    is_old = holders.c.seen < at_least_lived(at) - VISIT_SECONDS
    connection.execute(update(holders).where(holders.c.id == holder, is_old).values(seen=at_least_lived(at)))
