"""`/api/lobby`: open seats, quick match, and whom this browser has blocked."""

from dataclasses import replace
from typing import Annotated, Literal

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.costs import rate_limit_work, require_cookie
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import AnyRequest, TheServices, TheVisitor, sender_of, with_cookie
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.matchmaker import new_seat_id
from fivedice.server.matchmaking.lobby import OpenSeat, Seek, SitDown, Withdraw
from fivedice.server.services import Services
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.create import Options, wanted_ruleset
from fivedice.server.table.event_json import game_bytes
from fivedice.server.table.state import ruleset_of
from fivedice.storage.engine.database import UnavailableError
from fivedice.storage.rows.open_seats import FoundRow, blocked_by, unblock
from fivedice.views.games import BlockedView, FoundGameView, FoundView, LobbyView, OpenSeatView

Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARACTERS)]
OpenSeatId = Annotated[str, PathParameter(description="the id of an open seat", max_length=32)]


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What game somebody looks for: shipped rules, the seconds for each turn, and whether it is `casual`.

    With `near`, against somebody of about their level.
    """

    name: Name
    seconds: Literal[30, 60, 86_400]
    rules: Annotated[str, msgspec.Meta(max_length=400)] = "yahtzee"
    options: Options = {}
    near: bool = False
    casual: bool = False


class SitName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name under which somebody sits down."""

    name: Name


class Blocked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat at a table where this browser has another one, and the name of the player there."""

    table: Annotated[str, msgspec.Meta(max_length=64)]
    seat: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEATS - 1)]
    name: Name


@get("/api/lobby", responses=documented(503))
async def show_lobby(services: TheServices, visitor: TheVisitor) -> LobbyView:
    """The open seats, and what became of those at which this browser waits. A browser that waits for a live game asks
    again at least once a minute."""
    seen = await services.matchmaker.look(visitor.holder)
    return LobbyView(
        [_seat(seat) for seat in seen.seats],
        [_seat(seat) for seat in seen.own],
        [_found(row) for row in seen.found],
        [_found(row) for row in seen.running],
    )


@post(
    "/api/lobby/seats",
    guards=[rate_limit_work, require_cookie],
    status_code=200,
    responses=documented(400, 401, 404, 413, 503),
)
async def seek_opponent(
    data: JSONBody[Wish], request: AnyRequest, services: TheServices, visitor: TheVisitor, asker: TheAsker
) -> Response[FoundView]:
    """Play whoever fits best of those who wait, or wait for an opponent."""
    name = checked_name(data.name)
    ruleset, _ = await in_rules_thread(wanted_ruleset, data.rules, data.options)
    rules, now = str(ruleset), services.settings.clock()
    wish = OpenSeat(new_seat_id(), "", name, rules, data.seconds, None, data.near, now, now, data.casual)
    holder = await _count(services, request, visitor, wish)
    # Only if asked for: figures of games may take a minute, and whoever wants to play waits for no level.
    level = await _level(services, visitor, asker, rules) if data.near else None
    found = await services.matchmaker.handle(Seek(replace(wish, holder=holder, level=level)))
    return with_cookie(FoundView(found.table, found.seat), request, visitor)


@post(
    "/api/lobby/seats/{seat:str}/sit",
    guards=[rate_limit_work, require_cookie],
    status_code=200,
    responses=documented(400, 401, 404, 413, 503),
)
async def take_open_seat(
    seat: OpenSeatId,
    data: JSONBody[SitName],
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
) -> Response[FoundView]:
    """Play the person who waits at a seat."""
    name = checked_name(data.name)
    seen = await services.matchmaker.look(None)
    wish = next((one for one in seen.seats if one.id == seat), None)
    level = None if wish is None or not wish.near else await _level(services, visitor, asker, wish.rules)
    holder = await _count(services, request, visitor, wish)
    found = await services.matchmaker.handle(SitDown(seat, holder, name, level))
    return with_cookie(FoundView(found.table, found.seat), request, visitor)


@delete("/api/lobby/seats/{seat:str}", guards=[rate_limit_work], responses=documented(404, 503))
async def leave_open_seat(seat: OpenSeatId, services: TheServices, visitor: TheVisitor) -> None:
    """Wait at a seat no longer."""
    await services.matchmaker.handle(Withdraw(seat, visitor.holder or ""))


@get("/api/lobby/blocked", guards=[rate_limit_work], responses=documented(503))
async def list_blocked(services: TheServices, visitor: TheVisitor) -> BlockedView:
    """The people whom this browser has blocked."""
    return await _blocked(services, visitor)


@post("/api/lobby/blocked", guards=[rate_limit_work], status_code=200, responses=documented(400, 404, 413, 503))
async def block_player(
    data: JSONBody[Blocked], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> BlockedView:
    """Meet the player at a seat no more: neither sees the other's open seats or can offer the other a rematch. Nobody
    is told."""
    name = checked_name(data.name)
    services.storage_guard.count_rows(sender_of(request, visitor), ROW_BYTES)
    await services.matchmaker.block(visitor.holder, data.table, data.seat, name)
    return await _blocked(services, visitor)


@delete("/api/lobby/blocked", guards=[rate_limit_work], status_code=200, responses=documented(400, 503))
async def unblock_player(
    services: TheServices,
    visitor: TheVisitor,
    name: Annotated[str, QueryParameter(description="the name in the list", max_length=MAX_NAME_CHARACTERS)],
) -> BlockedView:
    """Block the players of a name no longer."""
    await services.database.written(lambda connection: unblock(connection, visitor.holder or "", name))
    return await _blocked(services, visitor)


async def _blocked(services: Services, visitor: Visitor) -> BlockedView:
    found = await services.database.fetched(lambda connection: blocked_by(connection, visitor.holder or ""))
    return BlockedView(sorted({row.name for row in found}))


async def _count(services: Services, request: AnyRequest, visitor: Visitor, wish: OpenSeat | None) -> str:
    """Count a table and its game for whoever asks for one, and return their holder. Raises the errors of rules that
    cannot be played, `TooFastError` and `UnavailableError`."""
    sender = sender_of(request, visitor)
    if wish is not None:
        created = await in_rules_thread(services.matchmaker.created, wish, wish.name, "", bytes(32))
        services.storage_guard.count_table(sender, game_bytes(created) + ROW_BYTES)
    services.storage_guard.count_browser(sender)
    return await services.holders.ensure(visitor, services.settings.clock())


async def _level(services: Services, visitor: Visitor, asker: Asker, rules: str) -> int | None:
    """The number of the level that plays most nearly as a visitor did of late under these rules; None if unknown."""
    if visitor.holder is None:
        return None
    try:
        found = await asker.many_games(
            "level", lambda: services.holder_figures.figures(visitor.holder, asker.whos, with_imports=False), rules
        )
    except UnavailableError:
        return None  # the worker process has a problem; the game need not wait for it
    recent = next((one.recent for one in found.figures if one.ruleset == rules), None)
    return None if recent is None else int(recent.level.removeprefix("level_"))


def _seat(seat: OpenSeat) -> OpenSeatView:
    name = ruleset_of(seat.rules).name
    return OpenSeatView(
        seat.id, seat.name, seat.rules, name, seat.seconds, seat.level, seat.near, seat.since, seat.casual
    )


def _found(row: FoundRow) -> FoundGameView:
    return FoundGameView(row.id, row.table, [row.name, row.opponent], ruleset_of(row.rules).name, row.seconds)
