"""A process that answers lines for another one: `python -m fivedice.cli.batch.worker [TOP]`.

A request is a block with the lines. The answer is a block with a status, then the lines of JSON. The process ends with
its standard input.
"""

import gc
import sys
from functools import lru_cache

from fivedice.cli.batch.line_by_line import UNSOLVED, VALID, WITH_ERRORS, read_block, write_block
from fivedice.cli.batch.many_lines import ManyLines
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.kept_tables import solutions_folder
from fivedice.solver.saved.kinds import SOLUTION
from fivedice.solver.saved.saved_table import UnusableSolutionError
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_size, default_memory_limit
from fivedice.solver.tables.states import States


class _UnsolvedError(Exception):
    """The caller has to solve a ruleset; only one process should."""


def main(top: int | None) -> None:
    """Answer until standard input ends."""
    gc.freeze()  # what is imported stays
    gc.set_threshold(100_000)  # lists of texts are no garbage to look for
    many_lines = ManyLines(_solution_of, top)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while (request := read_block(requests)) is not None:
        try:
            text, has_errors = many_lines.answer(request.decode().split("\n"))
        except _UnsolvedError:
            write_block(answers, UNSOLVED)
        else:
            write_block(answers, (WITH_ERRORS if has_errors else VALID) + text.encode())


@lru_cache(maxsize=16)
def _solution_of(ruleset: Ruleset) -> Solution:
    """The saved solution of a ruleset; raises `TooLargeError` if it cannot have one."""
    try:
        solution = SOLUTION.load(ruleset, solutions_folder())
    except UnusableSolutionError:
        solution = None
    if solution is None:
        check_size(States(ruleset), default_memory_limit())
        raise _UnsolvedError
    return solution


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
