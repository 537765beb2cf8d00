"""`Reviews`: reviews of finished games, kept once they are complete."""

from collections.abc import Iterable
from typing import TypeAlias

from cachetools import LRUCache

from fivedice.language import language
from fivedice.server.config.limits import MAX_KEPT_REVIEWS
from fivedice.server.solving.child import BREAKDOWN, MOMENTS, SCORES
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.events import AnyEvent
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import record_of
from fivedice.views.review import FindingView, ReviewView, review_view

_Key: TypeAlias = tuple[str, int, str]
"""A table, its version and the language."""


class Reviews:
    """Reviews games. All methods must be called on the event loop's thread."""

    def __init__(self, solutions: SolutionQueue) -> None:
        self._solutions = solutions
        self._kept: LRUCache[_Key, ReviewView] = LRUCache(MAX_KEPT_REVIEWS)

    async def of_table(self, table: Table, events: Iterable[AnyEvent], secret: bytes, lang: str) -> ReviewView | None:
        """The review of a table whose events are `events`, with reasons in a language; None until its rules are solved.

        `finding` of a review lists its missing parts and their progress.
        """
        key, ruleset, solutions = (table.id, table.version, lang), table.ruleset, self._solutions
        solution = solutions.solution(ruleset)
        if solution is None:
            return None
        breakdown, has_odds = solutions.breakdown(ruleset), len(table.seats) > 1
        estimator = solutions.estimator(ruleset) if has_odds else None
        scale = solutions.scale(ruleset)
        if known := self._kept.get(key):
            return known
        finding = []
        if breakdown is None and not solutions.refusal(ruleset, BREAKDOWN):
            finding.append(FindingView("reasons", solutions.progress(ruleset, BREAKDOWN) or 0.0))
        if has_odds and estimator is None and not solutions.refusal(ruleset, MOMENTS):
            finding.append(FindingView("odds", solutions.progress(ruleset, MOMENTS) or 0.0))
        if scale is None and not solutions.refusal(ruleset, SCORES):
            finding.append(FindingView("scores", solutions.progress(ruleset, SCORES) or 0.0))

        def build() -> ReviewView:
            # Imported here: analysis needs NumPy, which a server without advice never loads.
            from fivedice.analysis.review import review
            from fivedice.analysis.turning_points import odds_over_time

            record = record_of(table, events, secret)
            odds = odds_over_time(estimator, record) if estimator else None
            return review_view(solution, breakdown, review(solution, record, scale), finding, language(lang), odds)

        found = await in_pool("records", build)
        if breakdown is not None and scale is not None and (estimator is not None or not has_odds):
            self._kept[key] = found
        return found
