"""`/api/daily/archive` and `/api/daily/proofs`: past days to play without rank, and proofs of what was drawn."""

from datetime import timedelta
from typing import Annotated

import msgspec
from msgspec import Meta

from fivedice.base.errors import UnknownError
from fivedice.base.language import language
from fivedice.daily.days import PUBLISHED_AHEAD, daily_rules, number_of, parse_day
from fivedice.daily.puzzles import Puzzle
from fivedice.game.notation import parse_action
from fivedice.game.proof import commitment
from fivedice.server.games.dailies import Dailies, level_places
from fivedice.server.games.drawn_days import TEN, DrawnDays
from fivedice.server.http.handling.asker import Asker
from fivedice.server.replies.asking import Lang
from fivedice.server.replies.endpoint import get, post
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import num_ranked
from fivedice.views.action import AnyAction, action_of
from fivedice.views.daily import (
    AnswerView,
    ArchivedDayView,
    ArchivedTenView,
    ArchiveView,
    DayProofsView,
    DayProofView,
    answer_view,
    question_view,
)
from fivedice.views.rules import rules_view

ARCHIVE_DAYS = 30
"""Past days in one part of the archive."""

DayPath = Annotated[str, Meta(description="a past day, as in 2026-11-25", max_length=10)]
Before = Annotated[str, Meta(description="the `next` of the part before", max_length=10)]


class ArchivedAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a question of a past ten."""

    number: Annotated[int, Meta(ge=1, le=1_000)]
    action: AnyAction
    rules: Annotated[str, Meta(max_length=40)] = "yahtzee"


@get("/api/daily/archive")
async def list_days(days: DrawnDays, database: Database, before: Before = "") -> ArchiveView:
    """Past days with a ten, the latest first, in parts."""
    _, since = await days.master()
    today = days.today
    last = (min(max(parse_day(before), since), today) if before else today) - timedelta(1)
    first = max(since, last - timedelta(ARCHIVE_DAYS - 1))
    listed = [last - timedelta(number) for number in range((last - first).days + 1)]
    span = first.isoformat(), last.isoformat()
    ranked = await database.fetched(lambda connection: num_ranked(connection, TEN, span))
    players: dict[str, int] = {}
    for (day, _), num in ranked.items():
        players[day] = players.get(day, 0) + num
    return ArchiveView(
        [ArchivedDayView(day.isoformat(), number_of(day), players.get(day.isoformat(), 0)) for day in listed],
        first.isoformat() if listed and first > since else None,
    )


@get("/api/daily/archive/{day}", 404)
async def show_archived_ten(
    asker: Asker,
    days: DrawnDays,
    dailies: Dailies,
    day: DayPath,
    rules: Annotated[str, Meta(description="a daily ruleset", max_length=40)] = "yahtzee",
    answers: Annotated[bool, Meta(description="whether to include the answers")] = False,
    lang: Lang = "en",
) -> ArchivedTenView:
    """The ten of a past day, to play without rank, or with the answers and what people chose."""
    puzzles = await _ten(asker, days, day, rules)
    own: dict[int, str] = {}
    if answers and asker.holder is not None:
        own = await _own_actions(dailies, asker.holder, day, rules)
    to = language(lang)
    questions = [question_view(number, puzzle.position) for number, puzzle in enumerate(puzzles, 1)]
    graded, counts = [], await dailies.shares(rules, day) if answers else {}
    for question, puzzle in zip(questions, puzzles, strict=True) if answers else ():
        action = parse_action(own[question.number]) if question.number in own else puzzle.best[0]
        graded.append(answer_view(question, puzzle, action, counts.get(question.number, {}), to))
    rulesets = {puzzle.position.ruleset.digest: puzzle.position.ruleset for puzzle in puzzles}
    return ArchivedTenView(
        day=day,
        number=number_of(parse_day(day)),
        rules=rules,
        rulesets=[rules_view(ruleset) for ruleset in rulesets.values()],
        questions=questions,
        answers=graded,
        levels=level_places(puzzles, to) if answers else [],
    )


@post("/api/daily/archive/{day}", 404)
async def grade_archived(
    asker: Asker, days: DrawnDays, dailies: Dailies, day: DayPath, data: ArchivedAnswer, lang: Lang = "en"
) -> AnswerView:
    """Grade an answer to the ten of a past day; nothing is stored."""
    puzzles = await _ten(asker, days, day, data.rules)
    if data.number > len(puzzles):
        raise UnknownError(f"there is no question {data.number}: a ten has {len(puzzles)}")
    puzzle, counts = puzzles[data.number - 1], await dailies.shares(data.rules, day)
    question = question_view(data.number, puzzle.position)
    return answer_view(question, puzzle, action_of(data.action), counts.get(data.number, {}), language(lang))


@get("/api/daily/proofs")
async def list_proofs(days: DrawnDays, before: Before = "") -> DayProofsView:
    """The commitments of the coming days and today, and the secrets of past days, the latest first."""
    _, since = await days.master()
    today = days.today
    end = today + timedelta(PUBLISHED_AHEAD)
    last = min(max(parse_day(before), since) - timedelta(1), end) if before else end
    first = max(since, last - timedelta(ARCHIVE_DAYS - 1))
    found = []
    for number in range((last - first).days + 1):
        day = last - timedelta(number)
        secret = await days.secret(day)
        shown = secret.hex() if day < today else None
        found.append(DayProofView(day.isoformat(), number_of(day), commitment(secret), shown))
    return DayProofsView(found)


async def _ten(asker: Asker, days: DrawnDays, text: str, rules: str) -> tuple[Puzzle, ...]:
    """The ten of a past day; raises `UnknownError`."""
    day, rules = parse_day(text), daily_rules(rules)
    if text != day.isoformat() or not (await days.master())[1] <= day < days.today:
        raise UnknownError(f"there is no past day {text} on this server")
    return await asker.wait_for(days.puzzles(day, TEN, rules))


async def _own_actions(dailies: Dailies, holder: str, day: str, rules: str) -> dict[int, str]:
    id = await dailies.own_id(holder, day, TEN, rules)
    answers = (await dailies.stored(id))[1] if id else ()
    return {number: answer.action for number, answer in enumerate(answers, 1)}
