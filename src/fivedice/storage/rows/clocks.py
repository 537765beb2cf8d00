"""When the clocks of tables run out at the earliest, so that a process finds those at which somebody is late."""

from sqlalchemy import Connection, delete, select, update

from fivedice.storage.schema import clocks, insert_into


def store_clock(connection: Connection, table: str, due: float | None) -> None:
    """Store when the clock of a table runs out, in seconds since 1970; None if none runs any more."""
    if due is None:
        connection.execute(delete(clocks).where(clocks.c.table_id == table))
        return
    added = insert_into(connection, clocks).values(table_id=table, due=due)
    connection.execute(added.on_conflict_do_update(index_elements=[clocks.c.table_id], set_={"due": due}))


def take_late(connection: Connection, now: float, again: float, limit: int) -> list[str]:
    """Up to `limit` tables whose clocks may have run out. No process is given them again before the moment `again`."""
    due = select(clocks.c.table_id).where(clocks.c.due < now).order_by(clocks.c.due).limit(limit)
    ids = connection.execute(due.with_for_update(skip_locked=True)).scalars().all()
    if ids:
        connection.execute(update(clocks).where(clocks.c.table_id.in_(ids)).values(due=again))
    return list(ids)
