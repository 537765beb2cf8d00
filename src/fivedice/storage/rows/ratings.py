"""Ratings of holders, and the results that they count: each finished table once, whichever process rates it."""

from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection, select, update

from fivedice.storage.schema import RATING, insert_into, is_alone, ratings, seat_holders, streams

StoredRating = tuple[float, float, int]
"""The mean and the deviation in units of the model, and the number of games."""


def add_result(connection: Connection, table: str) -> None:
    """Enter a finished table; no-op if it is entered already."""
    is_new = (streams.c.id == table, streams.c.is_rated.is_(None))
    connection.execute(update(streams).where(*is_new).values(is_rated=False))


def unrated(connection: Connection, limit: int) -> list[str]:
    """Up to `limit` finished tables whose results are not counted yet."""
    wanted = select(streams.c.id).where(streams.c.is_rated.is_(False)).order_by(streams.c.id).limit(limit)
    return list(connection.execute(wanted).scalars())


def rating_of(connection: Connection, holder: str) -> StoredRating | None:
    """The rating of a holder; None without a result."""
    return load_ratings(connection, [holder]).get(holder)


def load_ratings(connection: Connection, holders: Sequence[str]) -> dict[str, StoredRating]:
    """The ratings of those of these holders who have one."""
    rows = connection.execute(select(ratings).where(ratings.c.holder.in_(holders)))
    return {row.holder: (row.mean, row.deviation, row.games) for row in rows}


def first_holders(connection: Connection, table: str) -> dict[int, str]:
    """Seat → who held it first, for the seats that have a holder: others are further devices, as far as is known."""
    wanted = select(seat_holders.c.seat, seat_holders.c.holder).where(seat_holders.c.stream == table)
    rows = connection.execute(wanted.order_by(seat_holders.c.since.desc(), seat_holders.c.holder))
    return {row.seat: row.holder for row in rows}


def count_result(
    connection: Connection,
    table: str,
    rate: Callable[[Mapping[int, str], Mapping[str, StoredRating]], Mapping[str, StoredRating]],
) -> bool:
    """Count the result of a table, unless it is counted already; False, without a change, if another process rates.

    `rate` returns the new ratings, for the holders by seat and the ratings that they have.
    """
    if not is_alone(connection, RATING):
        return False
    is_new = (streams.c.id == table, streams.c.is_rated.is_(False))
    counted = connection.execute(update(streams).where(*is_new).values(is_rated=True).returning(streams.c.id)).first()
    if counted:
        holders = first_holders(connection, table)
        for holder, (mean, deviation, games) in rate(holders, load_ratings(connection, list(holders.values()))).items():
            new = {"mean": mean, "deviation": deviation, "games": games}
            added = insert_into(connection, ratings).values(holder=holder, **new)
            connection.execute(added.on_conflict_do_update(index_elements=["holder"], set_=new))
    return True
