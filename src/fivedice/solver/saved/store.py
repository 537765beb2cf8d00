"""Saves and loads solutions, breakdowns, moments and final scores: files named by digest, memory-mapped when loaded.

`saved_table` describes the format. A file is written under a temporary name and then renamed, so that two processes can
save the same solution at once.
"""

import os
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fivedice.ruleset import Ruleset
from fivedice.solver.saved.kept_tables import keep_within_limit, mark_used
from fivedice.solver.saved.saved_table import (
    FORMAT,
    file_stem,
    read_table,
    read_values,
    solution_header,
    written_header,
)
from fivedice.solver.saved.saved_table import HEADER_BYTES as HEADER_BYTES
from fivedice.solver.saved.saved_table import UnusableSolutionError as UnusableSolutionError
from fivedice.solver.saved.saved_table import solution_path as solution_path
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array, States

if TYPE_CHECKING:
    # These modules load the compiler.
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.play.distribution import Distribution
    from fivedice.solver.play.moments import Moments


def breakdown_path(ruleset: Ruleset, folder: Path) -> Path:
    """The file for the breakdown of these rules' solution."""
    return folder / f"{file_stem(ruleset)}.sources"


def risk_path(ruleset: Ruleset, risk: float, folder: Path) -> Path:
    """The file for the certainty equivalents of these rules with this parameter."""
    return folder / f"{file_stem(ruleset)}.risk{risk!r}"


def scores_path(ruleset: Ruleset, folder: Path) -> Path:
    """The file for the distribution of final scores of optimal play under these rules."""
    return folder / f"{file_stem(ruleset)}.distribution"


def moments_path(ruleset: Ruleset, folder: Path) -> Path:
    """The file for the moments of these rules' turn states."""
    return folder / f"{file_stem(ruleset)}.moments"


def save_solution(solution: Solution, folder: Path) -> Path:
    """Save a solution, completely or not at all, and return its file; raises `OSError`."""
    header = solution_header(solution.states) | {"turn_states": solution.num_turn_states, "seconds": solution.seconds}
    return _write(solution_path(solution.ruleset, folder), header, solution.values)


def save_breakdown(breakdown: "Breakdown", folder: Path) -> Path:
    """Save a breakdown, completely or not at all, and return its file; raises `OSError`."""
    header = _of_breakdown(breakdown.solution, breakdown.parts.shape[0]) | {"seconds": breakdown.seconds}
    return _write(breakdown_path(breakdown.solution.ruleset, folder), header, breakdown.parts)


def save_risk(solution: Solution, folder: Path) -> Path:
    """Save a table of certainty equivalents, completely or not at all, and return its file; raises `OSError`."""
    header = {"turn_states": solution.num_turn_states, "seconds": solution.seconds}
    risk = solution.risk or 0.0
    path = risk_path(solution.ruleset, risk, folder)
    return _write(path, _of_risk(solution.states, risk) | header, solution.values)


def load_risk(ruleset: Ruleset, risk: float, folder: Path) -> Solution | None:
    """The saved table of certainty equivalents with this parameter, memory-mapped; None if there is none.

    Raises `UnusableSolutionError` if the file is not one that `save_risk` wrote.
    """
    states = States(ruleset)
    kinds = {"turn_states": int, "seconds": float}
    found = _read(risk_path(ruleset, risk, folder), _of_risk(states, risk), kinds, states.num_entries)
    if found is None:
        return None
    header, values = found
    return Solution(states, values, header["turn_states"], header["seconds"], risk)


def save_scores(solution: Solution, scores: "Distribution", folder: Path) -> Path:
    """Save the distribution of final scores, completely or not at all, and return its file; raises `OSError`."""
    header = _of("distribution of scores", solution) | {"first": scores.first, "scores": scores.chances.size}
    return _write(scores_path(solution.ruleset, folder), header, scores.chances)


def save_moments(moments: "Moments", folder: Path) -> Path:
    """Save the moments of all turn states, completely or not at all, and return their file; raises `OSError`."""
    return _write(moments_path(moments.solution.ruleset, folder), _of("moments", moments.solution), moments.table)


def load_scores(solution: Solution, folder: Path) -> "Distribution | None":
    """The saved distribution of final scores; None if there is none.

    Raises `UnusableSolutionError` if the file is not one that `save_scores` wrote.
    """
    from fivedice.solver.play.distribution import Distribution

    path = scores_path(solution.ruleset, folder)
    found = _read(path, _of("distribution of scores", solution), {"first": int, "scores": int}, None)
    return None if found is None else Distribution(found[0]["first"], found[1])


def load_moments(solution: Solution, folder: Path) -> "Moments | None":
    """The saved moments of all turn states, memory-mapped; None if there are none.

    Raises `UnusableSolutionError` if the file is not one that `save_moments` wrote.
    """
    from fivedice.solver.play.moments import Moments, num_moments

    size = num_moments(solution) * solution.values.size
    found = _read(moments_path(solution.ruleset, folder), _of("moments", solution), {}, size)
    return None if found is None else Moments(solution, found[1].reshape(num_moments(solution), -1))


def load_solution(ruleset: Ruleset, folder: Path) -> Solution | None:
    """The saved solution of these rules, memory-mapped; None if there is none.

    Raises `UnusableSolutionError` if the file is not one that `save_solution` wrote.
    """
    states = States(ruleset)
    found = read_values(states, folder)
    if found is None:
        return None
    mark_used(solution_path(ruleset, folder))
    header, values = found
    return Solution(states, np.frombuffer(values.cast("B"), dtype="<f8"), header["turn_states"], header["seconds"])


def load_breakdown(solution: Solution, folder: Path) -> "Breakdown | None":
    """The saved breakdown of a solution, memory-mapped; None if there is none.

    Raises `UnusableSolutionError` if the file is not one that `save_breakdown` wrote.
    """
    from fivedice.solver.play.breakdown import Breakdown, num_columns, rows_of

    num_rows, num_parts = rows_of(solution).max() + 1, num_columns(solution.ruleset)
    found = _read(
        breakdown_path(solution.ruleset, folder),
        _of_breakdown(solution, int(num_rows)),
        {"seconds": float},
        num_rows * num_parts,
    )
    if found is None:
        return None
    header, parts = found
    return Breakdown(solution, parts.reshape(num_rows, num_parts), header["seconds"])


def _write(path: Path, header: dict[str, object], values: Array) -> Path:
    """Write a table with its header and checksum."""
    table = np.ascontiguousarray(values, dtype="<f8").reshape(-1).view(np.uint8).data
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(written_header(header | {"crc": zlib.crc32(table)}))
            file.write(table)
        os.replace(draft, path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
    keep_within_limit(path.parent)
    return path


def _read(
    path: Path, expected: dict[str, object], kinds: dict[str, type], num_values: int | None
) -> tuple[dict[str, Any], Array] | None:
    """As `read_table`, with the values as an array."""
    found = read_table(path, expected, kinds, num_values)
    if found is None:
        return None
    header, values = found
    return header, np.frombuffer(values.cast("B"), dtype="<f8")


def _of_breakdown(solution: Solution, num_rows: int) -> dict[str, object]:
    """The header of this solution's breakdown, without the values that vary."""
    return {"fivedice": "table of sources", "format": FORMAT, "digest": solution.ruleset.digest, "rows": num_rows}


def _of_risk(states: States, risk: float) -> dict[str, object]:
    """The header of certainty equivalents with this parameter, without the values that vary."""
    return {
        "fivedice": "table of certainty equivalents",
        "format": FORMAT,
        "digest": states.ruleset.digest,
        "risk": risk,
        "entries": states.num_entries,
    }


def _of(kind: str, solution: Solution) -> dict[str, object]:
    """The header of another file about a solution."""
    return {"fivedice": kind, "format": FORMAT, "digest": solution.ruleset.digest}
