"""Tries and results as JSON: what the handlers of the daily answer with."""

from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial

from sqlalchemy import Connection

from fivedice.base.language import Language
from fivedice.daily.days import number_of
from fivedice.daily.puzzles import Puzzle, symbol
from fivedice.daily.results import MAX_MISTAKES, STORM_SECONDS, Kind, Share, of_standing
from fivedice.players.levels import LEVELS
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games.dailies import Attempt
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import StoredTry, best_standing, board, num_chosen
from fivedice.views.daily import (
    AnswerView,
    BestsView,
    LevelPlaceView,
    QuestionView,
    ResultView,
    TryView,
    answer_view,
    open_answer_view,
    question_view,
)
from fivedice.views.rules import rules_view

EVER = "0001-01-01", "9999-12-31"


class DailyViews:
    """Makes views. All methods must be called on the event loop's thread."""

    def __init__(self, days: DrawnDays, database: Database) -> None:
        self._days = days
        self._database = database

    async def try_view(self, attempt: Attempt, to: Language, since: int = 1) -> TryView:
        """A try with its answers from a number on."""
        stored, days = attempt.stored, self._days
        kind: Kind = stored.kind  # type: ignore[assignment]
        is_over = attempt.is_over(days.now, days.today)
        answers = await self._answers(attempt, to, since, is_over=is_over)
        result = await self.result_view(attempt, to, is_yours=True) if is_over else None
        next = None if is_over else _question(attempt, len(attempt.answers))
        shown = [one.question for one in answers] + [next] * (next is not None)
        rulesets = {one.digest: one for one in self._rulesets(attempt)}
        return TryView(
            id=stored.id,
            kind=kind,
            day=stored.day,
            number=number_of(date.fromisoformat(stored.day)),
            rules=stored.rules,
            run=stored.run,
            rulesets=[rules_view(rulesets[digest]) for digest in dict.fromkeys(one.rules for one in shown if one)],
            size=len(attempt.asked) if kind == "ten" else None,
            answers=answers,
            question=next,
            mistakes=0 if attempt.games else attempt.tally.mistakes,
            max_mistakes=MAX_MISTAKES.get(kind),
            seconds_left=max(0.0, stored.began + STORM_SECONDS - days.now) if kind == "storm" else None,
            seconds_to_next=days.seconds_to_next if stored.day == days.today.isoformat() else 0.0,
            result=result,
            bests=await self._database.fetched(lambda connection: _bests(connection, stored))
            if is_over and kind in MAX_MISTAKES
            else None,
        )

    async def result_view(self, attempt: Attempt, to: Language, *, is_yours: bool = False) -> ResultView:
        """The result of a try that is over, as its owner or anybody else sees it."""
        stored = attempt.stored
        kind: Kind = stored.kind  # type: ignore[assignment]
        tally = attempt.tally
        found = await self._database.fetched(partial(board, one=stored))
        median = of_standing(kind, found.median)
        marks = [symbol(one.loss) for one in attempt.answers] if kind == "ten" else []
        share = Share(
            kind,
            number_of(date.fromisoformat(stored.day)),
            stored.rules,
            best=tally.best if tally.score is None else tally.score,
            answered=tally.answered if kind == "ten" else 0,
            lost=round(10 * tally.lost) if kind not in MAX_MISTAKES else 0,
            marks=tuple(marks),
        )
        return ResultView(
            id=stored.id,
            path=f"/d/{stored.id}",
            kind=kind,
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
            levels=level_places(attempt.asked, to) if kind == "ten" and found.place else [],
            line=share.line(to),
        )

    async def shares(self, rules: str, day: str, number: int) -> dict[str, int]:
        """How many people chose each action in a position of a ten."""
        return await self._database.fetched(partial(num_chosen, rules=rules, day=day, number=number))

    async def _answers(self, attempt: Attempt, to: Language, since: int, *, is_over: bool) -> list[AnswerView]:
        stored, found = attempt.stored, []
        for index, action in list(enumerate(attempt.actions))[since - 1 :]:
            question = _question(attempt, index)
            if attempt.games and not is_over:
                found.append(open_answer_view(question, action))
                continue
            counts = await self.shares(stored.rules, stored.day, index + 1) if stored.kind == "ten" else {}
            found.append(answer_view(question, attempt.asked[index], action, counts, to))
        return found

    @staticmethod
    def _rulesets(attempt: Attempt) -> set[Ruleset]:
        asked = {puzzle.position.ruleset for puzzle in attempt.asked}
        return asked | {game.position.ruleset for game in attempt.games[:1]}


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
