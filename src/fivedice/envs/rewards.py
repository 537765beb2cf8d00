"""The rewards, ways to observe and answers to illegal actions among which an environment chooses."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from fivedice.errors import IllegalError, MalformedError, shown, suggest
from fivedice.ruleset import Ruleset
from fivedice.solver.solution import Solution

Reward: TypeAlias = Literal["points", "score", "regret"]
REWARDS: Sequence[Reward] = ("points", "score", "regret")

Observation: TypeAlias = Literal["dict", "flat"]
OBSERVATIONS: Sequence[Observation] = ("dict", "flat")

Illegal: TypeAlias = Literal["ignore", "raise"]
ILLEGAL: Sequence[Illegal] = ("ignore", "raise")


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raises `MalformedError` for a value that is not among the choices."""
    if value not in choices:
        raise MalformedError(f"{name} {shown(str(value))}: {suggest(str(value), choices)}")


def check_solution(ruleset: Ruleset, solution: Solution | None, reward: str) -> None:
    """Raises `MalformedError` if the reward needs a solution, `IllegalError` if it is that of other rules."""
    if solution is None:
        if reward == "regret":
            raise MalformedError('reward "regret" needs a solution of the rules: pass solution=fivedice.solve(ruleset)')
    elif solution.ruleset.digest != ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")
    elif solution.risk is not None:
        raise IllegalError("this table has certainty equivalents, not expected scores: pass one solved without risk")
