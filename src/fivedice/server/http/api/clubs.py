"""`/api/clubs`: found a club, show it, and what its members and its organiser ask for."""

from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter

from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name
from fivedice.server.clubs.rounds import checked_settings
from fivedice.server.clubs.views import club_view, own_club_view
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import AnyRequest, TheServices, TheVisitor, sender_of, with_cookie
from fivedice.server.solving.pool import in_rules_thread
from fivedice.storage.rows.clubs import clubs_of
from fivedice.tournament.event import CommandId, PlayerNumber
from fivedice.tournament.settings import Settings
from fivedice.views.clubs import ClubView, OwnClubView

ClubId = Annotated[str, PathParameter(description="the club's id, the last part of its link", max_length=32)]
Key = Annotated[str, msgspec.Meta(max_length=64)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARACTERS)]


class NewClub(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new club."""

    name: Name


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class Join(_Command, frozen=True, tag="join"):
    """Become a member under a name, or take another name."""

    name: Name


class Part(_Command, frozen=True, tag="part"):
    """Leave the club, or with the organiser's key take another member out."""

    member: PlayerNumber | None = None
    key: Key = ""


class Schedule(_Command, frozen=True, tag="schedule"):
    """Put a tournament in the calendar."""

    id: CommandId
    settings: Settings
    key: Key


class HandOver(_Command, frozen=True, tag="hand_over"):
    """Replace the organiser's link by a new one, to give it to somebody else; the one before works no longer."""

    key: Key


@post("/api/clubs", guards=[rate_limit_work], responses=documented(400, 413, 503))
async def found_club(
    data: JSONBody[NewClub], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> ClubView:
    """Found a club. Its link is the invitation to it; only the organiser's link, with the key, can change its plans."""
    services.storage_guard.count_rows(sender_of(request, visitor), 4 * ROW_BYTES)
    club, key = await services.clubs.found(data.name)
    return club_view(club, None, key)


@get("/api/clubs", guards=[rate_limit_work], responses=documented(503))
async def list_clubs(services: TheServices, visitor: TheVisitor) -> list[OwnClubView]:
    """The clubs that this browser is a member of."""
    ids = await services.database.fetched(partial(clubs_of, holder=visitor.holder))
    return [own_club_view(await services.clubs.logs.club(id)) for id in ids]


@get("/api/clubs/{club:str}", responses=documented(400, 404, 503))
async def show_club(club: ClubId, services: TheServices, visitor: TheVisitor) -> ClubView:
    """A club, its members and its calendar."""
    return club_view(await services.clubs.logs.club(club), await services.clubs.member(club, visitor.holder))


@post(
    "/api/clubs/{club:str}/commands",
    guards=[rate_limit_work],
    status_code=200,
    responses=documented(400, 403, 404, 413, 503),
)
async def command_club(
    club: ClubId,
    data: JSONBody[Join | Part | Schedule | HandOver],
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
) -> Response[ClubView]:
    """Join a club or leave it, put a tournament in its calendar, or hand it over."""
    clubs, sender, key = services.clubs, sender_of(request, visitor), ""
    await clubs.logs.club(club)  # before anything is counted
    services.storage_guard.count_rows(sender, 4 * ROW_BYTES)
    holder = visitor.holder
    match data:
        case Join():
            services.storage_guard.count_browser(sender)
            holder = await services.holders.ensure(visitor, services.settings.clock())
            state = await clubs.join(club, holder, data.name)
        case Part():
            state = await clubs.part(club, visitor.holder, data.member, data.key)
        case Schedule():
            named = msgspec.structs.replace(data.settings, name=checked_name(data.settings.name))
            state = await clubs.schedule(club, data.id, await in_rules_thread(checked_settings, named), data.key)
        case HandOver():
            key = await clubs.hand_over(club, data.key)
            state = await clubs.logs.club(club)
    view = club_view(state, await clubs.member(club, holder), key)
    return with_cookie(view, request, visitor)
