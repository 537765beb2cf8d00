"""What worker processes find from rules, and what they keep of it: solutions, and all that follows from them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from fivedice.analysis.advice import Advice, advise
from fivedice.analysis.odds.estimated_odds import OddsEstimator
from fivedice.analysis.reviews.perfect_scores import PERFECT_SCORES
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import make_player
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.solving.time_limit import time_limit
from fivedice.server.solving.wire import TOO_SLOW, SavedSolution, SolutionGoneError
from fivedice.server.solving.worker import report
from fivedice.server.table.available import available_here
from fivedice.server.table.state import ruleset_of
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.saved.kept_tables import solutions_folder
from fivedice.solver.saved.kinds import BREAKDOWN, MOMENTS
from fivedice.solver.saved.kinds import SOLUTION as SOLUTION
from fivedice.solver.saved.portable import pack, portable_path, portable_scores
from fivedice.solver.saved.portable_parts import pack_parts, parts_path
from fivedice.solver.saved.store import Artefact, keep_file
from fivedice.solver.solution import Solution
from fivedice.views.chances import ScoreChancesView, score_chances_view

MAX_CACHED_SOLUTIONS = 12
"""Solutions mapped into memory."""

T = TypeVar("T")


_OF_RULES: dict[str, Artefact[Any, Any]] = {one.name: one for one in (SOLUTION,)}
"""What is computed from the rules themselves; all else follows from their solution."""

ARTEFACTS = _OF_RULES | {one.name: one for one in (BREAKDOWN, PERFECT_SCORES, MOMENTS)}
"""What is computed once for a ruleset and saved, by name."""


def find(
    saved: SavedSolution, name: str, memory_limit: int, seconds: float, spare: Sequence[str] = ()
) -> tuple[str, str] | None:
    """Find an artefact and save it; where kernels are compiled, also those of advice, so that no server does.

    If its folder is full or read-only, it is saved in the first spare folder that takes it, beside links to what the
    other one has of these rules; returns that folder, and what was wrong with its own.
    The process ends with status `TOO_SLOW` after so many seconds. Raises `TooLargeError`.
    """
    artefact, moved = ARTEFACTS[name], None
    found: Any = _rules(saved)
    with time_limit(seconds, TOO_SLOW):
        for step in [artefact] if name in _OF_RULES else [SOLUTION, artefact]:
            of = found
            try:
                found = _found(step, of, saved, memory_limit, report if step is artefact else None)
            except _UnsavedError as unsaved:
                found = unsaved.found
                moved = _save_elsewhere(step, of, found, saved, spare), str(unsaved)
        if name in _OF_RULES:
            warm_up(found)
    return moved


class _UnsavedError(OSError):
    """What was found cannot be saved."""

    def __init__(self, found: Any, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.found = found


def _save_elsewhere(
    artefact: Artefact[Any, T], of: Ruleset | Solution, found: T, saved: SavedSolution, spare: Sequence[str]
) -> str:
    """Save an artefact in one of some folders, and return it; raises `OSError`."""
    for folder in map(Path, spare):
        with suppress(OSError):
            for file in _folder(saved).glob(f"{_rules(saved).digest}-*"):
                with suppress(FileExistsError):
                    (folder / file.name).symlink_to(file)
            artefact.save(of, found, folder)
            return str(folder)
    raise OSError("no folder takes what was found")


def find_chances(saved: SavedSolution, position: Position, memory_limit: int, seconds: float) -> ScoreChancesView:
    """The chances of the final scores from a position, as `find` finds an artefact."""
    with time_limit(seconds, TOO_SLOW):
        solution = _found(SOLUTION, _rules(saved), saved, memory_limit)
        return score_chances_view(solution, position, memory_limit=memory_limit, progress=report)


def _found(
    artefact: Artefact[Any, T],
    of: Ruleset | Solution,
    saved: SavedSolution,
    memory_limit: int,
    progress: Callable[[int, int], None] | None = None,
) -> T:
    """An artefact, loaded or found and saved; raises `_UnsavedError` with it."""
    found = artefact.load_sound(of, _folder(saved))
    if found is None:
        found = artefact.find(of, memory_limit=memory_limit, progress=progress)
        try:
            artefact.save(of, found, _folder(saved))
        except OSError as error:
            raise _UnsavedError(found, error) from None
    return found


def advised(saved: SavedSolution, positions: Sequence[Position]) -> list[Advice | IllegalError]:
    """Advice on positions, or why there is none; raises `SolutionGoneError`."""
    values = kept_values(saved)

    def one(position: Position) -> Advice | IllegalError:
        try:
            return advise(values, position)
        except IllegalError as error:
            return error

    return [one(position) for position in positions]


def chosen(saved: SavedSolution, kind: str, position: Position) -> Action:
    """The action of a kind of computer player that plays by saved tables; raises `SolutionGoneError`."""

    def ask(position: Position) -> Action:
        raise AssertionError(f"a person decides in {position}")

    return make_player(kind, Random(), ask, lambda: kept_values(saved)).choose(position)


def portable(saved: SavedSolution, name: str) -> bytes:
    """The portable file of a saved solution, or of its breakdown, made once and kept beside it; raises
    `SolutionGoneError`."""
    ruleset = _rules(saved)
    path = (parts_path if name == BREAKDOWN.name else portable_path)(ruleset, _folder(saved))
    with suppress(FileNotFoundError):
        return path.read_bytes()
    if name == BREAKDOWN.name:
        found = pack_parts(kept(BREAKDOWN, saved))
    else:
        found = pack(
            ruleset.digest, kept_solution(saved).float_values, portable_scores(kept(PERFECT_SCORES, saved))
        ).data
    keep_file(path, found)
    return found


def kept_values(saved: SavedSolution) -> Solution | ApproximateSolution:
    """A saved solution, or the approximate one of rules without; raises `SolutionGoneError`."""
    return approximation(_rules(saved)) or kept_solution(saved)


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
    of = _rules(saved) if artefact.name in _OF_RULES else kept_solution(saved)
    found = artefact.load_sound(of, _folder(saved))
    if found is None:
        raise SolutionGoneError(f"the {artefact.name} of {saved.rules.ref} was deleted")
    return found


@lru_cache(MAX_CACHED_SOLUTIONS)
def kept_estimator(saved: SavedSolution) -> OddsEstimator:
    """What estimates odds; raises `SolutionGoneError`."""
    return OddsEstimator(kept_solution(saved), kept(MOMENTS, saved))


def _rules(saved: SavedSolution) -> Ruleset:
    return ruleset_of(saved.rules.ref, saved.rules.toml)


def _folder(saved: SavedSolution) -> Path:
    return solutions_folder().parent / saved.folder


def warm_up(table: Solution | ApproximateSolution) -> None:
    """Load everything that advice with this table needs."""
    advise(table, Position.start(table.ruleset).roll((1,) * table.ruleset.dice))
