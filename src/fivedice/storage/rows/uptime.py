"""The spans of time in which processes served: a row for each, whose end its process keeps moving."""

from sqlalchemy import Connection, delete, select

from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import uptime

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


def forget_spans(connection: Connection) -> None:
    """Delete the spans beyond `MAX_SPANS`."""
    newest_unread = select(uptime.c.until).order_by(uptime.c.until.desc()).offset(MAX_SPANS).limit(1)
    connection.execute(delete(uptime).where(uptime.c.until <= newest_unread.scalar_subquery()))
