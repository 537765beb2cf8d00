"""`HolderFigures`: the figures of a holder's games, and what one of them means among the others, from their grades."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial

from sqlalchemy import Connection

from fivedice.analysis.reviews.player_figures import total_figures
from fivedice.analysis.reviews.progress import EXAMPLE_GAMES, Streak, streak
from fivedice.base.errors import IllegalError
from fivedice.game.record_lines import began_at
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.games.game_list import MAX_LISTED_GAMES
from fivedice.server.games.grading import Grader
from fivedice.server.games.reviews import Reviews
from fivedice.server.ops.budget import TooFastError
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.solving.searches import Searches
from fivedice.server.table.available import available_here
from fivedice.server.table.state import ruleset_of
from fivedice.solver.play.distribution import Distribution
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import ranked_days
from fivedice.storage.rows.decisions import HeldGame, figures_of
from fivedice.storage.rows.held_grades import held_dice, held_examples, held_games
from fivedice.storage.rows.rulesets import ruleset_texts
from fivedice.views.figures import DiceView, PlayerFiguresView, dice_view, figures_view
from fivedice.views.games import StandingView

YOU = "you"
"""The name of the holder in figures, which replaces the names at the seats."""


@dataclass(eq=False)
class HolderFigures:
    """Reads grades. All methods must be called on the event loop's thread; they raise `UnavailableError`."""

    _database: Database
    _grader: Grader
    _searches: Searches
    _reviews: Reviews
    _days: DrawnDays

    async def figures(self, holder: str | None, address: str, *, with_imports: bool = True) -> list[PlayerFiguresView]:
        """Long-run figures of a holder's finished games, as far as there are values; the others are sought for an
        address."""
        games = await self._graded(holder, address, with_imports=with_imports) if holder else []
        return await self._figures(games, address)

    async def with_streak(self, holder: str | None, address: str) -> tuple[list[PlayerFiguresView], Streak]:
        """The same, and the streak of days of the server on which they began such games, or have a daily rank."""
        if holder is None:
            return [], streak([], self._days.today)
        games = await self._graded(holder, address)

        def days(connection: Connection) -> Streak:
            begun = (self._days.day_of(began_at(game.date)) for game in games)
            ranked = map(date.fromisoformat, ranked_days(connection, holder))
            return streak([*begun, *ranked], self._days.today)

        return await self._figures(games, address), await self._database.fetched(days)

    async def outcome(self, holder: str | None, table: str) -> list[StandingView]:
        """What a finished game of a holder means among their others; empty unless it is over and they played."""
        if holder is None:
            return []
        return standings(await self._games(holder), table)

    async def dice(self, holder: str | None) -> DiceView:
        """Tests of the dice in a holder's games that have ended, including imported ones."""
        if holder is None:
            return dice_view(Counter())
        await self._grader.read_games_of(holder)
        counts = await self._database.fetched(partial(held_dice, holder=holder, limit=MAX_LISTED_GAMES))
        return await asyncio.to_thread(dice_view, counts)

    async def _figures(self, games: Sequence[HeldGame], address: str) -> list[PlayerFiguresView]:
        groups: dict[str, list[HeldGame]] = defaultdict(list)
        for game in games:
            groups[game.digest].append(game)
        texts = await self._texts(groups.values())
        found: list[PlayerFiguresView] = []
        for group in groups.values():
            ruleset = await _ruleset(group[0], texts)
            counted = [game for game in reversed(group) if game.figures is not None]
            if any(game.loss is None for game in group):
                self._grader.seek(ruleset, address)
            perfect = None
            if counted and not available_here(ruleset).is_approximate:
                await self._searches.look_up(ruleset, address, "perfect_scores")
                if self._searches.is_found("perfect_scores", ruleset, address):
                    perfect = await self._reviews.perfect(ruleset)
            if counted:
                found += await self._database.fetched(partial(_views, ruleset=ruleset, games=counted, perfect=perfect))
        return found

    async def _graded(self, holder: str, address: str, *, with_imports: bool = True) -> list[HeldGame]:
        """As `_games`; if none of them is graded yet, once the rules of the latest have values or can have none."""
        games = await self._games(holder, with_imports=with_imports)
        if games and all(game.loss is None for game in games):
            with suppress(IllegalError, TooFastError):
                await self._searches.find(await _ruleset(games[0], await self._texts([games])), address=address)
                await self._grader.grade_waiting()
                games = await self._games(holder, with_imports=with_imports)
        return games

    async def _games(self, holder: str, *, with_imports: bool = True) -> list[HeldGame]:
        """The latest games of a holder that are over, the latest first."""
        await self._grader.read_games_of(holder)
        read = partial(held_games, holder=holder, limit=MAX_LISTED_GAMES, with_imports=with_imports)
        return [game for game in await self._database.fetched(read) if game.is_over]

    async def _texts(self, groups: Collection[Sequence[HeldGame]]) -> dict[bytes, str]:
        """The texts of the custom rules of some groups of games."""
        hashes = [group[0].ruleset for group in groups if group[0].ruleset is not None]
        return await self._database.fetched(partial(ruleset_texts, hashes=hashes)) if hashes else {}


async def _ruleset(game: HeldGame, texts: Mapping[bytes, str]) -> Ruleset:
    return await in_rules_thread(ruleset_of, game.rules, texts.get(game.ruleset or b"", ""))


def _views(
    connection: Connection, ruleset: Ruleset, games: Sequence[HeldGame], perfect: Distribution | None
) -> list[PlayerFiguresView]:
    examples = held_examples(connection, [(game.game, game.seat) for game in games[-EXAMPLE_GAMES:]])
    found = (figures_of(ruleset, YOU, game, examples.get((game.game, game.seat))) for game in games)
    return [figures_view(one, perfect) for one in total_figures(found)]


def standings(games: Iterable[HeldGame], table: str) -> list[StandingView]:
    """The standing of each of a holder's seats at a table, from their games that are over, of which those under its
    rules count; empty without a seat there."""
    in_order = sorted(games, key=lambda one: (one.ended, one.game, one.seat))
    own = [one for one in in_order if one.table == table]
    until = in_order[: in_order.index(own[-1]) + 1] if own else []
    num = Counter(one.game for one in in_order)

    def is_same(one: HeldGame, this: HeldGame) -> bool:
        """Whether the same player has both seats: one person under any name, or several on one device by their own."""
        player, other = (seat.name if num[seat.game] > 1 else "" for seat in (one, this))
        return one.digest == this.digest and player == other

    return [_standing([one for one in until if is_same(one, this)], this) for this in own]


def _standing(played: Sequence[HeldGame], this: HeldGame) -> StandingView:
    """The standing of a seat in the last of a player's games."""
    before = [one.total for one in played if one.game != this.game and not one.is_cut_short]
    totals = before if this.is_cut_short else [*before, this.total]
    wins = [one.has_won for one in played if one.seats > 1]
    streak = next((number for number, is_win in enumerate(reversed(wins)) if not is_win), len(wins))
    return StandingView(
        seat=this.seat,
        total=this.total,
        games=len(totals),
        best_before=max(before, default=None),
        average=sum(totals) / len(totals) if totals else None,
        wins=sum(wins),
        streak=streak,
        is_cut_short=this.is_cut_short,
    )
