"""`/api/daily`: today's tries: the ten, the game, storms and streaks; and what links to results show."""

from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.base.language import language
from fivedice.daily.days import RULES, daily_rules, guest_of, number_of
from fivedice.daily.results import MAX_MISTAKES, Kind
from fivedice.game.proof import commitment
from fivedice.rulesets import load_ruleset
from fivedice.server.games.compared_games import compared
from fivedice.server.games.dailies import Attempt, Dailies
from fivedice.server.games.drawn_days import DrawnDays, drawn_for
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.error_responses import NotYoursError
from fivedice.server.limits import MAX_RUNS, ROW_BYTES
from fivedice.server.replies.asking import Lang
from fivedice.server.replies.endpoint import StaleError, get, post
from fivedice.storage.rows.daily import StoredTry, begin_try, end_try, num_ranked, tries_of
from fivedice.storage.rows.holders import new_secret
from fivedice.views.action import AnyAction, action_of
from fivedice.views.daily import DayProofView, ResultView, TodayGameView, TodayView, TryView
from fivedice.views.duplicates import ComparisonView
from fivedice.views.position import WhyView

KINDS: tuple[Kind, ...] = ("ten", "game", "storm", "streak")

TryId = Annotated[str, Meta(description="the id of a try", max_length=32)]
KindPath = Annotated[Kind, Meta(description="ten, game, storm or streak")]


class NewTry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a try under a daily ruleset."""

    rules: Annotated[str, Meta(max_length=40)] = "yahtzee"


class NewAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to the question with this number."""

    number: Annotated[int, Meta(ge=1, le=1_000)]
    action: AnyAction


@get("/api/daily")
async def show_daily(asker: Asker, days: DrawnDays, dailies: Dailies, lang: Lang = "en") -> TodayView:
    """The current day, and your tries of it."""
    day, to = days.today, language(lang)
    text, holder = day.isoformat(), asker.holder or ""
    mine = await asker.fetched(lambda connection: tries_of(connection, holder, text))
    wanted, games = RULES.get(lang, RULES["en"]), []
    await days.load("ten", wanted)
    for kind in KINDS:
        ranked = await asker.fetched(partial(num_ranked, kind=kind, days=(text, text)))
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
                    result=await dailies.result_view(best, to, is_yours=True) if best else None,
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


@get("/api/daily/first", 404)
async def show_first(
    asker: Asker,
    days: DrawnDays,
    dailies: Dailies,
    rules: Annotated[str, Meta(description="a daily ruleset", max_length=40)] = "yahtzee",
    lang: Lang = "en",
) -> TryView:
    """Today's ten before it has begun: its first question, and an empty `id`. Nothing is stored."""
    wanted = StoredTry("", days.today.isoformat(), "ten", daily_rules(rules), 1, "", days.now, None, None)
    attempt = await asker.wait_for(dailies.attempt_of(wanted, ()))
    return await asker.wait_for(dailies.try_view(attempt, language(lang)))


@post("/api/daily/{kind}", 403, 404, renews_cookie=True)
async def begin_daily(
    asker: Asker, days: DrawnDays, dailies: Dailies, kind: KindPath, data: NewTry, lang: Lang = "en"
) -> TryView:
    """Begin a try of today, or return the one that goes on; a ten and a game can be tried once."""
    rules, day = daily_rules(data.rules), days.today
    # Before anything is stored: the clock of a storm must not run while it is drawn.
    if kind == "game":
        await asker.find_values(load_ruleset(rules))
    else:
        await asker.wait_for(days.puzzles(day, drawn_for(kind), rules))
    holder = await asker.become_holder()
    last = await dailies.own_id(holder, day.isoformat(), kind, rules)
    attempt = await asker.wait_for(dailies.attempt(last)) if last else None
    if attempt is None or (kind in MAX_MISTAKES and attempt.is_over(days.now, day)):
        run = attempt.stored.run + 1 if attempt else 1
        if run > MAX_RUNS:
            raise IllegalError(f"one browser can try this {MAX_RUNS} times a day")
        asker.store(ROW_BYTES)
        wanted = StoredTry(new_secret()[:22], day.isoformat(), kind, rules, run, holder, days.now, None, None)
        stored = await asker.written(lambda connection: begin_try(connection, wanted))
        attempt = await asker.wait_for(dailies.attempt(stored.id))
    return await asker.wait_for(dailies.try_view(attempt, language(lang)))


@get("/api/daily/tries/{id}", 403, 404)
async def show_try(asker: Asker, dailies: Dailies, id: TryId, lang: Lang = "en") -> TryView:
    """Your try, with all answers and the next question."""
    attempt = await _own_attempt(asker, dailies, id)
    return await asker.wait_for(dailies.try_view(attempt, language(lang)))


@post("/api/daily/tries/{id}/answers", 403, 404, 409)
async def answer_daily(
    asker: Asker, days: DrawnDays, dailies: Dailies, id: TryId, data: NewAnswer, lang: Lang = "en"
) -> TryView:
    """Store the answer to the next question, and grade it. An earlier question keeps the answer that it has."""
    attempt = before = await _own_attempt(asker, dailies, id)
    if data.number > len(before.answers):
        if before.is_over(days.now, days.today):
            raise StaleError("this try is over, and takes no more answers")
        if data.number != len(before.answers) + 1:
            raise StaleError(f"question {data.number} is not the next one, which is {len(before.answers) + 1}")
        asker.store_more(ROW_BYTES)
        attempt = await asker.wait_for(dailies.answer(before, action_of(data.action), days.now))
    return await asker.wait_for(dailies.try_view(attempt, language(lang), data.number))


@post("/api/daily/tries/{id}/end", 403, 404)
async def end_daily(asker: Asker, days: DrawnDays, dailies: Dailies, id: TryId, lang: Lang = "en") -> TryView:
    """Give your try up: a ten or a game then has no place."""
    await _own_attempt(asker, dailies, id)
    await asker.written(partial(end_try, id=id, at=days.now))
    attempt = await asker.wait_for(dailies.attempt(id))
    return await asker.wait_for(dailies.try_view(attempt, language(lang)))


@get("/api/daily/tries/{id}/why", 403, 404, 409)
async def explain_daily(
    asker: Asker,
    days: DrawnDays,
    dailies: Dailies,
    id: TryId,
    number: Annotated[int, Meta(description="the number of an answered question", ge=1, le=1_000)],
    lang: Lang = "en",
) -> WhyView:
    """Why a best action is better than your answer, or than the next best one if yours is best."""
    attempt = await _own_attempt(asker, dailies, id)
    if number > len(attempt.answers) or (attempt.games and not attempt.is_over(days.now, days.today)):
        raise StaleError(f"question {number} is not answered, or its game is not over")
    puzzle = attempt.asked[number - 1]
    own, best = attempt.actions[number - 1], puzzle.best[0]
    others = [one for one in puzzle.losses if one not in puzzle.best]
    other = own if own in others else others[0] if others else best
    return await asker.why(puzzle.position, (best, other), lang)


@get("/api/daily/results/{id}", 404, 409)
async def show_result(asker: Asker, days: DrawnDays, dailies: Dailies, id: TryId, lang: Lang = "en") -> ResultView:
    """The result behind a link, without positions, dice and answers."""
    attempt = await asker.wait_for(dailies.attempt(id))
    _require_over(attempt, days)
    is_yours = attempt.stored.holder == asker.holder
    return await asker.wait_for(dailies.result_view(attempt, language(lang), is_yours=is_yours))


@get("/api/daily/results/{id}/comparison", 403, 404, 409)
async def compare_games(
    asker: Asker, days: DrawnDays, dailies: Dailies, id: TryId, lang: Lang = "en"
) -> ComparisonView:
    """Your game beside this one, which has the same dice; if it is yours, beside perfect play."""
    own, rival, to = await asker.wait_for(dailies.attempt(id)), None, language(lang)
    stored = own.stored
    if stored.holder != asker.holder:
        own_id = await dailies.own_id(asker.holder, stored.day, "game", stored.rules)
        if own_id is None:
            raise UnknownError("you have no game of the same day and rules")
        own, rival = await asker.wait_for(dailies.attempt(own_id)), own
    if stored.kind != "game":
        raise UnknownError("only games can be compared")
    for one in (own, rival or own):
        _require_over(one, days)
    if own.stored.standing is None and stored.day == days.today.isoformat():
        raise NotYoursError("your game was given up: others are shown once the day is over")
    second = rival.made if rival else await asker.wait_for(dailies.perfect(own.stored))
    return ComparisonView(
        first=await dailies.result_view(own, to, is_yours=True),
        second=await dailies.result_view(rival, to) if rival else None,
        second_lost=sum(one.loss for one in second),
        second_score=second[-1].total if second else 0,
        pairs=compared(own.made, second, to),
    )


async def _own_attempt(asker: Asker, dailies: Dailies, id: str) -> Attempt:
    """A try of the browser that asks; raises `UnknownError` or `NotYoursError`."""
    attempt = await asker.wait_for(dailies.attempt(id))
    if attempt.stored.holder != asker.holder:
        raise NotYoursError("this try belongs to another browser")
    return attempt


def _require_over(attempt: Attempt, days: DrawnDays) -> None:
    """Raise `StaleError` unless a try is over."""
    if not attempt.is_over(days.now, days.today):
        raise StaleError("this try is not over yet: it has no result")
