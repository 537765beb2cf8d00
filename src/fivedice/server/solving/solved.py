"""What worker processes find from rules, and what they keep of it: solutions, and all that follows from them."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, TypeVar

from fivedice.analysis.advice import advise
from fivedice.analysis.estimated_odds import OddsEstimator, is_quick
from fivedice.analysis.why import why
from fivedice.base.errors import UnavailableError
from fivedice.base.language import language
from fivedice.daily.puzzles import Candidate, GameDice, Puzzle, candidates, perfect_play, puzzle_of
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import make_player
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.solving.pool import SavedSolution, SolutionGoneError
from fivedice.server.table.available import available_here
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.saved.portable import pack, pack_parts, parts_path, portable_path
from fivedice.solver.saved.saved_table import solutions_folder
from fivedice.solver.saved.store import BREAKDOWN, MOMENTS, Artefact, keep_file
from fivedice.solver.saved.store import SOLUTION as SOLUTION
from fivedice.solver.solution import Solution
from fivedice.views.odds import OddsView, ScoreChancesView, score_chances_view
from fivedice.views.position import WhyView, why_view

MAX_CACHED_SOLUTIONS = 12
"""Solutions mapped into memory."""

T = TypeVar("T")

ARTEFACTS: dict[str, Artefact[Any, Any]] = {one.name: one for one in (SOLUTION, BREAKDOWN, PERFECT_SCORES, MOMENTS)}
"""What is computed once for a ruleset and saved, by name; the others follow from the solution."""


class TooSlowError(UnavailableError):
    """Something was not found in the time that it may take."""


class Deadline:
    """A progress callback that raises `TooSlowError` when it is called more than `seconds` after the first call."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end: float | None = None

    def __call__(self, done: int, of: int) -> None:
        """Look at the clock."""
        if self._end is None:
            self._end = monotonic() + self._seconds
        elif monotonic() > self._end:
            raise TooSlowError(f"it takes more than {self._seconds:g} seconds")


def find(saved: SavedSolution, name: str, memory_limit: int, seconds: float) -> None:
    """Find an artefact and save it.

    Raises `TooLargeError`, `TooSlowError` after so many seconds, and `OSError` if it cannot be saved.
    """
    found: Any = saved.ruleset
    for step in dict.fromkeys((SOLUTION, ARTEFACTS[name])):
        of = found
        found = step.load_sound(of, _folder(saved))
        if found is None:
            found = step.find(of, memory_limit=memory_limit, progress=Deadline(seconds))
            step.save(of, found, _folder(saved))


def chances(saved: SavedSolution, position: Position, memory_limit: int, seconds: float) -> ScoreChancesView:
    """The chances of the final scores from a position; raises `IllegalError` if no game leads there, `TooLargeError`,
    `TooSlowError` and `SolutionGoneError`."""
    solution = kept_solution(saved)
    advise(solution, position)  # raises the error
    return score_chances_view(solution, position, memory_limit=memory_limit, progress=Deadline(seconds))


def chosen(saved: SavedSolution, kind: str, position: Position) -> Action:
    """The action of a kind of computer player that plays by saved tables; raises `SolutionGoneError`."""
    return make_player(kind, Random(), lambda: kept_values(saved)).choose(position)


def reason(saved: SavedSolution, position: Position, action: Action, instead_of: Action, lang: str) -> WhyView:
    """Why one action is worth more or less than another."""
    found = why(kept_solution(saved), position, action, instead_of, breakdown=kept(BREAKDOWN, saved))
    return why_view(found, language(lang))


def odds(saved: SavedSolution, position: Position, turn: int) -> OddsView | None:
    """Every seat's chance to win before a turn; None if it cannot be estimated."""
    found = kept_estimator(saved).odds(position)
    return None if found is None else OddsView(turn, list(found.chances), found.is_exact)


def quick_chances(saved: SavedSolution, position: Position) -> ScoreChancesView | None:
    """The chances of the final scores from a position near the end of its game; None from an earlier one.

    Raises `IllegalError` if no game leads to the position.
    """
    solution = kept_solution(saved)
    advise(solution, position)  # raises the error
    return score_chances_view(solution, position) if is_quick(solution, position.card) else None


def found_candidates(saved: SavedSolution, dice: GameDice, kind: str, asks_levels: bool) -> list[Candidate]:
    """The candidates of one game."""
    return candidates(kept_solution(saved), dice, kind, asks_levels=asks_levels)


def perfect_game(saved: SavedSolution, dice: GameDice) -> list[Puzzle]:
    """Perfect play on given dice."""
    return perfect_play(kept_solution(saved), dice)


def puzzle_at(saved: SavedSolution, position: Position) -> Puzzle:
    """The puzzle of a position."""
    return puzzle_of(advise(kept_solution(saved), position))


def portable(saved: SavedSolution, name: str) -> bytes:
    """The portable file of a saved solution, or of its breakdown, made once and kept beside it; raises
    `SolutionGoneError`."""
    ruleset = saved.ruleset
    path = (parts_path if name == BREAKDOWN.name else portable_path)(ruleset, _folder(saved))
    with suppress(FileNotFoundError):
        return path.read_bytes()
    if name == BREAKDOWN.name:
        found = pack_parts(kept(BREAKDOWN, saved))
    else:
        found = pack(ruleset.digest, kept_solution(saved).float_values, kept(PERFECT_SCORES, saved)).data
    keep_file(path, found)
    return found


def kept_values(saved: SavedSolution) -> Solution | ApproximateSolution:
    """A saved solution, or the approximate one of rules without; raises `SolutionGoneError`."""
    return approximation(saved.ruleset) or kept_solution(saved)


@lru_cache(MAX_CACHED_SOLUTIONS)
def approximation(ruleset: Ruleset) -> ApproximateSolution | None:
    """The approximate solution of rules that are too large to solve; None for all others."""
    return shipped_approximation(ruleset) if available_here(ruleset).is_approximate else None


def kept_solution(saved: SavedSolution) -> Solution:
    """A saved solution; raises `SolutionGoneError`."""
    found: Solution = kept(SOLUTION, saved)
    return found


@lru_cache(len(ARTEFACTS) * MAX_CACHED_SOLUTIONS)
def kept(artefact: Artefact[Any, T], saved: SavedSolution) -> T:
    """An artefact that is saved, as is what it follows from; raises `SolutionGoneError`."""
    of = saved.ruleset if artefact is SOLUTION else kept_solution(saved)
    found = artefact.load_sound(of, _folder(saved))
    if found is None:
        raise SolutionGoneError(f"the {artefact.name} of {saved.ruleset} was deleted")
    return found


@lru_cache(MAX_CACHED_SOLUTIONS)
def kept_estimator(saved: SavedSolution) -> OddsEstimator:
    """What estimates odds; raises `SolutionGoneError`."""
    return OddsEstimator(kept_solution(saved), kept(MOMENTS, saved))


def _folder(saved: SavedSolution) -> Path:
    return solutions_folder().parent / saved.folder


def warm_up(table: Solution | ApproximateSolution) -> None:
    """Load everything that advice by this table needs."""
    advise(table, Position.start(table.ruleset).roll((1,) * table.ruleset.dice))
