"""Solutions for commands: read from the cache, or solved with a progress bar and saved there."""

import sys
import time
from dataclasses import dataclass
from functools import lru_cache

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from fivedice.analysis.advice import advise
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.rulesets import parse_ruleset
from fivedice.solver.saved import UnusableSolutionError, load_solution, save_solution, solutions_folder
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve

_TINY = 'id = "tiny"\ndice = 1\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n'


@dataclass(frozen=True, slots=True)
class Obtained:
    """A solution, the seconds that solving it took (None if it was read), and whether it came from the cache."""

    solution: Solution
    seconds: float | None
    is_cached: bool


@lru_cache(maxsize=4)
def solution_of(ruleset: Ruleset) -> Solution:
    """The solution of a ruleset; raises `TooLargeError` if it does not fit in memory."""
    return obtain(ruleset).solution


def obtain(ruleset: Ruleset, *, is_fresh: bool = False) -> Obtained:
    """A ruleset's solution and where it came from; `is_fresh` solves it again.

    A saved solution that cannot be used, and a folder that cannot be written to, are said on standard error.
    """
    folder = solutions_folder()
    try:
        saved = None if is_fresh else load_solution(ruleset, folder)
    except UnusableSolutionError as error:
        saved = None
        _warn(f"{error}; solving again")
    if saved is not None:
        return Obtained(saved, None, is_cached=True)
    solution, seconds = solve_with_progress(ruleset)
    try:
        save_solution(solution, folder)
    except OSError as error:
        _warn(f"the solution cannot be saved in {folder} ({error.strerror}): it is kept in memory for now")
    return Obtained(solution, seconds, is_cached=False)


def solve_with_progress(ruleset: Ruleset) -> tuple[Solution, float]:
    """The solution and the seconds it took, with a bar on standard error where that is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("Compiling the solver (once on this machine)", total=None)
        # A game of one box has every kernel compiled, or read from Numba's cache, before the clock starts.
        tiny = parse_ruleset(_TINY)
        advise(solve(tiny), Position.start(tiny).roll((1,)))
        progress.update(task, description=f"Solving {ruleset}")
        began = time.perf_counter()
        solution = solve(ruleset, progress=lambda solved, cards: progress.update(task, completed=solved, total=cards))
        return solution, time.perf_counter() - began


def _warn(sentence: str) -> None:
    print(f"fivedice: {sentence}", file=sys.stderr)
