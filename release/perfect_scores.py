"""Finds the scores of perfect games that come with the program: `make perfect-scores`, a minute and 3 GB of memory.

Larger rulesets have none, since all that optimal play leads to must be in memory at once.
"""

from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.saved.saved_table import SHIPPED
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States

MOST_ENTRIES = 2**22


def rulesets() -> list[Ruleset]:
    """The rulesets with a file, each once, small ones first."""
    every = [States(load_ruleset(id)) for id in ruleset_ids()]
    found = [states for states in every if states.has_kernels and states.num_entries <= MOST_ENTRIES]
    by_digest = {states.ruleset.digest: states for states in found}
    return [states.ruleset for states in sorted(by_digest.values(), key=lambda states: states.num_entries)]


def main() -> None:
    """Write the files anew, and delete all others."""
    for path in SHIPPED.glob(f"*.{PERFECT_SCORES.name}"):
        path.unlink()
    for ruleset in rulesets():
        solution = solve(ruleset)
        path = PERFECT_SCORES.save(solution, PERFECT_SCORES.find(solution), SHIPPED)
        print(f"{ruleset}: {path.name}, {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
