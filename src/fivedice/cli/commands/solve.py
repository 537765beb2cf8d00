"""`fivedice solve`: the exact expected score of a ruleset."""

import sys
from datetime import UTC, datetime

from msgspec.structs import asdict

from fivedice.base.errors import MalformedError
from fivedice.cli.completed import Rules
from fivedice.cli.solutions import learned, obtain
from fivedice.cli.text.output import Flag, print_json, prints
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.saved.kept_tables import Kept, kept_tables, limit_bytes, solutions_folder
from fivedice.views.printed import ClearedView, KeptView, LearnedView, SolvedView
from fivedice.views.to_dict import solution_figures_view


@prints(SolvedView, LearnedView, list[KeptView], ClearedView)
def solve(
    rules: Rules | None = None,
    /,
    *,
    fresh: Flag = False,
    approximate: Flag = False,
    list: Flag = False,
    clear: Flag = False,
    json: Flag = False,
) -> None:
    """Solve a ruleset: its exact expected score under optimal play. The solution is saved for later commands.

    Parameters
    ----------
    rules
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    fresh
        Solve again, even if a solution is saved.
    approximate
        Of rules that are too large to solve, learn approximate values instead, for later commands. That takes minutes
        to an hour; if it is interrupted, the same command continues.
    list
        List the saved solutions, with their tables for hints and reviews, instead of solving. FIVEDICE_CACHE_MB is
        their limit in megabytes, by default 2,000; those used longest ago go first.
    clear
        Delete the saved solutions: of a ruleset, or of all. What is needed is solved again.
    json
        Print JSON; `seconds` is the time the search took, now or when the solution was saved.
    """
    if list or clear:
        (clear_kept if clear else print_kept)(rules, json=json)
        return
    if rules is None:
        raise MalformedError("want a ruleset to solve, such as yatzy; fivedice rules lists them")
    if approximate:
        print_learned(_learned(load_ruleset(rules), is_fresh=fresh), json=json)
        return
    solution, is_saved = obtain(load_ruleset(rules), is_fresh=fresh)
    if json:
        print_json(SolvedView(**asdict(solution_figures_view(solution)), cached=is_saved))
        return
    source = ", read from the cache" if is_saved else f", after {solution.loading:.2f} s to load the solver"
    print(f"{solution.ruleset.name} ({solution.ruleset}), solved in {solution.seconds:.2f} s{source}")
    print(f"expected score  {solution.expected_score:>16.6f}")
    print(f"turn states     {solution.num_turn_states:>9,}")


def _learned(ruleset: Ruleset, *, is_fresh: bool) -> ApproximateSolution:
    try:
        return learned(ruleset, is_fresh=is_fresh)
    except KeyboardInterrupt:
        print("fivedice: stopped; the same command continues", file=sys.stderr)
        raise


def print_learned(found: ApproximateSolution, *, json: bool) -> None:
    """Print the figures of an approximate solution."""
    measured = found.measured
    if json:
        rules = found.ruleset
        figures = measured.mean, measured.standard_error, measured.games, found.decision_error
        print_json(LearnedView(str(rules), rules.digest, False, *figures))
        return
    print(f"{found.ruleset.name} ({found.ruleset}), learned")
    print(f"mean score      ≈ {measured.mean:,.2f} ± {measured.standard_error:.2f} in {measured.games:,} games")
    print(f"error of values ≈ {found.decision_error:,.2f}")


def print_kept(rules: str | None, *, json: bool) -> None:
    """Print what is kept of a ruleset, or of all, last used first."""
    kept = _kept(rules)
    if json:
        print_json([KeptView(one.ruleset, one.digest, one.num_bytes, _time(one)) for one in kept])
        return
    for one in kept:
        print(f"{one.ruleset or one.digest:<24}{_megabytes(one.num_bytes):>12}   last used {_time(one)[:10]}")
    total = _megabytes(sum(one.num_bytes for one in kept))
    print(f"In total {total} of {_megabytes(limit_bytes())}, in {solutions_folder()}")


def clear_kept(rules: str | None, *, json: bool) -> None:
    """Delete what is kept of a ruleset, or of all, and print how much that was."""
    kept = _kept(rules)
    for one in kept:
        one.delete()
    freed = sum(one.num_bytes for one in kept)
    if json:
        print_json(ClearedView(freed))
    else:
        print(f"Deleted {_megabytes(freed)}.")


def _kept(rules: str | None) -> list[Kept]:
    digest = None if rules is None else load_ruleset(rules).digest
    return [one for one in kept_tables(solutions_folder()) if digest in (None, one.digest)]


def _time(kept: Kept) -> str:
    return datetime.fromtimestamp(kept.used, UTC).isoformat(timespec="seconds")


def _megabytes(num_bytes: int) -> str:
    return f"{num_bytes / 10**6:,.1f} MB"
