"""Games that a worker process replays: `each`, over stored games; `read_record`, for an import."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, TypeVar

from fivedice.base.errors import MalformedError, shown
from fivedice.game.record import Record, parse_record
from fivedice.game.record_lines import began_at
from fivedice.rulesets.compact import compact_text
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import TableLog
from fivedice.storage.rows.records import RecordText
from fivedice.views.record_check import RecordCheckView, record_check_view

T = TypeVar("T")

Source: TypeAlias = TableLog | RecordText
"""What a game is read from."""


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game, the holder's seats in it, and the names at its seats, empty for a free one."""

    seats: tuple[int, ...]
    is_imported: bool
    state: State
    record: Record
    names: tuple[str, ...]


def each(function: Callable[[ReplayedGame], T], games: Sequence[tuple[Source, tuple[int, ...]]]) -> list[T | str]:
    """The result of a function for each game with the holder's seats, or for the log why it cannot be read."""
    return [_one(function, source, seats) for source, seats in games]


def _one(function: Callable[[ReplayedGame], T], source: Source, seats: tuple[int, ...]) -> T | str:
    try:
        if isinstance(source, TableLog):
            state, record, names, _ = source.replayed()
        else:
            record = parse_record(source.text, partial(ruleset_of, toml=source.toml))
            state, names = State.OVER if record.is_over else State.CLOSED, tuple(seat.name for seat in record.seats)
    except Exception as error:  # noqa: BLE001
        # Whatever is wrong with it, a damaged game must not hide the others.
        return repr(error)
    return function(ReplayedGame(seats, isinstance(source, RecordText), state, record, names))


EARLIEST = -631_152_000.0
"""1950: Yahtzee is from 1956."""


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record as the server writes it, so that comments and white space take no space.

    `seat` is the importer's own, None if unknown; it is one of `people`, the names of people by seat. `toml` is the
    text of custom rules, without which `text` is; `table` is the table of its dice, empty if there is none;
    `seconds` is the processor time that reading it took.
    """

    text: str
    seat: int | None
    people: Mapping[int, str]
    toml: str
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
    file = record.ruleset.file
    return ReadRecord(
        text=record.without_rules(),
        seat=seat if seat in people else None,
        people=people,
        toml="" if file is None or file.is_shipped else compact_text(file.text),
        table=record.proof.table if record.proof else record.table,
        seconds=time.thread_time() - began,
    )


def check_record(text: str) -> RecordCheckView:
    """Whether the points and the result of a record follow from its turns."""
    return record_check_view(text, ruleset_of)
