"""Solves a ruleset in a child process: `python -m fivedice.server.solving.child FOLDER WHAT LIMIT`.

It reads the rules from standard input as JSON, writes how far it is to standard output, a number from 0 to 1 a line,
and saves what it found in the folder. A process of its own can be stopped, gives all its memory back, and leaves the
server's interpreter to the tables.
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
"""What is found: values, where points come from, and the final scores of perfect games."""

NICENESS = 10
"""Tables that are being played go before."""

REFUSED = 3
"""The exit status where the rules are too large; the reason is the last line of standard error."""


class Rules(msgspec.Struct, frozen=True):
    """A ruleset as a child is given it: its name, and the text of its file if that is not shipped."""

    ref: str
    toml: str


def rules_of(ruleset: Ruleset) -> Rules:
    """The rules to send."""
    is_shipped = ruleset.file is None or ruleset.file.is_shipped
    return Rules(str(ruleset), "" if is_shipped or ruleset.file is None else ruleset.file.text)


def warm_up(solution: "Solution", breakdown: "Breakdown | None") -> None:
    """Call once all that will be asked of a solution and its sources, so that nobody waits for a compiler later."""
    from fivedice.analysis.advice import advise
    from fivedice.analysis.why import why
    from fivedice.game.position import Position

    position = Position.start(solution.ruleset).roll((1,) * solution.ruleset.dice)
    actions = advise(solution, position).actions
    if breakdown:
        why(solution, breakdown, position, actions[0].action, actions[-1].action)


def main(folder: Path, what: str, memory_limit: int) -> int:
    """Solve, save, and return the exit status."""
    # Imported here: the server itself needs only the words above, and no compiler.
    from fivedice.simulate.perfect_scores import NUM_GAMES, perfect_scores
    from fivedice.solver.breakdown import find_breakdown
    from fivedice.solver.solve import TooLargeError, solve
    from fivedice.solver.store import load_solution, save_breakdown, save_scores, save_solution

    os.nice(NICENESS)
    rules = msgspec.json.decode(sys.stdin.buffer.read(), type=Rules)
    ruleset = ruleset_of(rules.ref, rules.toml)

    def tell(done: int, of: int) -> None:
        sys.stdout.write(f"{done / of:.3f}\n")
        sys.stdout.flush()

    try:
        solution = load_solution(ruleset, folder)
        if solution is None:
            solution = solve(ruleset, memory_limit=memory_limit, progress=tell if what == SOLUTION else None)
            save_solution(solution, folder)
        breakdown = None
        if what == BREAKDOWN:
            breakdown = find_breakdown(solution, memory_limit=memory_limit, progress=tell)
            save_breakdown(breakdown, folder)
        if what == SCORES:
            save_scores(solution, perfect_scores(solution, NUM_GAMES, tell), folder)
        warm_up(solution, breakdown)  # into the cache of compiled kernels, which the server reads too
    except TooLargeError as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[2] not in (SOLUTION, BREAKDOWN, SCORES):
        raise MalformedError("this is started by the server: want FOLDER solution|sources|scores BYTES")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
