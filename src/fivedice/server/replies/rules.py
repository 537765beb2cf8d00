"""Replies about rulesets and computer players."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec.structs import asdict

from fivedice.base.language import Language
from fivedice.players import KINDS, Available
from fivedice.rulesets import load_ruleset, ruleset_ids, split_ref
from fivedice.rulesets.file import MAX_BYTES
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.table.available import COMPUTERS, available_here, has_browser_advice, has_browser_reasons
from fivedice.server.table.create import Options
from fivedice.server.table.state import Table
from fivedice.views.offered import (
    AvailableView,
    CheckedView,
    OfferedRulesetView,
    OfferedRulesPageView,
    PlayerView,
    TableRulesView,
)
from fivedice.views.rules import ruleset_view
from fivedice.views.rules_page import rules_page_view

AvailableOf = Callable[[Ruleset, Language], Available]
"""What can be had under some rules, with reasons in a language."""


class RulesetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a ruleset file, and options by name."""

    toml: Annotated[str, msgspec.Meta(max_length=MAX_BYTES)]
    options: Options = {}


class ChosenRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ruleset, and options by name."""

    rules: Annotated[str, msgspec.Meta(max_length=400)]
    options: Options = {}


def offered_rulesets(
    to: Language,
    available_of: AvailableOf = available_here,
    has_browser_advice: Callable[[Ruleset], bool] = has_browser_advice,
) -> list[OfferedRulesetView]:
    """The shipped rulesets, described in a language, with what can be had under each."""
    return [
        OfferedRulesetView(
            **asdict(ruleset_view(ruleset, to)),
            available=available_view(ruleset, to, available_of),
            browser_advice=has_browser_advice(ruleset),
            browser_reasons=has_browser_reasons(ruleset),
        )
        for ruleset in map(load_ruleset, ruleset_ids())
    ]


def offered_page(ruleset: Ruleset, to: Language, available_of: AvailableOf = available_here) -> OfferedRulesPageView:
    """Rules in sentences, with dice to draw and what is offered."""
    page = asdict(rules_page_view(ruleset, to))
    return OfferedRulesPageView(**page, available=available_view(ruleset, to, available_of))


def checked_view(ruleset: Ruleset, to: Language, available_of: AvailableOf = available_here) -> CheckedView:
    """Rules and what can be had under them, in a language."""
    ref = str(ruleset) if ruleset.file and ruleset.file.is_shipped else ruleset.id
    return CheckedView(ref, ruleset.name, ruleset.digest, available_view(ruleset, to, available_of))


def available_view(ruleset: Ruleset, to: Language, available_of: AvailableOf = available_here) -> AvailableView:
    """What can be had under a ruleset at tables, with reasons in a language."""
    found = available_of(ruleset, to)
    players = {kind: found.player(kind) for kind in COMPUTERS}
    return AvailableView(found.solution, found.advice, found.review, found.chances, players)


def player_views(to: Language) -> list[PlayerView]:
    """The computer players, described in a language."""
    return [PlayerView(kind, to.say(KINDS[kind])) for kind in COMPUTERS]


def table_rules(table: Table) -> TableRulesView:
    """The rules of a table, to create another one with them."""
    name, options = split_ref(table.created.rules)
    return TableRulesView(name, options, table.created.toml, table.ruleset.name)
