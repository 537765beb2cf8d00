"""Portable solutions and breakdowns: a solved ruleset, and the expected points of every turn state by component, each
as one compressed file that plain Python reads, also in a browser.

`docs/data.md` describes the formats. Reading uses the standard library only.
"""

import gzip
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from struct import unpack
from typing import TYPE_CHECKING, Any, NamedTuple

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.saved_table import UnusableSolutionError, file_stem

if TYPE_CHECKING:
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.play.distribution import Distribution

TITLE = "portable solution"
FORMAT = 3

TYPES = {"float32": "f", "float64": "d"}
"""The name of each type of values, and its code in an `array`."""

MAX_LOSS = 0.001
"""Values are rounded if no decision loses as many points through it."""

STEPS = 1_024
"""The parts of a point to which values are rounded: the coarsest power of two that loses less than `MAX_LOSS`."""


class PortableScores(NamedTuple):
    """The chances of the final scores of perfectly played games: `chances[i]` is that of `first + i`."""

    first: int
    chances: Sequence[float]


class Portable(NamedTuple):
    """What a portable file has: the digest of its rules, the values by turn-state index, NaN where play cannot arrive,
    and the scores of perfect games, None if it was written without them."""

    digest: str
    values: Sequence[float]
    scores: PortableScores | None


class Packed(NamedTuple):
    """A portable file, and how its values are stored. `loss` is the most points that a decision can lose through their
    rounding."""

    data: bytes
    type: str
    loss: float


def portable_path(ruleset: Ruleset, folder: Path) -> Path:
    """The portable file of these rules in a folder of solutions."""
    return folder / f"{file_stem(ruleset)}-{FORMAT}.portable"


def pack(
    digest: str,
    values: Sequence[float],
    scores: "PortableScores | Distribution | None" = None,
    *,
    is_rounded: bool = True,
) -> Packed:
    """The portable file of the rules with a digest, whose values are float64[entries] by turn-state index.

    They are rounded to `STEPS` of a point, as float32, if that costs less than `MAX_LOSS` in every decision, unless
    `is_rounded` is false. The chances of scores have all digits.
    """
    if is_rounded:
        rounded = array(TYPES["float32"], (v if v != v else round(v * STEPS) / STEPS for v in values))
        if (loss := rounding_loss(values, rounded)) < MAX_LOSS:
            return Packed(_written(digest, "float32", rounded, scores), "float32", loss)
    return Packed(_written(digest, "float64", array(TYPES["float64"], values), scores), "float64", 0.0)


def rounding_loss(values: Sequence[float], rounded: Sequence[float]) -> float:
    """The most points that a decision by rounded values can lose.

    The value of an action is a mean of maxima of values, plus points, so it moves by the largest error of a value at
    most. If that makes another action look best, the best one had looked at most so much worse than it is, and the
    other so much better.
    """
    errors = (abs(exact - other) for exact, other in zip(values, rounded, strict=True) if exact == exact)
    return 2.0 * max(errors, default=0.0)


def read(data: bytes) -> Portable:
    """What a portable file has; raises `UnusableSolutionError` if the data is not such a file."""
    header, table = opened(data, TITLE, FORMAT)
    if header.get("type") not in TYPES or not isinstance(header.get("first_score"), int):
        raise UnusableSolutionError("it is of another version")
    wanted = [(TYPES[header["type"]], header.get("entries")), (TYPES["float64"], header.get("scores"))]
    values, chances = arrays(table, wanted)
    scores = PortableScores(header["first_score"], chances) if chances else None
    return Portable(header["digest"], values, scores)


def compressed(header: Mapping[str, Any], tables: "Iterable[array[Any]]") -> bytes:
    """A compressed file with a line of JSON, and arrays with the first bytes of all their numbers before the second
    ones."""
    parts = [json.dumps(header).encode() + b"\n"]
    for table in tables:
        if sys.byteorder == "big":
            table.byteswap()
        content, size = table.tobytes(), table.itemsize
        parts += [content[i::size] for i in range(size)]
    return gzip.compress(b"".join(parts), 9, mtime=0)


def opened(data: bytes, title: str, format: int) -> tuple[dict[str, Any], memoryview]:
    """The line of JSON of a compressed file, and what follows it; raises `UnusableSolutionError`."""
    try:
        text = gzip.decompress(data)
    except (EOFError, OSError, zlib.error):
        raise UnusableSolutionError("it is damaged, or not compressed by gzip") from None
    head, _, _ = text.partition(b"\n")
    try:
        header = json.loads(head)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("fivedice") != title:
        raise UnusableSolutionError(f"it does not start with the header of a {title}")
    if header.get("format") != format or not isinstance(header.get("digest"), str):
        raise UnusableSolutionError("it is of another version")
    return header, memoryview(text)[len(head) + 1 :]


def arrays(table: memoryview, wanted: Iterable[tuple[str, Any]]) -> "list[array[Any]]":
    """The arrays of a file, by the code and the length of each; raises `UnusableSolutionError` if it has others."""
    found, place = [], 0
    for code, length in wanted:
        values = array(code)
        end = place + length * values.itemsize if isinstance(length, int) and length >= 0 else -1
        if not 0 <= end <= len(table):
            break
        values.frombytes(_in_order(table[place:end], values.itemsize))
        if sys.byteorder == "big":
            values.byteswap()
        found.append(values)
        place = end
    else:
        if place == len(table):
            return found
    raise UnusableSolutionError("its number of values is not that of its header")


def _written(digest: str, type: str, values: "array[float]", scores: "PortableScores | Distribution | None") -> bytes:
    """The compressed file."""
    known = scores or PortableScores(0, ())
    chances = array(TYPES["float64"], known.chances)
    header = {"fivedice": TITLE, "format": FORMAT, "digest": digest, "type": type, "entries": len(values)}
    header |= {"first_score": known.first, "scores": len(chances)}
    return compressed(header, [values, chances])


def _in_order(table: memoryview, size: int) -> bytearray:
    """The bytes of values of this size, from a table that has the first bytes of all before the second ones."""
    found, num = bytearray(len(table)), len(table) // size
    for i in range(size):
        found[i::size] = table[i * num : (i + 1) * num]
    return found


PARTS_TITLE = "portable breakdown"
PARTS_FORMAT = 1

PARTS_STEPS = 256
"""The parts of a point to which expected points are rounded: a difference of two is then wrong by 0.004 at most."""

PARTS_TYPES = {"uint16": ("H", PARTS_STEPS), "float64": ("d", 1)}
"""The name of each type of numbers, its code in an `array`, and the parts of a point that it counts."""


@dataclass(frozen=True, eq=False)
class PortableParts:
    """The expected points of all turn states of unfinished games, by component.

    `begins` has the number of such states before each row of lanes of the table of values, and of all at the end.
    `table` has the numbers of `type` as the file has them, one component after the other.
    """

    digest: str
    begins: Sequence[int]
    table: memoryview
    type: str

    def at(self, number: int) -> list[float]:
        """The expected points of the state with a number, by component."""
        code, steps = PARTS_TYPES[self.type]
        found = self.table[number :: self.begins[-1]].tobytes()
        return [points / steps for points in unpack(f"<{len(found) // array(code).itemsize}{code}", found)]


def parts_path(ruleset: Ruleset, folder: Path) -> Path:
    """The portable breakdown of these rules in a folder of solutions."""
    return folder / f"{file_stem(ruleset)}-{PARTS_FORMAT}.portable_parts"


def pack_parts(breakdown: "Breakdown", *, is_rounded: bool = True) -> bytes:
    """The portable file of a breakdown.

    Its points are rounded to `PARTS_STEPS` of a point unless `is_rounded` is false or one of them is 255 or more.
    """
    is_rounded = is_rounded and bool(breakdown.parts.max() < 2**16 // PARTS_STEPS - 1)
    solution, type = breakdown.solution, "uint16" if is_rounded else "float64"
    code, steps = PARTS_TYPES[type]
    counts = (breakdown.row_of.reshape(-1, solution.states.stride) >= 0).sum(axis=1)
    parts = (breakdown.parts * steps).round() if is_rounded else breakdown.parts
    columns = [array(code, column.astype(code).tobytes()) for column in parts.T]
    header = {"fivedice": PARTS_TITLE, "format": PARTS_FORMAT, "digest": solution.ruleset.digest, "type": type}
    header |= {"rows": counts.size, "components": len(columns)}
    return compressed(header, [array("H", counts.tolist()), *columns])


def read_parts(data: bytes) -> PortableParts:
    """What a portable file has; raises `UnusableSolutionError` if the data is not such a file."""
    header, table = opened(data, PARTS_TITLE, PARTS_FORMAT)
    rows, components = header.get("rows"), header.get("components")
    if header.get("type") not in PARTS_TYPES or not isinstance(rows, int) or not isinstance(components, int):
        raise UnusableSolutionError("it is of another version")
    [counts] = arrays(table[: 2 * rows], [("H", rows)])
    begins = array("i", accumulate(counts, initial=0))
    if len(table) != 2 * rows + components * begins[-1] * array(PARTS_TYPES[header["type"]][0]).itemsize:
        raise UnusableSolutionError("its number of values is not that of its header")
    return PortableParts(header["digest"], begins, table[2 * rows :], header["type"])
