"""Exponential utility: what chances of points are worth to a player who avoids or seeks risk.

With the parameter θ, in 1/points, a final score of X has the utility exp(θ X) / θ, and play maximises its mean. The
*certainty equivalent* of a chance is the sure score of the same utility, in points:

    CE = 1/θ · log E exp(θ X) ≈ E X + θ/2 · Var X    for a small θ

(Howard and Matheson, "Risk-sensitive Markov decision processes", 1972). θ < 0 avoids risk and θ > 0 seeks it. As θ → 0
the certainty equivalent becomes the expected score, as θ → −∞ the score that can be guaranteed, and as θ → ∞ the
highest possible score. Points on the card only add to it, so a table by turn state suffices, as for expected points.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.solve import solve
>>> crag = load_ruleset("crag")
>>> certain = [solve(crag, risk=risk).expected_score for risk in (-0.01, 0.0, 0.01)]
>>> [round(value, 2) for value in certain]
[143.89, 149.85, 155.19]
"""

import math

from fivedice.base.errors import MalformedError

CAUTIOUS, BOLD = -0.02, 0.02
"""The parameters of the players `cautious` and `bold`, in 1/points."""

MOST_RISK = 1_000.0
"""The largest |θ|: certainty equivalents are then within a point of their limit."""


def risk_table(risk: float) -> str:
    """The name of the table of certainty equivalents for a parameter, among what is saved of some rules."""
    return f"risk{risk!r}"


def checked_risk(risk: float) -> float:
    """A risk parameter; raises `MalformedError` unless it is a number from −`MOST_RISK` to `MOST_RISK`."""
    if not (math.isfinite(risk) and abs(risk) <= MOST_RISK):
        raise MalformedError(
            f"a risk parameter of {risk:g} per point: want a number from -{MOST_RISK:g} to {MOST_RISK:g}"
        )
    return float(risk)
