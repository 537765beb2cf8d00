"""Deletes old tables and holders, a few at a time; the caller says which are old.

What is deleted is found in the transaction that deletes it. Of several processes, one deletes at a time.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, or_, select

from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.streams import delete_childless, drop_streams
from fivedice.storage.schema import PRUNING, holders, is_alone, keys, lessons, records, seat_holders, streams, tries


class Ages(NamedTuple):
    """What was last used before these times is old, in seconds since 1970; None for nothing.

    Finished games of an account or of a member of a club are never old.
    """

    unfinished: float | None
    finished: float | None


class Num(NamedTuple):
    """Numbers of tables and of browsers."""

    unfinished: int = 0
    finished: int = 0
    browsers: int = 0


Deleted: TypeAlias = tuple[Num, list[str]] | None
"""What was deleted, and the ids of tables; None while another process deletes."""


def delete_tables(connection: Connection, ages: Ages, limit: int, keep: Collection[str] = ()) -> Deleted:
    """Delete up to `limit` old tables with everything that belongs to them, but none of `keep`.

    Counted dice stay counted. Other processes are told, so that they drop the tables from memory.
    """
    if not is_alone(connection, PRUNING):
        return None
    for ended in (False, True):
        is_old = _is_old(ages, ended=ended)
        found = select(streams.c.id).where(is_old, streams.c.id.not_in(keep)).order_by(streams.c.active).limit(limit)
        locked = _lock(connection, connection.execute(found).scalars().all())
        gone = sorted(connection.execute(select(streams.c.id).where(streams.c.id.in_(locked), is_old)).scalars())
        if gone:
            drop_streams(connection, gone)
            delete_childless(connection, (ages.finished if ended else ages.unfinished) or 0.0)
            announce(connection, map(holders_line, gone))
            return (Num(finished=len(gone)) if ended else Num(unfinished=len(gone))), gone
    return Num(), []


def delete_holders(connection: Connection, ages: Ages, limit: int) -> Deleted:
    """Delete up to `limit` browsers that did not come back and have no game, with their records and tries."""
    if not is_alone(connection, PRUNING):
        return None
    found = select(holders.c.id).where(_is_gone(ages)).order_by(holders.c.seen, holders.c.id).limit(limit)
    gone = connection.execute(found.with_for_update(skip_locked=True)).scalars().all()
    for rows in (records, lessons, tries, keys):
        connection.execute(delete(rows).where(rows.c.holder.in_(gone)))
    connection.execute(delete(holders).where(holders.c.id.in_(gone)))
    return Num(browsers=len(gone)), []


_member, _club = seat_holders.alias(), streams.alias()
_is_member = exists().where(_member.c.holder == holders.c.id, _club.c.id == _member.c.stream, _club.c.kind == "club")
_IS_NAMED = or_(holders.c.name.is_not(None), _is_member)
"""Whether a holder has an account or is in a club."""


def _lock(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Lock tables against new events until the end of the transaction; those with an event under way are left out."""
    # On PostgreSQL an event locks the row of its table, which its foreign key refers to. SQLite has one writer.
    wanted = select(streams.c.id).where(streams.c.id.in_(ids)).order_by(streams.c.id)
    return list(connection.execute(wanted.with_for_update(skip_locked=True)).scalars())


def _is_old(ages: Ages, *, ended: bool) -> ColumnElement[bool]:
    before = ages.finished if ended else ages.unfinished
    is_table, is_over = streams.c.kind == "table", streams.c.ended == ended
    is_old = and_(is_table, is_over, streams.c.active < (float("-inf") if before is None else before))
    if not ended:
        return is_old
    of_named = exists().where(seat_holders.c.stream == streams.c.id, seat_holders.c.holder == holders.c.id, _IS_NAMED)
    return and_(is_old, ~of_named)


def _is_gone(ages: Ages) -> ColumnElement[bool]:
    before = float("-inf") if ages.finished is None else ages.finished
    return and_(holders.c.seen < before, ~exists().where(seat_holders.c.holder == holders.c.id), ~_IS_NAMED)
