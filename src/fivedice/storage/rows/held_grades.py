"""The grades of a holder's games: how they ended, what their decisions lost, and the lessons in them."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import CompoundSelect, Connection, String, case, cast, func, literal, or_, select, union_all

from fivedice.storage.rows.decisions import Game
from fivedice.storage.rows.records import elsewhere
from fivedice.storage.rows.stored_figures import HeldFigures
from fivedice.storage.schema import decisions, grades, records, rulesets, seat_holders, ungraded


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """How a game ended for a seat of a holder. `table` is empty for an imported game, and `own` is the number of the
    holder's seats in it."""

    game: str
    table: str
    seat: int
    name: str
    date: str
    ended: float
    seats: int
    total: int
    has_won: bool
    is_cut_short: bool
    own: int = 1


@dataclass(frozen=True, slots=True)
class HeldRules:
    """The rules of a holder's games: their digest, their reference, the text of custom ones, and whether all of these
    games are graded."""

    digest: str
    rules: str
    toml: str
    is_graded: bool


@dataclass(frozen=True, slots=True)
class HeldLesson:
    """A decision to make again, in notation, and the rules and the table of its game; empty for an imported one."""

    hash: bytes
    line: str
    chosen: str
    loss: float
    table: str
    date: str
    rules: str
    toml: str


def ungraded_of(connection: Connection, holder: str) -> list[Game]:
    """The games of a holder that have ended, or went on, since they were last read."""
    tables = select(seat_holders.c.table_id).where(seat_holders.c.holder == holder)
    hashes = select(records.c.hash).where(records.c.holder == holder)
    is_own = or_(ungraded.c.game.in_(tables), ungraded.c.hash.in_(hashes))
    rows = connection.execute(select(ungraded.c.game, ungraded.c.version, ungraded.c.hash).where(is_own))
    return [Game(*row) for row in rows]


def held_seats(connection: Connection, holder: str, table: str) -> list[HeldSeat]:
    """The holder's seats in games that are over, under the rules of that table; none unless it has ended."""
    digest = select(grades.c.digest).where(grades.c.game == table).limit(1).scalar_subquery()
    names = ("game", "seat", "name", "date", "ended", "seats", "total", "has_won", "is_cut_short")
    own = _own(holder, [grades.c[name] for name in names], grades.c.digest == digest, grades.c.is_over)
    rows: Sequence[Any] = connection.execute(own).all()
    num = Counter(row.game for row in rows)
    return [replace(HeldSeat(**row._mapping), own=num[row.game]) for row in rows]


def held_dates(connection: Connection, holder: str) -> list[str]:
    """When the holder's games began that are over."""
    return list(connection.execute(_own(holder, [grades.c.date], grades.c.is_over)).scalars())


def held_rules(connection: Connection, holder: str, *, is_over: bool, with_imports: bool = True) -> list[HeldRules]:
    """The rules of the holder's games, all or only those that are over."""
    columns: list[Any] = [grades.c.digest, grades.c.rules, grades.c.ruleset, grades.c.loss, grades.c.ended]
    only = [grades.c.is_over] if is_over else []
    own = _own(holder, columns, *only, with_imports=with_imports).subquery()
    is_graded = func.min(case((own.c.loss.is_(None), 0), else_=1))
    toml = func.coalesce(rulesets.c.toml, "")
    wanted = (
        select(own.c.digest, func.min(own.c.rules), func.min(toml), is_graded)
        .select_from(own.outerjoin(rulesets, rulesets.c.hash == own.c.ruleset))
        .group_by(own.c.digest)
        .order_by(func.max(own.c.ended).desc())
    )
    return [HeldRules(digest, rules, text, bool(all_)) for digest, rules, text, all_ in connection.execute(wanted)]


def held_figures(
    connection: Connection, holder: str, digest: str, limit: int, *, with_imports: bool = True
) -> list[HeldFigures]:
    """The figures of so many of the latest of the holder's games under some rules, in order, that count in figures.

    Rated are those in which a person decided everything alone, at the only seat of the holder.
    """
    mine = seat_holders.alias()
    num_own = select(func.count()).where(mine.c.table_id == grades.c.table_id, mine.c.holder == holder)
    is_rated = (grades.c.is_rated & (num_own.scalar_subquery() == 1)).label("is_rated")
    columns: list[Any] = [grades.c.date, grades.c.total, grades.c.luck, grades.c.error, is_rated, grades.c.figures]
    counts = (grades.c.digest == digest, grades.c.is_over, grades.c.figures.is_not(None))
    own = _own(holder, [*columns, grades.c.ended], *counts, with_imports=with_imports).subquery()
    wanted = select(own.c.table, *(own.c[one.name] for one in columns)).order_by(own.c.ended.desc()).limit(limit)
    rows: Sequence[Any] = connection.execute(wanted).all()
    return [HeldFigures(*row) for row in reversed(rows)]


def held_lessons(connection: Connection, holder: str, num_games: int, *, with_tables: bool = True) -> list[HeldLesson]:
    """The lessons in the holder's latest games, the costliest first; a position can be there several times."""
    columns: list[Any] = [grades.c[name] for name in ("game", "seat", "date", "rules", "ruleset", "ended")]
    own = _own(holder, columns, with_tables=with_tables).subquery()
    latest = select(own.c.game).group_by(own.c.game).order_by(func.max(own.c.ended).desc()).limit(num_games)
    return _lessons(connection, own, own.c.game.in_(latest))


def game_lessons(connection: Connection, table: str, seats: Collection[int]) -> list[HeldLesson]:
    """The lessons at some seats of a table, the costliest first."""
    names = ("game", "seat", "date", "rules", "ruleset", "ended")
    own = select(*(grades.c[name] for name in names), cast(grades.c.game, String).label("table"))
    chosen = own.where(grades.c.game == table, grades.c.seat.in_(seats)).subquery()
    return _lessons(connection, chosen, literal(value=True))


def _lessons(connection: Connection, own: Any, *only: Any) -> list[HeldLesson]:
    loss = decisions.c.best_value - decisions.c.value
    same = (decisions.c.game == own.c.game) & (decisions.c.seat == own.c.seat)
    columns = (decisions.c.lesson, decisions.c.position, decisions.c.chosen, loss, own.c.table, own.c.date, own.c.rules)
    wanted = (
        select(*columns, func.coalesce(rulesets.c.toml, ""))
        .select_from(own.join(decisions, same).outerjoin(rulesets, rulesets.c.hash == own.c.ruleset))
        .where(decisions.c.lesson.is_not(None), *only)
        .order_by(loss.desc(), decisions.c.game, decisions.c.number)
    )
    rows: Sequence[Any] = connection.execute(wanted).all()
    return [HeldLesson(bytes(row[0]), *row[1:]) for row in rows]


def _own(
    holder: str, columns: Sequence[Any], *only: Any, with_imports: bool = True, with_tables: bool = True
) -> CompoundSelect[Any]:
    """The query for columns of the grades at a holder's seats, and `table`, which is empty for an imported game."""
    held = (seat_holders.c.table_id == grades.c.table_id) & (seat_holders.c.seat == grades.c.seat)
    imported = (records.c.hash == grades.c.hash) & (records.c.seat == grades.c.seat)
    tables = (
        select(*columns, cast(grades.c.game, String).label("table"))
        .select_from(seat_holders.join(grades, held))
        .where(seat_holders.c.holder == holder, *only)
    )
    others = (
        select(*columns, literal("").label("table"))
        .select_from(records.join(grades, imported))
        .where(records.c.holder == holder, elsewhere(), *only)
    )
    return union_all(*([tables] if with_tables else []), *([others] if with_imports else []))
