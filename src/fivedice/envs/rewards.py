"""The rewards, ways to observe and answers to illegal actions among which an environment chooses."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError, MalformedError, shown, suggest
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.solution import Solution

Reward: TypeAlias = Literal["points", "score", "regret"]
REWARDS: Sequence[Reward] = ("points", "score", "regret")

Observation: TypeAlias = Literal["dict", "flat"]
OBSERVATIONS: Sequence[Observation] = ("dict", "flat")

Illegal: TypeAlias = Literal["random", "penalty", "error"]
ILLEGAL: Sequence[Illegal] = ("random", "penalty", "error")
PENALTY = 10.0
"""What an illegal action takes from the reward under `illegal="penalty"`."""

RENDER_MODES = ("ansi", "human", "rgb_array")


Values: TypeAlias = Solution | ApproximateSolution
"""By what actions are valued."""


def valued(solution: Values | None, position: Position, regret: float) -> dict[str, Any]:
    """What `info` says of values: nothing without a solution; with an approximate one also the error of values."""
    if solution is None:
        return {}
    advice = advise(solution, position)
    error = {} if solution.is_exact else {"error": advice.error}
    return {"value": advice.value, "regret": regret, **error}


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raises `MalformedError` for a value that is not among the choices."""
    if value not in choices:
        raise MalformedError(f"{name} {shown(str(value))}: {suggest(str(value), choices)}")


def check_solution(ruleset: Ruleset, solution: Values | None, reward: str) -> None:
    """Raises `MalformedError` if the reward needs a solution, `IllegalError` if it is that of other rules."""
    if solution is None:
        if reward == "regret":
            raise MalformedError('reward "regret" needs a solution of the rules: pass solution=fivedice.solve(ruleset)')
    elif solution.ruleset.digest != ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")
