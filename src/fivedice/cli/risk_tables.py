"""Tables of certainty equivalents for commands and games, read from the cache or computed and saved there."""

from functools import lru_cache

from fivedice.analysis.advice import advise
from fivedice.cli.compiling import TINY
from fivedice.cli.language import say
from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import COMPILING, saved_or_found
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.solver.kernels.jit import is_compiled
from fivedice.solver.kernels.layers import solve_cards
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
            progress(label if is_compiled(solve_cards, with_risk=True) else say(COMPILING), None)
            advise(solve(TINY, risk=risk), Position.start(TINY).roll((1,)))  # compiles the kernels of both
            progress(label, None)
            return solve(ruleset, risk=risk, progress=lambda solved, cards: progress(label, solved / cards))

    return saved_or_found(certainty_equivalents(risk), ruleset, find)
