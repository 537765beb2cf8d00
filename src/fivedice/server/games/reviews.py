"""`Reviews`: reviews of finished games, kept once they are complete."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from cachetools import LRUCache

from fivedice.errors import IllegalError
from fivedice.server.config.limits import MAX_KEPT_REVIEWS
from fivedice.server.games import pieces
from fivedice.server.games.library import Library
from fivedice.server.games.pieces import SolutionGoneError
from fivedice.server.games.replayed import WantedGame
from fivedice.server.solving.child import BREAKDOWN, MOMENTS, PERFECT_SCORES
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.queue import SERVER, SolutionQueue
from fivedice.server.table.state import Table
from fivedice.views.review import FindingView

_Key: TypeAlias = tuple[str, int, str]
"""A table, its version and the language."""


@dataclass(frozen=True, slots=True)
class EncodedReview:
    """A `ReviewView` as JSON, and whether it is complete."""

    json: bytes
    is_complete: bool


class Reviews:
    """Lets the helper process review games. All methods must be called on the event loop's thread."""

    def __init__(self, library: Library, solutions: SolutionQueue) -> None:
        self._library = library
        self._solutions = solutions
        self._kept: LRUCache[_Key, EncodedReview] = LRUCache(MAX_KEPT_REVIEWS)

    async def of_table(self, table: Table, lang: str, whos: Collection[Who] = SERVER) -> EncodedReview | None:
        """The review of a table that has ended, with reasons in a language; None until its rules are solved for `whos`.

        `finding` of a review lists its missing parts and their progress. Raises `UnavailableError`.
        """
        key, ruleset, solutions = (table.id, table.version, lang), table.ruleset, self._solutions
        if solutions.solution(ruleset, whos) is None:
            return None
        breakdown, has_odds = solutions.breakdown(ruleset, whos), len(table.seats) > 1
        estimator = solutions.estimator(ruleset, whos) if has_odds else None
        scale = solutions.scale(ruleset, whos)
        if known := self._kept.get(key):
            return known
        finding = []
        if breakdown is None and not solutions.refusal(ruleset, BREAKDOWN):
            finding.append(FindingView(BREAKDOWN, solutions.progress(ruleset, BREAKDOWN) or 0.0))
        if has_odds and estimator is None and not solutions.refusal(ruleset, MOMENTS):
            finding.append(FindingView(MOMENTS, solutions.progress(ruleset, MOMENTS) or 0.0))
        if scale is None and not solutions.refusal(ruleset, PERFECT_SCORES):
            finding.append(FindingView(PERFECT_SCORES, solutions.progress(ruleset, PERFECT_SCORES) or 0.0))
        found: list[bytes] = []
        try:
            async for some in self._library.pieces(
                "records",
                "",
                [WantedGame((table.id, table.version), ())],
                pieces.reviews,
                solutions.saved(ruleset),
                finding,
                lang,
                has_breakdown=breakdown is not None,
                has_scale=scale is not None,
                has_odds=estimator is not None,
            ):
                found += some
        except SolutionGoneError:
            return None
        if not found:
            raise IllegalError(f"the events of table {table.id} cannot be read")
        review = EncodedReview(found[0], is_complete=not finding)
        if breakdown is not None and scale is not None and (estimator is not None or not has_odds):
            self._kept[key] = review
        return review
