"""`fivedice solve`: the exact expected score of a ruleset."""

import sys

from msgspec.structs import asdict

from fivedice.cli.options import Flag, Rules
from fivedice.cli.solutions import learned, obtain
from fivedice.cli.text.output import prints, show
from fivedice.rulesets import load_ruleset
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.views.printed import LearnedView, SolvedView
from fivedice.views.to_dict import solution_figures_view


@prints(SolvedView, LearnedView)
def solve(
    rules: Rules,
    /,
    *,
    fresh: Flag = False,
    approximate: Flag = False,
    json: Flag = False,
) -> None:
    """Solve a ruleset: its exact expected score under optimal play. The solution is saved for later commands.

    FIVEDICE_CACHE_MB says how many megabytes are kept, by default 2,000; what was used longest ago goes first.

    Parameters
    ----------
    fresh
        Solve again, even if a solution is saved.
    approximate
        Of rules that are too large to solve, learn approximate values instead, for later commands. That takes minutes
        to an hour; if it is interrupted, the same command continues.
    json
        Print JSON; `seconds` is the time the search took, now or when the solution was saved.
    """
    if approximate:
        try:
            print_learned(learned(load_ruleset(rules), is_fresh=fresh), json=json)
        except KeyboardInterrupt:
            print("fivedice: stopped; the same command continues", file=sys.stderr)
            raise
        return
    solution, is_saved = obtain(load_ruleset(rules), is_fresh=fresh)
    source = ", read from the cache" if is_saved else f", after {solution.loading:.2f} s to load the solver"
    lines = [
        f"{solution.ruleset.name} ({solution.ruleset}), solved in {solution.seconds:.2f} s{source}",
        f"expected score  {solution.expected_score:>16.6f}",
        f"turn states     {solution.num_turn_states:>9,}",
    ]
    show(SolvedView(**asdict(solution_figures_view(solution)), cached=is_saved), lines, json=json)


def print_learned(found: ApproximateSolution, *, json: bool) -> None:
    """Print the figures of an approximate solution."""
    rules, measured = found.ruleset, found.measured
    figures = measured.mean, measured.standard_error, measured.games, found.decision_error
    lines = [
        f"{rules.name} ({rules}), learned",
        f"mean score      ≈ {measured.mean:,.2f} ± {measured.standard_error:.2f} in {measured.games:,} games",
        f"error of values ≈ {found.decision_error:,.2f}",
    ]
    show(LearnedView(str(rules), rules.digest, False, *figures), lines, json=json)
