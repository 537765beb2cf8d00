"""Tables of certainty equivalents for commands and games, read from the cache or computed and saved there."""

from functools import lru_cache

from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import saved_or_found
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.risk import checked_risk
from fivedice.solver.saved.kinds import certainty_equivalents
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve


@lru_cache(maxsize=16)
def risk_table_of(ruleset: Ruleset, risk: float) -> Solution:
    """The table of a ruleset for a risk parameter.

    Raises `TooLargeError` if it does not fit in memory, and `MalformedError` for an impossible parameter.
    """
    risk = checked_risk(risk)
    label = f"Solving {ruleset.name} for a risk of {risk:g}"

    def find() -> Solution:
        with shown_progress() as progress:
            progress(label, None)
            return solve(ruleset, risk=risk, progress=lambda solved, cards: progress(label, solved / cards))

    return saved_or_found(certainty_equivalents(risk), ruleset, find)
