"""Grades of games that have ended: their seats and decisions, which games are not graded yet, and what lessons follow.

They are made of what is stored elsewhere, so they may be deleted at any time and made again.
"""

import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, case, delete, exists, func, select, true, update

from fivedice.analysis.grades import GradedDecision, GradedGame, GradedSeat
from fivedice.analysis.reviews.player_figures import Example, GameFigures
from fivedice.game.chance import DiceSource
from fivedice.players.rating import Result
from fivedice.rulesets.ruleset import Ruleset
from fivedice.storage.rows.holders import count_result
from fivedice.storage.rows.lessons import lesson_hash
from fivedice.storage.rows.rulesets import keep_ruleset
from fivedice.storage.schema import decisions, events, grades, records, seat_holders, streams


class HeldGame(NamedTuple):
    """How a game ended at a seat of a holder, with what figures need of it. `table` is empty for an imported game, and
    `name` is that at the seat, one of `seats`. `loss` is None while it is not graded, and `figures` if it
    does not count in figures; it is rated if a person decided everything alone, at the only seat of the holder."""

    game: str
    seat: int
    digest: str
    rules: str
    ruleset: bytes | None
    date: str
    ended: float
    is_over: bool
    name: str
    seats: int
    total: int
    has_won: bool
    is_cut_short: bool
    loss: float | None
    luck: float | None
    error: float | None
    is_rated: bool
    figures: bytes | None
    table: str


_decode_examples = msgspec.json.Decoder(dict[str, Example]).decode


def encoded_figures(figures: GameFigures) -> tuple[bytes, str]:
    """Figures as the columns `figures`, 64-bit numbers, and `examples` have them."""
    flags = (figures.is_outright, figures.is_cut_short, figures.has_yahtzee, figures.is_rated)
    numbers = (*figures.errors, figures.dice_neutral, figures.num_best, *flags)
    return struct.pack(f"<{len(numbers)}d", *numbers), msgspec.json.encode(figures.examples).decode()


def figures_of(ruleset: Ruleset, name: str, held: HeldGame, examples: str | None) -> GameFigures:
    """The figures of a game that counts, from its row."""
    assert held.figures is not None
    assert held.luck is not None
    assert held.loss is not None
    *errors, dice_neutral, num_best, is_outright, is_cut_short, has_yahtzee, is_rated = struct.unpack(
        f"<{len(held.figures) // 8}d", held.figures
    )
    return GameFigures(
        name=name,
        ruleset=ruleset,
        score=held.total,
        dice_neutral=dice_neutral,
        luck=held.luck,
        lost=held.loss,
        errors=tuple(errors),
        num_best=int(num_best),
        is_rated=bool(is_rated) and held.is_rated,
        is_outright=bool(is_outright),
        is_cut_short=bool(is_cut_short),
        date=held.date,
        examples=_decode_examples(examples) if examples else {},
        has_yahtzee=bool(has_yahtzee),
        is_approximate=bool(held.error),
        table=held.table,
    )


@dataclass(frozen=True, slots=True)
class Game:
    """A game to grade: its table, or the hash of a record that somebody has imported; and a version of the table."""

    id: str
    version: int
    hash: bytes | None = None

    @classmethod
    def record(cls, hash: bytes) -> "Game":
        """The game of an imported record."""
        return cls(hash.hex(), 0, hash)


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """How a game ended for a seat, without a value of anything. `rolled` are the counts of its dice, as JSON."""

    name: str
    kind: str
    total: int
    rank: int | None
    resigned: bool
    has_won: bool
    is_cut_short: bool
    is_rated: bool
    rolled: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that has ended, and its decisions if there are values of its rules.

    `toml` is the text of custom rules; `result` is None unless ratings count it.
    """

    digest: str
    rules: str
    toml: str
    date: str
    ended: float
    is_over: bool
    dice: DiceSource
    seats: tuple[PlayedSeat, ...]
    graded: GradedGame | None
    result: Result | None


def ungraded_games(
    connection: Connection,
    *,
    holder: str | None = None,
    among: tuple[Collection[str], Collection[bytes]] | None = None,
    limit: int | None = None,
) -> list[Game]:
    """Up to `limit` games that have ended, or went on after that, since they were last read: those of a holder, or
    among these tables and records, or all."""
    is_table: ColumnElement[bool] = true()
    is_record: ColumnElement[bool] = true()
    if holder is not None:
        # Each of the few that are marked is looked up, rather than each of the many that they have.
        is_table = exists().where(seat_holders.c.stream == streams.c.id, seat_holders.c.holder == holder)
        is_record = records.c.holder == holder
    elif among is not None:
        is_table, is_record = streams.c.id.in_(among[0]), records.c.hash.in_(among[1])
    tables = select(streams.c.id, streams.c.ungraded).where(streams.c.ungraded.is_not(None), is_table)
    hashes = select(records.c.hash).distinct().where(records.c.is_graded.is_(False), is_record)
    found = [Game(*row) for row in connection.execute(tables.limit(limit))]
    found += [Game.record(bytes(hash)) for hash in connection.execute(hashes.limit(limit)).scalars()]
    return found[:limit]


def waiting_rules(connection: Connection) -> list[str]:
    """The digests of rules whose games had no values when they were read."""
    return list(connection.execute(select(grades.c.digest).where(grades.c.loss.is_(None)).distinct()).scalars())


def waiting_games(connection: Connection, digest: str, after: str, limit: int) -> list[Game]:
    """Up to `limit` of their games in the order of their ids, after the given one."""
    wanted = select(grades.c.game, grades.c.version, grades.c.hash).distinct().order_by(grades.c.game).limit(limit)
    is_waiting = (grades.c.digest == digest, grades.c.loss.is_(None), grades.c.game > after)
    return [Game(*row) for row in connection.execute(wanted.where(*is_waiting))]


def store_grades(connection: Connection, found: Sequence[tuple[Game, PlayedGame | None]]) -> None:
    """Replace the rows of games, and count results that ratings have not counted, in the order of their ends.

    None stands for a game that goes on, or cannot be read, which then has no rows. A game with newer rows, or that
    was deleted meanwhile, is left out.
    """
    # A lock that events do not wait for: of two processes, the later one sees what the earlier one has stored.
    ids, hashes = [game.id for game, _ in found], [game.hash for game, _ in found if game.hash is not None]
    locked = select(streams.c.id).where(streams.c.id.in_(ids)).order_by(streams.c.id)
    there = set(connection.execute(locked.with_for_update(key_share=True)).scalars())
    held = select(records.c.hash).where(records.c.hash.in_(hashes)).order_by(records.c.hash, records.c.holder)
    there |= {bytes(hash).hex() for hash in connection.execute(held.with_for_update(key_share=True)).scalars()}
    newer = select(grades.c.game, func.max(grades.c.version)).where(grades.c.game.in_(ids))
    known = {row[0]: row[1] for row in connection.execute(newer.group_by(grades.c.game))}
    for game, played in sorted(found, key=lambda one: one[1].ended if one[1] else 0.0):
        if known.get(game.id, 0) > game.version:
            continue
        connection.execute(delete(grades).where(grades.c.game == game.id))
        if game.hash is None:
            is_read = (streams.c.id == game.id, streams.c.ungraded <= game.version)
            connection.execute(update(streams).where(*is_read).values(ungraded=None))
        else:
            connection.execute(update(records).where(records.c.hash == game.hash).values(is_graded=True))
        if played and game.id in there:
            _insert(connection, game, played)
            if played.result:
                count_result(connection, game.id, played.result)


def delete_grades(connection: Connection) -> None:
    """Delete all grades, and mark all tables that have ended, and records, to be graded. Those in play are not locked:
    on PostgreSQL servers go on meanwhile."""
    newest = select(func.max(events.c.version)).where(events.c.stream == streams.c.id).scalar_subquery()
    connection.execute(update(streams).where(streams.c.kind == "table", streams.c.ended).values(ungraded=newest))
    connection.execute(update(records).values(is_graded=False))
    connection.execute(delete(grades))


def delete_record_grades(connection: Connection, hashes: Collection[bytes]) -> None:
    """Delete the grades of those of these records that nobody has any more."""
    unused = grades.c.hash.in_(hashes) & ~exists().where(records.c.hash == grades.c.hash)
    connection.execute(delete(grades).where(unused))


def rename_seat(connection: Connection, table: str, seat: int, name: str) -> None:
    """Change the name at a seat of a game."""
    connection.execute(update(grades).where(grades.c.game == table, grades.c.seat == seat).values(name=name))


def load_graded(connection: Connection, game: str) -> tuple[int, GradedGame | None]:
    """The version that the rows of a game are of, 0 without rows; and its grades without figures, if there are any."""
    columns: list[Any] = [grades.c[one.name] for one in fields(GradedSeat) if one.name != "figures"]
    wanted = select(grades.c.version, *columns).where(grades.c.game == game).order_by(grades.c.seat)
    rows: Sequence[Any] = connection.execute(wanted).all()
    if not rows or rows[0].loss is None:
        return (rows[0].version if rows else 0), None
    seats = tuple(GradedSeat(*row[1:]) for row in rows)
    return rows[0].version, GradedGame(seats, tuple(_decisions_of(connection, game)))


def _decisions_of(connection: Connection, game: str) -> Iterable[GradedDecision]:
    columns: list[Any] = [decisions.c[one.name] for one in fields(GradedDecision) if one.name != "is_lesson"]
    wanted = select(*columns, decisions.c.lesson.is_not(None)).where(decisions.c.game == game)
    rows: Iterable[Any] = connection.execute(wanted.order_by(decisions.c.number))
    return (GradedDecision(*row) for row in rows)


def load_losses(connection: Connection, games: Collection[str]) -> tuple[dict[str, float], bool]:
    """What all decisions of each of these games lost that is graded from its first turn on, and whether all of those
    that have rows are."""
    is_whole = func.min(case((grades.c.first_turn == 1, 1), else_=0))
    wanted = select(grades.c.game, func.sum(grades.c.loss), is_whole).where(grades.c.game.in_(games))
    rows = connection.execute(wanted.group_by(grades.c.game)).all()
    return {game: loss for game, loss, whole in rows if whole}, all(whole for _, _, whole in rows)


def _insert(connection: Connection, game: Game, played: PlayedGame) -> None:
    common = {
        "game": game.id,
        "table_id": None if game.hash else game.id,
        "hash": game.hash,
        "version": game.version,
        "digest": played.digest,
        "rules": played.rules,
        "ruleset": keep_ruleset(connection, played.toml),
        "date": played.date,
        "ended": played.ended,
        "is_over": played.is_over,
        "dice": played.dice,
        "seats": len(played.seats),
    }
    graded = [_grade_row(seat) for seat in played.graded.seats] if played.graded else [_NO_GRADE] * len(played.seats)
    rows = [
        {**common, "seat": number, **asdict(seat), **grade}
        for number, (seat, grade) in enumerate(zip(played.seats, graded, strict=True))
    ]
    connection.execute(grades.insert(), rows)
    if played.graded and played.graded.decisions:
        connection.execute(
            decisions.insert(), [_decision_row(game.id, played.digest, one) for one in played.graded.decisions]
        )


_NO_GRADE: Mapping[str, object] = dict.fromkeys([*(one.name for one in fields(GradedSeat)), "examples"])


def _grade_row(seat: GradedSeat) -> Mapping[str, object]:
    plain = {one.name: getattr(seat, one.name) for one in fields(seat)}
    figures, examples = encoded_figures(seat.figures) if seat.figures else (None, None)
    return plain | {"figures": figures, "examples": examples}


def _decision_row(game: str, digest: str, one: GradedDecision) -> Mapping[str, object]:
    plain = {field.name: getattr(one, field.name) for field in fields(one) if field.name != "is_lesson"}
    return {"game": game, **plain, "lesson": lesson_hash(digest, one.position) if one.is_lesson else None}
