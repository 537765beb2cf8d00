"""Solves a ruleset in a child process: `python -m fivedice.server.solving.child FOLDER KIND LIMIT`.

It reads the rules from standard input as JSON, writes its progress to standard output, one number from 0 to 1 per line,
and saves the result in the folder. A process can be killed, returns all its memory, and does not block the server's
interpreter.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fivedice.errors import MalformedError
from fivedice.ruleset import Ruleset
from fivedice.server.table.state import ruleset_of

if TYPE_CHECKING:
    from fivedice.solver.breakdown import Breakdown
    from fivedice.solver.solution import Solution

SOLUTION, BREAKDOWN, SCORES = "solution", "sources", "scores"
"""The kinds of results: values, the breakdown of values by source, and final scores of optimal games."""

NICENESS = 10
"""The child runs at low priority, so that it does not slow down tables."""

TOO_LARGE = 3
"""Exit status for rules that are too large; the last line of standard error is the reason."""


class Rules(msgspec.Struct, frozen=True):
    """A ruleset for a child: its reference, and the text of its file unless that is shipped."""

    ref: str
    toml: str


def rules_of(ruleset: Ruleset) -> Rules:
    """The rules to send to a child."""
    is_shipped = ruleset.file is None or ruleset.file.is_shipped
    return Rules(str(ruleset), "" if is_shipped or ruleset.file is None else ruleset.file.text)


def warm_up(solution: "Solution", breakdown: "Breakdown | None") -> None:
    """Compile everything that advice with this solution needs, so that no later request waits for the compiler."""
    from fivedice.analysis.advice import advise
    from fivedice.analysis.why import why
    from fivedice.game.position import Position

    position = Position.start(solution.ruleset).roll((1,) * solution.ruleset.dice)
    actions = advise(solution, position).actions
    if breakdown:
        why(solution, breakdown, position, actions[0].action, actions[-1].action)


def main(folder: Path, kind: str, memory_limit: int) -> int:
    """Solve, save, and return the exit status."""
    # Imported here, so that the server, which imports this module, does not load the compiler.
    from fivedice.simulate.perfect_scores import perfect_scores
    from fivedice.solver.breakdown import find_breakdown
    from fivedice.solver.solve import TooLargeError, solve
    from fivedice.solver.store import load_solution, save_breakdown, save_scores, save_solution

    os.nice(NICENESS)
    rules = msgspec.json.decode(sys.stdin.buffer.read(), type=Rules)
    ruleset = ruleset_of(rules.ref, rules.toml)

    def report(done: int, of: int) -> None:
        sys.stdout.write(f"{done / of:.3f}\n")
        sys.stdout.flush()

    try:
        solution = load_solution(ruleset, folder)
        if solution is None:
            solution = solve(ruleset, memory_limit=memory_limit, progress=report if kind == SOLUTION else None)
            save_solution(solution, folder)
        breakdown = None
        if kind == BREAKDOWN:
            breakdown = find_breakdown(solution, memory_limit=memory_limit, progress=report)
            save_breakdown(breakdown, folder)
        if kind == SCORES:
            save_scores(solution, perfect_scores(solution, memory_limit=memory_limit, progress=report), folder)
        warm_up(solution, breakdown)  # fills the kernel cache on disk, which the server shares
    except TooLargeError as error:
        sys.stderr.write(f"{error}\n")
        return TOO_LARGE
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[2] not in (SOLUTION, BREAKDOWN, SCORES):
        raise MalformedError("the server starts this module: want FOLDER solution|sources|scores BYTES")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
