"""Checks of what callers give to the functions of this package: solutions, positions and records of the same rules."""

from typing import TYPE_CHECKING

from fivedice.base.errors import IllegalError, wrong_type
from fivedice.game.notation import as_position
from fivedice.game.position import Position

if TYPE_CHECKING:
    from fivedice.rulesets.ruleset import Ruleset
    from fivedice.solver.solution import Solution


def checked_solution(solution: "Solution") -> "Solution":
    """The solution; raises `TypeError` if it is something else."""
    from fivedice.solver.solution import Solution  # it loads NumPy, which a caller with a solution has loaded

    if not isinstance(solution, Solution):
        raise wrong_type("a Solution, as solve() returns", solution)
    return solution


def position_of(solution: "Solution", position: Position | str) -> Position:
    """The position, which may be a line of notation; raises `IllegalError` if the solution is that of other rules."""
    return position_under(checked_solution(solution).ruleset, position)


def position_under(ruleset: "Ruleset", position: Position | str) -> Position:
    """The position, which may be a line of notation; raises `IllegalError` if it has other rules than a solution."""
    if not isinstance(position, Position):
        position = as_position(position, ruleset)
    if position.ruleset is not ruleset and position.ruleset.digest != ruleset.digest:
        raise IllegalError(f"this is the solution of {ruleset}, not of {position.ruleset}")
    return position
