"""What is computed over stored games, in pieces of `replayed.run_piece`: facts, texts, dice, figures, lessons, reviews.

All of these functions run in the helper process, and keep their result for each game, so that a game that is added
costs no more than one game. Large libraries are imported where they are needed.
"""

import pickle
import threading
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from cachetools import LRUCache

from fivedice.analysis.dice_counts import DiceCounts, count, rolled_in
from fivedice.game.record import Record
from fivedice.game.record_outline import began_at
from fivedice.language import language
from fivedice.server.config.limits import GAME_BATCH, MAX_CACHED_GAMES, MAX_CACHED_SOLUTIONS
from fivedice.server.games.replayed import Key, ReplayedGame
from fivedice.server.solving.child import Rules, SavedSolution, rules_of
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.view import ranks_of
from fivedice.views.figures import PlayerFiguresView, figures_view

if TYPE_CHECKING:
    from fivedice.analysis.learning.lessons import Lesson
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.analysis.reviews.luck_scale import LuckScale
    from fivedice.analysis.reviews.player_figures import GameFigures
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.solution import Solution
    from fivedice.views.review import FindingView

T = TypeVar("T")

YOU = "you"
"""The name of the holder in figures, which replaces the names at the seats."""


class SolutionGoneError(Exception):
    """A saved solution was deleted, because others are needed more; it can be found again."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server itself needs of a game. `digest` is that of the rules; `ranks` are final, None before the end;
    `is_cut_short` says by seat whether a resignation left its card incomplete; `began` is in seconds since 1970."""

    state: State
    rules: Rules
    digest: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    ranks: tuple[int | None, ...]
    is_cut_short: tuple[bool, ...]
    began: float


class _Kept:
    """Results for single games, for all threads of the process."""

    def __init__(self, most: int) -> None:
        self._found: LRUCache[Hashable, Any] = LRUCache(most)
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        with self._lock:
            return self._found.get(key)

    def set(self, key: Hashable, result: Any) -> None:
        with self._lock:
            self._found[key] = result


_texts, _dice, _figures, _lessons = (_Kept(MAX_CACHED_GAMES) for _ in range(4))


def facts(games: Iterable[ReplayedGame]) -> dict[Key, Facts]:
    """The facts of the games that can be read."""
    found = {}
    for game in games:
        record = game.record
        found[game.key] = Facts(
            state=game.state,
            rules=rules_of(record.ruleset),
            digest=record.ruleset.digest,
            names=tuple(seat.name for seat in record.seats),
            totals=tuple(card.total for card in record.position.cards),
            ranks=tuple(ranks_of(record.position)),
            is_cut_short=tuple(bool(record.resignations) and not card.is_complete for card in record.position.cards),
            began=began_at(record.date),
        )
    return found


def texts(games: Iterable[ReplayedGame]) -> list[tuple[str, int | None]]:
    """The records of finished and imported games, with the holder's first seat."""
    found = []
    for game in games:
        if isinstance(game.key[0], str) and not game.record.is_over:
            continue
        text = _texts.get(game.key)
        if text is None:
            text = str(game.record)
            _texts.set(game.key, text)
        found.append((text, game.seats[0] if game.seats else None))
    return found


def dice(games: Iterable[ReplayedGame]) -> DiceCounts:
    """The counts of all dice; the holder's seats count as seat 0 and all others as seat 1."""
    counts: DiceCounts = Counter()
    for game in games:
        key = game.key, game.seats
        counted = _dice.get(key)
        if counted is None:
            rolls = (replace(rolled, seat=int(rolled.seat not in game.seats)) for rolled in rolled_in(game.record))
            counted = count(rolls)
            _dice.set(key, counted)
        counts.update(counted)
    return counts


def figures(games: Iterable[ReplayedGame], saved: SavedSolution) -> bytes:
    """The `GameFigures` of the holder's seats, for `total_figures`; raises `SolutionGoneError`.

    Pickled, since the server only passes them on.
    """
    found: list[GameFigures] = []
    num_new = 0
    for game in games:
        key = game.key, game.seats
        known = _figures.get(key)
        if known is None:
            known = _figures_of(game, _solution(saved))
            _figures.set(key, known)
            num_new += 1
        found += known
        if num_new == GAME_BATCH:
            break
    return pickle.dumps(found)


def total_figures(parts: Sequence[bytes]) -> list[PlayerFiguresView]:
    """The figures over all games in the results of `figures`."""
    from fivedice.analysis.reviews.player_figures import total_figures

    return [figures_view(one) for one in total_figures(game for part in parts for game in pickle.loads(part))]  # noqa: S301


def lessons(games: Iterable[ReplayedGame], saved: SavedSolution) -> "dict[Key, tuple[Lesson, ...]]":
    """The lessons of each game at the holder's seats; raises `SolutionGoneError`."""
    from fivedice.analysis.learning.lessons import lessons
    from fivedice.analysis.reviews.review import review

    found = {}
    for game in games:
        key = game.key, game.seats
        known = _lessons.get(key)
        if known is None:
            reviewed = review(_solution(saved), as_you(game.record, game.seats))
            known = tuple(lessons([reviewed], lambda seat: seat.name == YOU))
            _lessons.set(key, known)
        found[game.key] = known
    return found


def reviews(
    games: Iterable[ReplayedGame],
    saved: SavedSolution,
    finding: "list[FindingView]",
    lang: str,
    *,
    has_breakdown: bool,
    has_scale: bool,
    has_odds: bool,
) -> list[bytes]:
    """The `ReviewView` of each game as JSON, with reasons in a language; raises `SolutionGoneError`.

    `finding` are its missing parts; it has reasons, the scale of luck and the odds over time if these are saved.
    """
    from fivedice.analysis.odds.estimated_odds import odds_over_time
    from fivedice.analysis.reviews.review import review
    from fivedice.views.review import review_view

    found = []
    for game in games:
        solution = _solution(saved)
        breakdown = _breakdown(saved) if has_breakdown else None
        reviewed = review(solution, game.record, _scale(saved) if has_scale else None)
        odds = odds_over_time(_estimator(saved), game.record) if has_odds else None
        found.append(msgspec.json.encode(review_view(solution, breakdown, reviewed, finding, language(lang), odds)))
    return found


def as_you(record: Record, own: Collection[int]) -> Record:
    """The record with the holder's seats named `YOU`, and no other."""
    seats = [replace(seat, name=YOU if index in own else f"seat {index}") for index, seat in enumerate(record.seats)]
    return replace(record, seats=tuple(seats))


def _figures_of(game: ReplayedGame, solution: "Solution") -> "list[GameFigures]":
    from fivedice.analysis.reviews.player_figures import game_figures
    from fivedice.analysis.reviews.review import review_all

    # One record per seat of the holder: two such seats in one game count as two games.
    records = [as_you(game.record, (seat,)) for seat in game.seats]
    return [
        found for reviewed in review_all(solution, records) for found in game_figures(reviewed) if found.name == YOU
    ]


@lru_cache(MAX_CACHED_SOLUTIONS)
def _solution(saved: SavedSolution) -> "Solution":
    from fivedice.solver.saved.kinds import SOLUTION

    return _present(SOLUTION.load(ruleset_of(saved.rules.ref, saved.rules.toml), Path(saved.folder)))


@lru_cache(MAX_CACHED_SOLUTIONS)
def _breakdown(saved: SavedSolution) -> "Breakdown":
    from fivedice.solver.saved.kinds import BREAKDOWN

    return _present(BREAKDOWN.load(_solution(saved), Path(saved.folder)))


@lru_cache(MAX_CACHED_SOLUTIONS)
def _scale(saved: SavedSolution) -> "LuckScale":
    from fivedice.analysis.reviews.luck_scale import LuckScale
    from fivedice.simulation.games.perfect_scores import PERFECT_SCORES

    solution = _solution(saved)
    return LuckScale(solution.expected_score, _present(PERFECT_SCORES.load(solution, Path(saved.folder))))


@lru_cache(MAX_CACHED_SOLUTIONS)
def _estimator(saved: SavedSolution) -> "OddsEstimator":
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.solver.saved.kinds import MOMENTS

    solution = _solution(saved)
    return OddsEstimator(solution, _present(MOMENTS.load(solution, Path(saved.folder))))


def _present(found: T | None) -> T:
    if found is None:
        raise SolutionGoneError
    return found
