"""Saved solutions: one file each in the user's cache folder, named by digest, memory-mapped when it is read again.

A file is one header of 4,096 bytes (JSON, padded with spaces, so that `head -c 4096` shows it) and the table as
little-endian float64. It is written whole under a name of its own and then renamed, so that two processes that solve
the same rules at once do not harm each other; a checksum over the table tells a damaged one.
"""

import json
import mmap
import os
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_cache_path

from fivedice.ruleset import Ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.states import States

FORMAT = 1
"""Counts up when the header or the layout of the table changes."""

HEADER_BYTES = 4_096


class UnusableSolutionError(ValueError):
    """A saved solution that is truncated, foreign or damaged; the sentence says which."""


def solutions_folder() -> Path:
    """Where solutions are saved: `FIVEDICE_CACHE` if it is set, else the user's cache folder."""
    chosen = os.environ.get("FIVEDICE_CACHE")
    return (Path(chosen) if chosen else user_cache_path("fivedice", appauthor=False)) / "solutions"


def solution_path(ruleset: Ruleset, folder: Path) -> Path:
    """The file that holds the solution of these rules."""
    return folder / f"{ruleset.digest}-{FORMAT}.solution"


def save_solution(solution: Solution, folder: Path) -> Path:
    """Write a solution whole or not at all, and return its file; raises `OSError` where that cannot be done."""
    path = solution_path(solution.ruleset, folder)
    table = np.ascontiguousarray(solution.values, dtype="<f8").view(np.uint8).data
    checked = {"turn_states": solution.num_turn_states, "seconds": solution.seconds, "crc": zlib.crc32(table)}
    header = json.dumps(_expected(solution.states) | checked)
    folder.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=folder, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(header.encode().ljust(HEADER_BYTES - 1) + b"\n")
            file.write(table)
        os.replace(draft, path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
    return path


def load_solution(ruleset: Ruleset, folder: Path) -> Solution | None:
    """The saved solution of these rules, memory-mapped; None if there is none.

    Raises `UnusableSolutionError` if the file cannot be what `save_solution` wrote.
    """
    path = solution_path(ruleset, folder)
    states = States(ruleset)
    try:
        with path.open("rb") as file:
            header = _header(file.read(HEADER_BYTES), path)
            wanted = HEADER_BYTES + 8 * states.num_entries
            size = os.fstat(file.fileno()).st_size
            if size != wanted:
                raise UnusableSolutionError(f"{path} has {size:,} bytes, not {wanted:,}: it is truncated or foreign")
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableSolutionError(f"{path} cannot be read: {error.strerror}") from None
    expected = _expected(states)
    different = [key for key in expected if header.get(key) != expected[key]]
    if different:
        raise UnusableSolutionError(f"{path} is of other rules or another program: its {different[0]} differs")
    if header.get("crc") != zlib.crc32(memoryview(mapped)[HEADER_BYTES:]):
        raise UnusableSolutionError(f"{path} is damaged: its checksum does not fit")
    values = np.frombuffer(mapped, dtype="<f8", offset=HEADER_BYTES)
    return Solution(states, values, header["turn_states"], header["seconds"])


def _header(data: bytes, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError):
        header = None
    if isinstance(header, dict):
        kinds = {"turn_states": int, "seconds": float}
        if all(type(header.get(key)) is kind for key, kind in kinds.items()):
            return header
    raise UnusableSolutionError(f"{path} does not begin as a saved solution does")


def _expected(states: States) -> dict[str, object]:
    """What the header of these rules' solution says, whoever wrote it."""
    return {"fivedice": "solution", "format": FORMAT, "digest": states.ruleset.digest, "entries": states.num_entries}
