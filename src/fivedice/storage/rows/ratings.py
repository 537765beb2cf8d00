"""Ratings of holders, which count the result of each table once."""

from collections.abc import Collection

from sqlalchemy import Connection, select, update

from fivedice.players.rating import Rating, Result
from fivedice.storage.rows.holders import lock_holder
from fivedice.storage.schema import holders, seat_holders, streams


def rating_of(connection: Connection, holder: str) -> Rating | None:
    """The rating of a holder; None without a result."""
    return _ratings(connection, [holder]).get(holder)


def first_holders(connection: Connection, table: str) -> dict[int, str]:
    """Seat → who held it first, for the seats that have a holder: others are further devices, as far as is known."""
    wanted = select(seat_holders.c.seat, seat_holders.c.holder).where(seat_holders.c.stream == table)
    rows = connection.execute(wanted.order_by(seat_holders.c.since.desc(), seat_holders.c.holder))
    return {row.seat: row.holder for row in rows}


def count_result(connection: Connection, table: str, result: Result) -> None:
    """Count the result of a table, unless it is counted already, or somebody has several seats or none."""
    is_new = (streams.c.id == table, streams.c.is_rated.is_(False))
    if not connection.execute(update(streams).where(*is_new).values(is_rated=True)).rowcount:
        return
    first = first_holders(connection, table)
    people = {seat: first[seat] for seat in result.people if seat in first}
    if len(set(people.values())) < len(result.people):
        return
    for holder in sorted(people.values()):
        lock_holder(connection, holder)
    known = _ratings(connection, people.values())
    after = result.rate({seat: known[holder] for seat, holder in people.items() if holder in known})
    for seat, one in after.items():
        rated = update(holders).where(holders.c.id == people[seat])
        connection.execute(rated.values(mean=one.mean, deviation=one.deviation, games=one.games))


def _ratings(connection: Connection, ids: Collection[str]) -> dict[str, Rating]:
    rating = (holders.c.mean, holders.c.deviation, holders.c.games)
    rows = connection.execute(select(holders.c.id, *rating).where(holders.c.id.in_(ids), holders.c.games.is_not(None)))
    return {id: Rating(mean, deviation, games or 0) for id, mean, deviation, games in rows}
