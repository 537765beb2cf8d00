"""`RecordLines`: a record as lines of the documented form (docs/record-format.md), read without any rules.

Unlike a `Record`, it may contradict itself, so that a verification can say where it does. A `RecordOutline` says less:
which game a record is of, when that was, and whose.

>>> outline = outline_of(
...     "fivedice record 1\\nruleset: crag\\noptions: -\\ndigest: 1\\nseats: Ann=human,greedy\\nfirst: 0\\n"
...     "date: 2026-11-21T10:00:00+00:00\\nresult: 6 0, unfinished\\n\\n0: 445, score crag = 26\\n"
... )
>>> outline.began, outline.people, outline.table
(1795255200.0, {0: 'Ann'}, None)
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count

from fivedice.base.errors import MalformedError, at_line, shown
from fivedice.base.outside_text import plain
from fivedice.game.record_proof import BLANK, Block, RecordProof, begin_proof
from fivedice.game.seats import kinds_of, parse_seats
from fivedice.rulesets.dice import FACES, MAX_DICE, Dice, faces_of, parse_dice

MAX_CHARACTERS = 1_000_000
TITLE = "fivedice record 1"
REAL = re.compile("dice: real(?:, table ([A-Za-z0-9_-]{1,64}))?")
"""The line after those of `KEYS` if the dice were real ones, entered by hand, and the table where that was, if any."""
KEYS = ("ruleset", "options", "digest", "seats", "first", "date", "result")

_DICE = rf"[{FACES}]{{1,{MAX_DICE}}}"
_BOX = "[a-z0-9_]{1,81}"
_ROLL = rf"{_DICE}(?:, announce {_BOX})?"
_SCORE = rf"(?:score|scratch) {_BOX} = (?:0|[1-9][0-9]{{0,8}})(?: \+[1-9][0-9]{{0,8}})?"
_TURN = re.compile(
    rf"(?:0|[1-9][0-9]?): (?:((?:-, )*{_ROLL}(?:, keep (?:{_DICE}|-), {_ROLL})*)(?:, (?:{_SCORE}|resign))?|resign)"
)
_PLACED = re.compile(rf"{_DICE}(?:, keep [{FACES}_]{{1,{MAX_DICE}}}, {_DICE})*")
NOT_KEPT = 0
"""Stands for `_` among the dice that were kept."""


@dataclass(frozen=True, slots=True)
class TurnLine:
    """The dice of a turn: its rolls, and the keeps between them.

    They are in ascending order in the turns of a record, and in place order in its proof, where keeps have `NOT_KEPT`
    in the places of the other dice.
    """

    number: int
    rolls: tuple[Dice, ...]
    keeps: tuple[Dice, ...]


@dataclass(frozen=True, slots=True)
class RecordLines:
    """What a verification reads.

    `text` are the lines of the record; `kinds` are the kinds of players by seat; `turns` are those with dice, and
    `placed` the turns of the proof, which has none itself; `numbers` has the line of each key of the proof; `is_real`
    says whether the dice were real ones, entered by hand.
    """

    text: tuple[str, ...]
    header: Mapping[str, str]
    kinds: tuple[str, ...]
    first: int
    turns: tuple[TurnLine, ...]
    proof: RecordProof | None = None
    placed: tuple[TurnLine, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    is_real: bool = False


def read_lines(text: str) -> RecordLines:
    """Read a record; raises `MalformedError` or another `ValueError` that names the line."""
    lines = lines_of_record(text)
    bare = [line.strip(BLANK) for line in lines]
    header = _read_header(bare)
    kinds = kinds_of(header["seats"])
    after = 1 + len(KEYS)
    is_real = after < len(bare) and bool(REAL.fullmatch(bare[after]))
    after += is_real
    end = find_line("rules:", bare, after)
    turns_end = find_line("proof:", bare[:end], after)
    turns = [_read_turn(number, line) for number, line in enumerate(bare[after:turns_end], after + 1) if line]
    with_dice = tuple(turn for turn in turns if turn.rolls)
    read = RecordLines(tuple(lines), header, kinds, int(header["first"]), with_dice, is_real=is_real)
    if turns_end == end:
        return read
    proof, block = begin_proof(bare[turns_end + 1 : end], turns_end + 2, len(kinds), len(with_dice))
    return replace(read, proof=proof, placed=tuple(_read_placed(block)), numbers=block.numbers)


def parse_header(lines: list[str]) -> tuple[dict[str, tuple[int, str]], int]:
    """Key → (line number, value), and the index of the first line after the header. Real dice add the key `dice` with
    their table."""
    header: dict[str, tuple[int, str]] = {}
    for index, key in enumerate(KEYS, start=1):
        line = lines[index] if index < len(lines) else ""
        name, colon, value = line.partition(":")
        with at_line(index + 1):
            if name.strip() != key or not colon or not value.strip():
                raise MalformedError(f"want '{key}: …', found {shown(line)}")
        header[key] = (index + 1, value.strip())
    after = len(KEYS) + 1
    if after < len(lines) and (real := REAL.fullmatch(lines[after])):
        header["dice"] = (after + 1, real[1] or "")
        after += 1
    return header, after


def line_of(key: str) -> int:
    """The number of the line of a key of the header."""
    return KEYS.index(key) + 2


def part_of(line: int) -> str:
    """The key of a line of the header, `title` for the first line, and `turn` for those after the header."""
    return ("title", *KEYS)[line - 1] if line <= len(KEYS) + 1 else "turn"


def split_lines(text: str) -> list[str]:
    """The lines of a text by the rules of TOML: other line separators of Python may occur in a comment of the rules."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def lines_of_record(text: str) -> list[str]:
    """The lines of a record; raises `MalformedError` if it is too long or no text."""
    text = plain(text, "a record")
    if len(text) > MAX_CHARACTERS:
        raise MalformedError(f"a record of {len(text):,} characters is too long: {MAX_CHARACTERS:,} at most")
    return split_lines(text)


def began_at(date: str) -> float:
    """A date in ISO 8601 in seconds since 1970; without a time zone it is UTC. Raises `MalformedError`."""
    try:
        found = datetime.fromisoformat(date)
    except ValueError:
        raise MalformedError(f"date {shown(date)}: want ISO 8601, as in 2026-11-21T10:00:00+00:00") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def find_line(line: str, lines: Sequence[str], start: int) -> int:
    """The index of a line among those from `start`; their number if it is not there."""
    return next((index for index in range(start, len(lines)) if lines[index] == line), len(lines))


def _read_header(lines: Sequence[str]) -> dict[str, str]:
    with at_line(1):
        if lines[0] != TITLE:
            raise MalformedError(f"a record begins with the line {TITLE!r}")
    header = {}
    for number, key in enumerate(KEYS, 2):
        line = lines[number - 1] if number <= len(lines) else ""
        with at_line(number):
            if not line.startswith(f"{key}: ") or line == f"{key}: ":
                raise MalformedError(f"want '{key}: …', found {shown(line)}")
            header[key] = line.removeprefix(f"{key}: ")
            if key == "first":
                _check_first(header[key], len(kinds_of(header["seats"])))
    return header


def _check_first(text: str, num_seats: int) -> None:
    if not re.fullmatch("0|[1-9][0-9]?", text) or int(text) >= num_seats:
        raise MalformedError(f"first {shown(text)}: want the number of a seat, 0 to {num_seats - 1}")


def _read_turn(number: int, line: str) -> TurnLine:
    with at_line(number):
        found = _TURN.fullmatch(line)
        if not found:
            raise MalformedError(
                f"want a turn, as in '0: 13345, keep 33, 23356, score threes = 6', found {shown(line)}"
            )
        steps = [step for step in (found[1] or "").split(", ") if step not in ("", "-")]
        steps = [step for step in steps if not step.startswith("announce ")]
        keeps = [step.removeprefix("keep ") for step in steps if step.startswith("keep ")]
        rolls = [step for step in steps if not step.startswith("keep ")]
        return TurnLine(number, tuple(map(parse_dice, rolls)), tuple(map(parse_dice, keeps)))


def _read_placed(block: Block) -> Iterator[TurnLine]:
    for turn in count():
        key = f"turn {turn}"
        if not block.has(key):
            return block.end()
        steps = block.take(key, _check_placed).split(", ")
        yield TurnLine(block.numbers[key], tuple(map(faces_of, steps[0::2])), tuple(map(_kept_faces, steps[1::2])))


def _check_placed(text: str) -> str:
    if not _PLACED.fullmatch(text):
        raise MalformedError(f"{shown(text)}: want dice in their places, as in '31435, keep 3__3_, 36332'")
    return text


def _kept_faces(keep: str) -> Dice:
    return tuple(NOT_KEPT if mark == "_" else faces_of(mark)[0] for mark in keep.removeprefix("keep "))


TOLD_TURNS = 4
"""Turns that tell a game without a proof from others with the same date and seats, as simulated games have them."""


@dataclass(frozen=True, slots=True)
class RecordOutline:
    """What the text of a record says without being replayed: which game it is, when it was, and whose.

    `game` is the same for all records of one game at a table, whatever else they contain, because its proof names the
    table and the commitment to its dice. Without a proof it is a digest of the rules, the date, the seats and the first
    `TOLD_TURNS` turns: so a game that goes on is the same, once it has these.

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
    """The outline of a record from a database. A damaged record is a separate game, begun when it was imported."""
    try:
        return outline_of(text)
    except MalformedError:
        game = hashlib.sha256(text.encode()).digest()
        return RecordOutline(game, began=imported, people={}, table=None)
