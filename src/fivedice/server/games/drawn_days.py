"""`DrawnDays`: the days of the server, their secrets, and the positions that are drawn for each.

A ten and a ladder are drawn in the background as soon as somebody looks at the day, or at the end of the day before.
What was drawn is stored; the losses in it are computed again by each process, and kept.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import date, timedelta, tzinfo
from functools import partial

from cachetools import LRUCache

from fivedice.daily.choice import choose_ladder, choose_ten, games_of
from fivedice.daily.days import day_at, day_secret, guest_of, seconds_to_next
from fivedice.daily.dice import GameDice
from fivedice.daily.puzzles import Candidate, Puzzle
from fivedice.daily.results import MAX_MISTAKES
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games import daily_work
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import FIND_SECONDS, Searches
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.daily import master_secret, store_positions, stored_positions

MAX_KEPT_DAYS = 64
"""Tens and ladders with their losses in memory: 1 to 10 MB each ladder."""

EARLY_SECONDS = 7_200.0
"""Before a day begins, it is drawn if somebody looks at the day before."""

_log = logging.getLogger(__name__)

TEN, LADDER = "ten", "ladder"
"""What is drawn for a day under each ruleset."""

Drawn = tuple[date, str, str]
"""The day, `TEN` or `LADDER`, and the ruleset."""


def drawn_for(kind: str) -> str:
    """What a kind of try other than a game asks: `TEN` or `LADDER`."""
    return LADDER if kind in MAX_MISTAKES else TEN


class DrawnDays:
    """Draws days. All methods must be called on the event loop's thread.

    They raise `UnavailableError`.
    """

    draws_early = True
    """Whether positions are drawn as soon as somebody looks at the day, before anybody begins a try."""

    def __init__(
        self,
        database: Database,
        searches: Searches,
        pool: Pool,
        clock: Callable[[], float],
        new_secret: Callable[[], bytes],
        zone: tzinfo,
    ) -> None:
        self._database = database
        self._searches = searches
        self._pool = pool
        self._clock = clock
        self._new_secret = new_secret
        self._zone = zone
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
        """The ten or the ladder of a day, once it is drawn; raises `IllegalError` if its rules have no values."""
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

    async def positions(self, day: date, kind: str, rules: str) -> list[tuple[int | None, Position]]:
        """The positions that were drawn, with their rungs on a ladder, without their losses; none before that."""
        job = partial(stored_positions, day=day.isoformat(), kind=kind, rules=rules)
        return [_parsed(line, kind) for line in await self._database.fetched(job) or ()]

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
        for ruleset in _rulesets(day, kind, rules):
            await self._searches.find(ruleset)
        job = partial(stored_positions, day=day.isoformat(), kind=kind, rules=rules)
        lines = await self._database.fetched(job)
        if lines is None:
            secret = await self.secret(day)
            rulesets = _rulesets(day, kind, rules)
            found: list[list[Candidate]] = [[] for _ in rulesets]
            games = [(one, *game) for one in enumerate(rulesets) for game in games_of(secret, kind, one[1].id)]
            for (index, ruleset), player, dice in games:
                with self._searches.using(ruleset) as saved:
                    found[index] += await self._pool.run_slow(
                        daily_work.found_candidates, saved, dice, player, kind == TEN
                    )
            if kind == TEN:
                lines = [str(one) for one in choose_ten(secret, day, *found)]
            else:
                lines = [f"{rung} {one}" for rung, one in choose_ladder(secret, found[0])]
            store = partial(store_positions, day=day.isoformat(), kind=kind, rules=rules, lines=lines)
            lines = await self._database.written(store)
        positions = [_parsed(line, kind) for line in lines]
        puzzles: dict[Position, Puzzle] = {}
        for ruleset in _rulesets(day, kind, rules):
            own = [one for one in positions if one[1].ruleset == ruleset]
            with self._searches.using(ruleset) as saved:
                for puzzle in await self._pool.run_slow(daily_work.found_puzzles, saved, own, kind == TEN):
                    puzzles[puzzle.position] = puzzle
        self._puzzles[day, kind, rules] = tuple(puzzles[position] for _, position in positions)

    def _drawn(self, key: Drawn, task: "asyncio.Task[None]") -> None:
        del self._drawing[key]
        day, kind, rules = key
        if not task.cancelled() and (error := task.exception()):
            _log.warning("the %s of %s under %s is not drawn yet: %s", kind, day, rules, error)


def _rulesets(day: date, kind: str, rules: str) -> list[Ruleset]:
    """The rulesets of what is drawn: the guest of a Sunday takes part in the ten."""
    guest = guest_of(day) if kind == TEN else ""
    return [load_ruleset(one) for one in (rules, guest) if one]


def _parsed(line: str, kind: str) -> tuple[int | None, Position]:
    if kind == TEN:
        return None, parse_position(line)
    rung, _, position = line.partition(" ")
    return int(rung), parse_position(position)
