"""The daily in the database: the master secret, the positions of a day, and tries with their answers.

A standing is a number that `fivedice.daily.results.Tally` gives a try, the best lowest.
"""

from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, insert, select, update

from fivedice.storage.schema import answers, daily_positions, insert_into, secrets, tries


@dataclass(frozen=True, slots=True)
class StoredTry:
    """A try. `ended` is when it was completed or given up, None before; `standing` is None without a rank."""

    id: str
    day: str
    kind: str
    rules: str
    run: int
    holder: str
    began: float
    ended: float | None
    standing: int | None


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer: the number of its question, from 1, the action in notation, when it was stored, the points that it
    lost, None until the end of a game, and its position in notation if that becomes a lesson."""

    number: int
    action: str
    at: float
    loss: float | None = None
    lesson: str | None = None


def master_secret(connection: Connection, new: bytes, today: str) -> tuple[bytes, str]:
    """The master secret and its first day; `new` is stored if there is none."""
    row = {"name": "daily", "secret": new, "since": today}
    connection.execute(insert_into(connection, secrets).values(row).on_conflict_do_nothing())
    found = connection.execute(select(secrets).where(secrets.c.name == "daily")).one()
    return bytes(found.secret), found.since


def stored_positions(connection: Connection, day: str, kind: str, rules: str) -> list[str] | None:
    """The lines that were drawn for a day; None before that."""
    lines = connection.execute(
        select(daily_positions.c.lines).where(
            daily_positions.c.day == day, daily_positions.c.kind == kind, daily_positions.c.rules == rules
        )
    ).scalar()
    return None if lines is None else lines.splitlines()


def store_positions(connection: Connection, day: str, kind: str, rules: str, lines: Sequence[str]) -> list[str]:
    """Store the lines that were drawn for a day, and return those that count: the first ones that were stored."""
    row = {"day": day, "kind": kind, "rules": rules, "lines": "\n".join(lines)}
    connection.execute(insert_into(connection, daily_positions).values(row).on_conflict_do_nothing())
    found = stored_positions(connection, day, kind, rules)
    assert found is not None, "it has just been stored"
    return found


def begin_try(connection: Connection, wanted: StoredTry) -> StoredTry:
    """Store a try, or return the one of the same holder, day, kind, rules and run."""
    row = {name: getattr(wanted, name) for name in StoredTry.__slots__}
    connection.execute(insert_into(connection, tries).values(row).on_conflict_do_nothing())
    same = (tries.c.day == wanted.day, tries.c.kind == wanted.kind, tries.c.rules == wanted.rules)
    found = connection.execute(_tries().where(*same, tries.c.run == wanted.run, tries.c.holder == wanted.holder))
    return StoredTry(*found.one())


def load_try(connection: Connection, id: str) -> tuple[StoredTry, list[StoredAnswer]] | None:
    """A try with its answers in order; None if there is none."""
    found = connection.execute(_tries().where(tries.c.id == id)).first()
    return None if found is None else (StoredTry(*found), _answers(connection, id))


def tries_of(connection: Connection, holder: str, day: str) -> list[StoredTry]:
    """The tries of a holder on a day, in the order of their runs."""
    wanted = _tries().where(tries.c.holder == holder, tries.c.day == day).order_by(tries.c.run)
    return [StoredTry(*row) for row in connection.execute(wanted)]


def missed_answers(
    connection: Connection, holder: str, since: str, late: float, most: int
) -> list[tuple[StoredTry, StoredAnswer]]:
    """The answers that become lessons, the costliest first, in so many of a holder's latest tries that have a rank,
    from a day on. A storm that goes on has none; one that began before the time `late` is over."""
    latest = select(tries.c.id).where(tries.c.holder == holder, tries.c.standing.is_not(None), tries.c.day >= since)
    is_over = tries.c.ended.is_not(None) | ((tries.c.kind == "storm") & (tries.c.began <= late))
    columns = [tries.c[name] for name in StoredTry.__slots__] + [answers.c[name] for name in StoredAnswer.__slots__]
    wanted: Select[Any] = select(*columns).select_from(tries.join(answers, answers.c.try_id == tries.c.id))
    wanted = wanted.where(tries.c.id.in_(latest.order_by(tries.c.began.desc()).limit(most)), is_over)
    rows = connection.execute(wanted.where(answers.c.lesson.is_not(None)).order_by(answers.c.loss.desc()))
    size = len(StoredTry.__slots__)
    return [(StoredTry(*row[:size]), StoredAnswer(*row[size:])) for row in rows]


def ranked_days(connection: Connection, holder: str) -> list[str]:
    """The days on which a holder has a rank, in no order."""
    wanted = select(tries.c.day).where(tries.c.holder == holder, tries.c.standing.is_not(None)).distinct()
    return list(connection.execute(wanted).scalars())


def store_answer(
    connection: Connection,
    id: str,
    answer: StoredAnswer,
    outcome: Callable[[Sequence[StoredAnswer]], tuple[int | None, float | None]],
    lost: Sequence[tuple[float, str | None]] = (),
) -> list[StoredAnswer]:
    """Store an answer if it is that to the next question of a try that has not ended; return the stored ones.

    `outcome` derives the standing of the try from all answers, and when it ended. `lost` has the losses and the lessons
    of all answers of a game that ends with this one.
    """
    found = connection.execute(_tries().where(tries.c.id == id).with_for_update()).first()
    stored = _answers(connection, id)
    if found is None or found.ended is not None or answer.number != len(stored) + 1:
        return stored
    connection.execute(insert(answers).values(try_id=id, **asdict(answer)))
    for number, (loss, lesson) in enumerate(lost, 1):
        same = (answers.c.try_id == id, answers.c.number == number)
        connection.execute(update(answers).where(*same).values(loss=loss, lesson=lesson))
    stored.append(answer)
    standing, ended = outcome(stored)
    connection.execute(update(tries).where(tries.c.id == id).values(standing=standing, ended=ended))
    return stored


def end_try(connection: Connection, id: str, at: float) -> None:
    """Give a try up; no-op if it has ended."""
    connection.execute(update(tries).where(tries.c.id == id, tries.c.ended.is_(None)).values(ended=at))


def ranked_standings(connection: Connection, kind: str, rules: str, day: str) -> "array[int]":
    """The standings of all ranked tries of one kind, ruleset and day, the best first."""
    ranked = (tries.c.kind == kind, tries.c.rules == rules, tries.c.day == day, tries.c.standing.is_not(None))
    return array("q", connection.execute(select(tries.c.standing).where(*ranked).order_by(tries.c.standing)).scalars())


def best_standing(
    connection: Connection, kind: str, rules: str, days: tuple[str, str], holder: str | None = None
) -> int | None:
    """The best standing from one day to another, both included, of anybody or of a holder; None if there is none."""
    wanted = select(func.min(tries.c.standing)).where(
        tries.c.kind == kind, tries.c.rules == rules, tries.c.day.between(*days)
    )
    return connection.execute(wanted if holder is None else wanted.where(tries.c.holder == holder)).scalar()


def num_ranked(connection: Connection, kind: str, days: tuple[str, str]) -> dict[tuple[str, str], int]:
    """The numbers of ranked tries of a kind from one day to another, by day and ruleset."""
    wanted = select(tries.c.day, tries.c.rules, func.count()).where(
        tries.c.kind == kind, tries.c.day.between(*days), tries.c.standing.is_not(None)
    )
    rows = connection.execute(wanted.group_by(tries.c.day, tries.c.rules))
    return {(day, rules): num for day, rules, num in rows}


def num_chosen(connection: Connection, kind: str, rules: str, day: str, number: int) -> dict[str, int]:
    """How many tries of a kind, ruleset and day answered a question with each action."""
    wanted = _chosen(answers.c.action, kinds=[kind], rules=rules, day=day).where(answers.c.number == number)
    return {action: num for action, num in connection.execute(wanted).all()}  # noqa: C416


def num_chosen_in_runs(
    connection: Connection, kinds: Collection[str], rules: str, day: str
) -> dict[tuple[int, int, str], int]:
    """How many tries of some kinds, a ruleset and a day chose an action, by run, number of the question, and action."""
    wanted = _chosen(tries.c.run, answers.c.number, answers.c.action, kinds=kinds, rules=rules, day=day)
    return {(run, number, action): num for run, number, action, num in connection.execute(wanted).all()}


def _chosen(*by: ColumnElement[Any], kinds: Collection[str], rules: str, day: str) -> Select[Any]:
    """The query for the numbers of answers in tries of some kinds, a ruleset and a day."""
    return (
        select(*by, func.count())
        .select_from(tries.join(answers, answers.c.try_id == tries.c.id))
        .where(tries.c.kind.in_(kinds), tries.c.rules == rules, tries.c.day == day)
        .group_by(*by)
    )


def _tries() -> Select[str, str, str, str, int, str, float, float | None, int | None]:
    return select(*(tries.c[name] for name in StoredTry.__slots__))


def _answers(connection: Connection, id: str) -> list[StoredAnswer]:
    wanted = select(*(answers.c[name] for name in StoredAnswer.__slots__)).where(answers.c.try_id == id)
    return [StoredAnswer(*row) for row in connection.execute(wanted.order_by(answers.c.number))]
