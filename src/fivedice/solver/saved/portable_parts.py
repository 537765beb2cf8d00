"""Portable breakdowns: the expected points of every turn state by component, as one compressed file for plain Python.

`docs/data.md` describes the format. Reading uses the standard library only.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from struct import unpack
from typing import TYPE_CHECKING

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.portable import arrays, compressed, opened
from fivedice.solver.saved.saved_table import UnusableSolutionError, file_stem

if TYPE_CHECKING:
    from fivedice.solver.play.breakdown import Breakdown

TITLE = "portable breakdown"
FORMAT = 1

STEPS = 256
"""The parts of a point to which expected points are rounded: a difference of two is then wrong by 0.004 at most."""

TYPES = {"uint16": ("H", STEPS), "float64": ("d", 1)}
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
        code, steps = TYPES[self.type]
        found = self.table[number :: self.begins[-1]].tobytes()
        return [points / steps for points in unpack(f"<{len(found) // array(code).itemsize}{code}", found)]


def parts_path(ruleset: Ruleset, folder: Path) -> Path:
    """The portable breakdown of these rules in a folder of solutions."""
    return folder / f"{file_stem(ruleset)}-{FORMAT}.portable_parts"


def pack_parts(breakdown: "Breakdown", *, is_rounded: bool = True) -> bytes:
    """The portable file of a breakdown, whose points are from 0 to 255.

    They are rounded to `STEPS` of a point unless `is_rounded` is false.
    """
    solution, type = breakdown.solution, "uint16" if is_rounded else "float64"
    code, steps = TYPES[type]
    counts = (breakdown.row_of.reshape(-1, solution.states.stride) >= 0).sum(axis=1)
    parts = (breakdown.parts * steps).round() if is_rounded else breakdown.parts
    columns = [array(code, column.astype(code).tobytes()) for column in parts.T]
    header = {"fivedice": TITLE, "format": FORMAT, "digest": solution.ruleset.digest, "type": type}
    header |= {"rows": counts.size, "components": len(columns)}
    return compressed(header, [array("H", counts.tolist()), *columns])


def read_parts(data: bytes) -> PortableParts:
    """What a portable file has; raises `UnusableSolutionError` if the data is not such a file."""
    header, table = opened(data, TITLE, FORMAT)
    rows, components = header.get("rows"), header.get("components")
    if header.get("type") not in TYPES or not isinstance(rows, int) or not isinstance(components, int):
        raise UnusableSolutionError("it is of another version")
    [counts] = arrays(table[: 2 * rows], [("H", rows)])
    begins = array("i", accumulate(counts, initial=0))
    if len(table) != 2 * rows + components * begins[-1] * array(TYPES[header["type"]][0]).itemsize:
        raise UnusableSolutionError("its number of values is not that of its header")
    return PortableParts(header["digest"], begins, table[2 * rows :], header["type"])
