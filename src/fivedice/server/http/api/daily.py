"""`/api/daily`: today's tries: the ten, the game, storms and streaks; and what links to results show."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter

from fivedice.daily.days import RULES, daily_rules, guest_of, number_of
from fivedice.daily.puzzles import Puzzle, is_best
from fivedice.daily.results import MAX_MISTAKES, Kind
from fivedice.errors import IllegalError, UnknownError
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.language import language
from fivedice.proof import commitment
from fivedice.rulesets import load_ruleset
from fivedice.server.config.limits import MAX_RUNS, ROW_BYTES
from fivedice.server.games.dailies import Attempt
from fivedice.server.games.daily_views import compared
from fivedice.server.http.api.positions import explained
from fivedice.server.http.api.reports import solving_response
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import NotYoursError, StaleError, documented
from fivedice.server.http.handling.params import AnyRequest, Lang, TheServices, TheVisitor, sender_of, with_cookie
from fivedice.server.services import Services
from fivedice.storage.rows.daily import StoredTry, begin_try, end_try, num_ranked, tries_of
from fivedice.storage.rows.holders import new_secret
from fivedice.views.action import AnyAction, action_of
from fivedice.views.answers import SolvingView
from fivedice.views.daily import ComparisonView, DayProofView, ResultView, TodayGameView, TodayView, TryView
from fivedice.views.position import WhyView

SOLVING = ResponseSpec(
    SolvingView, generate_examples=False, description="Values are being computed, nothing is stored; repeat it."
)

KINDS: tuple[Kind, ...] = ("ten", "game", "storm", "streak")

TryId = Annotated[str, PathParameter(description="the id of a try", max_length=32)]
KindPath = Annotated[Kind, PathParameter(description="ten, game, storm or streak")]


class NewTry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a try under a daily ruleset."""

    rules: Annotated[str, msgspec.Meta(max_length=40)] = "yahtzee"


class NewAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to the question with this number."""

    number: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    action: AnyAction


@get("/api/daily", guards=[rate_limit_work], responses=documented(400, 503))
async def show_daily(services: TheServices, visitor: TheVisitor, asker: TheAsker, lang: Lang = "en") -> TodayView:
    """The current day, and your tries of it."""
    dailies, to = services.dailies, language(lang)
    day = dailies.today
    text, holder = day.isoformat(), visitor.holder or ""
    mine = await services.database.fetched(lambda connection: tries_of(connection, holder, text))
    wanted, games = RULES.get(lang, RULES["en"]), []
    for kind in KINDS:
        ranked = await services.database.fetched(partial(num_ranked, kind=kind, days=(text, text)))
        for rules in RULES.values():
            own = [one for one in mine if (one.kind, one.rules) == (kind, rules)]
            attempts = [await dailies.attempt(one.id, asker.whos) for one in own]
            over = [one for one in attempts if one and one.is_over(dailies.now, day)]
            best = min(over, key=lambda one: one.stored.standing or 0, default=None)
            games.append(
                TodayGameView(
                    kind=kind,
                    rules=rules,
                    name=load_ruleset(rules).name,
                    status="new" if not own else "over" if len(over) == len(own) else "begun",
                    is_ready=services.dailies.is_ready(kind, rules) if rules == wanted else bool(own),
                    players=ranked.get((text, rules), 0),
                    result=await services.daily_views.result_view(best, to, asker.whos, is_yours=True)
                    if best
                    else None,
                )
            )
    guest = guest_of(day)
    return TodayView(
        day=text,
        number=number_of(day),
        seconds_to_next=dailies.seconds_to_next,
        rules=wanted,
        guest=load_ruleset(guest).name if guest else "",
        games=games,
        proof=DayProofView(text, number_of(day), commitment(await dailies.secret(day)), None),
    )


@post(
    "/api/daily/{kind:str}",
    guards=[rate_limit_work],
    status_code=200,
    responses={202: SOLVING, **documented(400, 403, 404, 413, 503)},
)
async def begin_daily(
    kind: KindPath,
    data: JSONBody[NewTry],
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    lang: Lang = "en",
) -> Response[TryView | SolvingView]:
    """Begin a try of today, or return the one that goes on; a ten and a game can be tried once."""
    dailies, rules = services.dailies, daily_rules(data.rules)
    day = dailies.today
    # Before anything is stored: the clock of a storm must not run while it is drawn.
    if await _drawn(services, asker, day, kind, rules) is None:
        return _solving(services, day, rules)
    sender = sender_of(request, visitor)
    services.storage_guard.count_browser(sender)
    holder = await services.holders.ensure(visitor, dailies.now)
    mine = await services.database.fetched(lambda c: tries_of(c, holder, day.isoformat()))
    last = next((one for one in reversed(mine) if (one.kind, one.rules) == (kind, rules)), None)
    attempt = await dailies.attempt(last.id, asker.whos) if last else None
    if attempt is None or (kind in MAX_MISTAKES and attempt.is_over(dailies.now, day)):
        run = last.run + 1 if last else 1
        if run > MAX_RUNS:
            raise IllegalError(f"one browser can try this {MAX_RUNS} times a day")
        services.storage_guard.count_rows(sender, ROW_BYTES)
        wanted = StoredTry(new_secret()[:22], day.isoformat(), kind, rules, run, holder, dailies.now, None, None)
        stored = await services.database.written(lambda connection: begin_try(connection, wanted))
        attempt = await dailies.attempt(stored.id, asker.whos)
    answer = await _answered(services, asker, attempt, day, rules, lang)
    return with_cookie(answer.content, request, visitor, status_code=answer.status_code or 200)


@get(
    "/api/daily/tries/{id:str}",
    guards=[rate_limit_work],
    responses={202: SOLVING, **documented(400, 403, 404, 503)},
)
async def show_try(
    id: TryId, services: TheServices, visitor: TheVisitor, asker: TheAsker, lang: Lang = "en"
) -> Response[TryView | SolvingView]:
    """Your try, with all answers and the next question."""
    attempt = await _own(services, asker, id)
    return await _answered(services, asker, attempt, *_sort(services, attempt), lang)


@post(
    "/api/daily/tries/{id:str}/answers",
    guards=[rate_limit_work],
    status_code=200,
    responses={202: SOLVING, **documented(400, 403, 404, 409, 413, 503)},
)
async def answer_daily(
    id: TryId,
    data: JSONBody[NewAnswer],
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    lang: Lang = "en",
) -> Response[TryView | SolvingView]:
    """Store the answer to the next question, and grade it. An earlier question keeps the answer that it has."""
    dailies = services.dailies
    attempt = await _own(services, asker, id)
    if attempt is not None and data.number > len(attempt.answers):
        if attempt.is_over(dailies.now, dailies.today):
            raise StaleError("this try is over, and takes no more answers")
        if data.number != len(attempt.answers) + 1:
            raise StaleError(f"question {data.number} is not the next one, which is {len(attempt.answers) + 1}")
        services.storage_guard.count_change(sender_of(request, visitor), ROW_BYTES)
        before = attempt
        attempt = await dailies.answer(before, action_of(data.action), dailies.now, asker.whos)
        if attempt and before.asked:
            puzzle, given = before.asked[data.number - 1], parse_action(attempt.answers[data.number - 1].action)
            services.metrics.count_daily(before.stored.kind, puzzle.rung, is_best=is_best(puzzle.loss(given)))
    return await _answered(services, asker, attempt, *_sort(services, attempt), lang, since=data.number)


@post(
    "/api/daily/tries/{id:str}/end",
    guards=[rate_limit_work],
    status_code=200,
    responses={202: SOLVING, **documented(400, 403, 404, 503)},
)
async def end_daily(
    id: TryId, services: TheServices, visitor: TheVisitor, asker: TheAsker, lang: Lang = "en"
) -> Response[TryView | SolvingView]:
    """Give your try up: a ten or a game then has no place."""
    attempt = await _own(services, asker, id)
    if attempt is not None:
        now = services.dailies.now
        await services.database.written(lambda connection: end_try(connection, id, now))
        attempt = await _own(services, asker, id)
    return await _answered(services, asker, attempt, *_sort(services, attempt), lang)


@get(
    "/api/daily/tries/{id:str}/why",
    guards=[rate_limit_work],
    responses={202: SOLVING, **documented(400, 403, 404, 409, 503)},
)
async def explain_daily(
    id: TryId,
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    number: Annotated[int, QueryParameter(description="the number of an answered question", ge=1, le=1_000)],
    lang: Lang = "en",
) -> Response[WhyView | SolvingView]:
    """Why a best action is better than your answer, or than the next best one if yours is best."""
    attempt = await _own(services, asker, id)
    puzzle: Puzzle | None = None
    if attempt is not None:
        if number > len(attempt.answers) or (
            attempt.games and not attempt.is_over(services.dailies.now, services.dailies.today)
        ):
            raise StaleError(f"question {number} is not answered, or its game is not over")
        puzzle = await _puzzle(services, asker, attempt, number)
    if attempt is None or puzzle is None:
        return _solving(services, *_sort(services, attempt))
    own, best = parse_action(attempt.answers[number - 1].action), puzzle.best[0]
    others = [one for one in puzzle.losses if one not in puzzle.best]
    other = own if own in others else others[0] if others else best
    return await explained(services, asker, puzzle.position, (best, other), lang)


@get(
    "/api/daily/results/{id:str}",
    guards=[rate_limit_work],
    responses={202: SOLVING, **documented(400, 404, 409, 503)},
)
async def show_result(
    id: TryId, services: TheServices, visitor: TheVisitor, asker: TheAsker, lang: Lang = "en"
) -> Response[ResultView | SolvingView]:
    """The result behind a link, without positions, dice and answers."""
    attempt = await services.dailies.attempt(id, asker.whos)
    view = None
    if attempt is not None:
        _require_over(services, attempt)
        is_yours = await services.dailies.is_of(attempt.stored, visitor.holder)
        view = await services.daily_views.result_view(attempt, language(lang), asker.whos, is_yours=is_yours)
    if view is None:
        return _solving(services, *_sort(services, attempt))
    return Response(view, status_code=200)


@get(
    "/api/daily/results/{id:str}/comparison",
    guards=[rate_limit_work],
    responses={202: SOLVING, **documented(400, 403, 404, 409, 503)},
)
async def compare_games(
    id: TryId,
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    other: Annotated[str, QueryParameter(description="another result, or perfect", max_length=32)] = "perfect",
    lang: Lang = "en",
) -> Response[ComparisonView | SolvingView]:
    """Your game beside another one, or perfect play, on the same dice."""
    dailies, views, to = services.dailies, services.daily_views, language(lang)
    own = await _own(services, asker, id)
    rival = None if other == "perfect" else await dailies.attempt(other, asker.whos)
    if own is None:
        return _solving(services, *_sort(services, own))
    for attempt in (own, rival):
        if attempt is None:
            continue
        if (attempt.stored.kind, attempt.stored.day, attempt.stored.rules) != (
            "game",
            own.stored.day,
            own.stored.rules,
        ):
            raise UnknownError("only games of the same day and rules can be compared")
        _require_over(services, attempt)
    if own.stored.standing is None and own.stored.day == dailies.today.isoformat():
        raise NotYoursError("your game was given up: others are shown once the day is over")
    first = await dailies.decided(own.stored, _actions(own), asker.whos)
    second = await dailies.decided(own.stored, _actions(rival) if rival else None, asker.whos)
    result = await views.result_view(own, to, asker.whos, is_yours=True)
    theirs = await views.result_view(rival, to, asker.whos) if rival else None
    if first is None or second is None or result is None:
        return _solving(services, *_sort(services, own))
    view = ComparisonView(
        first=result,
        second=theirs,
        second_lost=sum(one.loss for one in second),
        second_score=second[-1].total if second else 0,
        pairs=compared(first, second, to),
    )
    return Response(view, status_code=200)


async def _own(services: Services, asker: Asker, id: str) -> Attempt | None:
    """A try of the asker; None while it is being drawn. Raises `UnknownError` or `NotYoursError`."""
    attempt = await services.dailies.attempt(id, asker.whos)
    if attempt is not None and not await services.dailies.is_of(attempt.stored, asker.visitor.holder):
        raise NotYoursError("this try belongs to another browser")
    return attempt


async def _drawn(services: Services, asker: Asker, day: date, kind: Kind, rules: str) -> object | None:
    """What a kind needs on a day; None while it is missing."""
    if kind == "game":
        return services.searches.solution(load_ruleset(rules), asker.whos)
    return await services.dailies.puzzles(day, "ten" if kind == "ten" else "ladder", rules, asker.whos)


async def _answered(
    services: Services, asker: Asker, attempt: Attempt | None, day: date, rules: str, lang: str, since: int = 1
) -> Response[TryView | SolvingView]:
    view = None
    if attempt is not None:
        view = await services.daily_views.try_view(attempt, language(lang), asker.whos, since)
    if view is None:
        return _solving(services, day, rules)
    return Response(view, status_code=200)


async def _puzzle(services: Services, asker: Asker, attempt: Attempt, number: int) -> Puzzle | None:
    if not attempt.games:
        return attempt.asked[number - 1]
    decisions = await services.dailies.decided(attempt.stored, _actions(attempt), asker.whos)
    return decisions[number - 1].puzzle if decisions else None


def _actions(attempt: Attempt) -> Sequence[Action]:
    return [parse_action(one.action) for one in attempt.answers]


def _require_over(services: Services, attempt: Attempt) -> None:
    if not attempt.is_over(services.dailies.now, services.dailies.today):
        raise StaleError("this try is not over yet: it has no result")


def _sort(services: Services, attempt: Attempt | None) -> tuple[date, str]:
    """The day and the rules of a try; those of today if it is not known yet."""
    if attempt is None:
        return services.dailies.today, RULES["en"]
    return date.fromisoformat(attempt.stored.day), attempt.stored.rules


def _solving(services: Services, day: date, rules: str) -> Response[Any]:
    ruleset, _ = services.dailies.refusal(day, rules)
    return solving_response(services.searches, ruleset)
