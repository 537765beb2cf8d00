"""Solutions for commands and games, read from the cache or computed and saved there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from fivedice.analysis.advice import advise
from fivedice.analysis.odds.estimated_odds import OddsEstimator
from fivedice.analysis.reviews.luck_scale import LuckScale
from fivedice.cli.compiling import TINY, Part, compiling_beside, without_blas, without_collection
from fivedice.cli.language import say
from fivedice.cli.progress import Progress as Progress
from fivedice.cli.progress import shown_progress
from fivedice.cli.warning import warn_on_stderr as warn_on_stderr
from fivedice.game.position import Position
from fivedice.language import marked
from fivedice.ruleset import Ruleset
from fivedice.simulation.games.perfect_scores import perfect_scores
from fivedice.solver.kernels.action_values import action_values
from fivedice.solver.kernels.jit import is_compiled
from fivedice.solver.kernels.layers import solve_cards
from fivedice.solver.kernels.policy_transitions import list_transitions
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.play.moments import Moments, find_moments
from fivedice.solver.play.policy_transitions import PolicyTransitions, list_policy
from fivedice.solver.processors import num_processors
from fivedice.solver.saved.cache_folder import solutions_folder
from fivedice.solver.saved.layered_solve import check_disk, disk_bytes, estimated_seconds, memory_bytes, solve_on_disk
from fivedice.solver.saved.store import (
    UnusableSolutionError,
    load_breakdown,
    load_moments,
    load_scores,
    load_solution,
    save_breakdown,
    save_moments,
    save_scores,
    save_solution,
)
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, size_text, solve
from fivedice.solver.tables.states import States

Found = TypeVar("Found")

Warn = Callable[[str], None]
"""Called with a sentence about a problem that does not stop the work."""

BREAKDOWN_LIMIT = 2**30
"""The memory limit in bytes of a breakdown, and of a distribution: five dice need half of it, six ten times as much."""

COMPILING = marked("Compiling, once on this machine")


@dataclass(frozen=True, slots=True)
class Obtained:
    """A solution, and whether it was read from the cache."""

    solution: Solution
    is_cached: bool


@lru_cache(maxsize=16)
def solution_of(ruleset: Ruleset) -> Solution:
    """The solution of a ruleset; raises `TooLargeError` if it does not fit in memory."""
    return obtain(ruleset).solution


def obtain(
    ruleset: Ruleset,
    *,
    is_fresh: bool = False,
    is_on_disk: bool = False,
    progress: Progress | None = None,
    warn: Warn = warn_on_stderr,
) -> Obtained:
    """The solution of a ruleset; `is_fresh` ignores a saved one. `is_on_disk` allows a solve on disk, which can take
    hours.

    `warn` is called if a saved solution is unusable, or if the solution cannot be saved. `progress` is called during a
    solve; by default a progress bar is shown if standard error is a terminal.
    Raises `TooLargeError` if the tables do not fit in memory.
    """
    folder = solutions_folder()
    try:
        saved = None if is_fresh else load_solution(ruleset, folder)
    except UnusableSolutionError as error:
        saved = None
        warn(say("{problem}; solving again", problem=error))
    if saved is not None:
        return Obtained(saved, is_cached=True)
    if is_on_disk and States(ruleset).is_layered:
        return Obtained(_solved_on_disk(ruleset, folder, warn), is_cached=False)
    if progress:
        solution = _solved(ruleset, progress)
    else:
        with shown_progress() as progress:
            solution = _solved(ruleset, progress)
    try:
        save_solution(solution, folder)
    except OSError as error:
        warn(
            say(
                "the solution cannot be saved in {folder} ({problem}) and stays in memory only",
                folder=folder,
                problem=error.strerror,
            )
        )
    return Obtained(solution, is_cached=False)


def saved_or_found(
    load: Callable[[Path], Found | None],
    find: Callable[[], Found],
    save: Callable[[Found, Path], object],
    *,
    what: str,
    again: str = "computing it again",
    warn: Warn = warn_on_stderr,
) -> Found:
    """A result from the folder of solutions, or a new one that is saved there.

    `warn` is called if the saved one is unusable, and says `again` then, or if the new one, which is called `what`,
    cannot be saved.
    """
    folder = solutions_folder()
    try:
        saved = load(folder)
    except UnusableSolutionError as error:
        saved = None
        warn(f"{error}; {again}")
    if saved is not None:
        return saved
    found = find()
    try:
        save(found, folder)
    except OSError as error:
        warn(f"{what} cannot be saved in {folder} ({error.strerror})")
    return found


@lru_cache(maxsize=4)
def breakdown_of(solution: Solution, warn: Warn = warn_on_stderr) -> Breakdown | None:
    """The breakdown of a solution, read from the cache or computed; None if it needs too much memory."""
    label = _following(solution)

    def find() -> Breakdown:
        with shown_progress() as progress:
            return find_breakdown(
                solution,
                _policy_of(solution),
                memory_limit=BREAKDOWN_LIMIT,
                progress=lambda done, rows: progress(label, done / rows),
            )

    try:
        return saved_or_found(
            lambda folder: load_breakdown(solution, folder), find, save_breakdown, what="the breakdown", warn=warn
        )
    except TooLargeError:
        return None


def scale_of(solution: Solution, warn: Warn = warn_on_stderr) -> LuckScale:
    """The luck scale of a solution: the distribution of perfect scores, read from the cache or computed."""
    label = say("Playing perfect games of {game}", game=solution.ruleset.name)

    def find() -> Distribution:
        with shown_progress() as progress:
            return perfect_scores(
                solution,
                _policy_of(solution),  # if there are too many, those from a new game may do, or games are simulated
                memory_limit=BREAKDOWN_LIMIT,
                progress=lambda done, all_: progress(label, done / all_),
            )

    scores = saved_or_found(
        lambda folder: load_scores(solution, folder),
        find,
        lambda found, folder: save_scores(solution, found, folder),
        what="the chances of perfect scores",
        warn=warn,
    )
    return LuckScale(solution.expected_score, scores)


@lru_cache(maxsize=4)
def estimator_of(solution: Solution) -> OddsEstimator:
    """What estimates chances to win, as `obtain_estimator` does it."""
    return obtain_estimator(
        solution, lambda: find_moments(solution, _policy_of(solution), memory_limit=BREAKDOWN_LIMIT)
    )


def obtain_estimator(solution: Solution, find: Callable[[], Moments], warn: Warn = warn_on_stderr) -> OddsEstimator:
    """What estimates chances to win, with moments read from the cache, or found by `find` and saved.

    Without moments, where `find` raises `TooLargeError`, only exact chances are known.
    """
    try:
        moments = saved_or_found(
            lambda folder: load_moments(solution, folder), find, save_moments, what="the moments", warn=warn
        )
    except TooLargeError:
        return OddsEstimator(solution, None)
    return OddsEstimator(solution, moments)


@lru_cache(maxsize=1)
def _policy_of(solution: Solution) -> PolicyTransitions | None:
    """The transitions of all turn states, a quarter of a gigabyte for `yahtzee`; None if they take too much memory."""
    label = _following(solution)
    with shown_progress() as progress:
        progress(label if is_compiled(list_transitions) else say(COMPILING), None)
        try:
            return list_policy(
                solution, memory_limit=BREAKDOWN_LIMIT, progress=lambda done, rows: progress(label, done / rows)
            )
        except TooLargeError:
            return None


def _following(solution: Solution) -> str:
    return say("Following the best play in {game}", game=solution.ruleset.name)


def prepare(ruleset: Ruleset, *parts: Part) -> Solution:
    """The solution of a ruleset, with these parts saved or in memory and all kernels compiled: later calls are quick.

    One line of progress says what is being done. Raises `TooLargeError` like `solution_of`.
    """
    without_blas()
    with shown_progress() as progress, compiling_beside(parts) as wait:
        solution = solution_of(ruleset)
        if not is_compiled(action_values):
            progress(say(COMPILING), None)
            _advise_once()
        wait()
        if "reasons" in parts:
            breakdown_of(solution)
        if "luck" in parts:
            scale_of(solution)
        if "odds" in parts:
            estimator_of(solution)
        _policy_of.cache_clear()
    return solution


def no_hints(ruleset: Ruleset) -> str:
    """The answer to a request for a hint if the solution is not there and does not fit in memory."""
    if States(ruleset).is_layered:
        return say('There are no hints until fivedice solve "{rules}" has solved these rules on disk.', rules=ruleset)
    return say("There is too little memory to solve {game}: there are no hints.", game=ruleset.name)


def _solved(ruleset: Ruleset, progress: Progress) -> Solution:
    without_blas()
    label = say("Solving {game}", game=ruleset.name)
    progress(label if is_compiled(solve_cards) else say(COMPILING), None)
    # Solving a tiny game first loads or compiles every kernel, so that `seconds` measures only the solve.
    _advise_once()
    progress(label, None)
    try:
        return solve(ruleset, progress=lambda solved, cards: progress(label, solved / cards))
    except TooLargeError as error:
        if not States(ruleset).is_layered:
            raise
        raise TooLargeError(f'{error}, where `fivedice solve "{ruleset}"` solves it') from None


def _solved_on_disk(ruleset: Ruleset, folder: Path, warn: Warn) -> Solution:
    """The solution of a ruleset with a layered table; `warn` is told first what the solve takes."""
    folder.mkdir(parents=True, exist_ok=True)
    states = States(ruleset)
    check_disk(states, folder)
    warn(
        f"{ruleset} is solved on disk: {size_text(disk_bytes(states))} in {folder}, fastest with"
        f" {size_text(memory_bytes(states))} of free memory, in about {_minutes(estimated_seconds(states))} on"
        f" {num_processors()} processors; if interrupted, the same command continues"
    )
    with shown_progress() as progress:
        progress(say(COMPILING), None)
        _advise_once()
        solve_on_disk(ruleset, folder, progress=progress)
    solution = load_solution(ruleset, folder)
    assert solution is not None
    return solution


def _minutes(seconds: float) -> str:
    return f"{max(1, round(seconds / 60)):,} min"


def _advise_once() -> None:
    """Solve a tiny game and advise in it, which compiles the kernels of both unless they are compiled."""
    with without_collection():
        advise(solve(TINY), Position.start(TINY).roll((1,)))
