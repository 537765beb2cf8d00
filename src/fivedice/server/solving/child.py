"""Solves a ruleset in a child process: `python -m fivedice.server.solving.child FOLDER KIND BYTES SECONDS`.

It reads the rules from standard input as JSON, writes its progress to standard output, one number from 0 to 1 per line,
and saves the result in the folder. The chances of a position are not saved, but written to standard output, as one line
of JSON. A process can be killed, returns all its memory, and does not block the server's interpreter. It ends itself
after so many seconds, not counting those in which it starts and compiles.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from fivedice.errors import MalformedError
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.server.config.limits import SOLVER_NICENESS
from fivedice.server.solving.child_process import end_with_parent, lower_priority
from fivedice.server.table.state import ruleset_of

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.solution import Solution

SOLUTION: Final = "solution"
BREAKDOWN: Final = "breakdown"
PERFECT_SCORES: Final = "perfect_scores"
MOMENTS: Final = "moments"
CHANCES: Final = "chances"
KINDS = (SOLUTION, BREAKDOWN, PERFECT_SCORES, MOMENTS, CHANCES)
"""The kinds of results: values, the breakdown of values by source, final scores of optimal games, mean, deviation and
skewness of every turn state, and the chances of every final score from one position."""

TOO_LARGE = 3
"""Exit status for rules that are too large; the last line of standard error is the reason."""

TOO_SLOW = 4
"""Exit status for a search that took too long."""


class Rules(msgspec.Struct, frozen=True, weakref=True):
    """A ruleset for a child: its reference, and the text of its file unless that is shipped; and a position, for its
    chances."""

    ref: str
    toml: str
    position: str = ""


class SavedSolution(msgspec.Struct, frozen=True):
    """The rules of a solution, and the folder in which it is saved."""

    rules: Rules
    folder: str


def rules_of(ruleset: Ruleset, position: str = "") -> Rules:
    """The rules to send to a child."""
    is_shipped = ruleset.file is None or ruleset.file.is_shipped
    return Rules(str(ruleset), "" if is_shipped or ruleset.file is None else ruleset.file.text, position)


def first_roll(ruleset: Ruleset) -> Position:
    """A position to advise on, so that everything for later ones is loaded."""
    return Position.start(ruleset).roll((1,) * ruleset.dice)


def warm_up(solution: "Solution", breakdown: "Breakdown | None") -> None:
    """Compile everything that advice with this solution needs, so that no later request waits for the compiler."""
    from fivedice.analysis.advice import advise
    from fivedice.analysis.why import why

    position = first_roll(solution.ruleset)
    actions = advise(solution, position).actions
    if breakdown:
        why(solution, breakdown, position, actions[0].action, actions[-1].action)


def warm_up_odds(estimator: "OddsEstimator") -> None:
    """Compile everything that odds need, with exact ones of a game before its last turn."""
    from fivedice.game.position import Position

    ruleset = estimator.ruleset
    position = Position.start(ruleset)
    for _ in range(ruleset.rounds - 1):
        position = position.roll((1,) * ruleset.dice)
        position = position.take(next(offer for offer in position.offers() if not offer.wins))
    estimator.odds(position)


def main(folder: Path, kind: str, memory_limit: int, seconds: float) -> int:
    """Solve, save, and return the exit status."""
    # Imported here, so that the server, which imports this module, does not load the compiler.
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.game.notation import parse_position
    from fivedice.server.solving.time_limit import time_limit
    from fivedice.simulation.games import perfect_scores
    from fivedice.solver.saved import kinds
    from fivedice.solver.saved.store import Artefact
    from fivedice.solver.solve import TooLargeError
    from fivedice.views.chances import score_chances_view

    lower_priority(SOLVER_NICENESS)
    end_with_parent()
    rules = msgspec.json.decode(sys.stdin.buffer.read(), type=Rules)
    ruleset = ruleset_of(rules.ref, rules.toml)

    def report(done: int, of: int) -> None:
        sys.stdout.write(f"{done / of:.3f}\n")
        sys.stdout.flush()

    try:
        with time_limit(seconds, TOO_SLOW):
            solution = kinds.SOLUTION.load(ruleset, folder)
            if solution is None:
                solution = kinds.SOLUTION.find(
                    ruleset, memory_limit=memory_limit, progress=report if kind == SOLUTION else None
                )
                kinds.SOLUTION.save(ruleset, solution, folder)
            found: Any = None
            artefact: Artefact[Solution, Any]
            for artefact in (kinds.BREAKDOWN, perfect_scores.PERFECT_SCORES, kinds.MOMENTS):
                if artefact.name == kind:
                    found = artefact.find(solution, memory_limit=memory_limit, progress=report)
                    artefact.save(solution, found, folder)
            if kind == MOMENTS:
                warm_up_odds(OddsEstimator(solution, found))
            if kind == CHANCES:
                position = parse_position(rules.position, ruleset)
                found = score_chances_view(solution, position, memory_limit=memory_limit, progress=report)
                sys.stdout.write(f"{msgspec.json.encode(found).decode()}\n")
                return 0
            warm_up(
                solution, found if kind == BREAKDOWN else None
            )  # fills the kernel cache on disk, which the server shares
    except TooLargeError as error:
        sys.stderr.write(f"{error}\n")
        return TOO_LARGE
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[2] not in KINDS:
        raise MalformedError(f"the server starts this module: want FOLDER {'|'.join(KINDS)} BYTES SECONDS")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
