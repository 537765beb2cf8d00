"""`Dailies`: the tries of a day with their answers, and the losses of these."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from cachetools import LRUCache

from fivedice.analysis.learning.lessons import PER_GAME, lesson_of
from fivedice.base.errors import UnknownError, shown
from fivedice.daily.choice import run_of
from fivedice.daily.dice import PlacedGame
from fivedice.daily.puzzles import Decided, Puzzle
from fivedice.daily.results import MAX_MISTAKES, STORM_SECONDS, Kind, Tally, is_late
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.server.games import daily_work
from fivedice.server.games.drawn_days import MAX_KEPT_DAYS, DrawnDays, drawn_for
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import (
    StoredAnswer,
    StoredTry,
    load_try,
    missed_answers,
    ranked_days,
    store_answer,
    tries_of,
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try with what it asks. `asked` are the puzzles of all kinds but a game; `games` are the positions of a game,
    with the one to decide next."""

    stored: StoredTry
    answers: tuple[StoredAnswer, ...]
    asked: tuple[Puzzle, ...] = ()
    games: tuple[PlacedGame, ...] = ()

    @property
    def actions(self) -> list[Action]:
        """The answers as actions."""
        return [parse_action(one.action) for one in self.answers]

    @property
    def losses(self) -> list[float]:
        """The losses of the answers; none in a game, where they are not known before its end."""
        return [puzzle.loss(action) for puzzle, action in zip(self.asked, self.actions, strict=False)]

    def is_over(self, now: float, today: date) -> bool:
        """Whether it takes no more answers."""
        stored = self.stored
        is_past = stored.kind not in MAX_MISTAKES and stored.day != today.isoformat()
        if stored.ended is not None or is_past or is_late(stored.kind, stored.began, now):
            return True
        return self.games[-1].position.is_over if self.games else len(self.answers) == len(self.asked)


class Dailies:
    """Loads tries and grades answers. All methods must be called on the event loop's thread.

    They raise `UnavailableError`, and wait for what is being drawn or solved.
    """

    def __init__(self, database: Database, searches: Searches, pool: Pool, days: DrawnDays) -> None:
        self._database = database
        self._searches = searches
        self._pool = pool
        self._days = days
        self._decided: LRUCache[tuple[date, str, tuple[Action, ...] | None], list[Decided]] = LRUCache(MAX_KEPT_DAYS)

    async def stored(self, id: str) -> tuple[StoredTry, list[StoredAnswer]]:
        """A try with its answers; raises `UnknownError`."""
        found = await self._database.fetched(partial(load_try, id=id))
        if found is None:
            raise UnknownError(f"there is no try {shown(id)}")
        return found

    async def attempt(self, id: str) -> Attempt:
        """A try with what it asks; raises `UnknownError`."""
        return await self.attempt_of(*await self.stored(id))

    async def own_id(self, holder: str | None, day: str, kind: str, rules: str) -> str | None:
        """The id of a holder's latest try of a day, kind and ruleset; None if there is none."""
        mine = await self._database.fetched(partial(tries_of, holder=holder or "", day=day))
        return next((one.id for one in reversed(mine) if (one.kind, one.rules) == (kind, rules)), None)

    async def attempt_of(self, stored: StoredTry, answers: Sequence[StoredAnswer]) -> Attempt:
        """A stored try with what it asks."""
        day = date.fromisoformat(stored.day)
        if stored.kind == "game":
            game = PlacedGame.start(load_ruleset(stored.rules), await self._days.dice(day, stored.rules))
            games = [game]
            for answer in answers:
                games.append(games[-1].after(parse_action(answer.action)))
            return Attempt(stored, tuple(answers), games=tuple(games))
        puzzles = await self._days.puzzles(day, drawn_for(stored.kind), stored.rules)
        if stored.kind != "ten":
            order = run_of([puzzle.rung or 0 for puzzle in puzzles], stored.run)
            puzzles = tuple(puzzles[index] for index in order)
        return Attempt(stored, tuple(answers), puzzles)

    async def answer(self, attempt: Attempt, action: Action, at: float) -> Attempt:
        """Store an answer to the next question, and return the try after it once that is durable.

        If somebody else has answered the question meanwhile, that answer stays. Raises `IllegalError`.
        """
        kind: Kind = attempt.stored.kind  # type: ignore[assignment]
        lost: list[tuple[float, str | None]] = []
        if attempt.games:
            after = attempt.games[-1].after(action)
            actions = [*attempt.actions, action]
            tally, given = None, StoredAnswer(len(attempt.answers) + 1, str(action), at)
            if after.position.is_over:
                decisions = await self.decided(attempt.stored, actions)
                tally = Tally.of([one.loss for one in decisions], after.position.card.total)
                lost = [(one.loss, _lesson(one.puzzle.position, one.action, one.loss)) for one in decisions]

            def outcome(stored: Sequence[StoredAnswer]) -> tuple[int | None, float | None]:
                return (tally.standing(kind), at) if tally else (None, None)
        else:
            asked = attempt.asked[len(attempt.answers)]
            loss = asked.loss(action)
            lesson = _lesson(asked.position, action, loss)
            given = StoredAnswer(len(attempt.answers) + 1, str(action), at, loss, lesson)

            def outcome(stored: Sequence[StoredAnswer]) -> tuple[int | None, float | None]:
                tally = Tally.of(Attempt(attempt.stored, tuple(stored), attempt.asked).losses)
                is_last = tally.answered == len(attempt.asked) or tally.mistakes == MAX_MISTAKES.get(kind)
                is_ranked = is_last or kind in MAX_MISTAKES
                return tally.standing(kind) if is_ranked else None, at if is_last else None

        store = partial(store_answer, id=attempt.stored.id, answer=given, outcome=outcome, lost=lost)
        await self._database.written(store)
        return await self.attempt(attempt.stored.id)

    async def decided(self, stored: StoredTry, actions: Sequence[Action] | None) -> list[Decided]:
        """The decisions of a game of a day with their losses; with None those of perfect play on the same dice."""
        day, ruleset = date.fromisoformat(stored.day), load_ruleset(stored.rules)
        key = day, stored.rules, None if actions is None else tuple(actions)
        if key not in self._decided:
            await self._searches.find(ruleset)
            dice = await self._days.dice(day, stored.rules)
            with self._searches.using(ruleset) as saved:
                self._decided[key] = await self._pool.run(daily_work.decided, saved, dice, actions)
        return self._decided[key]

    async def missed(self, holder: str, since: date | None, most: int) -> list[tuple[str, str, float]]:
        """The position, the answer and the loss of what becomes a lesson, in so many of a holder's latest tries from a
        day on, costliest first; of a game so many as of any other."""
        job = partial(
            missed_answers,
            holder=holder,
            since=since.isoformat() if since else "",
            late=self._days.now - STORM_SECONDS,
            most=most,
        )
        num: Counter[str] = Counter()
        found = []
        for stored, answer in await self._database.fetched(job):
            num[stored.id] += 1
            if stored.kind != "game" or num[stored.id] <= PER_GAME:
                found.append((answer.lesson or "", answer.action, answer.loss or 0.0))
        return found

    async def played_on(self, holder: str) -> list[date]:
        """The days on which a holder has a rank."""
        return [date.fromisoformat(day) for day in await self._database.fetched(partial(ranked_days, holder=holder))]


def _lesson(position: Position, action: Action, loss: float) -> str | None:
    """The position of an answer in notation, if it becomes a lesson."""
    lesson = lesson_of(position, action, loss)
    return str(lesson.position) if lesson else None
