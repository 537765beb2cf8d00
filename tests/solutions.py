"""Solutions and breakdowns for tests, computed once in a process."""

from functools import cache

from fivedice.rulesets import load_ruleset
from fivedice.solver.breakdown import Breakdown, find_breakdown
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve


@cache
def solution_of(ref: str) -> Solution:
    """The solution of a shipped ruleset, with its options."""
    return solve(load_ruleset(ref))


@cache
def breakdown_of(ref: str) -> Breakdown:
    """The breakdown of `solution_of`."""
    return find_breakdown(solution_of(ref))


@cache
def risk_table_of(ref: str, risk: float) -> Solution:
    """The certainty equivalents of a shipped ruleset for a risk parameter."""
    return solve(load_ruleset(ref), risk=risk)
