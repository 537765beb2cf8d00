"""The stage of each table, when people last used it, when holders last visited, and which tables have unread events.

A table is entered in `changed_tables` in the transaction of its event, and removed when the background job has read all
of its events. So the job finds the changes of processes that crashed, without a look at any other table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from sqlalchemy import Connection, case, delete, func, or_, select, update

from fivedice.storage.rows.life import at_least_lived
from fivedice.storage.rows.ratings import add_result
from fivedice.storage.schema import changed_tables, events, holders, tables

VISIT_SECONDS = 6 * 3600.0
"""How exact the times of visits are: a visit is stored if the one before it is older."""


class Stage(StrEnum):
    """How far the game of a table is, as `tables.stage`."""

    NEW = "new"
    """No dice were rolled."""
    BEGUN = "begun"
    """Dice were rolled, and the game is not complete; the table may be closed."""
    OVER = "over"
    """The game is complete."""


@dataclass(frozen=True, slots=True)
class Activity:
    """The stage of a table, and when a person last acted at it or had it open, in seconds since 1970.

    `acted` is whether a person did since the activity was stored before.
    """

    stage: Stage
    active: float
    acted: bool = field(default=False, compare=False)


def find_changed(connection: Connection, after: str, limit: int) -> list[str]:
    """Up to `limit` changed tables in the order of their ids, after the given one."""
    wanted = select(changed_tables.c.table_id).where(changed_tables.c.table_id > after)
    return list(connection.execute(wanted.order_by(changed_tables.c.table_id).limit(limit)).scalars())


def lock_tables(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Lock tables against new events until the end of the transaction; those with an event under way are left out."""
    # On PostgreSQL an event locks the row of its table, which its foreign key refers to. SQLite has one writer.
    wanted = select(tables.c.id).where(tables.c.id.in_(ids)).order_by(tables.c.id)
    return list(connection.execute(wanted.with_for_update(skip_locked=True)).scalars())


def store_activity(connection: Connection, found: Mapping[str, tuple[int, Activity]]) -> None:
    """Store the activity of tables as of a version, and enter them as unchanged. A later visit is kept.

    Tables with a newer event, or with one under way, are skipped and stay entered as changed.
    """
    for id in lock_tables(connection, list(found)):
        version, activity = found[id]
        newest = connection.execute(select(func.max(events.c.version)).where(events.c.table_id == id)).scalar()
        if newest != version:
            continue
        active = at_least_lived(activity.active) if activity.acted else activity.active
        latest = case((tables.c.active > active, tables.c.active), else_=active)
        connection.execute(update(tables).where(tables.c.id == id).values(stage=activity.stage, active=latest))
        connection.execute(delete(changed_tables).where(changed_tables.c.table_id == id))
        if activity.stage is Stage.OVER:
            add_result(connection, id)


def visit_tables(connection: Connection, ids: Sequence[str], at: float) -> None:
    """Store that people have these tables open."""
    is_old = or_(tables.c.active.is_(None), tables.c.active < at_least_lived(at) - VISIT_SECONDS)
    # Ordered, so that two processes that visit the same tables cannot wait for each other.
    old = select(tables.c.id).where(tables.c.id.in_(ids), is_old).order_by(tables.c.id).with_for_update()
    connection.execute(
        update(tables).where(tables.c.id.in_(connection.execute(old).scalars().all())).values(active=at_least_lived(at))
    )


def visit_holder(connection: Connection, holder: str, at: float) -> None:
    """Store that a holder has come back."""
    is_old = holders.c.seen < at_least_lived(at) - VISIT_SECONDS
    connection.execute(update(holders).where(holders.c.id == holder, is_old).values(seen=at_least_lived(at)))
