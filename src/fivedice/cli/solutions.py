"""Solutions for commands and games: read from the cache, or solved and saved there."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from rich import progress as bars
from rich.console import Console

from fivedice.analysis.advice import advise
from fivedice.analysis.luck_scale import LuckScale
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.rulesets import parse_ruleset
from fivedice.simulate.perfect_scores import NUM_GAMES, perfect_scores
from fivedice.solver.breakdown import Breakdown, find_breakdown
from fivedice.solver.cache_folder import solutions_folder
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.store import (
    UnusableSolutionError,
    load_breakdown,
    load_scores,
    load_solution,
    save_breakdown,
    save_scores,
    save_solution,
)

Progress = Callable[[str, float | None], None]
"""Called with what is being done, and the share of it that is done, None where that is not known."""

Warn = Callable[[str], None]
"""Called with a sentence about something that went wrong and was got around."""

BREAKDOWN_LIMIT = 2**30
"""Bytes that a sentence of *why* is worth: five dice need a fifth of it, six would need ten times as much."""

_TINY = 'id = "tiny"\ndice = 1\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n'


@dataclass(frozen=True, slots=True)
class Obtained:
    """A solution, and whether it came from the cache."""

    solution: Solution
    is_cached: bool


@lru_cache(maxsize=16)
def solution_of(ruleset: Ruleset) -> Solution:
    """The solution of a ruleset; raises `TooLargeError` if it does not fit in memory."""
    return obtain(ruleset).solution


def warn_on_stderr(sentence: str) -> None:
    """A line on standard error."""
    print(f"fivedice: {sentence}", file=sys.stderr)


def obtain(
    ruleset: Ruleset, *, is_fresh: bool = False, progress: Progress | None = None, warn: Warn = warn_on_stderr
) -> Obtained:
    """A ruleset's solution and where it came from; `is_fresh` solves it again.

    `warn` hears of a saved solution that cannot be used, and of a folder that cannot be written to. `progress` hears
    how a solve goes; without it a bar is drawn on standard error where that is a terminal.
    Raises `TooLargeError` if the tables do not fit in memory.
    """
    folder = solutions_folder()
    try:
        saved = None if is_fresh else load_solution(ruleset, folder)
    except UnusableSolutionError as error:
        saved = None
        warn(f"{error}; solving again")
    if saved is not None:
        return Obtained(saved, is_cached=True)
    if progress:
        solution = _solved(ruleset, progress)
    else:
        with _bar() as progress:
            solution = _solved(ruleset, progress)
    try:
        save_solution(solution, folder)
    except OSError as error:
        warn(f"the solution cannot be saved in {folder} ({error.strerror}): it is kept in memory for now")
    return Obtained(solution, is_cached=False)


def breakdown_of(solution: Solution, warn: Warn = warn_on_stderr) -> Breakdown | None:
    """Where the points of a solution come from, read or found and saved; None where that would take too much memory."""
    folder = solutions_folder()
    try:
        saved = load_breakdown(solution, folder)
    except UnusableSolutionError as error:
        saved = None
        warn(f"{error}; finding it again")
    if saved is not None:
        return saved
    what = f"Finding where points come from in {solution.ruleset}"
    try:
        with _bar() as progress:
            breakdown = find_breakdown(
                solution, memory_limit=BREAKDOWN_LIMIT, progress=lambda done, cards: progress(what, done / cards)
            )
    except TooLargeError:
        return None
    try:
        save_breakdown(breakdown, folder)
    except OSError as error:
        warn(f"what was found cannot be saved in {folder} ({error.strerror})")
    return breakdown


def scale_of(solution: Solution, warn: Warn = warn_on_stderr) -> LuckScale:
    """What luck under a solution's rules is measured by: scores of perfect games, read, or simulated and saved."""
    folder = solutions_folder()
    try:
        scores = load_scores(solution, NUM_GAMES, folder)
    except UnusableSolutionError as error:
        scores = None
        warn(f"{error}; simulating it again")
    if scores is None:
        what = f"Playing {NUM_GAMES:,} perfect games of {solution.ruleset}"
        with _bar() as progress:
            scores = perfect_scores(solution, NUM_GAMES, lambda done, games: progress(what, done / games))
        try:
            save_scores(solution, scores, folder)
        except OSError as error:
            warn(f"the scores of perfect games cannot be saved in {folder} ({error.strerror})")
    return LuckScale(solution.expected_score, scores)


def too_large(ruleset: Ruleset) -> str:
    """What a person who asks for a hint is told where the rules cannot be solved."""
    return f"{ruleset.name} is too large to solve: there are no hints for it."


def _solved(ruleset: Ruleset, progress: Progress) -> Solution:
    progress("Compiling the solver, once on this machine", None)
    # A game of one box has every kernel compiled, or read from Numba's cache, before the clock starts.
    tiny = parse_ruleset(_TINY)
    advise(solve(tiny), Position.start(tiny).roll((1,)))
    progress(f"Solving {ruleset}", None)
    return solve(ruleset, progress=lambda solved, cards: progress(f"Solving {ruleset}", solved / cards))


@contextmanager
def _bar() -> Iterator[Progress]:
    """A progress bar on standard error, where that is a terminal."""
    columns = ("{task.description}", bars.BarColumn(), bars.TaskProgressColumn(), bars.TimeElapsedColumn())
    console = Console(stderr=True)
    with bars.Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=None)

        def progress(what: str, share: float | None) -> None:
            bar.update(task, description=what, completed=share, total=None if share is None else 1.0)

        yield progress
