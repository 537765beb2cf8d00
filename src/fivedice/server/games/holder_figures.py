"""`HolderFigures`: the figures and the dice of a holder's games, kept until a game is added or goes on."""

import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

from cachetools import LRUCache

from fivedice.analysis.dice_counts import DiceCounts, count, rolled_in
from fivedice.server.config.limits import GAME_BATCH, MAX_KEPT_RESULTS
from fivedice.server.games.library import YOU, Game, Library, as_you, solved_groups
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.state import State
from fivedice.views.dice import DiceView, dice_view
from fivedice.views.figures import FiguresView, PlayerFiguresView, figures_view

if TYPE_CHECKING:
    from fivedice.analysis.player_figures import GameFigures
    from fivedice.solver.solution import Solution

T = TypeVar("T")


class HolderFigures:
    """Computes figures in short pieces, between which other work takes its turn.

    All methods must be called on the event loop's thread. They raise `UnavailableError`.
    """

    def __init__(self, library: Library, solutions: SolutionQueue) -> None:
        self._library = library
        self._solutions = solutions
        self._kept: LRUCache[tuple[str, str, str], tuple[bytes, object]] = LRUCache(MAX_KEPT_RESULTS)
        """For a kind of result, a holder and rules: the games that it was computed from, and the result."""

    async def figures(self, holder: str | None) -> FiguresView:
        """Long-run figures of a holder's finished games; rules without a solution are solved in the background."""
        games = await self._library.games(holder)
        finished = [game for game in games if game.state is State.OVER and game.seats]
        groups, progress = solved_groups(finished, self._solutions)
        found: list[PlayerFiguresView] = []
        for group, solution in groups:
            key = "figures", holder or "", solution.ruleset.digest
            found += await self._keep(key, group, lambda group=group, solution=solution: _figures(group, solution))  # type: ignore[misc]
        return FiguresView(found, progress)

    async def dice(self, holder: str | None) -> DiceView:
        """Tests of the dice in all games of a holder, including imported and unfinished ones."""
        games = [game for game in await self._library.games(holder) if game.seats]
        ended = [game for game in games if game.state in (State.OVER, State.CLOSED)]
        counts = await self._keep(("dice", holder or "", ""), ended, lambda: _dice(ended))
        going_on = await _dice([game for game in games if game.state not in (State.OVER, State.CLOSED)])
        return await in_pool("games", lambda: dice_view(counts + going_on))

    async def _keep(self, key: tuple[str, str, str], games: Sequence[Game], compute: Callable[[], Awaitable[T]]) -> T:
        """The result for these games, computed unless it is kept."""
        print_ = await in_pool("games", _fingerprint, games)
        known = self._kept.get(key)
        if known is None or known[0] != print_:
            known = self._kept[key] = print_, await compute()
        return cast("T", known[1])


def _fingerprint(games: Iterable[Game]) -> bytes:
    """The identity of a list of games at their versions."""
    keys = [(game.table, game.state, game.seats, game.updated, game.record.date) for game in games]
    return hashlib.sha256(repr(keys).encode()).digest()


async def _dice(games: Sequence[Game]) -> DiceCounts:
    """The counts of all dice; the holder's seats count as seat 0 and all others as seat 1."""
    counts: DiceCounts = Counter()
    for start in range(0, len(games), GAME_BATCH):
        counts += await in_pool("games", _count, games[start : start + GAME_BATCH])
    return counts


def _count(games: Iterable[Game]) -> DiceCounts:
    counts: DiceCounts = Counter()
    for game in games:
        rolls = (replace(rolled, seat=int(rolled.seat not in game.seats)) for rolled in rolled_in(game.record))
        counts.update(count(rolls))
    return counts


async def _figures(games: Sequence[Game], solution: "Solution") -> list[PlayerFiguresView]:
    """Figures over finished games under one ruleset."""
    found: list[GameFigures] = []
    for start in range(0, len(games), GAME_BATCH):
        found += await in_pool("games", _review, games[start : start + GAME_BATCH], solution)
    return await in_pool("games", _total, found)


def _review(games: Iterable[Game], solution: "Solution") -> "list[GameFigures]":
    from fivedice.analysis.player_figures import game_figures
    from fivedice.analysis.review import review_all

    # One record per seat of the holder: two such seats in one game count as two games.
    records = [as_you(game.record, (seat,)) for game in games for seat in game.seats]
    reviews = review_all(solution, records)
    return [found for reviewed in reviews for found in game_figures(reviewed) if found.name == YOU]


def _total(games: "Iterable[GameFigures]") -> list[PlayerFiguresView]:
    from fivedice.analysis.player_figures import total_figures

    return [figures_view(one) for one in total_figures(games)]
