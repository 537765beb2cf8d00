"""`/api/tournaments`: the standings and rounds of a tournament, and what its players and organiser ask for."""

from typing import Annotated

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from fivedice.server.clubs.views import standings_csv, tournament_view
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import AnyRequest, Since, TheServices, TheVisitor, sender_of
from fivedice.server.identity.visitor import Visitor
from fivedice.server.ops.rate_limits import Use, address_of
from fivedice.server.services import Services
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import AnyTournamentCommand
from fivedice.views.clubs import TournamentView, UnchangedView

TournamentId = Annotated[
    str, PathParameter(description="the tournament's id, the last part of its link", max_length=32)
]


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with the key of the club's organiser unless a player sends it about themself."""

    command: AnyTournamentCommand
    key: Annotated[str, msgspec.Meta(max_length=64)] = ""


@get("/api/tournaments/{tournament:str}", responses=documented(400, 404, 503))
async def show_tournament(
    tournament: TournamentId,
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
    since: Since = 0,
    rounds: Annotated[bool, QueryParameter(description="whether to include all rounds, not only the last")] = False,
) -> Response[TournamentView | UnchangedView]:
    """A tournament with its standings, unless it still has the version of `since`."""
    state, secret = await services.clubs.logs.with_secret(tournament)
    if since == state.version:
        return Response(UnchangedView(state.version))
    view = await _view(services, visitor, state, secret, all_rounds=rounds)
    content = msgspec.json.encode(view)
    services.rate_limiter.require_all(Use("sent", address_of(request.scope), len(content)))
    return Response(content, media_type=MediaType.JSON)  # type: ignore[arg-type]


@post(
    "/api/tournaments/{tournament:str}/commands",
    guards=[rate_limit_work],
    status_code=200,
    responses=documented(400, 403, 404, 413, 503),
)
async def command_tournament(
    tournament: TournamentId, data: JSONBody[Asked], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> TournamentView:
    """Take part or not; as the organiser draw a round, correct a result, pause, resume or end the tournament.

    A draw creates the tables of the round, with everybody in their seats.
    """
    sender = sender_of(request, visitor)
    services.storage_guard.count_rows(sender, 2 * ROW_BYTES)
    await services.clubs.command(
        tournament, visitor.holder, data.command, data.key, lambda size: services.storage_guard.count_rows(sender, size)
    )
    state, secret = await services.clubs.logs.with_secret(tournament)
    return await _view(services, visitor, state, secret)


@get(
    "/api/tournaments/{tournament:str}/standings.csv",
    guards=[rate_limit_work],
    media_type="text/csv",
    responses=documented(400, 404, 503),
)
async def export_standings(tournament: TournamentId, services: TheServices) -> Response[str]:
    """The standings as a CSV file."""
    state = await services.clubs.logs.tournament(tournament)
    headers = {"content-disposition": 'attachment; filename="standings.csv"'}
    return Response(standings_csv(state), media_type="text/csv; charset=utf-8", headers=headers)


async def _view(
    services: Services, visitor: Visitor, state: Tournament, secret: bytes, *, all_rounds: bool = False
) -> TournamentView:
    club, member = await services.clubs.logs.club(state.club), await services.clubs.member(state.club, visitor.holder)
    return tournament_view(state, secret, club, member, all_rounds=all_rounds)
