"""Solves the most played rulesets for the package: `python -m release.values`, seconds, or half a minute to compile.

The values come with the program, so that the first roll of a new installation has advice. They are too large for the
repository; builds of wheels and sdists, and `make web`, make what is missing.
"""

from dataclasses import replace
from pathlib import Path

from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.saved_table import MOST_PLAYED, SHIPPED, solution_path


def missing(folder: Path = SHIPPED) -> list[str]:
    """The rulesets whose values are not in a folder yet."""
    return [id for id in MOST_PLAYED if not solution_path(load_ruleset(id), folder).exists()]


def main(folder: Path = SHIPPED) -> None:
    """Write the values that are missing."""
    if not (wanted := missing(folder)):
        return  # nor is NumPy needed
    from fivedice.solver.saved.kinds import SOLUTION
    from fivedice.solver.solve import solve

    for id in wanted:
        solution = replace(solve(id), seconds=0.0)  # the same sources give the same file
        SOLUTION.save(solution.ruleset, solution, folder).chmod(0o644)


if __name__ == "__main__":
    main()
