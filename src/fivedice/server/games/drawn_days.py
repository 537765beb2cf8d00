"""`DrawnDays`: the days of the server, their secrets, and the puzzles that are drawn for each.

A ten and a ladder are drawn in the background as soon as somebody looks at the day, or at the end of the day before.
What was drawn is stored with the losses of all actions.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from functools import partial

from cachetools import LRUCache

from fivedice.base.errors import UnavailableError
from fivedice.daily.choice import choose_ladder, choose_ten, games_of
from fivedice.daily.days import day_at, day_secret, guest_of, seconds_to_next
from fivedice.daily.puzzles import Candidate, GameDice, Puzzle
from fivedice.daily.results import MAX_MISTAKES
from fivedice.rulesets import load_ruleset
from fivedice.server.solving import solved
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import FIND_SECONDS, Searches
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import master_secret, store_puzzles, stored_puzzles

MAX_KEPT_DAYS = 64
"""Tens and ladders in memory: 1 to 10 MB each ladder."""

EARLY_SECONDS = 7_200.0
"""Before a day begins, it is drawn if somebody looks at the day before."""

LOAD_SECONDS = 0.2
"""Reading what is stored for a day may take this long."""

_log = logging.getLogger(__name__)

TEN, LADDER, GAME = "ten", "ladder", "game"
"""What is drawn for a day under each ruleset; `GAME` is perfect play on the dice of the game."""

Drawn = tuple[date, str, str]
"""The day, what is drawn, and the ruleset."""


def drawn_for(kind: str) -> str:
    """What a kind of try other than a game asks: `TEN` or `LADDER`."""
    return LADDER if kind in MAX_MISTAKES else TEN


@dataclass(eq=False)
class DrawnDays:
    """Draws days. All methods must be called on the event loop's thread.

    They raise `UnavailableError`.
    """

    draws_early = True
    """Whether positions are drawn as soon as somebody looks at the day, before anybody begins a try."""

    _database: Database
    _searches: Searches
    _pool: Pool
    _clock: Callable[[], float]
    _new_secret: Callable[[], bytes]
    _zone: tzinfo

    def __post_init__(self) -> None:
        self._master: tuple[bytes, date] | None = None
        self._puzzles: LRUCache[Drawn, tuple[Puzzle, ...]] = LRUCache(MAX_KEPT_DAYS)
        self._drawing: dict[Drawn, asyncio.Task[None]] = {}

    @property
    def now(self) -> float:
        """Seconds since 1970."""
        return self._clock()

    @property
    def today(self) -> date:
        """The current day of the server."""
        return self.day_of(self._clock())

    @property
    def seconds_to_next(self) -> float:
        """Seconds until the next day begins."""
        return seconds_to_next(self._clock(), self._zone)

    async def master(self) -> tuple[bytes, date]:
        """The master secret of the server, and the first day that it had it."""
        if self._master is None:
            job = partial(master_secret, new=self._new_secret(), today=self.today.isoformat())
            secret, since = await self._database.written(job)
            self._master = secret, date.fromisoformat(since)
        return self._master

    async def secret(self, day: date) -> bytes:
        """The secret of a day."""
        return day_secret((await self.master())[0], day)

    async def dice(self, day: date, rules: str) -> GameDice:
        """The dice of the game of a day."""
        return GameDice(await self.secret(day), f"game-{rules}")

    async def puzzles(self, day: date, kind: str, rules: str) -> tuple[Puzzle, ...]:
        """What is drawn for a day, once it is; raises `IllegalError` if its rules have no values."""
        key: Drawn = day, kind, rules
        if key not in self._puzzles:
            try:
                async with asyncio.timeout(FIND_SECONDS):
                    await asyncio.shield(self._prepared(key))
            except TimeoutError:
                raise UnavailableError("this day takes longer to draw: try again in a minute") from None
        return self._puzzles[key]

    def is_ready(self, kind: str, rules: str) -> bool:
        """Whether a try of today can begin at once; if not, what it needs is found in the background.

        At the end of a day that of the next one is drawn, too.
        """
        if kind == "game":
            return self._searches.solution(load_ruleset(rules)) is not None
        today, drawn = self.today, drawn_for(kind)
        if self.draws_early:
            for day in (today, today + timedelta(1)) if self.seconds_to_next < EARLY_SECONDS else (today,):
                if (day, drawn, rules) not in self._puzzles:
                    self._prepared((day, drawn, rules))
        return (today, drawn, rules) in self._puzzles

    async def load(self, kind: str, rules: str) -> None:
        """Read what is stored of today, without waiting for what must be drawn first."""
        if not self.is_ready(kind, rules) and (task := self._drawing.get((self.today, drawn_for(kind), rules))):
            await asyncio.wait({task}, timeout=LOAD_SECONDS)

    def _prepared(self, key: Drawn) -> "asyncio.Task[None]":
        """The task that draws something."""
        if key not in self._drawing:
            self._drawing[key] = asyncio.create_task(self._draw(*key))
            self._drawing[key].add_done_callback(partial(self._drawn, key))
        return self._drawing[key]

    def day_of(self, at: float) -> date:
        """The day of the server at a time, in seconds since 1970."""
        return day_at(at, self._zone)

    async def close(self) -> None:
        """Stop drawing."""
        for task in list(self._drawing.values()):
            task.cancel()
        await asyncio.gather(*self._drawing.values(), return_exceptions=True)

    async def _draw(self, day: date, kind: str, rules: str) -> None:
        job = partial(stored_puzzles, day=day.isoformat(), kind=kind, rules=rules)
        puzzles = await self._database.fetched(job)
        if puzzles is None:
            drawn = await self._new_puzzles(day, kind, rules)
            store = partial(store_puzzles, day=day.isoformat(), kind=kind, rules=rules, drawn=drawn)
            puzzles = await self._database.written(store)
        self._puzzles[day, kind, rules] = puzzles

    async def _new_puzzles(self, day: date, kind: str, rules: str) -> list[Puzzle]:
        secret, guest = await self.secret(day), guest_of(day) if kind == TEN else ""
        rulesets = [load_ruleset(one) for one in (rules, guest) if one]
        for ruleset in rulesets:
            await self._searches.find(ruleset)
        if kind == GAME:
            with self._searches.using(rulesets[0]) as saved:
                return await self._pool.run(solved.perfect_game, saved, await self.dice(day, rules))
        found: list[list[Candidate]] = [[] for _ in rulesets]
        for ruleset, candidates in zip(rulesets, found, strict=True):
            for player, dice in games_of(secret, kind, ruleset.id):
                with self._searches.using(ruleset) as saved:
                    candidates += await self._pool.run_slow(solved.found_candidates, saved, dice, player, kind == TEN)
        return choose_ten(secret, *found) if kind == TEN else choose_ladder(secret, *found)

    def _drawn(self, key: Drawn, task: "asyncio.Task[None]") -> None:
        del self._drawing[key]
        day, kind, rules = key
        if not task.cancelled() and (error := task.exception()):
            _log.warning("the %s of %s under %s is not drawn yet: %s", kind, day, rules, error)
