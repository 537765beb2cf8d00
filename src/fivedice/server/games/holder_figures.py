"""`HolderFigures`: the figures of a holder's games, and what one of them means among the others, from their grades."""

import asyncio
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fivedice.analysis.streak import Streak, streak
from fivedice.game.record_lines import began_at
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_LISTED_GAMES
from fivedice.server.games.dailies import Dailies
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.games.grading import Grader
from fivedice.server.games.reviews import Reviews
from fivedice.server.games.standings import Standing, standings
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.solving.searches import SERVER, Searches
from fivedice.server.table.available import available_here
from fivedice.server.table.state import ruleset_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.held_grades import held_dates, held_figures, held_rules, held_seats
from fivedice.storage.rows.stored_figures import HeldFigures, figures_of
from fivedice.views.figures import FiguresView, PlayerFiguresView, figures_view

if TYPE_CHECKING:
    from fivedice.solver.play.distribution import Distribution

YOU = "you"
"""The name of the holder in figures, which replaces the names at the seats."""


class HolderFigures:
    """Reads grades. All methods must be called on the event loop's thread; they raise `UnavailableError`."""

    def __init__(
        self,
        database: Database,
        grader: Grader,
        searches: Searches,
        reviews: Reviews,
        days: DrawnDays,
        dailies: Dailies,
    ) -> None:
        self._database = database
        self._grader = grader
        self._searches = searches
        self._reviews = reviews
        self._days = days
        self._dailies = dailies

    async def figures(
        self, holder: str | None, whos: Collection[Who] = SERVER, *, with_imports: bool = True
    ) -> FiguresView:
        """Long-run figures of a holder's finished games; rules without a solution are solved in the background."""
        if holder is None:
            return FiguresView([], None)
        await self._grader.read_games_of(holder)
        read = partial(held_rules, holder=holder, is_over=True, with_imports=with_imports)
        found: list[PlayerFiguresView] = []
        progress: list[float] = []
        for one in await self._database.fetched(read):
            ruleset = await in_rules_thread(ruleset_of, one.rules, one.toml)
            share = None if one.is_graded else self._grader.progress(ruleset, whos)
            games = await self._database.fetched(
                partial(
                    held_figures, holder=holder, digest=one.digest, limit=MAX_LISTED_GAMES, with_imports=with_imports
                )
            )
            perfect = None
            if games and not available_here(ruleset).is_approximate:
                if self._searches.is_found("perfect_scores", ruleset, whos):
                    perfect = await self._reviews.perfect(ruleset)
                elif share is None and not self._searches.refusal(ruleset, "perfect_scores"):
                    share = self._searches.progress(ruleset, "perfect_scores") or 0.0
            if share is not None:
                progress.append(share)
            if games:
                found += await asyncio.to_thread(_views, ruleset, games, perfect)
        return FiguresView(found, min(progress, default=None))

    async def outcome(self, holder: str | None, table: str) -> list[Standing]:
        """What a finished game of a holder means among their others; empty unless it is over and they played."""
        if holder is None:
            return []
        await self._grader.read_games_of(holder)
        games = await self._database.fetched(partial(held_seats, holder=holder, table=table))
        return standings(games, table)

    async def streak(self, holder: str | None) -> Streak:
        """The streak of days of the server on which a holder began games that are finished, or has a daily rank."""
        if holder is None:
            return streak([], self._days.today)
        await self._grader.read_games_of(holder)
        dates = await self._database.fetched(partial(held_dates, holder=holder))
        begun = {self._days.day_of(began_at(date)) for date in dates}
        return streak([*begun, *await self._dailies.played_on(holder)], self._days.today)


def _views(ruleset: Ruleset, games: Sequence[HeldFigures], perfect: "Distribution | None") -> list[PlayerFiguresView]:
    # Imported here: a server without advice never needs it.
    from fivedice.analysis.reviews.player_figures import total_figures

    return [figures_view(one, perfect) for one in total_figures(figures_of(ruleset, YOU, game) for game in games)]
