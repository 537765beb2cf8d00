"""The approximate solutions that come with the program."""

from fivedice.rulesets import load_ruleset
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.saved.approximations import shipped_approximation


def shipped(id: str) -> ApproximateSolution:
    found = shipped_approximation(load_ruleset(id))
    assert found
    return found
