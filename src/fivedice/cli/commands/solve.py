"""`fivedice solve`: the exact expected score of a ruleset."""

from typing import Any

from fivedice.cli.kept_solutions import clear_kept, print_kept
from fivedice.cli.solutions import Obtained, obtain
from fivedice.cli.text.output import Flag, print_json
from fivedice.errors import MalformedError
from fivedice.rulesets import load_ruleset


def solve(
    rules: str | None = None,
    /,
    *,
    fresh: Flag = False,
    list: Flag = False,
    clear: Flag = False,
    json: Flag = False,
) -> None:
    """Solve a ruleset: its exact expected score under optimal play. The solution is saved for later commands.

    A few rulesets with saved rolls are solved on disk; the command first says how much space and time that takes. If it
    is interrupted, the same command continues.

    Parameters
    ----------
    rules
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    fresh
        Solve again, even if a solution is saved.
    list
        List the saved solutions, with their tables for hints and reviews, instead of solving. FIVEDICE_CACHE_MB is
        their limit in megabytes, by default 2,000; those used longest ago go first.
    clear
        Delete the saved solutions: of a ruleset, or of all. What is needed is solved again.
    json
        Print JSON; `seconds` is the time the solve took, now or when the solution was saved.
    """
    if list or clear:
        (clear_kept if clear else print_kept)(rules, json=json)
        return
    if rules is None:
        raise MalformedError("want a ruleset to solve, such as yatzy; fivedice rules lists them")
    obtained = obtain(load_ruleset(rules), is_fresh=fresh, is_on_disk=True)
    if json:
        print_json(solve_data(obtained))
        return
    solution = obtained.solution
    source = ", read from the cache" if obtained.is_cached else ""
    print(f"{solution.ruleset.name} ({solution.ruleset}), solved in {solution.seconds:.2f} s{source}")
    print(f"expected score  {solution.expected_score:>16.6f}")
    print(f"turn states     {solution.num_turn_states:>9,}")


def solve_data(obtained: Obtained) -> dict[str, Any]:
    """The solution's figures as plain data."""
    solution = obtained.solution
    return {
        "ruleset": str(solution.ruleset),
        "digest": solution.ruleset.digest,
        "expected_score": solution.expected_score,
        "turn_states": solution.num_turn_states,
        "seconds": solution.seconds,
        "cached": obtained.is_cached,
    }
