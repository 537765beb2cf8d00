"""`/api/tables/…/commands`, kept dice and reactions: changes to a table over HTTP."""

from litestar import Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from fivedice.server.http.handling.error_responses import documented, retry_after
from fivedice.server.http.handling.params import AnyRequest, TableId, TheServices, TheVisitor, seen_table, with_cookie
from fivedice.server.ops.rate_limits import address_of
from fivedice.server.table.answers import REASON_STATUSES, Accepted, Refused
from fivedice.server.table.messages import KeptDice, Reaction
from fivedice.server.table.verbs import AnyCommand
from fivedice.views.answers import ErrorView

_DESCRIPTIONS = {
    400: "Refused as illegal or malformed; an error if the body is not a command.",
    403: "Refused, because the seat is not yours; an error if the request comes from another site.",
    404: "The table does not exist.",
    409: "Refused as stale: fetch the newer events first.",
    413: "The command is larger than 8 KB.",
    428: "Refused as costly by the tutor: repeat it with a new id and `anyway` to confirm it.",
    429: "Refused as too fast.",
    503: "Refused, because the database is unavailable, the disk is nearly full or the server is stopping: "
    "repeat it later, with the same id.",
}
_ERRORS = {404: ErrorView, 413: ErrorView, 400: ErrorView | Refused, 403: ErrorView | Refused, 503: ErrorView | Refused}


@post(
    "/api/tables/{table:str}/commands",
    status_code=200,
    responses={
        status: ResponseSpec(_ERRORS.get(status, Refused), generate_examples=False, description=description)
        for status, description in _DESCRIPTIONS.items()
    },
)
async def command_table(
    table: TableId, data: JSONBody[AnyCommand], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[Accepted | Refused]:
    """Send a command, as over the WebSocket. A repeated command is answered again and changes nothing."""
    live = await seen_table(services, table, visitor)
    answer = await services.command_handler.handle(live, visitor, data, address_of(request.scope))
    status = 200 if isinstance(answer, Accepted) else REASON_STATUSES[answer.reason]
    response = with_cookie(answer, request, visitor, status_code=status)
    if isinstance(answer, Refused) and answer.reason == "too_fast" and answer.seconds:
        response.set_header("retry-after", retry_after(answer.seconds))
    return response


@post("/api/tables/{table:str}/kept", status_code=204, responses=documented(400, 404, 413, 503))
async def keep_dice(table: TableId, data: JSONBody[KeptDice], services: TheServices, visitor: TheVisitor) -> None:
    """Show the others the dice that you keep for the next roll, as over the WebSocket. It is not stored, and ignored if
    they are not yours to choose."""
    services.tables.presence.keep_dice(await seen_table(services, table, visitor), visitor, data)


@post("/api/tables/{table:str}/reactions", status_code=204, responses=documented(400, 404, 413, 503))
async def react(table: TableId, data: JSONBody[Reaction], services: TheServices, visitor: TheVisitor) -> None:
    """Show everybody at the table a reaction, as over the WebSocket. It is not stored, and ignored if the seat is not
    yours or has just reacted."""
    services.tables.presence.react(await seen_table(services, table, visitor), visitor, data)
