"""`Reviews`: reviews of finished games, kept once they are complete."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias, get_args

from cachetools import LRUCache

from fivedice.base.errors import IllegalError
from fivedice.server.config.limits import MAX_KEPT_REVIEWS
from fivedice.server.games import computed
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SERVER, Searches
from fivedice.server.solving.wire import SolutionGoneError
from fivedice.server.table.available import available_here
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from fivedice.solver.tables.states import TooLargeError
from fivedice.views.review import FindingView, ReviewPart

_Key: TypeAlias = tuple[str, int, str]
"""A table, its version and the language."""


@dataclass(frozen=True, slots=True)
class EncodedReview:
    """A `ReviewView` as JSON, and whether it is complete."""

    json: bytes
    is_complete: bool


class Reviews:
    """Lets the pool review games. All methods must be called on the event loop's thread."""

    def __init__(self, pool: Pool, searches: Searches) -> None:
        self._pool = pool
        self._searches = searches
        self._kept: LRUCache[_Key, EncodedReview] = LRUCache(MAX_KEPT_REVIEWS)

    async def of_table(
        self, table: Table, log: TableLog, lang: str, whos: Collection[Who] = SERVER
    ) -> EncodedReview | None:
        """The review of a table that has ended, in a language; None until its rules are solved for `whos`.

        `finding` of a review lists its missing parts and their progress. Without values of the rules, only the last
        turns are reviewed, at once. Raises `UnavailableError`, and `IllegalError` if no turn can be reviewed.
        """
        key, ruleset, searches = (table.id, table.version, lang), table.ruleset, self._searches
        if not table.has_review:
            raise IllegalError(available_here(ruleset).review)
        if table.has_advice and searches.solution(ruleset, whos) is None:
            return None
        wanted = _parts(table)
        found = [part for part in wanted if searches.is_found(part, ruleset, whos)]
        if known := self._kept.get(key):
            return known
        finding = [
            FindingView(part, searches.progress(ruleset, part) or 0.0)
            for part in wanted
            if part not in found and not searches.refusal(ruleset, part)
        ]
        try:
            with searches.using(ruleset) as saved:
                values = saved if table.has_advice else None
                json = await self._pool.run(computed.review, log, values, found, finding, lang)
        except SolutionGoneError:
            return None
        except TooLargeError as error:
            raise IllegalError(str(error)) from None
        review = EncodedReview(json, is_complete=not finding)
        if found == wanted:
            self._kept[key] = review
        return review


def _parts(table: Table) -> list[ReviewPart]:
    """The parts of a review beside values: none without exact ones, and no chances to win in a game alone."""
    if table.is_approximate or not table.has_advice:
        return []
    return [part for part in get_args(ReviewPart) if part != "moments" or len(table.seats) > 1]
