"""Solutions for commands and games, read from the cache or computed and saved there."""

from functools import lru_cache
from typing import Any, TypeVar

from fivedice.analysis.advice import rest_of
from fivedice.analysis.estimated_odds import OddsEstimator
from fivedice.base.errors import IllegalError
from fivedice.base.processors import default_memory_limit
from fivedice.cli.language import say
from fivedice.cli.progress import shown_progress, shown_step, warn
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.saved.approximations import known_approximation, learn_approximation, shipped_approximation
from fivedice.solver.saved.saved_table import UnusableSolutionError, has_approximation, solutions_folder
from fivedice.solver.saved.store import MOMENTS, SOLUTION, Artefact, Of
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.tables.states import States

T = TypeVar("T")

BREAKDOWN_LIMIT = 2**30
"""The memory limit in bytes of a breakdown, and of a distribution: five dice need half of it, six ten times as much."""


@lru_cache(maxsize=16)
def solution_of(ruleset: Ruleset) -> Solution:
    """The solution of a ruleset; raises `TooLargeError` if it does not fit in memory."""
    return obtain(ruleset)[0]


def values_of(ruleset: Ruleset) -> Solution | ApproximateSolution:
    """As `solution_of`; the approximate solution of rules that are too large and have one."""
    try:
        return solution_of(ruleset)
    except TooLargeError as error:
        return approximation_or_raise(ruleset, error)


def solution_for(position: Position, *, all_seats: bool = False) -> Solution:
    """The solution of a position's rules, or if they are too large, of what can follow its card, or all its cards.

    Raises `TooLargeError` if that is too large as well.
    """
    try:
        return solution_of(position.ruleset)
    except TooLargeError:
        return rest_of(position, all_seats=all_seats)


def solution_or_approximation(
    position: Position, games: int | None, *, all_seats: bool = False
) -> Solution | ApproximateSolution:
    """As `solution_for`; the approximate solution if there is no other, with which so many games are to be simulated.

    Raises `IllegalError` if games are asked for and nothing needs to be simulated.
    """
    try:
        solution = solution_for(position, all_seats=all_seats)
    except TooLargeError as error:
        return approximation_or_raise(position.ruleset, error)
    if games is not None:
        raise IllegalError(say("--games {games}: nothing is simulated here, since all chances are exact", games=games))
    return solution


def approximation_or_raise(ruleset: Ruleset, error: TooLargeError) -> ApproximateSolution:
    """The approximate solution of rules that are too large, or `error` with a word on how to have one."""
    if has_approximation(ruleset, solutions_folder()):
        return approximate_solution_of(ruleset)
    raise TooLargeError(f'{error}; `fivedice solve --approximate "{ruleset}"` learns approximate values') from None


@lru_cache(maxsize=4)
def approximate_solution_of(ruleset: Ruleset) -> ApproximateSolution:
    """The approximate solution that comes with the program or was learned here; raises `TooLargeError` without one."""
    try:
        found = known_approximation(ruleset, solutions_folder())
    except UnusableSolutionError as error:
        raise TooLargeError(f'{error}; `fivedice solve --approximate --fresh "{ruleset}"` learns it again') from None
    if found is None:
        raise TooLargeError(f"{ruleset} is too large to solve exactly, and has no approximate solution")
    return found


def learned(ruleset: Ruleset, *, is_fresh: bool = False) -> ApproximateSolution:
    """The approximate solution of rules that are too large to solve, which is learned unless it is known.

    Raises `IllegalError` for rules that can be solved.
    """
    states = States(ruleset)
    if not states.obstacle and states.num_bytes <= default_memory_limit():
        raise IllegalError(
            say("--approximate: {game} is solved exactly, so that nothing is learned", game=ruleset.name)
        )
    folder = solutions_folder()
    if (shipped := shipped_approximation(ruleset)) or (not is_fresh and has_approximation(ruleset, folder)):
        return shipped or approximate_solution_of(ruleset)
    with shown_step(say("Learning {game}", game=ruleset.name)) as progress:
        return learn_approximation(ruleset, folder, progress=progress)


def obtain(ruleset: Ruleset, *, is_fresh: bool = False) -> tuple[Solution, bool]:
    """The solution of a ruleset, and whether it was saved; `is_fresh` ignores a saved one.

    Warns if a saved solution is unusable, or if the solution cannot be saved.
    Raises `TooLargeError` if the tables do not fit in memory.
    """
    saved = None if is_fresh else _saved(SOLUTION, ruleset)
    if saved is not None:
        return saved, True
    with shown_step(say("Solving {game}", game=ruleset.name)) as progress:
        solution = solve(ruleset, progress=progress)
    _save(SOLUTION, ruleset, solution)
    return solution, False


@lru_cache(maxsize=12)
def part_of(artefact: Artefact[Solution, T], solution: Solution) -> T | None:
    """An artefact of a solution, saved or computed; None if it needs too much memory. Warns as `obtain` does."""
    found = _saved(artefact, solution)
    if found is not None:
        return found
    label = say("Following the best play in {game}", game=solution.ruleset.name)
    if artefact is PERFECT_SCORES:
        label = say("Playing perfect games of {game}", game=solution.ruleset.name)
    elif artefact is MOMENTS:
        label = say("Working out who is ahead")
    try:
        with shown_step(label) as progress:
            found = artefact.find(solution, memory_limit=BREAKDOWN_LIMIT, progress=progress)
    except TooLargeError:
        return None
    _save(artefact, solution, found)
    return found


def _saved(artefact: Artefact[Of, T], of: Of) -> T | None:
    try:
        return artefact.load(of, solutions_folder())
    except UnusableSolutionError as error:
        warn(say("{problem}; computing it again", problem=error))
        return None


def _save(artefact: Artefact[Of, T], of: Of, found: T) -> None:
    folder = solutions_folder()
    try:
        artefact.save(of, found, folder)
    except OSError as error:
        warn(
            say(
                "the result cannot be saved in {folder} ({problem}) and stays in memory only",
                folder=folder,
                problem=error.strerror,
            )
        )


def prepare(ruleset: Ruleset, *parts: Artefact[Solution, Any]) -> Solution:
    """The solution of a ruleset, with these parts saved or in memory: later calls are quick.

    One line of progress says what is being done. Raises `TooLargeError` like `solution_of`.
    """
    with shown_progress():
        solution = solution_of(ruleset)
        for part in parts:
            part_of(part, solution)
    return solution


def estimator_of(solution: Solution) -> OddsEstimator:
    """What estimates the chances to win under a solution."""
    return OddsEstimator(solution, part_of(MOMENTS, solution))


def no_hints(ruleset: Ruleset) -> str:
    """The answer to a request for a hint if the solution is not there and does not fit in memory."""
    return say("There is too little memory to solve {game}: there are no hints.", game=ruleset.name)
