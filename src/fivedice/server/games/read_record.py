"""`read_record` and `check_record`: replay a record that a browser imports or checks; run in a worker process."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from fivedice.errors import MalformedError
from fivedice.game.record import parse_record
from fivedice.rulesets.compact import compact_text
from fivedice.server.table.state import ruleset_of
from fivedice.views.record_check import RecordCheckView, record_check_view


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record as the server writes it, so that comments and white space take no space.

    `seat` is the importer's own, None if unknown; it is one of `people`, the names of people by seat. `toml` is the
    text of custom rules, without which `text` is; `table` is the table that proves its dice, empty if none does;
    `seconds` is the processor time that reading it took.
    """

    text: str
    seat: int | None
    people: Mapping[int, str]
    toml: str
    table: str
    seconds: float


def read_record(number: int, text: str, seat: int | None) -> ReadRecord:
    """Replay the record `number` of an import; raises `MalformedError`, which names the record."""
    began = time.thread_time()
    try:
        record = parse_record(text, ruleset_of)
    except ValueError as error:
        raise MalformedError(f"record {number}: {error}") from None
    if seat is not None and seat >= len(record.seats):
        raise MalformedError(f"record {number}: seat {seat}: the seats are 0 to {len(record.seats) - 1}")
    people = {index: player.name for index, player in enumerate(record.seats) if player.kind == "human"}
    file = record.ruleset.file
    return ReadRecord(
        text=record.without_rules(),
        seat=seat if seat in people else None,
        people=people,
        toml="" if file is None or file.is_shipped else compact_text(file.text),
        table=record.proof.table if record.proof else "",
        seconds=time.thread_time() - began,
    )


def check_record(text: str) -> RecordCheckView:
    """Whether the points and the result of a record follow from its turns."""
    return record_check_view(text, ruleset_of)
