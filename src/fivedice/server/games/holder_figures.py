"""`HolderFigures`: the figures and the dice of a holder's games, kept until a game is added or goes on."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import TypeVar, cast

from cachetools import LRUCache

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.analysis.streak import Streak, streak
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_KEPT_RESULTS
from fivedice.server.games import computed
from fivedice.server.games.dailies import Dailies
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.games.library import Game, Library, chunked, solved_groups
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SERVER, Searches
from fivedice.server.solving.wire import SavedSolution, SolutionGoneError
from fivedice.server.table.available import available_here
from fivedice.server.table.state import State
from fivedice.views.dice import DiceView, dice_view
from fivedice.views.figures import FiguresView, PlayerFiguresView
from fivedice.views.review import ReviewPart

T = TypeVar("T")

PERFECT_SCORES: ReviewPart = "perfect_scores"


class HolderFigures:
    """Lets the pool compute figures, in short batches between which other work takes its turn.

    All methods must be called on the event loop's thread. They raise `UnavailableError`.
    """

    def __init__(self, library: Library, pool: Pool, searches: Searches, days: DrawnDays, dailies: Dailies) -> None:
        self._library = library
        self._days = days
        self._dailies = dailies
        self._pool = pool
        self._searches = searches
        self._kept: LRUCache[tuple[str, str, str], tuple[int, object]] = LRUCache(MAX_KEPT_RESULTS)
        """For a kind of result, a holder and rules: a hash of the games that it was computed from, and the result."""

    async def figures(
        self, holder: str | None, whos: Collection[Who] = SERVER, *, with_imports: bool = True
    ) -> FiguresView:
        """Long-run figures of a holder's finished games; rules without a solution are solved in the background."""
        games = await self._library.games(holder, with_imports=with_imports)
        finished = [game for game in games if game.state is State.OVER and game.seats]
        groups, progress = await solved_groups(finished, self._searches, whos)
        found: list[PlayerFiguresView] = []
        for group, ruleset in groups:
            has_perfect, part = self._perfect_scores(ruleset, whos)
            progress = part if progress is None else progress
            key = f"figures {has_perfect}", holder or "", group[0].facts.digest
            try:
                with self._searches.using(ruleset) as saved:
                    compute = partial(self._figures, holder or "", group, saved, has_perfect=has_perfect)
                    found += await self._keep(key, group, compute)
            except SolutionGoneError:
                progress = 0.0
        return FiguresView(found, progress)

    async def streak(self, holder: str | None) -> Streak:
        """The streak of days of the server on which a holder began games that are finished, or has a daily rank."""
        if holder is None:
            return streak([], self._days.today)
        days = await self._dailies.played_on(holder)
        async for part in chunked(await self._library.games(holder)):
            finished = (game for game in part if game.state is State.OVER and game.seats)
            days += [self._days.day_of(game.facts.began) for game in finished]
        return streak(days, self._days.today)

    def _perfect_scores(self, ruleset: Ruleset, whos: Collection[Who]) -> tuple[bool, float | None]:
        """Whether the scores of perfect games are saved, or else the progress of the search for them."""
        if available_here(ruleset).is_approximate:
            return False, None
        if self._searches.is_found(PERFECT_SCORES, ruleset, whos):
            return True, None
        if self._searches.refusal(ruleset, PERFECT_SCORES):
            return False, None
        return False, self._searches.progress(ruleset, PERFECT_SCORES) or 0.0

    async def dice(self, holder: str | None) -> DiceView:
        """Tests of the dice in all games of a holder, including imported and unfinished ones."""
        games = [game for game in await self._library.games(holder) if game.seats]
        ended = [game for game in games if game.state in (State.OVER, State.CLOSED)]
        counts = await self._keep(("dice", holder or "", ""), ended, partial(self._dice, holder or "", ended))
        going_on = [game for game in games if game.state not in (State.OVER, State.CLOSED)]
        all_counts = counts + await self._dice(holder or "", going_on)
        return await self._pool.run(dice_view, all_counts)

    async def _figures(
        self, holder: str, games: Sequence[Game], solution: SavedSolution, *, has_perfect: bool
    ) -> list[PlayerFiguresView]:
        """Figures over finished games under one ruleset."""
        parts = [part async for part in self._library.batches(holder, games, computed.figures, solution)]
        return await self._pool.run(partial(computed.total_figures, parts, solution, has_perfect=has_perfect))

    async def _dice(self, holder: str, games: Sequence[Game]) -> DiceCounts:
        counts: DiceCounts = Counter()
        async for some in self._library.batches(holder, games, computed.dice):
            counts.update(some)
        return counts

    async def _keep(self, key: tuple[str, str, str], games: Sequence[Game], compute: Callable[[], Awaitable[T]]) -> T:
        """The result for these games, computed unless it is kept."""
        print_ = hash(tuple([(game.key, game.seats) for game in games]))
        known = self._kept.get(key)
        if known is None or known[0] != print_:
            known = self._kept[key] = print_, await compute()
        return cast("T", known[1])
