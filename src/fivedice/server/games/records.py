"""Records that a worker process writes of tables, or reads for an import."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fivedice.base.errors import MalformedError, shown
from fivedice.game.record import parse_record
from fivedice.game.record_lines import began_at
from fivedice.rulesets.compact import compact_text
from fivedice.server.table.state import ruleset_of
from fivedice.server.table.to_record import TableLog

_log = logging.getLogger(__name__)

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


def final_records(logs: Sequence[TableLog]) -> list[str]:
    """The records of games; empty for one that is not over, or that cannot be read."""
    return [_final_record(log) for log in logs]


def _final_record(log: TableLog) -> str:
    try:
        record = log.replayed()[1]
    except ValueError as error:
        _log.error("a table cannot be exported: %s", error)
        return ""
    return str(record) if record.is_over else ""
