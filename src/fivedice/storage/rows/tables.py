"""Tables in the database: which a holder has, and when their clocks run out."""

from sqlalchemy import Connection, select

from fivedice.storage.schema import seat_holders, streams


def game_without_advice(connection: Connection, holder: str) -> str | None:
    """The latest unfinished table of a holder that gives no advice before decisions; None without one."""
    wanted = (
        select(streams.c.id)
        .join(seat_holders, seat_holders.c.stream == streams.c.id)
        .where(seat_holders.c.holder == holder, ~streams.c.ended, ~streams.c.has_advice)
        .order_by(streams.c.created.desc())
        .limit(1)
    )
    return connection.execute(wanted).scalar()


def held_tables(connection: Connection, holder: str) -> set[str]:
    """The ids of all tables at which a holder has a seat, and what names their dice instead."""
    wanted = select(streams.c.id, streams.c.parent).join(seat_holders)
    rows = connection.execute(wanted.where(seat_holders.c.holder == holder))
    return {id for row in rows for id in row if id is not None}


def late_tables(connection: Connection, now: float) -> list[str]:
    """The tables whose clocks have run out, those first that have waited longest."""
    late = select(streams.c.id).where(streams.c.kind == "table", streams.c.due < now).order_by(streams.c.due)
    return list(connection.execute(late).scalars())
