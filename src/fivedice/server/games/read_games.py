"""What a worker process reads of games that have ended, writes as their records, or reads for an import."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from fivedice.analysis.dice_counts import count, rolled_in
from fivedice.analysis.grades import GradedGame, graded_game
from fivedice.analysis.reviews.review import review_all, review_approximately, review_end
from fivedice.base.errors import MalformedError, shown
from fivedice.game.record import Record, parse_record
from fivedice.game.record_lines import began_at
from fivedice.players.rating import result_of
from fivedice.rulesets.compact import compact_text
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.solving.pool import SavedSolution, SolutionGoneError
from fivedice.server.solving.solved import approximation, kept_solution
from fivedice.server.table.available import MAX_END_BYTES, available_here
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import TableLog
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import TooLargeError
from fivedice.storage.rows.decisions import PlayedGame, PlayedSeat
from fivedice.storage.rows.records import NO_SEAT, StoredRecord
from fivedice.storage.rows.server import encoded_counts

Source: TypeAlias = tuple[TableLog, float] | StoredRecord
"""The events of a table with the time of the newest one, or the record of a game."""


def read_games(sources: Sequence[Source | None], folders: Sequence[str]) -> list[PlayedGame | str | None]:
    """What is stored of each game, by the values that are saved in one of the folders; None if it has not ended, and a
    sentence if it cannot be read."""
    return [_read(source, folders) if source else None for source in sources]


def _read(source: Source, folders: Sequence[str]) -> PlayedGame | str | None:
    try:
        return _played(source, folders)
    except Exception as error:  # noqa: BLE001
        # Whatever is wrong with it, a damaged game must not hide the others.
        return f"a game cannot be graded: {error or type(error).__name__}"


def _played(source: Source, folders: Sequence[str]) -> PlayedGame | None:
    if isinstance(source, StoredRecord):
        record = parse_record(source.text, partial(ruleset_of, toml=source.toml))
        names = tuple(seat.name for seat in record.seats)
        ended, is_over, own, result = began_at(record.date), record.is_over, frozenset[int](), None
    else:
        log, ended = source
        table, record, own = log.read()
        is_over, names = table.state is State.OVER, tuple(seat.name for seat in table.seats)
        result = result_of(record) if table.is_over and table.is_rated else None
        if not table.has_ended:
            return None
    ruleset, ranks = record.ruleset, list(record.position.ranks)
    digest, rules, toml = ruleset.digest, str(ruleset), ruleset.custom_text
    rolled = list(rolled_in(record))
    seats = tuple(
        PlayedSeat(
            name=names[number],
            kind=seat.kind,
            total=card.total,
            rank=ranks[number],
            resigned=card.resigned,
            has_won=len(ranks) > 1 and ranks[number] == 1 and ranks.count(1) == 1,
            is_cut_short=bool(record.resignations) and not card.is_complete,
            is_rated=number in own,
            rolled=encoded_counts(count(one for one in rolled if one.seat == number)),
        )
        for number, (seat, card) in enumerate(zip(record.seats, record.position.cards, strict=True))
    )
    graded = _graded(record, folders)
    return PlayedGame(digest, rules, toml, record.date, ended, is_over, record.dice, seats, graded, result)


def _graded(record: Record, folders: Sequence[str]) -> GradedGame | None:
    """What the decisions of a game lost, by what values there are; without any, those of its last turns."""
    values, here = _values(record.ruleset, folders), available_here(record.ruleset)
    if isinstance(values, Solution):
        return graded_game(next(review_all(values, [record])))
    if values is not None:
        return graded_game(review_approximately(values, record))
    if here.advice and not here.review:
        try:
            return graded_game(review_end(record, MAX_END_BYTES))
        except TooLargeError:
            return None
    return None


def _values(ruleset: Ruleset, folders: Sequence[str]) -> Solution | ApproximateSolution | None:
    for folder in folders:
        try:
            return approximation(ruleset) or kept_solution(SavedSolution(ruleset, folder))
        except SolutionGoneError:
            continue
    return None


_log = logging.getLogger(__name__)

EARLIEST = -631_152_000.0
"""The earliest date of a game, 1950: Yahtzee is from 1956."""


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record as the server writes it, so that comments and white space take no space.

    The importer's seat is one of `people`, the names of people by seat; `table` is the table of its dice, empty if
    there is none; `seconds` is the processor time that reading it took.
    """

    stored: StoredRecord
    people: Mapping[int, str]
    table: str
    seconds: float


def read_record(number: int, text: str, seat: int | None, now: float) -> ReadRecord:
    """Replay the record `number` of an import; raises `MalformedError`, which names the record."""
    began = time.thread_time()
    try:
        record = parse_record(text, ruleset_of)
    except ValueError as error:
        raise MalformedError(f"record {number}: {error}") from None
    if seat is not None and seat >= len(record.seats):
        raise MalformedError(f"record {number}: seat {seat}: the seats are 0 to {len(record.seats) - 1}")
    played = began_at(record.date)
    if not EARLIEST <= played <= now + 86_400:
        raise MalformedError(f"record {number}: date {shown(record.date)}: want one from 1950 to today")
    people = {index: player.name for index, player in enumerate(record.seats) if player.is_person}
    own, text = seat if seat in (*people, NO_SEAT) else None, record.ruleset.custom_text
    return ReadRecord(
        StoredRecord(record.without_rules(), own, now, compact_text(text) if text else ""),
        people=people,
        table=record.proof.table if record.proof else record.table,
        seconds=time.thread_time() - began,
    )


def final_records(logs: Sequence[TableLog]) -> list[str]:
    """The records of games; empty for one that is not over, or that cannot be read."""
    return [_final_record(log) for log in logs]


def _final_record(log: TableLog) -> str:
    try:
        record = log.record()
    except ValueError as error:
        _log.error("a table cannot be exported: %s", error)
        return ""
    return str(record) if record.is_over else ""
