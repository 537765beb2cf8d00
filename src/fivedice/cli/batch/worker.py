"""What a worker process runs: `answer_lines` answers lines for the process that started it."""

import gc
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fivedice.cli.batch.line_by_line import Answered
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.runs.run_tasks import end_with_parent

if TYPE_CHECKING:
    from fivedice.cli.batch.many_lines import ManyLines
    from fivedice.solver.solution import Solution


class _UnsolvedError(Exception):
    """The caller has to solve a ruleset; only one process should."""


def prepare_worker() -> None:
    """Import what answers need, and end with the process that started this one."""
    end_with_parent()
    _many_lines(None)
    gc.freeze()  # what is imported stays
    gc.set_threshold(100_000)  # lists of texts are no garbage to look for


def answer_lines(top: int | None, lines: Sequence[str]) -> Answered | None:
    """The answers, in order; None if a ruleset of the lines is not solved yet."""
    try:
        return _many_lines(top).answer(lines)
    except _UnsolvedError:
        return None


@lru_cache
def _many_lines(top: int | None) -> "ManyLines":
    # Imported here: it loads NumPy, which the process that starts workers does not need.
    from fivedice.cli.batch.many_lines import ManyLines

    return ManyLines(_solution_of, top)


@lru_cache(maxsize=16)
def _solution_of(ruleset: Ruleset) -> "Solution":
    """The saved solution of a ruleset; raises `TooLargeError` if it cannot have one."""
    from fivedice.solver.saved.kept_tables import solutions_folder
    from fivedice.solver.saved.kinds import SOLUTION
    from fivedice.solver.saved.saved_table import UnusableSolutionError
    from fivedice.solver.solve import check_size, default_memory_limit
    from fivedice.solver.tables.states import States

    try:
        solution = SOLUTION.load(ruleset, solutions_folder())
    except UnusableSolutionError:
        solution = None
    if solution is None:
        check_size(States(ruleset), default_memory_limit())
        raise _UnsolvedError
    return solution
