"""The times in which processes served, as the database knows them: a row a span, which its process moves on."""

from sqlalchemy import Connection, delete, select

from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import uptime

MAX_SPANS = 1_000
"""Spans that are read: older ones count as downtime, so that a server that starts every second stays quick."""


def serve_until(connection: Connection, process: str, began: float, until: float) -> list[tuple[float, float]]:
    """Store that a process serves since `began`, and until now; all spans that are known, the newest first.

    Times are seconds since 1970.
    """
    added = insert_into(connection, uptime).values(process=process, began=began, until=until)
    connection.execute(
        added.on_conflict_do_update(index_elements=["process", "began"], set_={"until": added.excluded.until})
    )
    newest = select(uptime.c.began, uptime.c.until).order_by(uptime.c.until.desc()).limit(MAX_SPANS)
    return [(began, until) for began, until in connection.execute(newest)]


def forget_spans(connection: Connection) -> None:
    """Remove the spans that are too old to be read."""
    newest_unread = select(uptime.c.until).order_by(uptime.c.until.desc()).offset(MAX_SPANS).limit(1)
    connection.execute(delete(uptime).where(uptime.c.until <= newest_unread.scalar_subquery()))
