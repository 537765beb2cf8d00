"""`Dailies`: what is drawn for each day, and the tries of it with their answers, grades and places.

A ten is drawn in the background when somebody first looks at the day, or at the end of the day before; a ladder when
somebody begins a storm. What was drawn is stored; the losses in it are computed again by each process, and kept.
"""

import asyncio
import logging
from array import array
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from functools import partial
from typing import Generic, TypeVar

from cachetools import LRUCache

from fivedice.analysis.learning.lessons import Lesson
from fivedice.daily.choice import TEN_SIZE, choose_ladder, choose_ten, games_of, run_of
from fivedice.daily.days import day_at, day_secret, guest_of, seconds_to_next
from fivedice.daily.dice import GameDice, PlacedGame
from fivedice.daily.puzzles import Candidate, Decided, Puzzle
from fivedice.daily.results import MAX_MISTAKES, Kind, Tally, is_late
from fivedice.daily.solve_rates import SolveRate, solve_rates
from fivedice.errors import IllegalError, UnknownError, shown
from fivedice.game.action import Action
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.rulesets import load_ruleset
from fivedice.server.config.limits import (
    EARLY_SECONDS,
    KEPT_COUNT_SECONDS,
    LOOK_UP_SECONDS,
    MANY_PEOPLE,
    MAX_KEPT_DAYS,
    MAX_KEPT_RESULTS,
    SEARCH_PATIENCE_SECONDS,
)
from fivedice.server.games import daily_work
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SERVER, Searches
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import (
    StoredAnswer,
    StoredTry,
    load_try,
    master_secret,
    num_chosen,
    num_chosen_in_runs,
    owner_of,
    ranked_days,
    ranked_standings,
    store_answer,
    store_positions,
    stored_positions,
)

_log = logging.getLogger(__name__)

T = TypeVar("T")

TEN, LADDER = "ten", "ladder"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try with what it asks. `asked` are the puzzles of all kinds but a game; `games` are the positions of a game,
    with the one to decide next."""

    stored: StoredTry
    answers: tuple[StoredAnswer, ...]
    asked: tuple[Puzzle, ...] = ()
    games: tuple[PlacedGame, ...] = ()

    @property
    def losses(self) -> list[float]:
        """The losses of the answers; none in a game, where they are not known before its end."""
        return [puzzle.loss(parse_action(one.action)) for puzzle, one in zip(self.asked, self.answers, strict=False)]

    def is_over(self, now: float, today: date) -> bool:
        """Whether it takes no more answers."""
        stored = self.stored
        is_past = stored.kind not in MAX_MISTAKES and stored.day != today.isoformat()
        if stored.ended is not None or is_past or is_late(stored.kind, stored.began, now):
            return True
        return self.games[-1].position.is_over if self.games else len(self.answers) == len(self.asked)


class _Counts(Generic[T]):
    """Counts of rows. Those of many people, for whom a few more change little, are kept, and counted again in the
    background after a while."""

    def __init__(self, size: Callable[[T], int]) -> None:
        self._size = size
        self._kept: LRUCache[Hashable, tuple[float, T]] = LRUCache(MAX_KEPT_DAYS * TEN_SIZE)
        self._counting: dict[Hashable, asyncio.Task[T]] = {}

    async def get(self, key: Hashable, now: float, count: Callable[[], T]) -> T:
        """The counts, which `count` finds in a thread; of many people they may be `KEPT_COUNT_SECONDS` old."""
        known = self._kept.get(key)
        is_kept = known is not None and self._size(known[1]) >= MANY_PEOPLE
        if known is not None and is_kept and 0 <= now - known[0] < KEPT_COUNT_SECONDS:
            return known[1]
        if not is_kept:
            self._kept[key] = now, await asyncio.to_thread(count)
        elif key not in self._counting:
            self._counting[key] = asyncio.create_task(asyncio.to_thread(count))
            self._counting[key].add_done_callback(partial(self._counted, key, now))
        return self._kept[key][1]

    def _counted(self, key: Hashable, now: float, task: "asyncio.Task[T]") -> None:
        del self._counting[key]
        if task.cancelled() or task.exception():
            _log.warning("people are not counted again: %s", "stopped" if task.cancelled() else task.exception())
        else:
            self._kept[key] = now, task.result()


class Dailies:
    """Draws days and grades answers. All methods must be called on the event loop's thread.

    They raise `UnavailableError`; what is None is being computed, for as long as somebody asks again.
    """

    draws_early = True
    """Whether a ten is drawn as soon as somebody looks at the day, before anybody begins it."""

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
        self._puzzles: LRUCache[tuple[date, str, str], tuple[Puzzle, ...]] = LRUCache(MAX_KEPT_DAYS)
        self._decided: LRUCache[tuple[date, str, tuple[Action, ...] | None], list[Decided]] = LRUCache(MAX_KEPT_DAYS)
        self._missed: LRUCache[str, list[Lesson]] = LRUCache(MAX_KEPT_RESULTS)
        self._drawing: dict[tuple[date, str, str], asyncio.Task[None]] = {}
        self._shares: _Counts[dict[str, int]] = _Counts(lambda found: sum(found.values()))
        self._boards: _Counts[array[int]] = _Counts(len)

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

    async def puzzles(
        self, day: date, kind: str, rules: str, whos: Collection[Who] = SERVER
    ) -> tuple[Puzzle, ...] | None:
        """The ten or the ladder of a day; None while it is being drawn or solved."""
        key = day, kind, rules
        if key not in self._puzzles:
            self._are_solved(day, kind, rules, whos)
            await asyncio.wait([self._prepared(key)], timeout=LOOK_UP_SECONDS)
        return self._puzzles.get(key)

    def is_ready(self, kind: str, rules: str) -> bool:
        """Whether a try of today can begin at once; if not, what a ten needs is found in the background."""
        if kind == "game":
            return self._searches.solution(load_ruleset(rules)) is not None
        today = self.today
        if kind == "ten" and self.draws_early:
            for day in (today, today + timedelta(1)) if self.seconds_to_next < EARLY_SECONDS else (today,):
                if (day, TEN, rules) not in self._puzzles:
                    self._prepared((day, TEN, rules))
        return (today, TEN if kind == "ten" else LADDER, rules) in self._puzzles

    def _prepared(self, key: tuple[date, str, str]) -> "asyncio.Task[None]":
        """The task that draws something."""
        if key not in self._drawing:
            self._drawing[key] = asyncio.create_task(self._draw(*key))
            self._drawing[key].add_done_callback(partial(self._drawn, key))
        return self._drawing[key]

    async def attempt(self, id: str, whos: Collection[Who] = SERVER) -> Attempt | None:
        """A try with what it asks; raises `UnknownError`."""
        found = await self._database.fetched(partial(load_try, id=id))
        if found is None:
            raise UnknownError(f"there is no try {shown(id)}")
        return await self.attempt_of(*found, whos)

    async def attempt_of(
        self, stored: StoredTry, answers: Sequence[StoredAnswer], whos: Collection[Who] = SERVER
    ) -> Attempt | None:
        """The same for what is stored of it."""
        day = date.fromisoformat(stored.day)
        if stored.kind == "game":
            game = PlacedGame.start(load_ruleset(stored.rules), await self.dice(day, stored.rules))
            games = [game]
            for answer in answers:
                games.append(games[-1].after(parse_action(answer.action)))
            return Attempt(stored, tuple(answers), games=tuple(games))
        puzzles = await self.puzzles(day, TEN if stored.kind == "ten" else LADDER, stored.rules, whos)
        if puzzles is None:
            return None
        if stored.kind != "ten":
            order = run_of([puzzle.rung or 0 for puzzle in puzzles], stored.run)
            puzzles = tuple(puzzles[index] for index in order)
        return Attempt(stored, tuple(answers), puzzles)

    async def answer(
        self, attempt: Attempt, action: Action, at: float, whos: Collection[Who] = SERVER
    ) -> Attempt | None:
        """Store an answer to the next question, and return the try after it once that is durable.

        If somebody else has answered the question meanwhile, that answer stays. Raises `IllegalError`.
        """
        kind: Kind = attempt.stored.kind  # type: ignore[assignment]
        if attempt.games:
            after = attempt.games[-1].after(action)
            actions = [*(parse_action(one.action) for one in attempt.answers), action]
            tally = None
            if after.position.is_over:
                decisions = await self.decided(attempt.stored, actions, whos)
                if decisions is None:
                    return None
                tally = Tally.of([one.loss for one in decisions], after.position.card.total)

            def outcome(stored: Sequence[StoredAnswer]) -> tuple[int | None, float | None]:
                return (tally.standing(kind), at) if tally else (None, None)
        else:
            attempt.asked[len(attempt.answers)].loss(action)  # raises the error

            def outcome(stored: Sequence[StoredAnswer]) -> tuple[int | None, float | None]:
                tally = Tally.of(Attempt(attempt.stored, tuple(stored), attempt.asked).losses)
                is_last = tally.answered == len(attempt.asked) or tally.mistakes == MAX_MISTAKES.get(kind)
                is_ranked = is_last or kind in MAX_MISTAKES
                return tally.standing(kind) if is_ranked else None, at if is_last else None

        given = StoredAnswer(len(attempt.answers) + 1, str(action), at)
        await self._database.written(partial(store_answer, id=attempt.stored.id, answer=given, outcome=outcome))
        return await self.attempt(attempt.stored.id, whos)

    async def decided(
        self, stored: StoredTry, actions: Sequence[Action] | None, whos: Collection[Who] = SERVER
    ) -> list[Decided] | None:
        """The decisions of a game of a day with their losses; with None those of perfect play on the same dice."""
        day, ruleset = date.fromisoformat(stored.day), load_ruleset(stored.rules)
        key = day, stored.rules, None if actions is None else tuple(actions)
        if key not in self._decided:
            if self._searches.solution(ruleset, whos) is None:
                return None
            dice = await self.dice(day, stored.rules)
            with self._searches.using(ruleset) as saved:
                self._decided[key] = await self._pool.run(daily_work.decided, saved, dice, actions)
        return self._decided[key]

    async def missed(
        self, stored: StoredTry, answers: Sequence[StoredAnswer], whos: Collection[Who] = SERVER
    ) -> list[Lesson] | None:
        """The lessons of a try that is over, costliest first; of a game so many as of any other."""
        if stored.ended is None and not is_late(stored.kind, stored.began, self.now):
            return []
        if stored.id not in self._missed:
            by_rules: dict[Ruleset, list[tuple[Position, Action]]] = {}
            for position, answer in zip(await self._asked(stored, answers), answers, strict=False):
                by_rules.setdefault(position.ruleset, []).append((position, parse_action(answer.action)))
            solved = [self._searches.solution(one, whos) for one in by_rules if not self._searches.refusal(one)]
            if None in solved:
                return None
            found: list[Lesson] = []
            for ruleset, made in by_rules.items():
                if not self._searches.refusal(ruleset):
                    with self._searches.using(ruleset) as saved:
                        found += await self._pool.run(daily_work.missed, saved, made, stored.kind == "game")
            self._missed[stored.id] = found
        return self._missed[stored.id]

    async def _asked(self, stored: StoredTry, answers: Sequence[StoredAnswer]) -> list[Position]:
        """The positions of a try that were answered, without their losses."""
        if stored.kind == "game":
            attempt = await self.attempt_of(stored, answers)
            assert attempt is not None, "nothing is drawn for a game"
            return [one.position for one in attempt.games]
        kind = TEN if stored.kind == "ten" else LADDER
        job = partial(stored_positions, day=stored.day, kind=kind, rules=stored.rules)
        found = [_parsed(line, kind) for line in await self._database.fetched(job) or ()]
        if kind == TEN:
            return [position for _, position in found]
        return [found[index][1] for index in run_of([rung or 0 for rung, _ in found], stored.run)]

    def day_of(self, at: float) -> date:
        """The day of the server at a time, in seconds since 1970."""
        return day_at(at, self._zone)

    async def is_of(self, stored: StoredTry, holder: str | None) -> bool:
        """Whether a try belongs to a holder, or to another device of the same person."""
        if holder is None or stored.holder == holder:
            return stored.holder == holder
        return await self._database.fetched(partial(owner_of, holder=holder)) == stored.holder

    async def played_on(self, holder: str) -> list[date]:
        """The days on which a holder has a rank."""
        return [date.fromisoformat(day) for day in await self._database.fetched(partial(ranked_days, holder=holder))]

    async def shares(self, day: str, rules: str, number: int) -> dict[str, int]:
        """How many people chose each action in a position of a ten, a little earlier."""
        job = partial(num_chosen, kind=TEN, rules=rules, day=day, number=number)
        return await self._shares.get((day, rules, number), self.now, partial(self._database.read, job))

    async def solve_rates(self, day: date, rules: str) -> list[SolveRate] | None:
        """How many answers to the positions of each rung were best in the storms and streaks of a day."""
        job = partial(num_chosen_in_runs, kinds=tuple(MAX_MISTAKES), rules=rules, day=day.isoformat())
        chosen = await self._database.fetched(job)
        if not chosen:
            return solve_rates((), chosen)
        ladder = await self.puzzles(day, LADDER, rules)
        return None if ladder is None else solve_rates(ladder, chosen)

    async def board(self, kind: str, rules: str, day: str) -> "array[int]":
        """The standings of the ranked tries of one kind, ruleset and day, the best first; of many a little earlier."""
        sort = kind, rules, day
        return await self._boards.get(
            sort, self.now, lambda: self._database.read(lambda connection: ranked_standings(connection, *sort))
        )

    def refusal(self, day: date, rules: str) -> tuple[Ruleset, str]:
        """The rules that are missing for a day, and why they cannot be had; an empty text if they can."""
        for ruleset in _rulesets(day, TEN, rules):
            if refusal := self._searches.refusal(ruleset):
                return ruleset, refusal
        return load_ruleset(rules), ""

    async def close(self) -> None:
        """Stop drawing."""
        for task in list(self._drawing.values()):
            task.cancel()
        await asyncio.gather(*self._drawing.values(), return_exceptions=True)

    def _are_solved(self, day: date, kind: str, rules: str, whos: Collection[Who] = SERVER) -> bool:
        # All are asked for: a search ends when nobody does.
        found = [self._searches.solution(one, whos) for one in _rulesets(day, kind, rules)]
        return None not in found

    async def _draw(self, day: date, kind: str, rules: str) -> None:
        while not self._are_solved(day, kind, rules):
            if refusal := self.refusal(day, rules)[1]:
                raise IllegalError(refusal)
            await asyncio.sleep(SEARCH_PATIENCE_SECONDS / 10)
        # Among work over many games: answers about one game do not wait for it.
        work = partial(self._draw_solved, day, kind, rules)
        await self._pool.share(self._pool.many_games, ("daily", day, kind, rules), SERVER[0], work)

    async def _draw_solved(self, day: date, kind: str, rules: str) -> None:
        job = partial(stored_positions, day=day.isoformat(), kind=kind, rules=rules)
        lines = await self._database.fetched(job)
        if lines is None:
            secret = await self.secret(day)
            found = [await self._candidates(secret, kind, ruleset) for ruleset in _rulesets(day, kind, rules)]
            if kind == TEN:
                lines = [str(one) for one in choose_ten(secret, *found)]
            else:
                lines = [f"{rung} {one}" for rung, one in choose_ladder(secret, found[0])]
            store = partial(store_positions, day=day.isoformat(), kind=kind, rules=rules, lines=lines)
            lines = await self._database.written(store)
        positions = [_parsed(line, kind) for line in lines]
        puzzles: dict[Position, Puzzle] = {}
        for ruleset in _rulesets(day, kind, rules):
            own = [one for one in positions if one[1].ruleset == ruleset]
            with self._searches.using(ruleset) as saved:
                for puzzle in await self._pool.run(daily_work.found_puzzles, saved, own, kind == TEN):
                    puzzles[puzzle.position] = puzzle
        self._puzzles[day, kind, rules] = tuple(puzzles[position] for _, position in positions)

    async def _candidates(self, secret: bytes, kind: str, ruleset: Ruleset) -> list[Candidate]:
        found: list[Candidate] = []
        for player, dice in games_of(secret, kind, ruleset.id):
            with self._searches.using(ruleset) as saved:
                found += await self._pool.run(daily_work.found_candidates, saved, dice, player, kind == TEN)
        return found

    def _drawn(self, key: tuple[date, str, str], task: "asyncio.Task[None]") -> None:
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
