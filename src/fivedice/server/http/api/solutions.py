"""`/api/solutions`: solutions of the shipped rulesets as files that a browser keeps to advise without the server."""

from hashlib import sha256
from typing import Annotated, Literal

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.http.api.reports import BEING_SOLVED, solving_response
from fivedice.server.http.api.rulesets import Ref
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.caching import IMMUTABLE
from fivedice.server.http.handling.costs import rate_limit_work, refuse_withheld
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import UNCOMPRESSED, TheServices
from fivedice.server.services import Services
from fivedice.server.solving.searches import call_solved
from fivedice.server.table.available import available_here, has_browser_advice, has_browser_reasons, is_shipped
from fivedice.server.table.state import ruleset_of
from fivedice.views.answers import SolvingView
from fivedice.views.offered import SolutionFileView

RulesetId = Annotated[str, PathParameter(description="the id of a shipped ruleset", max_length=64)]
FileDigest = Annotated[str, PathParameter(description="the SHA-256 of the file, in hexadecimal digits", max_length=64)]

PortableTable = Annotated[
    Literal["solution", "breakdown"],
    QueryParameter(description="the values, or the points that they consist of by box and bonus, to explain advice"),
]


@get(
    "/api/solutions",
    guards=[rate_limit_work, refuse_withheld],
    responses={202: BEING_SOLVED, **documented(400, 403, 404, 503)},
)
async def show_solution_file(
    services: TheServices, asker: TheAsker, ref: Ref, table: PortableTable = "solution"
) -> Response[SolutionFileView | SolvingView]:
    """The file with the solution of a shipped ruleset, or with its breakdown: its size, its digest and its path."""
    ruleset = _offered(ref, table)
    data = await _file(services, asker, ruleset, table)
    if data is None:
        return solving_response(services.searches, ruleset, _NEEDS[table])
    found = sha256(data).hexdigest()
    path = f"/api/solutions/{ruleset.id}/{found}" + ("?table=breakdown" if table == "breakdown" else "")
    return Response(SolutionFileView(ruleset.id, ruleset.digest, len(data), found, path), status_code=200)


@get(
    "/api/solutions/{id:str}/{file:str}",
    guards=[rate_limit_work, refuse_withheld],
    media_type="application/gzip",
    opt=UNCOMPRESSED,
    responses=documented(400, 403, 404, 503),
)
async def send_solution_file(
    services: TheServices, asker: TheAsker, id: RulesetId, file: FileDigest, table: PortableTable = "solution"
) -> Response[bytes]:
    """The file itself, which never changes."""
    ruleset = _offered(id, table)
    data = await _file(services, asker, ruleset, table)
    if data is None or sha256(data).hexdigest() != file:
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


async def _file(services: Services, asker: TheAsker, ruleset: Ruleset, table: str) -> bytes | None:
    """The file; None while what it has is being searched."""
    searches = services.searches
    if not searches.solution(ruleset, asker.whos) or not searches.is_found(_NEEDS[table], ruleset, asker.whos):
        return None
    with searches.using(ruleset) as saved:
        data = await asker.one_game(
            "portable", lambda: services.pool.run(call_solved, "portable", saved, table), ruleset.digest, table
        )
    assert isinstance(data, bytes)
    return data
