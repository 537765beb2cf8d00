"""`Dailies`: the tries of a day with their answers, each graded when it is stored."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from fivedice.analysis.learning.lessons import PER_GAME, lesson_of
from fivedice.base.errors import UnknownError, shown
from fivedice.daily.choice import run_of
from fivedice.daily.puzzles import PlacedGame, Puzzle
from fivedice.daily.results import MAX_MISTAKES, STORM_SECONDS, Kind, Tally, is_late
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.rulesets import load_ruleset
from fivedice.server.games import computed
from fivedice.server.games.drawn_days import GAME, DrawnDays, drawn_for
from fivedice.server.games.duplicate_losses import Made
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import (
    StoredAnswer,
    StoredTry,
    load_try,
    missed_answers,
    ranked_days,
    read_losses,
    store_answer,
    stored_losses,
    tries_of,
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try with its graded answers and what it asks: of a game the puzzles of the answered positions, with the losses
    that their grades show. `games` are the positions of a game, with the one to decide next."""

    stored: StoredTry
    answers: tuple[StoredAnswer, ...]
    asked: tuple[Puzzle, ...]
    games: tuple[PlacedGame, ...] = ()

    @property
    def actions(self) -> list[Action]:
        """The answers as actions."""
        return [parse_action(one.action) for one in self.answers]

    @property
    def tally(self) -> Tally:
        """What the answers come to."""
        score = self.games[-1].position.card.total if self.games else None
        return Tally.of([one.loss for one in self.answers], score)

    @property
    def made(self) -> list[Made]:
        """The decisions of a game."""
        return made(self.games, self.actions, [one.loss for one in self.answers])

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
            games = await self._games(stored, [parse_action(one.action) for one in answers])
            pairs = zip(games, answers, strict=False)
            asked = tuple(Puzzle(game.position, read_losses(one.losses)) for game, one in pairs)
            return Attempt(stored, tuple(answers), asked, games)
        puzzles = await self._days.puzzles(day, drawn_for(stored.kind), stored.rules)
        if stored.kind != "ten":
            order = run_of([puzzle.rung or 0 for puzzle in puzzles], stored.run)
            puzzles = tuple(puzzles[index] for index in order)
        return Attempt(stored, tuple(answers), puzzles)

    async def answer(self, attempt: Attempt, action: Action, at: float) -> Attempt:
        """Store an answer to the next question, and return the try after it once that is durable.

        If somebody else has answered the question meanwhile, that answer stays. Raises `IllegalError`.
        """
        stored, number, losses = attempt.stored, len(attempt.answers), None
        kind: Kind = stored.kind  # type: ignore[assignment]
        if attempt.games:
            before, after = attempt.games[-1].position, attempt.games[-1].after(action).position
            await self._searches.find(before.ruleset)
            with self._searches.using(before.ruleset) as saved:
                puzzle = await self._pool.run(computed.puzzle_at, saved, before)
            losses, score, has_ended = stored_losses(puzzle.answered(action).losses), after.card.total, after.is_over
        else:
            puzzle, score, has_ended = attempt.asked[number], None, number + 1 == len(attempt.asked)
        loss = puzzle.loss(action)
        lesson = lesson_of(puzzle.position, action, loss)
        line = str(lesson.position) if lesson else None
        given = StoredAnswer(number + 1, str(action), at, loss, losses, line)

        def outcome(losses: Sequence[float]) -> tuple[int | None, bool]:
            tally = Tally.of(losses, score)
            is_last = has_ended or tally.mistakes == MAX_MISTAKES.get(kind)
            return tally.standing(kind) if is_last or kind in MAX_MISTAKES else None, is_last

        await self._database.written(partial(store_answer, id=stored.id, answer=given, outcome=outcome))
        return await self.attempt(stored.id)

    async def perfect(self, stored: StoredTry) -> list[Made]:
        """The decisions of perfect play on the dice of a game."""
        puzzles = await self._days.puzzles(date.fromisoformat(stored.day), GAME, stored.rules)
        actions = [puzzle.best[0] for puzzle in puzzles]
        return made(await self._games(stored, actions), actions, [0.0] * len(actions))

    async def _games(self, stored: StoredTry, actions: Sequence[Action]) -> tuple[PlacedGame, ...]:
        """The positions of a game, with that after the last action."""
        dice = await self._days.dice(date.fromisoformat(stored.day), stored.rules)
        games = [PlacedGame.start(load_ruleset(stored.rules), dice)]
        for action in actions:
            games.append(games[-1].after(action))
        return tuple(games)

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


def made(games: Sequence[PlacedGame], actions: Sequence[Action], losses: Sequence[float]) -> list[Made]:
    """The decisions of a game with their losses, from its positions with that after the last one."""
    return [
        Made(game.turn, game.position, game.places, action, loss, after.position.card.total)
        for game, after, action, loss in zip(games, games[1:], actions, losses, strict=False)
    ]
