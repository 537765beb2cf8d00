"""What follows from values: chances of scores and to win; and `/api/solutions`, the files of them.

A browser keeps the solution of a shipped ruleset, to advise without the server.
"""

from hashlib import sha256
from typing import Annotated, Literal

from litestar import Response
from msgspec import Meta

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.error_responses import NoAdviceError
from fivedice.server.http.handling.params import IMMUTABLE
from fivedice.server.replies.asking import TableId, TableParameter
from fivedice.server.replies.endpoint import StaleError, get
from fivedice.server.replies.positions import Line, position_of
from fivedice.server.replies.rules import Ref
from fivedice.server.solving import solved
from fivedice.server.solving.searches import FIND_SECONDS, MAX_BREAKDOWN_BYTES
from fivedice.server.table.available import available_here, has_browser_advice, has_browser_reasons, is_shipped
from fivedice.server.table.state import State, ruleset_of
from fivedice.solver.tables.states import TooLargeError
from fivedice.views.odds import OddsView, ScoreChancesView
from fivedice.views.offered import SolutionFileView

RulesetId = Annotated[str, Meta(description="the id of a shipped ruleset", max_length=64)]
FileDigest = Annotated[str, Meta(description="the SHA-256 of the file, in hexadecimal digits", max_length=64)]

PortableTable = Annotated[
    Literal["solution", "breakdown"],
    Meta(description="the values, or the points that they consist of by box and bonus, to explain advice"),
]


@get("/api/solutions", 404)
async def show_solution_file(asker: Asker, ref: Ref, table: PortableTable = "solution") -> SolutionFileView:
    """The file with the solution of a shipped ruleset, or with its breakdown: its size, its digest and its path."""
    ruleset = _offered(ref, table)
    data = await _file(asker, ruleset, table)
    found = sha256(data).hexdigest()
    path = f"/api/solutions/{ruleset.id}/{found}" + ("?table=breakdown" if table == "breakdown" else "")
    return SolutionFileView(ruleset.id, ruleset.digest, len(data), found, path)


@get("/api/solutions/{id}/{file}", 404, media_type="application/gzip", is_compressed=False)
async def send_solution_file(
    asker: Asker, id: RulesetId, file: FileDigest, table: PortableTable = "solution"
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
        raise IllegalError(f"the solution of {ruleset.name} is too large for a browser")
    if table == "breakdown" and not has_browser_reasons(ruleset):
        raise IllegalError(f"the breakdown of {ruleset.name} is too large for a browser")
    return ruleset


async def _file(asker: Asker, ruleset: Ruleset, table: str) -> bytes:
    """The file, once what it has is found."""
    await asker.find_values(ruleset)
    return await asker.from_solution(ruleset, solved.portable, table, part=_NEEDS[table])


@get("/api/positions/chances", 404)
async def show_chances(asker: Asker, line: Line, table: TableParameter = "") -> ScoreChancesView:
    """The exact chance of every final score from a position, if all further decisions are the best on average."""
    position = await position_of(asker, line, table)
    ruleset = position.ruleset
    if refusal := asker.available(ruleset).chances:
        raise IllegalError(refusal)
    quick = await asker.from_solution(ruleset, solved.quick_chances, position)
    if quick is not None:
        return quick
    try:
        return await asker.from_solution(
            ruleset, solved.chances, position, MAX_BREAKDOWN_BYTES, FIND_SECONDS, is_slow=True
        )
    except TooLargeError:
        raise IllegalError(f"{ruleset.name} has too many scores for the memory of this server") from None


@get("/api/tables/{table}/odds", 403, 404, 409)
async def show_odds(asker: Asker, table: TableId) -> OddsView:
    """Every seat's chance to win before the present turn, at a table of several seats that always gives advice."""
    now = (await asker.table(table)).table
    if now.help != "always":
        raise NoAdviceError("this table gives no advice during the game, so it shows no odds")
    if now.state is not State.PLAYING:
        raise StaleError("the game is not being played: there are no odds")
    if len(now.seats) == 1:
        raise IllegalError("a game of one seat has no odds")
    odds = await asker.from_solution(now.ruleset, solved.odds, now.position, now.turn.number, part="moments")
    if odds is None:
        raise IllegalError(f"the odds of {now.ruleset.name} cannot be estimated")
    return odds
