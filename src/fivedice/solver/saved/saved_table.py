"""Reads saved tables without NumPy, for a command that needs only a few values of one.

A file is a header of 4,096 bytes (JSON, padded with spaces, so that `head -c 4096` shows it) and a table of
little-endian float64. A checksum of the table detects damage. `store` writes the files.
"""

import json
import mmap
import os
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import States

FORMAT = 1
"""Increases when the header or the layout of the table changes."""

HEADER_BYTES = 4_096


class UnusableSolutionError(ValueError):
    """A saved file is truncated, damaged, or of other rules; the message says which."""


def file_stem(ruleset: Ruleset) -> str:
    """What the names of all files about these rules begin with."""
    return f"{ruleset.digest}-{FORMAT}"


def solution_path(ruleset: Ruleset, folder: Path) -> Path:
    """The file for the solution of these rules."""
    return folder / f"{file_stem(ruleset)}.solution"


SHIPPED = Path(__file__).parent / "shipped"
"""The folder of what comes with the program: approximate solutions and scores."""

MOST_PLAYED = ("yahtzee", "yatzy", "kniffel", "yahtzee_free", "generala")
"""The rulesets of which a server finds values first."""


def has_approximation(ruleset: Ruleset, learned_in: Path | None = None) -> bool:
    """Whether an approximate solution of these rules comes with the program, or has been learned in a folder."""
    name = f"{file_stem(ruleset)}.approximate"
    # The program for browsers is an archive, in which such files are empty.
    shipped = files("fivedice.solver.saved").joinpath("shipped", name)
    return shipped.is_file() or (learned_in is not None and (learned_in / name).exists())


class Layout(NamedTuple):
    """What a file holds beside the digest of its rules: the `header` that is required, the types of the `varying` rest
    of it, and the number of values; without one, the header has it as `scores`."""

    header: dict[str, object]
    varying: dict[str, type]
    num_values: int | None


def solution_layout(states: States) -> Layout:
    """The layout of a solution."""
    return Layout({"entries": states.num_entries}, {"turn_states": int, "seconds": float}, states.num_entries)


def solution_header(states: States) -> dict[str, object]:
    """The header of these rules' solution, without the values that vary."""
    header = {"fivedice": "solution", "format": FORMAT, "digest": states.ruleset.digest}
    return header | solution_layout(states).header


def read_values(states: States, folder: Path) -> "tuple[dict[str, Any], memoryview[float]] | None":
    """The header and the memory-mapped values, by turn-state index, of a saved solution; None if there is none.

    Raises `UnusableSolutionError` if the file is not that of a solution.
    """
    return read_table(solution_path(states.ruleset, folder), solution_header(states), solution_layout(states))


def read_table(
    path: Path, expected: dict[str, object], layout: Layout
) -> "tuple[dict[str, Any], memoryview[float]] | None":
    """The header and the memory-mapped float64[n] of a file; None if there is no file.

    `expected` has the required values of the whole header. A checksum is compared by reading the whole file.
    Raises `UnusableSolutionError` if the file is not one that was saved so.
    """
    try:
        with path.open("rb") as file:
            header = _header(file.read(HEADER_BYTES), layout.varying)
            if header is None:
                raise UnusableSolutionError(f"{path} does not start with the header of a saved {expected['fivedice']}")
            wanted = HEADER_BYTES + 8 * (header["scores"] if layout.num_values is None else layout.num_values)
            size = os.fstat(file.fileno()).st_size
            if size != wanted:
                raise UnusableSolutionError(
                    f"{path} has {size:,} bytes, not {wanted:,}: it is truncated or of other rules"
                )
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableSolutionError(f"{path} cannot be read: {error.strerror}") from None
    different = [key for key in expected if header.get(key) != expected[key]]
    if different:
        raise UnusableSolutionError(f"{path} is of other rules or another version: its {different[0]} differs")
    table = memoryview(mapped)[HEADER_BYTES:]
    if header.get("crc") != zlib.crc32(table):
        raise UnusableSolutionError(f"{path} is damaged: its checksum does not match")
    return header, table.cast("d")


def written_header(header: dict[str, object]) -> bytes:
    """The first bytes of a file."""
    return json.dumps(header).encode().ljust(HEADER_BYTES - 1) + b"\n"


def _header(data: bytes, kinds: dict[str, type]) -> dict[str, Any] | None:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if isinstance(header, dict) and all(type(header.get(key)) is kind for key, kind in kinds.items()):
        return header
    return None
