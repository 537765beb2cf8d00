"""`/api/rulesets`, `/api/players` and `/api/solutions`: rules, computer players, and solutions as files.

A browser keeps the solution of a shipped ruleset, to advise without the server.
"""

from hashlib import sha256
from typing import Annotated, Literal

from litestar import Response
from litestar.params import JSONBody, PathParameter, QueryParameter

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.base.language import language
from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_RULESET_BODY_BYTES, UPLOAD_TOKENS
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.caching import IMMUTABLE
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.params import UNCOMPRESSED, Lang, TableParameter
from fivedice.server.replies.rules import (
    ChosenRules,
    RulesetFile,
    checked_view,
    offered_page,
    offered_rulesets,
    player_views,
)
from fivedice.server.services import Services
from fivedice.server.solving.solved import portable
from fivedice.server.table.available import available_here, has_browser_advice, has_browser_reasons, is_shipped
from fivedice.server.table.create import wanted_ruleset
from fivedice.server.table.state import ruleset_of
from fivedice.views.offered import CheckedView, OfferedRulesetView, OfferedRulesPageView, PlayerView, SolutionFileView
from fivedice.views.rules import RulesView, rules_view
from fivedice.views.samples import HandView, SampleView, hand_views, sample_view

Ref = Annotated[str, QueryParameter(description="a ruleset, as in yahtzee[joker=free]", max_length=400)]


@get("/api/rulesets", 400, cost=0, sync_to_thread=True)
def list_rulesets(lang: Lang = "en") -> list[OfferedRulesetView]:
    """The shipped rulesets, described in a language, with what can be had under each."""
    return offered_rulesets(language(lang))


@post("/api/rulesets/chosen", 400, 404, sync_to_thread=True)
def choose_options(data: JSONBody[ChosenRules], lang: Lang = "en") -> CheckedView:
    """A ruleset with options, and what can be had under it: help and reviews, chances to win, and computer players."""
    ruleset, _ = wanted_ruleset(data.rules, data.options)
    return checked_view(ruleset, language(lang))


@get("/api/rulesets/rules", 400, 404, sync_to_thread=True)
def show_rules(ref: Ref) -> RulesView:
    """A ruleset with options."""
    return rules_view(ruleset_of(ref))


@get("/api/rulesets/sample", 400, 404, 503)
async def show_sample(asker: TheAsker, ref: Ref = "", table: TableParameter = "") -> SampleView:
    """Sample dice, and what they pay on a new card of a ruleset with options, or under the rules of a table."""
    found = await _of_table(asker.services, ref, table)
    return await asker.read_rules(lambda: sample_view(found or ruleset_of(ref)))


@get("/api/hands", cost=0, sync_to_thread=False)
def list_hands() -> list[HandView]:
    """The hands of five dice, as people call them, and how rare they are; the rarest first."""
    return hand_views()


@get("/api/rulesets/explained", 400, 404, 503)
async def explain_rules(
    asker: TheAsker, ref: Ref = "", table: TableParameter = "", lang: Lang = "en"
) -> OfferedRulesPageView:
    """The rules of a ruleset with options, or those of a table, in sentences, with dice to draw and what is offered."""
    found = await _of_table(asker.services, ref, table)

    def explain() -> OfferedRulesPageView:
        return offered_page(found or ruleset_of(ref), language(lang))

    return await asker.read_rules(explain)


@post("/api/rulesets/check", 400, 413, cost=UPLOAD_TOKENS, request_max_body_size=MAX_RULESET_BODY_BYTES)
async def check_ruleset(data: JSONBody[RulesetFile], asker: TheAsker, lang: Lang = "en") -> CheckedView:
    """Check a ruleset file. An error names what is wrong, where, and what is expected."""
    try:
        ruleset = await asker.read_rules(parse_ruleset, data.toml, "ruleset", data.options)
    except ValueError as error:
        raise MalformedError(str(error)) from None
    return checked_view(ruleset, language(lang))


@get("/api/players", 400, cost=0, sync_to_thread=False)
def list_players(lang: Lang = "en") -> list[PlayerView]:
    """The computer players, described in a language."""
    return player_views(language(lang))


async def _of_table(services: Services, ref: str, table: str) -> Ruleset | None:
    """The rules of a table, None without one; raises `MalformedError` unless there is either a table or a `ref`."""
    if bool(ref) == bool(table):
        raise MalformedError("want either a ruleset, as in ref=yahtzee, or a table")
    return (await services.tables.find(table)).table.ruleset if table else None


RulesetId = Annotated[str, PathParameter(description="the id of a shipped ruleset", max_length=64)]
FileDigest = Annotated[str, PathParameter(description="the SHA-256 of the file, in hexadecimal digits", max_length=64)]

PortableTable = Annotated[
    Literal["solution", "breakdown"],
    QueryParameter(description="the values, or the points that they consist of by box and bonus, to explain advice"),
]


@get("/api/solutions", 400, 404, 503)
async def show_solution_file(asker: TheAsker, ref: Ref, table: PortableTable = "solution") -> SolutionFileView:
    """The file with the solution of a shipped ruleset, or with its breakdown: its size, its digest and its path."""
    ruleset = _offered(ref, table)
    data = await _file(asker, ruleset, table)
    found = sha256(data).hexdigest()
    path = f"/api/solutions/{ruleset.id}/{found}" + ("?table=breakdown" if table == "breakdown" else "")
    return SolutionFileView(ruleset.id, ruleset.digest, len(data), found, path)


@get("/api/solutions/{id:str}/{file:str}", 400, 404, 503, media_type="application/gzip", opt=UNCOMPRESSED)
async def send_solution_file(
    asker: TheAsker, id: RulesetId, file: FileDigest, table: PortableTable = "solution"
) -> Response[bytes]:
    """The file itself, which never changes."""
    ruleset = _offered(id, table)
    data = await _file(asker, ruleset, table)
    if sha256(data).hexdigest() != file:
        raise UnknownError(f"there is no such file with the solution of {ruleset.name}: ask for its path again")
    return Response(data, media_type="application/gzip", headers={"cache-control": IMMUTABLE})


_NEEDS = {"solution": "perfect_scores", "breakdown": "breakdown"}
"""What must be found for each table, after the solution."""


def _offered(ref: str, table: str) -> Ruleset:
    """A shipped ruleset whose solution a browser can hold, or its breakdown, too; raises `IllegalError` for others."""
    ruleset = ruleset_of(ref)
    if not is_shipped(ruleset):
        raise IllegalError(f"{ruleset} is not a shipped ruleset without options: only their solutions are offered")
    if refusal := available_here(ruleset).solution:
        raise IllegalError(refusal)
    if not has_browser_advice(ruleset):
        if ruleset.divides_dice:
            raise IllegalError(f"{ruleset.name} fills two boxes a turn, on which a browser cannot advise")
        raise IllegalError(f"the solution of {ruleset.name} is too large for a browser")
    if table == "breakdown" and not has_browser_reasons(ruleset):
        raise IllegalError(f"the breakdown of {ruleset.name} is too large for a browser")
    return ruleset


async def _file(asker: Asker, ruleset: Ruleset, table: str) -> bytes:
    """The file, once what it has is found."""
    await asker.find(ruleset)
    return await asker.from_solution(ruleset, portable, table, part=_NEEDS[table])
