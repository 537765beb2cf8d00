"""The one row of the servers on a database: their secrets, the counts of all dice, and their last sign of life.

Clocks of seats do not run while no server does: what was missed moves their ends. And no wrong clock deletes anything:
what is deleted by age goes by the *lived* time, which never goes back. It passes while a server runs, and follows the
clock otherwise, unless that differs by a day or more from what it was at the last sign of life. Then it does so after a
day of grace, in which servers run; a start with another such difference begins a new one.

What stores when something was last used stores `at_least_lived`, so that nothing looks old because the clock was
behind.
"""

from collections import Counter
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Float, ScalarSelect, case, func, literal, select, update
from sqlalchemy.sql.elements import ColumnElement

from fivedice.analysis.dice_counts import Cell, DiceCounts
from fivedice.base.errors import UnavailableError
from fivedice.storage.schema import SERVING, holders, insert_into, is_alone, server, streams

GRACE_SECONDS = 86_400.0
"""Servers run that long before the lived time follows a clock that may be wrong."""

_ID = 1
"""The id of the only row."""


class Life(NamedTuple):
    """The lived time, and when a server was back after none had run, 0 if that never was; in seconds since 1970."""

    lived: float
    back: float


def beat(connection: Connection, now: float, last: "tuple[Life, float] | None", late: float) -> Life:
    """Store a sign of life at a moment by the clock of a server. `last` is what its last one returned, and the seconds
    since then by a clock that cannot be set; None at its start. Others have come too late after `late` seconds.
    """
    set_once(connection, seen=now, back=0.0, lived=now, grace=0.0)  # unless a server has run before: nothing is old yet
    row = connection.execute(select(server).with_for_update()).one()
    missed, passed = now - row.seen, None if last is None else last[1]
    was_away = missed > late and (passed is None or passed > late)
    back = row.back
    if was_away or (passed is None and is_alone(connection, SERVING)):
        connection.execute(
            update(streams)
            .where(streams.c.kind == "table", streams.c.due.is_not(None))
            .values(due=streams.c.due + missed)
        )
        back = now
    lived = row.lived if last is None or was_away else max(row.lived, last[0].lived + last[1])
    unseen = missed if passed is None or was_away else missed - passed
    grace = GRACE_SECONDS if abs(unseen) >= GRACE_SECONDS else max(row.grace - (lived - row.lived), 0.0)
    if not grace:
        lived = max(lived, now)
    connection.execute(update(server).values(seen=now, back=back, lived=lived, grace=grace))
    return Life(lived, back)


def require_life(connection: Connection, since: float) -> None:
    """Raise `UnavailableError` if the last sign of life is older: the next one puts off the ends of clocks."""
    seen = connection.execute(select(server.c.seen)).scalar()
    if seen is not None and seen < since:
        raise UnavailableError("no server was running: the ends of clocks are put off first")


def lived_until(connection: Connection) -> float | None:
    """The lived time, in seconds since 1970; None if no server has run yet."""
    return connection.execute(select(server.c.lived)).scalar()


def at_least_lived(at: float) -> ColumnElement[float]:
    """A time of use as it is stored: no earlier than the lived time."""
    lived: ScalarSelect[float] = select(func.coalesce(func.max(server.c.lived), at)).scalar_subquery()
    return case((lived > at, lived), else_=literal(at, Float))


def set_once(connection: Connection, **columns: object) -> None:
    """Store columns of the row, unless the first of them is there already. Two servers may do so at once."""
    connection.execute(insert_into(connection, server).values(id=_ID).on_conflict_do_nothing())
    connection.execute(update(server).where(server.c[next(iter(columns))].is_(None)).values(**columns))


VISIT_SECONDS = 6 * 3600.0
"""How exact the times of visits are: a visit is stored if the one before it is older."""


def visit_holder(connection: Connection, holder: str, at: float) -> None:
    """Store that a holder has come back."""
    is_old = holders.c.seen < at_least_lived(at) - VISIT_SECONDS
    connection.execute(update(holders).where(holders.c.id == holder, is_old).values(seen=at_least_lived(at)))


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[tuple[Cell, int]]).decode


def encoded_counts(counts: DiceCounts) -> str:
    """Counts as JSON."""
    return _encode(list(counts.items())).decode()


def decoded_counts(text: str) -> DiceCounts:
    """The counts that `encoded_counts` has written."""
    return Counter(dict(_decode(text)))


def add_counts(connection: Connection, counts: DiceCounts) -> None:
    """Add to the counts of all dice."""
    set_once(connection, dice="[]")
    before = connection.execute(select(server.c.dice).with_for_update()).scalar_one()
    connection.execute(update(server).values(dice=encoded_counts(decoded_counts(before or "[]") + counts)))


def load_counts(connection: Connection) -> DiceCounts:
    """The counts of all dice."""
    return decoded_counts(connection.execute(select(server.c.dice)).scalar() or "[]")
