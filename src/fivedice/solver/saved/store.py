"""`Artefact`: a kind of result that is computed once and saved in files, named by the digest of its rules.

`saved_table` describes the format. A file is written under a temporary name and then renamed, so that two processes can
save the same result at once. It is mapped into memory when it is loaded. A file that comes with the program is used
before one in a folder.
"""

import json
import logging
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from fivedice.base.data_folder import whole_file
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.play.breakdown import Breakdown, find_breakdown, num_columns, rows_of
from fivedice.solver.play.moments import Moments, find_moments, num_moments
from fivedice.solver.saved.saved_table import (
    HEADER_BYTES,
    SHIPPED,
    Layout,
    UnusableSolutionError,
    file_stem,
    header_of,
    keep_within_limit,
    mark_used,
    read_table,
    solution_layout,
)
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import Array, States

Of = TypeVar("Of", Ruleset, Solution)
T = TypeVar("T")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, eq=False)
class Artefact(Generic[Of, T]):
    """A kind of result: how it is computed from a ruleset or from its solution, saved, and found again.

    `name` ends the names of its files, and `title`, if it is another, is in their headers.
    """

    name: str
    find: Callable[..., T]
    """Computes it from `of`, with the options `memory_limit` in bytes, above which it raises `TooLargeError`, and
    `progress`, which is called with (done, all) from time to time."""
    layout: Callable[[Of], Layout]
    pack: Callable[[T], tuple[dict[str, object], Array]]
    """What varies in the header, and the values."""
    unpack: Callable[[Of, dict[str, Any], Array], T]
    """The result with a header and values, float64[n]."""
    title: str = ""

    def path(self, of: Of | Ruleset, folder: Path) -> Path:
        """Its file in a folder."""
        return folder / f"{file_stem(_ruleset(of))}.{self.name}"

    def is_saved(self, of: Of | Ruleset, folder: Path) -> bool:
        """Whether there is a file of it in a folder or in the program, which may be unusable."""
        return self._found(of, folder).exists()

    def delete(self, of: Of | Ruleset, folder: Path) -> None:
        """Delete its file in a folder if there is one."""
        self.path(of, folder).unlink(missing_ok=True)

    def save(self, of: Of, found: T, folder: Path) -> Path:
        """Save a result, completely or not at all, and return its file; raises `OSError`."""
        varying, values = self.pack(found)
        ruleset, table = _ruleset(of), np.ascontiguousarray(values, dtype="<f8").reshape(-1).view(np.uint8).data
        header = header_of(ruleset, self.title or self.name, self.layout(of)) | {"ruleset": str(ruleset)} | varying
        text = json.dumps(header | {"crc": zlib.crc32(table)}).encode()
        return keep_file(self.path(of, folder), text.ljust(HEADER_BYTES - 1) + b"\n", table)

    def load(self, of: Of, folder: Path) -> T | None:
        """The saved result, memory-mapped; None if there is none.

        Raises `UnusableSolutionError` if the file is not one that `save` wrote.
        """
        path, layout = self._found(of, folder), self.layout(of)
        found = read_table(path, header_of(_ruleset(of), self.title or self.name, layout), layout)
        if found is None:
            return None
        if path.parent != SHIPPED:
            mark_used(path)
        header, values = found
        return self.unpack(of, header, np.frombuffer(values.cast("B"), dtype="<f8"))

    def load_sound(self, of: Of, folder: Path) -> T | None:
        """As `load`; a damaged file is deleted and logged, so that the result is found again."""
        try:
            return self.load(of, folder)
        except UnusableSolutionError as error:
            _log.warning("%s: it is deleted, and found again", error)
            with suppress(OSError):  # of a folder that only others may change; there it can only be replaced
                self.delete(of, folder)
            return None

    def _found(self, of: Of | Ruleset, folder: Path) -> Path:
        """Its file in the program, or else in a folder."""
        shipped = self.path(of, SHIPPED)
        return shipped if shipped.exists() else self.path(of, folder)


def _ruleset(of: Ruleset | Solution) -> Ruleset:
    return of if isinstance(of, Ruleset) else of.ruleset


def keep_file(path: Path, *parts: bytes | memoryview) -> Path:
    """Write a file of the folder of solutions, completely or not at all, and return it; raises `OSError`.

    Tables that were used longest ago are deleted if there are too many.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as draft, draft.open("wb") as file:
        file.writelines(parts)
    keep_within_limit(path.parent)
    return path


SOLUTION: Artefact[Ruleset, Solution] = Artefact(
    name="solution",
    find=solve,
    layout=lambda ruleset: solution_layout(States(ruleset)),
    pack=lambda found: ({"turn_states": found.num_turn_states, "seconds": found.seconds}, found.values),
    unpack=lambda ruleset, header, values: Solution(States(ruleset), values, header["turn_states"], header["seconds"]),
)
"""The values of all turn states."""


def _breakdown_layout(solution: Solution) -> Layout:
    rows = int(rows_of(solution).max()) + 1
    return Layout({"rows": rows}, {"seconds": float}, rows * num_columns(solution.ruleset))


BREAKDOWN: Artefact[Solution, Breakdown] = Artefact(
    name="breakdown",
    find=find_breakdown,
    layout=_breakdown_layout,
    pack=lambda found: ({"seconds": found.seconds}, found.parts),
    unpack=lambda solution, header, values: Breakdown(
        solution, values.reshape(-1, num_columns(solution.ruleset)), header["seconds"]
    ),
)

MOMENTS: Artefact[Solution, Moments] = Artefact(
    name="moments",
    find=find_moments,
    layout=lambda solution: Layout({}, {}, num_moments(solution) * solution.values.size),
    pack=lambda found: ({}, found.table),
    unpack=lambda solution, header, values: Moments(solution, values.reshape(num_moments(solution), -1)),
)
