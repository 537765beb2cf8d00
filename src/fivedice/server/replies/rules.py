"""`/api/rulesets` and `/api/players`: rules, and computer players."""

from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from fivedice.base.errors import MalformedError
from fivedice.base.language import Language, language
from fivedice.players import KINDS
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids, split_ref
from fivedice.rulesets.file import MAX_BYTES
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.limits import MAX_RULESET_BODY_BYTES, UPLOAD_TOKENS
from fivedice.server.replies.asking import Asking, Lang, Place, TableId, TableParameter
from fivedice.server.replies.endpoint import get, post
from fivedice.server.table.available import COMPUTERS, has_browser_reasons
from fivedice.server.table.create import Options, wanted_ruleset
from fivedice.server.table.state import ruleset_of
from fivedice.views.offered import (
    AvailableView,
    CheckedView,
    OfferedRulesetView,
    OfferedRulesPageView,
    PlayerView,
    SampleView,
    TableRulesView,
    rules_page_view,
    sample_view,
)
from fivedice.views.rules import RulesView, rules_view, ruleset_view

Ref = Annotated[str, Meta(description="a ruleset, as in yahtzee[joker=free]", max_length=400)]


class RulesetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a ruleset file, and options by name."""

    toml: Annotated[str, Meta(max_length=MAX_BYTES)]
    options: Options = {}


class ChosenRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ruleset, and options by name."""

    rules: Annotated[str, Meta(max_length=400)]
    options: Options = {}


@get("/api/rulesets", cost=0)
def list_rulesets(place: Place, lang: Lang = "en") -> list[OfferedRulesetView]:
    """The shipped rulesets, described in a language, with what can be had under each."""
    to = language(lang)
    return [
        OfferedRulesetView(
            **asdict(ruleset_view(ruleset, to)),
            available=_available(place, ruleset, to),
            browser_advice=place.keeps_values(ruleset),
            browser_reasons=has_browser_reasons(ruleset),
        )
        for ruleset in map(load_ruleset, ruleset_ids())
    ]


@post("/api/rulesets/chosen", 404)
def choose_options(place: Place, data: ChosenRules, lang: Lang = "en") -> CheckedView:
    """A ruleset with options, and what can be had under it: help and reviews, chances to win, and computer players."""
    ruleset, _ = wanted_ruleset(data.rules, data.options)
    return _checked(place, ruleset, language(lang))


@get("/api/rulesets/rules", 404)
def show_rules(ref: Ref) -> RulesView:
    """A ruleset with options."""
    return rules_view(ruleset_of(ref))


@get("/api/rulesets/sample", 404)
async def show_sample(asker: Asking, ref: Ref = "", table: TableParameter = "") -> SampleView:
    """Sample dice, and what they pay on a new card of a ruleset with options, or under the rules of a table."""
    found = await _of_table(asker, ref, table)
    return await asker.read_rules(lambda: sample_view(found or ruleset_of(ref)))


@get("/api/rulesets/explained", 404)
async def explain_rules(
    asker: Asking, ref: Ref = "", table: TableParameter = "", lang: Lang = "en"
) -> OfferedRulesPageView:
    """The rules of a ruleset with options, or those of a table, in sentences, with dice to draw and what is offered."""
    found, to = await _of_table(asker, ref, table), language(lang)

    def explain() -> OfferedRulesPageView:
        ruleset = found or ruleset_of(ref)
        page = asdict(rules_page_view(ruleset, to))
        return OfferedRulesPageView(**page, available=_available(asker, ruleset, to))

    return await asker.read_rules(explain)


@post("/api/rulesets/check", cost=UPLOAD_TOKENS, max_bytes=MAX_RULESET_BODY_BYTES)
async def check_ruleset(asker: Asking, data: RulesetFile, lang: Lang = "en") -> CheckedView:
    """Check a ruleset file. An error names what is wrong, where, and what is expected."""
    try:
        ruleset = await asker.read_rules(parse_ruleset, data.toml, "ruleset", data.options)
    except ValueError as error:
        raise MalformedError(str(error)) from None
    return _checked(asker, ruleset, language(lang))


@get("/api/players", cost=0)
async def list_players(lang: Lang = "en") -> list[PlayerView]:
    """The computer players, described in a language."""
    return [PlayerView(kind, language(lang).say(KINDS[kind])) for kind in COMPUTERS]


@get("/api/tables/{table}/rules", 404, cost=0)
async def show_table_rules(place: Place, table: TableId) -> TableRulesView:
    """The rules of a table, to create another one with them."""
    found = (await place.find(table)).table
    name, options = split_ref(found.created.rules)
    return TableRulesView(name, options, found.created.toml, found.ruleset.name)


async def _of_table(place: Place, ref: str, table: str) -> Ruleset | None:
    """The rules of a table, None without one; raises `MalformedError` unless there is either a table or a `ref`."""
    if bool(ref) == bool(table):
        raise MalformedError("want either a ruleset, as in ref=yahtzee, or a table")
    return (await place.find(table)).table.ruleset if table else None


def _checked(place: Place, ruleset: Ruleset, to: Language) -> CheckedView:
    ref = str(ruleset) if ruleset.is_shipped else ruleset.id
    return CheckedView(ref, ruleset.name, ruleset.digest, _available(place, ruleset, to))


def _available(place: Place, ruleset: Ruleset, to: Language) -> AvailableView:
    found = place.available(ruleset, to)
    players = {kind: found.player(kind) for kind in COMPUTERS}
    return AvailableView(found.solution, found.advice, found.review, found.chances, players)
