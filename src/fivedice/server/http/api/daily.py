"""`/api/daily`: today's tries: the ten, the game, storms and streaks; and what links to results show."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response
from litestar.params import JSONBody, PathParameter, QueryParameter

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.base.language import language
from fivedice.daily.days import RULES, daily_rules, guest_of, number_of
from fivedice.daily.puzzles import Decided, Puzzle, is_best
from fivedice.daily.results import MAX_MISTAKES, Kind
from fivedice.game.notation import parse_action
from fivedice.game.proof import commitment
from fivedice.rulesets import load_ruleset
from fivedice.server.config.limits import MAX_RUNS, ROW_BYTES
from fivedice.server.games.comparison import Made, compared
from fivedice.server.games.drawn_days import drawn_for
from fivedice.server.http.api.asked_try import AskedTry, TheAskedTry
from fivedice.server.http.api.positions import explained
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.error_responses import NotYoursError
from fivedice.server.http.handling.params import Lang
from fivedice.server.replies.errors import StaleError
from fivedice.storage.rows.daily import StoredTry, begin_try, end_try, num_ranked, tries_of
from fivedice.storage.rows.holders import new_secret
from fivedice.views.action import AnyAction, action_of
from fivedice.views.daily import DayProofView, ResultView, TodayGameView, TodayView, TryView
from fivedice.views.duplicates import ComparisonView
from fivedice.views.position import WhyView

KINDS: tuple[Kind, ...] = ("ten", "game", "storm", "streak")

KindPath = Annotated[Kind, PathParameter(description="ten, game, storm or streak")]


class NewTry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a try under a daily ruleset."""

    rules: Annotated[str, msgspec.Meta(max_length=40)] = "yahtzee"


class NewAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to the question with this number."""

    number: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    action: AnyAction


@get("/api/daily", 400, 503)
async def show_daily(asker: TheAsker, lang: Lang = "en") -> TodayView:
    """The current day, and your tries of it."""
    days, dailies, to = asker.services.days, asker.services.dailies, language(lang)
    day = days.today
    text, holder = day.isoformat(), asker.holder or ""
    mine = await asker.services.database.fetched(lambda connection: tries_of(connection, holder, text))
    wanted, games = RULES.get(lang, RULES["en"]), []
    for kind in KINDS:
        ranked = await asker.services.database.fetched(partial(num_ranked, kind=kind, days=(text, text)))
        for rules in RULES.values():
            own = [one for one in mine if (one.kind, one.rules) == (kind, rules)]
            attempts = [await dailies.attempt(one.id) for one in own]
            over = [one for one in attempts if one.is_over(days.now, day)]
            best = min(over, key=lambda one: one.stored.standing or 0, default=None)
            games.append(
                TodayGameView(
                    kind=kind,
                    rules=rules,
                    name=load_ruleset(rules).name,
                    status="new" if not own else "over" if len(over) == len(own) else "begun",
                    is_ready=days.is_ready(kind, rules) if rules == wanted else bool(own),
                    players=ranked.get((text, rules), 0),
                    result=await asker.services.daily_views.result_view(best, to, is_yours=True) if best else None,
                )
            )
    guest = guest_of(day)
    return TodayView(
        day=text,
        number=number_of(day),
        seconds_to_next=days.seconds_to_next,
        rules=wanted,
        guest=load_ruleset(guest).name if guest else "",
        games=games,
        proof=DayProofView(text, number_of(day), commitment(await days.secret(day)), None),
    )


@post("/api/daily/{kind:str}", 400, 403, 404, 413, 503)
async def begin_daily(kind: KindPath, data: JSONBody[NewTry], asker: TheAsker, lang: Lang = "en") -> Response[TryView]:
    """Begin a try of today, or return the one that goes on; a ten and a game can be tried once."""
    days, dailies, rules = asker.services.days, asker.services.dailies, daily_rules(data.rules)
    day = days.today
    # Before anything is stored: the clock of a storm must not run while it is drawn.
    if kind == "game":
        await asker.find(load_ruleset(rules))
    else:
        await asker.wait_for(days.puzzles(day, drawn_for(kind), rules))
    holder = await asker.become_holder()
    last = await dailies.own_id(holder, day.isoformat(), kind, rules)
    asked = await AskedTry.load(last, asker, lang) if last else None
    if asked is None or (kind in MAX_MISTAKES and asked.is_over):
        run = asked.stored.run + 1 if asked else 1
        if run > MAX_RUNS:
            raise IllegalError(f"one browser can try this {MAX_RUNS} times a day")
        asker.store(ROW_BYTES)
        wanted = StoredTry(new_secret()[:22], day.isoformat(), kind, rules, run, holder, days.now, None, None)
        stored = await asker.services.database.written(lambda connection: begin_try(connection, wanted))
        asked = await AskedTry.load(stored.id, asker, lang)
    return asker.answer(await _answered(asked))


@get("/api/daily/tries/{id:str}", 400, 403, 404, 503)
async def show_try(asked: TheAskedTry) -> TryView:
    """Your try, with all answers and the next question."""
    await asked.require_own()
    return await _answered(asked)


@post("/api/daily/tries/{id:str}/answers", 400, 403, 404, 409, 413, 503)
async def answer_daily(asked: TheAskedTry, data: JSONBody[NewAnswer]) -> TryView:
    """Store the answer to the next question, and grade it. An earlier question keeps the answer that it has."""
    await asked.require_own()
    services, before = asked.asker.services, asked.attempt
    if data.number <= len(before.answers):
        return await _answered(asked, since=data.number)
    if asked.is_over:
        raise StaleError("this try is over, and takes no more answers")
    if data.number != len(before.answers) + 1:
        raise StaleError(f"question {data.number} is not the next one, which is {len(before.answers) + 1}")
    asked.asker.store_more(ROW_BYTES)
    action, now = action_of(data.action), services.days.now
    attempt = await asked.asker.wait_for(services.dailies.answer(before, action, now))
    if before.asked:
        puzzle, given = before.asked[data.number - 1], parse_action(attempt.answers[data.number - 1].action)
        services.metrics.count_daily(before.stored.kind, puzzle.rung, is_best=is_best(puzzle.loss(given)))
    return await _answered(replace(asked, attempt=attempt), since=data.number)


@post("/api/daily/tries/{id:str}/end", 400, 403, 404, 503)
async def end_daily(asked: TheAskedTry) -> TryView:
    """Give your try up: a ten or a game then has no place."""
    await asked.require_own()
    services, id = asked.asker.services, asked.stored.id
    await services.database.written(partial(end_try, id=id, at=services.days.now))
    return await _answered(await AskedTry.load(id, asked.asker, asked.lang))


@get("/api/daily/tries/{id:str}/why", 400, 403, 404, 409, 503)
async def explain_daily(
    asked: TheAskedTry,
    number: Annotated[int, QueryParameter(description="the number of an answered question", ge=1, le=1_000)],
) -> WhyView:
    """Why a best action is better than your answer, or than the next best one if yours is best."""
    await asked.require_own()
    attempt = asked.attempt
    if number > len(attempt.answers) or (attempt.games and not asked.is_over):
        raise StaleError(f"question {number} is not answered, or its game is not over")
    puzzle = await _puzzle(asked, number)
    own, best = parse_action(attempt.answers[number - 1].action), puzzle.best[0]
    others = [one for one in puzzle.losses if one not in puzzle.best]
    other = own if own in others else others[0] if others else best
    return await explained(asked.asker, puzzle.position, (best, other), asked.lang)


@get("/api/daily/results/{id:str}", 400, 404, 409, 503)
async def show_result(asked: TheAskedTry) -> ResultView:
    """The result behind a link, without positions, dice and answers."""
    asked.require_over()
    views, is_yours = asked.asker.services.daily_views, await asked.is_own()
    return await asked.asker.wait_for(views.result_view(asked.attempt, asked.to, is_yours=is_yours))


@get("/api/daily/results/{id:str}/comparison", 400, 403, 404, 409, 503)
async def compare_games(asked: TheAskedTry) -> ComparisonView:
    """Your game beside this one, which has the same dice; if it is yours, beside perfect play."""
    own, rival, asker = asked, None, asked.asker
    dailies, views, day = asker.services.dailies, asker.services.daily_views, asked.stored.day
    if not await asked.is_own():
        id = await dailies.own_id(asker.holder, day, "game", asked.stored.rules)
        if id is None:
            raise UnknownError("you have no game of the same day and rules")
        own, rival = await AskedTry.load(id, asker, asked.lang), asked.attempt
    if asked.stored.kind != "game":
        raise UnknownError("only games can be compared")
    own.require_over()
    asked.require_over()
    if own.stored.standing is None and day == asker.services.days.today.isoformat():
        raise NotYoursError("your game was given up: others are shown once the day is over")
    first = await dailies.decided(own.stored, own.attempt.actions)
    second = await dailies.decided(own.stored, rival.actions if rival else None)
    return ComparisonView(
        first=await views.result_view(own.attempt, asked.to, is_yours=True),
        second=await views.result_view(rival, asked.to) if rival else None,
        second_lost=sum(one.loss for one in second),
        second_score=second[-1].total if second else 0,
        pairs=compared(_made(first), _made(second), asked.to),
    )


def _made(decided: Sequence[Decided]) -> list[Made]:
    return [Made(one.game.turn, one.game.position, one.game.places, one.action, one.loss, one.total) for one in decided]


async def _answered(asked: AskedTry, since: int = 1) -> TryView:
    views = asked.asker.services.daily_views
    return await asked.asker.wait_for(views.try_view(asked.attempt, asked.to, since))


async def _puzzle(asked: AskedTry, number: int) -> Puzzle:
    attempt, dailies = asked.attempt, asked.asker.services.dailies
    if not attempt.games:
        return attempt.asked[number - 1]
    return (await asked.asker.wait_for(dailies.decided(attempt.stored, attempt.actions)))[number - 1].puzzle
