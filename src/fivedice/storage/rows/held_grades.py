"""The grades of a holder's games: how they ended, what their decisions lost, and the lessons in them."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, String, cast, func, literal, select

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.game.chance import DiceSource
from fivedice.storage.rows.decisions import HeldGame
from fivedice.storage.rows.records import elsewhere
from fivedice.storage.rows.rulesets import ruleset_texts
from fivedice.storage.rows.server import decoded_counts
from fivedice.storage.schema import decisions, grades, records, rulesets, seat_holders


@dataclass(frozen=True, slots=True)
class HeldLesson:
    """A decision to make again, in notation, and the rules, the table and the beginning of its game: the table is empty
    for an imported game, and both are for a try of the daily. `due` is None until the first answer."""

    hash: bytes
    line: str
    chosen: str
    loss: float
    table: str
    began: str
    rules: str
    toml: str = ""
    due: date | None = None


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat of a game that has ended, as a list of games shows it."""

    rules: str
    toml: str
    date: str
    is_over: bool
    dice: DiceSource
    name: str
    kind: str
    total: int
    rank: int | None
    resigned: bool


def listed_seats(connection: Connection, games: Collection[str]) -> dict[str, list[ListedSeat]]:
    """The seats of those of these games that have ended and could be read, in order."""
    columns = [grades.c[one] for one in ListedSeat.__slots__ if one != "toml"]
    columns.insert(1, func.coalesce(rulesets.c.toml, ""))  # type: ignore[arg-type]
    wanted = select(grades.c.game, *columns).select_from(grades.outerjoin(rulesets)).where(grades.c.game.in_(games))
    found: dict[str, list[ListedSeat]] = {}
    rows: Sequence[Any] = connection.execute(wanted.order_by(grades.c.game, grades.c.seat)).all()
    for game, *rest in rows:
        found.setdefault(game, []).append(ListedSeat(*rest))
    return found


def held_dice(connection: Connection, holder: str, limit: int) -> DiceCounts:
    """The counts of all dice in a holder's games that have ended, so many of their tables and all imported ones; their
    seats count as seat 0, all others as seat 1."""
    own = _own(connection, holder, [grades.c.game, grades.c.seat, grades.c.ended], limit=limit)
    mine = {(row.game, row.seat) for row in own}
    wanted = select(grades.c.game, grades.c.seat, grades.c.rolled).where(grades.c.game.in_({row.game for row in own}))
    found: DiceCounts = Counter()
    for game, seat, rolled in connection.execute(wanted):
        number = "0" if (game, seat) in mine else "1"
        for cell, num in decoded_counts(rolled).items():
            place = f"{number} {cell.row.partition(' ')[2]}" if cell.table == "faces" else cell.row
            found[cell._replace(row=place)] += num
    return found


def held_games(connection: Connection, holder: str, limit: int, *, with_imports: bool = True) -> list[HeldGame]:
    """Up to `limit` of the latest games at the holder's seats, the latest first. A game at two of their seats is not
    rated."""
    columns = [grades.c[one] for one in HeldGame._fields if one != "table"]
    rows = _own(connection, holder, columns, limit=limit, with_imports=with_imports)
    num = Counter(row.game for row in rows)
    found = (HeldGame._make(row) for row in rows)
    return [one if num[one.game] == 1 else one._replace(is_rated=False) for one in found]


def held_examples(connection: Connection, seats: Collection[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """The examples in the figures of the games of some seats, by game and seat."""
    is_wanted = grades.c.game.in_([game for game, _ in seats])
    wanted = select(grades.c.game, grades.c.seat, grades.c.examples).where(is_wanted, grades.c.examples.is_not(None))
    return {(game, seat): examples for game, seat, examples in connection.execute(wanted)}


def held_lessons(
    connection: Connection, holder: str, num_games: int, *, with_tables: bool = True
) -> tuple[list[HeldLesson], list[tuple[str, str]]]:
    """The lessons in the holder's latest games, the costliest first, where a position can be several times; and the
    rules of those of these games that are not graded, with their text if they are custom."""
    names = ("game", "seat", "ended", "rules", "ruleset", "loss")
    own = _own(connection, holder, [grades.c[one] for one in names], limit=num_games, with_tables=with_tables)
    latest = own[:num_games]
    waiting = {(row.rules, row.ruleset) for row in latest if row.loss is None}
    texts = ruleset_texts(connection, [hash for _, hash in waiting if hash is not None])
    rules = sorted((rules, texts.get(bytes(hash or b""), "")) for rules, hash in waiting)
    return _lessons(connection, [(row.game, row.seat) for row in latest]), rules


def game_lessons(connection: Connection, table: str, seats: Collection[int]) -> list[HeldLesson]:
    """The lessons at some seats of a table, the costliest first."""
    return _lessons(connection, [(table, seat) for seat in seats])


def _lessons(connection: Connection, seats: Collection[tuple[str, int]]) -> list[HeldLesson]:
    loss = decisions.c.best_value - decisions.c.value
    table = func.coalesce(grades.c.table_id, "")
    place = (decisions.c.game, decisions.c.seat)
    columns = (decisions.c.lesson, decisions.c.position, decisions.c.chosen, loss, table, grades.c.date, grades.c.rules)
    wanted = (
        select(*place, *columns, func.coalesce(rulesets.c.toml, ""))
        .select_from(decisions.join(grades).outerjoin(rulesets))
        .where(decisions.c.lesson.is_not(None), decisions.c.game.in_({game for game, _ in seats}))
        .order_by(loss.desc(), decisions.c.game, decisions.c.number)
    )
    rows: Sequence[Any] = connection.execute(wanted).all()
    own = set(seats)
    return [HeldLesson(bytes(row[2]), *row[3:]) for row in rows if (row[0], row[1]) in own]


def _own(
    connection: Connection,
    holder: str,
    columns: Sequence[Any],
    *,
    limit: int | None = None,
    with_imports: bool = True,
    with_tables: bool = True,
) -> list[Any]:
    """Columns of the grades at a holder's seats, with `ended` among them, and `table`, which is empty for an imported
    game: the latest first. Of tables they are so many that the holder sat down at last."""
    held = (seat_holders.c.stream == grades.c.game) & (seat_holders.c.seat == grades.c.seat)
    imported = (records.c.hash == grades.c.hash) & (records.c.seat == grades.c.seat)
    tables = (
        select(*columns, cast(grades.c.game, String).label("table"))
        .select_from(seat_holders.join(grades, held))
        .where(seat_holders.c.holder == holder)
        .order_by(seat_holders.c.since.desc())
        .limit(limit)
    )
    others = (
        select(*columns, literal("").label("table"))
        .select_from(records.join(grades, imported))
        .where(records.c.holder == holder, elsewhere())
    )
    wanted = [*([tables] if with_tables else []), *([others] if with_imports else [])]
    found: list[Any] = [row for query in wanted for row in connection.execute(query).all()]
    return sorted(found, key=lambda row: -row.ended)
