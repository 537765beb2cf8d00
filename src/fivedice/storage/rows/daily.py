"""The daily in the database: the master secret, the puzzles of a day, and tries with their graded answers.

A standing is a number that `fivedice.daily.results.Tally` gives a try, the best lowest.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, Select, case, func, select, update

from fivedice.daily.puzzles import Puzzle
from fivedice.daily.results import Kind
from fivedice.game.action import Action
from fivedice.game.notation import parse_action, parse_position
from fivedice.storage.rows.server import set_once
from fivedice.storage.schema import drawn_days, insert_into, server, tries

SHARED_TRIES = 2_000
"""The most tries from which the shares of people who chose an action are counted; the error is then 2 %."""


@dataclass(frozen=True, slots=True)
class StoredTry:
    """A try. `ended` is when it was completed or given up, None before; `standing` is None without a rank."""

    id: str
    day: str
    kind: Kind
    rules: str
    run: int
    holder: str
    began: float
    ended: float | None
    standing: int | None


class StoredAnswer(msgspec.Struct, array_like=True, frozen=True):
    """An answer: the action in notation, when it was stored, and the points that it lost.

    `losses` are those that the grade of a decision in a game shows; `lesson` is the position in notation, if it becomes
    a lesson.
    """

    action: str
    at: float
    loss: float
    losses: dict[str, float] | None = None
    lesson: str | None = None


def master_secret(connection: Connection, new: bytes, today: str) -> tuple[bytes, str]:
    """The master secret and its first day; `new` is stored if there is none."""
    set_once(connection, daily=new, since=today)
    found = connection.execute(select(server.c.daily, server.c.since)).one()
    return bytes(found.daily), found.since


class _StoredPuzzle(msgspec.Struct, array_like=True):
    """A puzzle in notation."""

    position: str
    losses: dict[str, float]
    levels: tuple[float, ...]
    rung: int | None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[_StoredPuzzle]).decode
_answers = msgspec.json.Decoder(list[StoredAnswer]).decode


def stored_losses(losses: Mapping[Action, float]) -> dict[str, float]:
    """Losses by actions in notation."""
    return {str(action): loss for action, loss in losses.items()}


def read_losses(losses: Mapping[str, float]) -> dict[Action, float]:
    """The losses that `stored_losses` has written."""
    return {parse_action(action): loss for action, loss in losses.items()}


def stored_puzzles(connection: Connection, day: str, kind: str, rules: str) -> tuple[Puzzle, ...] | None:
    """What was drawn for a day; None before that."""
    drawn = (drawn_days.c.day == day, drawn_days.c.kind == kind, drawn_days.c.rules == rules)
    found = connection.execute(select(drawn_days.c.puzzles).where(*drawn)).scalar()
    if found is None:
        return None
    return tuple(
        Puzzle(parse_position(one.position), read_losses(one.losses), one.levels, one.rung) for one in _decode(found)
    )


def store_puzzles(
    connection: Connection, day: str, kind: str, rules: str, drawn: Sequence[Puzzle]
) -> tuple[Puzzle, ...]:
    """Store what was drawn for a day, and return what counts: what was stored first."""
    stored = [_StoredPuzzle(str(one.position), stored_losses(one.losses), one.levels, one.rung) for one in drawn]
    row = {"day": day, "kind": kind, "rules": rules, "puzzles": _encode(stored).decode()}
    connection.execute(insert_into(connection, drawn_days).values(row).on_conflict_do_nothing())
    found = stored_puzzles(connection, day, kind, rules)
    assert found is not None, "it has just been stored"
    return found


def begin_try(connection: Connection, wanted: StoredTry) -> StoredTry:
    """Store a try, or return the one of the same holder, day, kind, rules and run."""
    row = {name: getattr(wanted, name) for name in StoredTry.__slots__} | {"answers": "[]"}
    connection.execute(insert_into(connection, tries).values(row).on_conflict_do_nothing())
    same = (tries.c.day == wanted.day, tries.c.kind == wanted.kind, tries.c.rules == wanted.rules)
    found = connection.execute(_tries().where(*same, tries.c.run == wanted.run, tries.c.holder == wanted.holder))
    return StoredTry(*found.one())


def load_try(connection: Connection, id: str) -> tuple[StoredTry, list[StoredAnswer]] | None:
    """A try with its answers in order; None if there is none."""
    found = connection.execute(_tries().add_columns(tries.c.answers).where(tries.c.id == id)).first()
    return None if found is None else (StoredTry(*found[:-1]), _answers(found.answers))


def tries_of(connection: Connection, holder: str, day: str) -> list[StoredTry]:
    """The tries of a holder on a day, in the order of their runs."""
    wanted = _tries().where(tries.c.holder == holder, tries.c.day == day).order_by(tries.c.run)
    return [StoredTry(*row) for row in connection.execute(wanted)]


def missed_answers(
    connection: Connection, holder: str, since: str, late: float, most: int
) -> list[tuple[StoredTry, StoredAnswer]]:
    """The answers that become lessons, the costliest first, in so many of a holder's latest tries that have a rank,
    from a day on. A storm that goes on has none; one that began before the time `late` is over."""
    latest = _tries().add_columns(tries.c.answers).order_by(tries.c.began.desc()).limit(most)
    ranked = latest.where(tries.c.holder == holder, tries.c.standing.is_not(None), tries.c.day >= since)
    found = [(StoredTry(*row[:-1]), _answers(row.answers)) for row in connection.execute(ranked)]
    over = [
        (one, given) for one, given in found if one.ended is not None or (one.kind == "storm" and one.began <= late)
    ]
    missed = [(one, answer) for one, given in over for answer in given if answer.lesson is not None]
    return sorted(missed, key=lambda found: -found[1].loss)


def ranked_days(connection: Connection, holder: str) -> list[str]:
    """The days on which a holder has a rank, in no order."""
    wanted = select(tries.c.day).where(tries.c.holder == holder, tries.c.standing.is_not(None)).distinct()
    return list(connection.execute(wanted).scalars())


def store_answer(
    connection: Connection,
    id: str,
    number: int,
    answer: StoredAnswer,
    outcome: Callable[[Sequence[float]], tuple[int | None, bool]],
) -> None:
    """Store an answer to a question, from 1, if that is the next one of a try that has not ended.

    `outcome` derives the standing of the try from the losses of all answers, and whether it has ended.
    """
    going = select(tries.c.answers).where(tries.c.id == id, tries.c.ended.is_(None)).with_for_update()
    found = connection.execute(going).scalar()
    if found is None or number != len(stored := _answers(found)) + 1:
        return
    stored.append(answer)
    standing, has_ended = outcome([one.loss for one in stored])
    values = {"answers": _encode(stored).decode(), "standing": standing, "ended": answer.at if has_ended else None}
    connection.execute(update(tries).where(tries.c.id == id).values(values))


def end_try(connection: Connection, id: str, at: float) -> None:
    """Give a try up; no-op if it has ended."""
    connection.execute(update(tries).where(tries.c.id == id, tries.c.ended.is_(None)).values(ended=at))


@dataclass(frozen=True, slots=True)
class Board:
    """The ranked tries of one kind, ruleset and day: how many there are, the standing of the middle one, and the place
    of a standing among them."""

    players: int
    median: int | None
    place: int | None


def board(connection: Connection, one: StoredTry) -> Board:
    """The board of a try, with its place if it has a standing."""
    standing = tries.c.standing
    ranked = (tries.c.kind == one.kind, tries.c.rules == one.rules, tries.c.day == one.day, standing.is_not(None))
    better = func.sum(case((standing < (one.standing or 0), 1), else_=0))
    players, num_better = connection.execute(select(func.count(), better).where(*ranked)).one()
    middle = select(standing).where(*ranked).order_by(standing).offset(max(0, players - 1) // 2).limit(1)
    place = None if one.standing is None else num_better + 1
    return Board(players, connection.execute(middle).scalar(), place)


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


def num_chosen(connection: Connection, rules: str, day: str) -> dict[int, Counter[str]]:
    """The number of a question of a ten → how many of `SHARED_TRIES` at most answered it with each action."""
    some = select(tries.c.answers).where(tries.c.day == day, tries.c.kind == "ten", tries.c.rules == rules)
    # By their holders, whose ids are random: an index is in this order.
    some = some.order_by(tries.c.run, tries.c.holder).limit(SHARED_TRIES)
    chosen = defaultdict[int, Counter[str]](Counter)
    for stored in connection.execute(some).scalars():
        for number, one in enumerate(_answers(stored), 1):
            chosen[number][one.action] += 1
    return chosen


def _tries() -> Select[str, str, Kind, str, int, str, float, float | None, int | None]:
    return select(*(tries.c[name] for name in StoredTry.__slots__))
