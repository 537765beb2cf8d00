"""The spans of time in which processes served: a row for each, whose end its process keeps moving."""

from sqlalchemy import Connection, delete, select, update

from fivedice.storage.schema import insert_into, uptime

MAX_SPANS = 1_000
"""The spans that are read; older ones count as downtime. Bounds the work after many restarts."""


def serve_until(connection: Connection, process: str, began: float, until: float) -> list[tuple[float, float]]:
    """Store that a process has served from `began` to `until`, and return all stored spans, the latest first.

    Times are seconds since 1970.
    """
    added = insert_into(connection, uptime).values(process=process, began=began, until=until)
    connection.execute(
        added.on_conflict_do_update(index_elements=["process", "began"], set_={"until": added.excluded.until})
    )
    newest = select(uptime.c.began, uptime.c.until).order_by(uptime.c.until.desc()).limit(MAX_SPANS)
    return [(began, until) for began, until in connection.execute(newest)]


def forget_future(connection: Connection, now: float, tolerance: float) -> None:
    """End all spans that are more than `tolerance` seconds in the future at this moment, or delete them.

    They were recorded with another setting of the clock, and would make later idle time count that never passed. The
    span of a process that still serves is complete again at its next heartbeat.
    """
    _lock(connection)
    is_future = uptime.c.until > now + tolerance
    connection.execute(delete(uptime).where(is_future, uptime.c.began > now))
    connection.execute(update(uptime).where(is_future).values(until=now))


def forget_spans(connection: Connection) -> None:
    """Delete the spans beyond `MAX_SPANS`."""
    _lock(connection)
    newest_unread = select(uptime.c.until).order_by(uptime.c.until.desc()).offset(MAX_SPANS).limit(1)
    connection.execute(delete(uptime).where(uptime.c.until <= newest_unread.scalar_subquery()))


def _lock(connection: Connection) -> None:
    """Lock all spans in one order, so that two processes that start cannot wait for each other."""
    rows = select(uptime.c.process).order_by(uptime.c.process, uptime.c.began).with_for_update()
    connection.execute(rows).all()
