"""`Dailies`: the tries of a day with their answers, each graded when it is stored, and their results, also as JSON."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from sqlalchemy import Connection

from fivedice.analysis.lessons import PER_GAME, lesson_of
from fivedice.base.errors import UnknownError, shown
from fivedice.base.language import Language
from fivedice.daily.choice import run_of
from fivedice.daily.days import number_of
from fivedice.daily.puzzles import PlacedGame, Puzzle, symbol
from fivedice.daily.results import MAX_MISTAKES, STORM_SECONDS, Share, Tally, is_late, of_standing
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.players.levels import LEVELS
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games.compared_games import Made
from fivedice.server.games.drawn_days import GAME, DrawnDays, drawn_for
from fivedice.server.solving import solved
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import (
    StoredAnswer,
    StoredTry,
    best_standing,
    board,
    load_try,
    missed_answers,
    num_chosen,
    read_losses,
    store_answer,
    stored_losses,
    tries_of,
)
from fivedice.views.action import action_parts
from fivedice.views.daily import (
    AnswerView,
    BestsView,
    LevelPlaceView,
    QuestionView,
    ResultView,
    TryView,
    answer_view,
    question_view,
)
from fivedice.views.rules import rules_view

EVER = "0001-01-01", "9999-12-31"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try with its graded answers and the puzzles that it asks.

    In a game these are the answered positions, with the losses that their grades show, and `games` are its positions,
    with the one to decide next.
    """

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
        """The sums of the answers."""
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
            asked = tuple(Puzzle(game.position, read_losses(one.losses or {})) for game, one in pairs)
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
        if attempt.games:
            before, after = attempt.games[-1].position, attempt.games[-1].after(action).position
            await self._searches.find(before.ruleset)
            with self._searches.using(before.ruleset) as saved:
                puzzle = await self._pool.run(solved.puzzle_at, saved, before)
            losses, score, has_ended = stored_losses(puzzle.answered(action).losses), after.card.total, after.is_over
        else:
            puzzle, score, has_ended = attempt.asked[number], None, number + 1 == len(attempt.asked)
        loss = puzzle.loss(action)
        lesson = lesson_of(puzzle.position, action, loss)
        line = str(lesson.position) if lesson else None
        given = StoredAnswer(str(action), at, loss, losses, line)

        def outcome(losses: Sequence[float]) -> tuple[int | None, bool]:
            tally = Tally.of(losses, score)
            is_last = has_ended or tally.mistakes == MAX_MISTAKES.get(stored.kind)
            return tally.standing(stored.kind) if is_last or stored.kind in MAX_MISTAKES else None, is_last

        await self._database.written(
            partial(store_answer, id=stored.id, number=number + 1, answer=given, outcome=outcome)
        )
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

    async def try_view(self, attempt: Attempt, to: Language, since: int = 1) -> TryView:
        """A try with its answers from a number on."""
        stored, days = attempt.stored, self._days
        is_over = attempt.is_over(days.now, days.today)
        answers = await self._answers(attempt, to, since, is_over=is_over)
        result = await self.result_view(attempt, to, is_yours=True) if is_over else None
        next = None if is_over else _question(attempt, len(attempt.answers))
        shown = [one.question for one in answers] + [next] * (next is not None)
        rulesets = {one.digest: one for one in self._rulesets(attempt)}
        return TryView(
            id=stored.id,
            kind=stored.kind,
            day=stored.day,
            number=number_of(date.fromisoformat(stored.day)),
            rules=stored.rules,
            run=stored.run,
            rulesets=[rules_view(rulesets[digest]) for digest in dict.fromkeys(one.rules for one in shown if one)],
            size=len(attempt.asked) if stored.kind == "ten" else None,
            answers=answers,
            question=next,
            mistakes=0 if attempt.games else attempt.tally.mistakes,
            max_mistakes=MAX_MISTAKES.get(stored.kind),
            seconds_left=max(0.0, stored.began + STORM_SECONDS - days.now) if stored.kind == "storm" else None,
            seconds_to_next=days.seconds_to_next if stored.day == days.today.isoformat() else 0.0,
            result=result,
            bests=await self._database.fetched(lambda connection: _bests(connection, stored))
            if is_over and stored.kind in MAX_MISTAKES
            else None,
        )

    async def result_view(self, attempt: Attempt, to: Language, *, is_yours: bool = False) -> ResultView:
        """The result of a try that is over, as its owner or anybody else sees it."""
        stored = attempt.stored
        tally = attempt.tally
        found = await self._database.fetched(partial(board, one=stored))
        median = of_standing(stored.kind, found.median)
        marks = [symbol(one.loss) for one in attempt.answers] if stored.kind == "ten" else []
        share = Share(
            stored.kind,
            number_of(date.fromisoformat(stored.day)),
            stored.rules,
            best=tally.best if tally.score is None else tally.score,
            answered=tally.answered if stored.kind == "ten" else 0,
            lost=round(10 * tally.lost) if stored.kind not in MAX_MISTAKES else 0,
            marks=tuple(marks),
        )
        return ResultView(
            id=stored.id,
            path=f"/d/{stored.id}",
            kind=stored.kind,
            day=stored.day,
            number=share.number,
            rules=stored.rules,
            name=load_ruleset(stored.rules).name,
            is_ranked=found.place is not None,
            is_yours=is_yours,
            best=tally.best,
            answered=tally.answered,
            lost=tally.lost,
            score=tally.score,
            marks=marks,
            place=found.place,
            players=found.players,
            median_lost=median[0],
            median_score=median[1],
            levels=level_places(attempt.asked, to) if stored.kind == "ten" and found.place else [],
            line=share.line(to),
        )

    async def shares(self, rules: str, day: str) -> dict[int, Counter[str]]:
        """The number of a question of a ten → how many people chose each action."""
        return await self._database.fetched(partial(num_chosen, rules=rules, day=day))

    async def _answers(self, attempt: Attempt, to: Language, since: int, *, is_over: bool) -> list[AnswerView]:
        stored, found = attempt.stored, []
        counts = await self.shares(stored.rules, stored.day) if stored.kind == "ten" and attempt.answers else {}
        for index, action in list(enumerate(attempt.actions))[since - 1 :]:
            question = _question(attempt, index)
            if attempt.games and not is_over:
                found.append(AnswerView(question, str(action), action_parts(action), None, None, "", "", [], []))
                continue
            found.append(answer_view(question, attempt.asked[index], action, counts.get(index + 1, {}), to))
        return found

    @staticmethod
    def _rulesets(attempt: Attempt) -> set[Ruleset]:
        asked = {puzzle.position.ruleset for puzzle in attempt.asked}
        return asked | {game.position.ruleset for game in attempt.games[:1]}


def made(games: Sequence[PlacedGame], actions: Sequence[Action], losses: Sequence[float]) -> list[Made]:
    """The decisions of a game with their losses, from its positions with that after the last one."""
    return [
        Made(game.turn, game.position, game.places, action, loss, after.position.card.total)
        for game, after, action, loss in zip(games, games[1:], actions, losses, strict=False)
    ]


def level_places(puzzles: Sequence[Puzzle], to: Language) -> list[LevelPlaceView]:
    """What each computer level loses in some positions."""
    sums = [sum(losses) for losses in zip(*(puzzle.levels for puzzle in puzzles), strict=True)]
    return [
        LevelPlaceView(level, to.say(text.name), lost, None)
        for (level, text), lost in zip(LEVELS.items(), sums, strict=True)
    ]


def _question(attempt: Attempt, index: int) -> QuestionView:
    if attempt.games:
        game = attempt.games[index]
        return question_view(index + 1, game.position, None, game.turn, game.places, game.kept)
    puzzle = attempt.asked[index]
    return question_view(index + 1, puzzle.position, puzzle.rung)


def _bests(connection: Connection, stored: StoredTry) -> BestsView:
    day = date.fromisoformat(stored.day)
    monday = (day - timedelta(day.weekday())).isoformat()

    def best(days: tuple[str, str], holder: str | None = None) -> int:
        return -(best_standing(connection, stored.kind, stored.rules, days, holder) or 0)

    return BestsView(best((stored.day, stored.day)), best((monday, stored.day)), best(EVER, stored.holder))
