"""Portable solutions: a solved ruleset as one compressed file that plain Python reads, also in a browser.

`docs/data.md` describes the format. Writing and reading use the standard library only.
"""

import gzip
import json
import sys
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, cast

from fivedice.ruleset import Ruleset
from fivedice.solver.saved.saved_table import UnusableSolutionError, file_stem

TITLE = "portable solution"
FORMAT = 2

TYPES = {"float32": "f", "float64": "d"}
"""The name of each type of values, and its code in an `array`."""

MAX_LOSS = 0.001
"""Values are rounded if no decision loses as many points through it."""

STEPS = 1_024
"""The parts of a point to which values are rounded: the coarsest power of two that loses less than `MAX_LOSS`."""


class Packed(NamedTuple):
    """A portable file, and how its values are stored. `loss` is the most points that a decision can lose through their
    rounding."""

    data: bytes
    type: str
    loss: float


def portable_path(ruleset: Ruleset, folder: Path) -> Path:
    """The portable file of these rules in a folder of solutions."""
    return folder / f"{file_stem(ruleset)}-{FORMAT}.portable"


def pack(digest: str, values: Sequence[float], *, is_rounded: bool = True) -> Packed:
    """The portable file of the rules with a digest, whose values are float64[entries] by turn-state index.

    They are rounded to `STEPS` of a point, as float32, if that costs less than `MAX_LOSS` in every decision, unless
    `is_rounded` is false.
    """
    if is_rounded:
        rounded = array(TYPES["float32"], (v if v != v else round(v * STEPS) / STEPS for v in values))
        if (loss := rounding_loss(values, rounded)) < MAX_LOSS:
            return Packed(_written(digest, "float32", rounded), "float32", loss)
    return Packed(_written(digest, "float64", array(TYPES["float64"], values)), "float64", 0.0)


def rounding_loss(values: Sequence[float], rounded: Sequence[float]) -> float:
    """The most points that a decision by rounded values can lose.

    The value of an action is a mean of maxima of values, plus points, so it moves by the largest error of a value at
    most. If that makes another action look best, the best one had looked at most so much worse than it is, and the
    other so much better.
    """
    errors = (abs(exact - other) for exact, other in zip(values, rounded, strict=True) if exact == exact)
    return 2.0 * max(errors, default=0.0)


def read(data: bytes) -> tuple[str, Sequence[float]]:
    """The digest of the rules of a portable file, and its values by turn-state index, NaN where play cannot arrive.

    Raises `UnusableSolutionError` if the data is not such a file.
    """
    try:
        text = gzip.decompress(data)
    except (EOFError, OSError, zlib.error):
        raise UnusableSolutionError("it is damaged, or not compressed by gzip") from None
    head, _, _ = text.partition(b"\n")
    try:
        header = json.loads(head)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("fivedice") != TITLE:
        raise UnusableSolutionError(f"it does not start with the header of a {TITLE}")
    if header.get("format") != FORMAT or header.get("type") not in TYPES or not isinstance(header.get("digest"), str):
        raise UnusableSolutionError("it is of another version")
    values = array(TYPES[header["type"]])
    table = memoryview(text)[len(head) + 1 :]
    if divmod(len(table), values.itemsize) != (header.get("entries"), 0):
        raise UnusableSolutionError("its number of values is not that of its header")
    values.frombytes(_in_order(table, values.itemsize))
    if sys.byteorder == "big":
        values.byteswap()
    return header["digest"], cast("Sequence[float]", values)


def _written(digest: str, type: str, values: "array[float]") -> bytes:
    """The compressed file."""
    if sys.byteorder == "big":
        values.byteswap()
    header = {"fivedice": TITLE, "format": FORMAT, "digest": digest, "type": type, "entries": len(values)}
    table, size = values.tobytes(), values.itemsize
    return gzip.compress(
        json.dumps(header).encode() + b"\n" + b"".join(table[i::size] for i in range(size)), 9, mtime=0
    )


def _in_order(table: memoryview, size: int) -> bytearray:
    """The bytes of values of this size, from a table that has the first bytes of all before the second ones."""
    found, num = bytearray(len(table)), len(table) // size
    for i in range(size):
        found[i::size] = table[i * num : (i + 1) * num]
    return found
