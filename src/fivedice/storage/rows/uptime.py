"""The spans of time in which processes served, and trusted time.

A span is a row, whose end its process keeps moving.

Trusted time is how far servers on a database have seen time pass with a clock that cannot be set. The system's clock
may be wrong at any start, so what is deleted by age is measured in trusted time. It advances while a server runs. The
time before a start, in which none ran, is only claimed by the system's clock: it is added once servers have run for a
day of grace in which every one of them claimed it.

Trusted time never goes back. What stores when something was last used stores `at_least_trusted`, so that nothing
looks old because the clock was behind.
"""

from sqlalchemy import Connection, Float, ScalarSelect, case, delete, func, literal, select, update
from sqlalchemy.sql.elements import ColumnElement

from fivedice.storage.schema import insert_into, trusted_time, uptime

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


_ID = 1
"""Of the only row."""


def trusted_until(connection: Connection) -> float | None:
    """The trusted time, in seconds since 1970; None if no server has run yet."""
    return connection.execute(select(trusted_time.c.until)).scalar()


def pass_time(connection: Connection, reached: float | None, now: float, grace: float) -> float:
    """Store that a server has seen time pass until `reached`, while its clock says `now`; return the trusted time.

    `reached` is None at its start. What the clock claims beyond that is added after `grace` seconds of trusted time.
    """
    _begin(connection, now)
    row = connection.execute(select(trusted_time).with_for_update()).one()
    until = row.until if reached is None else max(row.until, reached)
    claim, claimed = row.claim, row.claimed
    if now <= until or not claim:
        claim, claimed = max(now - until, 0.0), until
    claim = min(claim, max(now - until, 0.0))
    if claim and until - claimed >= grace:
        until, claim = until + claim, 0.0
    connection.execute(update(trusted_time).values(until=until, claim=claim, claimed=claimed))
    return float(until)


def trust(connection: Connection, now: float) -> None:
    """Let a person say that the clock is right."""
    _begin(connection, now)
    connection.execute(update(trusted_time).where(trusted_time.c.until < now).values(until=now, claim=0.0, claimed=now))


def _begin(connection: Connection, now: float) -> None:
    """Let trusted time begin now unless a server has run before: nothing is old yet. Two servers may start at once."""
    row = {"id": _ID, "until": now, "claim": 0.0, "claimed": now}
    connection.execute(insert_into(connection, trusted_time).values(row).on_conflict_do_nothing())


def at_least_trusted(at: float) -> ColumnElement[float]:
    """A time of use as it is stored: no earlier than the trusted time."""
    until: ScalarSelect[float] = select(func.coalesce(func.max(trusted_time.c.until), at)).scalar_subquery()
    return case((until > at, until), else_=literal(at, Float))
