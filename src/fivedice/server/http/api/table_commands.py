"""`/api/tables/…/commands` and the seats: what changes a table over HTTP."""

from typing import Annotated

import msgspec
from litestar import Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from fivedice.server.http.api.costs import work
from fivedice.server.http.api.params import AnyRequest, SeatIndex, TableId, TheServices, TheVisitor, with_cookie
from fivedice.server.http.error_responses import ErrorView, NotYoursError, documented
from fivedice.server.table.commands import Accepted, AnyCommand, Refused
from fivedice.storage.rows.holders import SECRET_CHARACTERS

STATUSES = {
    "illegal": 400,
    "malformed": 400,
    "not_yours": 403,
    "stale": 409,
    "costly": 428,
    "too_fast": 429,
    "unavailable": 503,
}
"""The reason of a refusal → its HTTP status."""

_ABOUT = {
    400: "Refused as illegal or malformed; an error where it is no command at all.",
    403: "Refused, for the seat is not yours; an error where the request comes from another site.",
    404: "There is no such table.",
    409: "Refused as stale: catch up first.",
    413: "A command has 8 KB at most.",
    428: "The tutor asks: send it again, under a new id, with `anyway`.",
    429: "Refused as too fast.",
    503: "Refused, for the server cannot store now: try again with the same id.",
}
_ERRORS = {404: ErrorView, 413: ErrorView, 400: ErrorView | Refused, 403: ErrorView | Refused, 503: ErrorView | Refused}


class SeatSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A secret with which another browser can claim a seat: the recovery link is `/t/TABLE#seat=SECRET`."""

    secret: Annotated[str, msgspec.Meta(min_length=SECRET_CHARACTERS, max_length=SECRET_CHARACTERS)]


class ClaimedView(msgspec.Struct, frozen=True):
    """The seat that was claimed."""

    seat: int


@post(
    "/api/tables/{table:str}/commands",
    status_code=200,
    responses={
        status: ResponseSpec(_ERRORS.get(status, Refused), generate_examples=False, description=about)
        for status, about in _ABOUT.items()
    },
)
async def command_table(
    table: TableId, data: JSONBody[AnyCommand], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[Accepted | Refused]:
    """A command, as a socket takes it. The same id twice gets the same answer and changes nothing the second time."""
    live = await services.tables.find(table)
    answer = await services.command_handler.handle(live, visitor, data)
    status = 200 if isinstance(answer, Accepted) else STATUSES[answer.reason]
    return with_cookie(answer, request, visitor, status_code=status)


@post(
    "/api/tables/{table:str}/seats/{seat:int}/link",
    guards=[work],
    status_code=201,
    responses=documented(400, 403, 404, 503),
)
async def make_link(table: TableId, seat: SeatIndex, services: TheServices, visitor: TheVisitor) -> SeatSecret:
    """A fresh secret for a seat that this browser holds, so that another of one's devices can hold it too."""
    live = await services.tables.find(table)
    if seat not in live.seats_of(visitor.holder):
        raise NotYoursError(f"seat {seat} is not yours")
    return SeatSecret(await services.holders.seat_secret(live.id, seat, services.settings.clock()))


@post("/api/tables/{table:str}/claim", guards=[work], status_code=200, responses=documented(400, 403, 404, 413, 503))
async def claim_seat(
    table: TableId, data: JSONBody[SeatSecret], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[ClaimedView]:
    """Hold the seat that a secret is good for, on this browser as well."""
    live = await services.tables.find(table)
    seat = await services.tables.claim(live, visitor, data.secret)
    if seat is None:
        raise NotYoursError("this secret is good for no seat of this table")
    return with_cookie(ClaimedView(seat), request, visitor)
