"""`Reviews`: reviews of finished games, from their records and grades.

A review is there at once. What explains it, reasons and chances to win, is computed for whoever asks for the whole.
"""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias, get_args

import msgspec
from cachetools import LRUCache

from fivedice.analysis.estimated_odds import OddsOverTime, odds_over_time
from fivedice.analysis.grades import GradedGame, review_of
from fivedice.analysis.reviews.marks import LuckScale
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.why import why
from fivedice.base.errors import IllegalError
from fivedice.base.language import language
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games.grading import Grader
from fivedice.server.solving.pool import Pool, SavedSolution
from fivedice.server.solving.searches import Searches
from fivedice.server.solving.solved import MAX_CACHED_SOLUTIONS, kept, kept_estimator, kept_solution
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.saved.store import BREAKDOWN
from fivedice.views.review import ReviewPart, review_view

MAX_KEPT_REVIEWS = 200
"""Reviews of finished games, of about 200 KB."""

_Choice: TypeAlias = tuple[Position, Action, Action]
"""A position, the best action and the one that was chosen."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What explains a review: the reasons of its costliest decisions in order, and the chances to win over time."""

    reasons: list[str] | None = None
    odds: OddsOverTime | None = None


class Reviews:
    """Makes reviews. All methods must be called on the event loop's thread."""

    def __init__(self, grader: Grader, pool: Pool, searches: Searches) -> None:
        self._grader = grader
        self._pool = pool
        self._searches = searches
        self._perfect: LRUCache[str, Distribution] = LRUCache(MAX_CACHED_SOLUTIONS)
        """The scores of perfect games, by the digest of rules."""
        self._explained: LRUCache[tuple[object, ...], Explained] = LRUCache(MAX_KEPT_REVIEWS)
        """What explains a table's version in a language, by certain parts."""

    async def of_table(
        self, table: Table, log: TableLog, lang: str, address: str = "", *, is_whole: bool = False
    ) -> bytes:
        """The `ReviewView` of a table that has ended, in a language, as JSON, once its rules have values.

        They and what explains the review are sought for an address; unless the review has to be whole, `finding` may
        list parts of that. Without values, only the last turns are reviewed. Raises `UnavailableError`,
        `TooFastError`, and `IllegalError` if no turn can be reviewed.
        """
        ruleset = table.ruleset
        if table.here.review:
            raise IllegalError(table.here.review)
        graded = await self._grader.graded(table.id, ruleset, address)
        if graded is None and not table.has_advice:
            raise IllegalError(f"{ruleset} is too large to solve: no turn was played that can be reviewed")
        if graded is None:
            raise IllegalError(self._searches.refusal(ruleset))
        for part in _parts(table) if is_whole else ():
            with suppress(IllegalError):  # it is left out
                await self._searches.find(ruleset, part, address)
        found = [part for part in _parts(table) if self._searches.is_found(part, ruleset, address)]
        finding = [part for part in _parts(table) if part not in found and not self._searches.refusal(ruleset, part)]
        perfect = await self.perfect(ruleset) if "perfect_scores" in found else None
        review = await asyncio.to_thread(_review, table, log, graded, perfect)
        parts = tuple(part for part in found if part != "perfect_scores")
        key = table.id, table.version, lang, *parts
        if parts and key not in self._explained:
            if is_whole:
                choices = [(one.position, one.best, one.action) for seat in review.seats for one in seat.costliest]
                with self._searches.using(ruleset) as saved:
                    self._explained[key] = await self._pool.run_slow(explained, saved, choices, log, parts, lang)
            else:
                finding = [*parts, *finding]
        return await asyncio.to_thread(_encoded, review, self._explained.get(key, Explained()), finding, lang)

    async def perfect(self, ruleset: Ruleset) -> Distribution:
        """The scores of perfect games, which are saved; raises `UnavailableError`."""
        if ruleset.digest not in self._perfect:
            with self._searches.using(ruleset) as saved:
                self._perfect[ruleset.digest] = await self._pool.run(perfect_scores, saved)
        return self._perfect[ruleset.digest]


def explained(
    saved: SavedSolution, choices: Sequence[_Choice], log: TableLog, parts: Collection[ReviewPart], lang: str
) -> Explained:
    """What explains the review of a game, in a worker process; raises `SolutionGoneError`."""
    reasons = odds = None
    if "breakdown" in parts:
        solution, breakdown = kept_solution(saved), kept(BREAKDOWN, saved)
        given = (why(solution, *choice, breakdown=breakdown) for choice in choices)
        reasons = [one.in_language(language(lang)) for one in given]
    if "moments" in parts:
        odds = odds_over_time(kept_estimator(saved), log.game())
    return Explained(reasons, odds)


def perfect_scores(saved: SavedSolution) -> Distribution:
    """The scores of perfect games, in a worker process; raises `SolutionGoneError`."""
    found: Distribution = kept(PERFECT_SCORES, saved)
    return found


def _review(table: Table, log: TableLog, graded: GradedGame, perfect: Distribution | None) -> Review:
    scale = LuckScale(graded.seats[0].start_value, perfect) if perfect else None
    return review_of(log.game(table), graded, scale)


def _encoded(review: Review, explained: Explained, finding: Sequence[ReviewPart], lang: str) -> bytes:
    view = review_view(None, review, finding, language(lang), explained.odds, explained.reasons)
    return msgspec.json.encode(view)


def _parts(table: Table) -> list[ReviewPart]:
    """The parts of a review beside values: none without exact ones, and no chances to win in a game alone."""
    if table.here.solution:
        return []
    return [part for part in get_args(ReviewPart) if part != "moments" or len(table.seats) > 1]
