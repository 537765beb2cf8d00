"""`/api/rulesets` and `/api/players`: the rulesets and the computer players."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from fivedice.errors import MalformedError
from fivedice.players import KINDS
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.file import MAX_BYTES
from fivedice.server.config.limits import MAX_RULESET_BODY_BYTES
from fivedice.server.http.api.costs import rate_limit_upload, rate_limit_work
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.bot_kinds import COMPUTERS
from fivedice.server.table.state import ruleset_of
from fivedice.views.rules import RulesetView, RulesView, rules_view, ruleset_view


class CheckedView(msgspec.Struct, frozen=True):
    """A valid ruleset file."""

    ref: str
    name: str
    digest: str


class RulesetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a ruleset file."""

    toml: Annotated[str, msgspec.Meta(max_length=MAX_BYTES)]


class PlayerView(msgspec.Struct, frozen=True):
    """A kind of computer player, with a description."""

    kind: str
    about: str


@get("/api/rulesets", sync_to_thread=False, responses=documented())
def list_rulesets() -> list[RulesetView]:
    """The shipped rulesets."""
    return [ruleset_view(load_ruleset(id)) for id in ruleset_ids()]


@get("/api/rulesets/rules", guards=[rate_limit_work], sync_to_thread=True, responses=documented(400, 404))
def show_rules(
    ref: Annotated[str, QueryParameter(description="a ruleset, as in yahtzee[joker=free]", max_length=400)],
) -> RulesView:
    """A ruleset with options."""
    return rules_view(ruleset_of(ref))


@post(
    "/api/rulesets/check",
    guards=[rate_limit_upload],
    status_code=200,
    request_max_body_size=MAX_RULESET_BODY_BYTES,
    responses=documented(400, 413),
)
async def check_ruleset(data: JSONBody[RulesetFile]) -> CheckedView:
    """Check a ruleset file. An error names what is wrong, where, and what is expected."""
    try:
        ruleset = await in_pool("rules", parse_ruleset, data.toml)
    except ValueError as error:
        raise MalformedError(str(error)) from None
    return CheckedView(ruleset.id, ruleset.name, ruleset.digest)


@get("/api/players", sync_to_thread=False, responses=documented())
def list_players() -> list[PlayerView]:
    """The computer players."""
    return [PlayerView(kind, KINDS[kind]) for kind in COMPUTERS]
