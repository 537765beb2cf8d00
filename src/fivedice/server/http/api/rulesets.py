"""`/api/rulesets` and `/api/players`: the rulesets and the computer players."""

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from fivedice.base.errors import MalformedError
from fivedice.base.language import language
from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_RULESET_BODY_BYTES
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_upload, rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import (
    AnyRequest,
    Lang,
    TableParameter,
    TheServices,
    TheVisitor,
    sender_of,
)
from fivedice.server.replies.rules import (
    ChosenRules,
    RulesetFile,
    checked_view,
    offered_page,
    offered_rulesets,
    player_views,
)
from fivedice.server.services import Services
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.create import wanted_ruleset
from fivedice.server.table.state import ruleset_of
from fivedice.views.offered import CheckedView, OfferedRulesetView, OfferedRulesPageView, PlayerView
from fivedice.views.rules import RulesView, rules_view
from fivedice.views.samples import HandView, SampleView, hand_views, sample_view

Ref = Annotated[str, QueryParameter(description="a ruleset, as in yahtzee[joker=free]", max_length=400)]


@get("/api/rulesets", sync_to_thread=True, responses=documented(400))
def list_rulesets(lang: Lang = "en") -> list[OfferedRulesetView]:
    """The shipped rulesets, described in a language, with what can be had under each."""
    return offered_rulesets(language(lang))


@post(
    "/api/rulesets/chosen",
    guards=[rate_limit_work],
    status_code=200,
    sync_to_thread=True,
    responses=documented(400, 404),
)
def choose_options(data: JSONBody[ChosenRules], lang: Lang = "en") -> CheckedView:
    """A ruleset with options, and what can be had under it: help and reviews, chances to win, and computer players."""
    ruleset, _ = wanted_ruleset(data.rules, data.options)
    return checked_view(ruleset, language(lang))


@get("/api/rulesets/rules", guards=[rate_limit_work], sync_to_thread=True, responses=documented(400, 404))
def show_rules(ref: Ref) -> RulesView:
    """A ruleset with options."""
    return rules_view(ruleset_of(ref))


@get("/api/rulesets/sample", guards=[rate_limit_work], responses=documented(400, 404, 503))
async def show_sample(services: TheServices, asker: TheAsker, ref: Ref = "", table: TableParameter = "") -> SampleView:
    """Sample dice, and what they pay on a new card of a ruleset with options, or under the rules of a table."""
    found = await _of_table(services, ref, table)
    return await asker.one_game(
        "sample", lambda: in_rules_thread(lambda: sample_view(found or ruleset_of(ref))), ref, table
    )


@get("/api/hands", sync_to_thread=False)
def list_hands() -> list[HandView]:
    """The hands of five dice, as people call them, and how rare they are; the rarest first."""
    return hand_views()


@get("/api/rulesets/explained", guards=[rate_limit_work], responses=documented(400, 404, 503))
async def explain_rules(
    services: TheServices, asker: TheAsker, ref: Ref = "", table: TableParameter = "", lang: Lang = "en"
) -> OfferedRulesPageView:
    """The rules of a ruleset with options, or those of a table, in sentences, with dice to draw and what is offered."""
    found = await _of_table(services, ref, table)

    def explain() -> OfferedRulesPageView:
        return offered_page(found or ruleset_of(ref), language(lang))

    return await asker.one_game("explained", lambda: in_rules_thread(explain), ref, table, lang)


@post(
    "/api/rulesets/check",
    guards=[rate_limit_upload],
    status_code=200,
    request_max_body_size=MAX_RULESET_BODY_BYTES,
    responses=documented(400, 413),
)
async def check_ruleset(
    data: JSONBody[RulesetFile],
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    lang: Lang = "en",
) -> CheckedView:
    """Check a ruleset file. An error names what is wrong, where, and what is expected."""
    try:
        with services.storage_guard.reading_rules(sender_of(request, visitor)):
            ruleset = await asker.one_game(
                "rules",
                lambda: in_rules_thread(parse_ruleset, data.toml, "ruleset", data.options),
                data.toml,
                *data.options.items(),
            )
    except ValueError as error:
        raise MalformedError(str(error)) from None
    return checked_view(ruleset, language(lang))


@get("/api/players", sync_to_thread=False, responses=documented(400))
def list_players(lang: Lang = "en") -> list[PlayerView]:
    """The computer players, described in a language."""
    return player_views(language(lang))


async def _of_table(services: Services, ref: str, table: str) -> Ruleset | None:
    """The rules of a table, None without one; raises `MalformedError` unless there is either a table or a `ref`."""
    if bool(ref) == bool(table):
        raise MalformedError("want either a ruleset, as in ref=yahtzee, or a table")
    return (await services.tables.find(table)).table.ruleset if table else None
