"""`RecordOutline`: what the text of a record says without being replayed: which game it is, when, and whose.

>>> outline = outline_of(
...     "fivedice record 1\\nruleset: crag\\noptions: -\\ndigest: 1\\nseats: Ann=human,greedy\\nfirst: 0\\n"
...     "date: 2026-11-21T10:00:00+00:00\\nresult: 6 0, unfinished\\n\\n0: 445, score crag = 26\\n"
... )
>>> outline.began, outline.people, outline.table
(1795255200.0, {0: 'Ann'}, None)
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from fivedice.base.errors import MalformedError
from fivedice.game.record import parse_header
from fivedice.game.record_lines import began_at, find_line, split_lines
from fivedice.game.seats import parse_seats

TOLD_TURNS = 4
"""Turns that tell a game without a proof from others with the same date and seats, as simulated games have them."""


@dataclass(frozen=True, slots=True)
class RecordOutline:
    """An outline. `game` is the same for all records of one game at a table, whatever else they contain, because its
    proof names the table and the commitment to its dice. Without a proof it is a digest of the rules, the date, the
    seats and the first `TOLD_TURNS` turns: so a game that goes on is the same, once it has these.

    `began` is in seconds since 1970. `people` are the names at the seats of people. `table` is that of the
    proof, or of real dice.
    """

    game: bytes
    began: float
    people: Mapping[int, str]
    table: str | None


def outline_of(text: str) -> RecordOutline:
    """The outline of a record, whose turns and proof are not checked; raises `MalformedError`."""
    lines = [line.strip() for line in split_lines(text)]
    header, after = parse_header(lines)
    end = find_line("rules:", lines, after)
    turns_end = find_line("proof:", lines[:end], after)
    values = {key: value for key, (_, value) in header.items()}
    proof = dict(line.split(": ", 1) for line in lines[turns_end + 1 : end] if ": " in line)
    _, real_table = header.get("dice", (0, ""))
    table = proof.get("table") or real_table or None
    # White space around commas and between turns says nothing.
    turns = [re.sub(r"\s*,\s*", ", ", line) for line in lines[after:turns_end] if line][:TOLD_TURNS]
    start = "\n".join([*(values[key] for key in ("digest", "seats", "first", "date")), *turns])
    identity = f"{table}\n{proof.get('commitment')}" if table else start
    return RecordOutline(
        game=hashlib.sha256(identity.encode()).digest(),
        began=began_at(values["date"]),
        people={index: seat.name for index, seat in enumerate(parse_seats(values["seats"])) if seat.is_person},
        table=table,
    )


def outline_of_stored(text: str, imported: float) -> RecordOutline:
    """The outline of a record from a database. A damaged one is a game of its own, which began when it was imported."""
    try:
        return outline_of(text)
    except MalformedError:
        game = hashlib.sha256(text.encode()).digest()
        return RecordOutline(game, began=imported, people={}, table=None)
