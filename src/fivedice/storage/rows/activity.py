"""When tables were last played and holders last visited, and which streams have unread events.

A stream is entered in `changed_streams` in the transaction of its event, and removed when the background job has read
all of its events. So the job finds the changes of processes that crashed, without a look at any other stream.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, delete, select, update

from fivedice.storage.rows.life import at_least_lived
from fivedice.storage.schema import changed_streams, events, holders, streams

VISIT_SECONDS = 6 * 3600.0
"""How exact the times of visits are: a visit is stored if the one before it is older."""


def find_changed(connection: Connection, after: str, limit: int) -> list[str]:
    """Up to `limit` changed streams in the order of their ids, after the given one."""
    wanted = select(changed_streams.c.stream).where(changed_streams.c.stream > after)
    return list(connection.execute(wanted.order_by(changed_streams.c.stream).limit(limit)).scalars())


def lock_tables(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Lock streams against new events until the end of the transaction; those with an event under way are left out."""
    # On PostgreSQL an event locks the row of its table, which its foreign key refers to. SQLite has one writer.
    wanted = select(streams.c.id).where(streams.c.id.in_(ids)).order_by(streams.c.id)
    return list(connection.execute(wanted.with_for_update(skip_locked=True)).scalars())


def store_read(connection: Connection, found: Mapping[str, int | None]) -> None:
    """Store that the events of streams are read up to a version, and when the last of them was; None for all of a
    stream in which nothing is counted.

    Streams with a newer event, or with one under way, are skipped and stay entered as changed.
    """
    for id in lock_tables(connection, list(found)):
        newest = select(events.c.version, events.c.at).where(events.c.stream == id)
        row = connection.execute(newest.order_by(events.c.version.desc()).limit(1)).first()
        if row is None or found[id] not in (None, row.version):
            continue
        connection.execute(update(streams).where(streams.c.id == id).values(active=at_least_lived(row.at)))
        connection.execute(delete(changed_streams).where(changed_streams.c.stream == id))


def visit_holder(connection: Connection, holder: str, at: float) -> None:
    """Store that a holder has come back."""
    is_old = holders.c.seen < at_least_lived(at) - VISIT_SECONDS
    connection.execute(update(holders).where(holders.c.id == holder, is_old).values(seen=at_least_lived(at)))
