"""`/api/lobby`: open seats, quick match, and whom this browser has blocked."""

from dataclasses import replace
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from fivedice.base.errors import UnavailableError
from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.server.games.holder_figures import HolderFigures
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.params import Named
from fivedice.server.limits import ROW_BYTES
from fivedice.server.live.event_store import new_id
from fivedice.server.live.matchmaker import Found, Matchmaker
from fivedice.server.matchmaking.lobby import OpenSeat
from fivedice.server.replies.endpoint import delete, get, post
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.create import Options, wanted_ruleset
from fivedice.server.table.history import game_bytes
from fivedice.server.table.verb import Name
from fivedice.storage.rows.open_seats import blocked_by, unblock
from fivedice.views.games import BlockedView, LobbyView, OpenSeatView

LEAST_RECENT = 3
"""The fewest games that say enough about somebody's level to choose opponents by it."""

OpenSeatId = Annotated[str, Meta(description="the id of an open seat", max_length=32)]


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What game somebody looks for: shipped rules, the seconds for each turn, and whether it is `casual`.

    With `near`, against somebody of about their level.
    """

    name: Name
    seconds: Literal[30, 60, 86_400]
    rules: Annotated[str, Meta(max_length=400)] = "yahtzee"
    options: Options = {}
    near: bool = False
    casual: bool = False


class Blocked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat at a table where this browser has another one, and the name of the player there."""

    table: Annotated[str, Meta(max_length=64)]
    seat: Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
    name: Name


@get("/api/lobby", cost=0)
async def show_lobby(asker: Asker, matchmaker: Matchmaker) -> LobbyView:
    """The open seats, and what became of those at which this browser waits. To wait for a live game, it has to follow
    the stream `lobby`: it loses the seat a minute after it no longer does."""
    return await matchmaker.look(asker.holder)


@post("/api/lobby/seats", 404, needs_cookie=True)
async def seek_opponent(asker: Asker, matchmaker: Matchmaker, holder_figures: HolderFigures, data: Wish) -> Found:
    """Play whoever fits best of those who wait, or wait for an opponent."""
    name = checked_name(data.name)
    ruleset, _ = await in_rules_thread(wanted_ruleset, data.rules, data.options)
    rules, now = str(ruleset), asker.now
    wish = OpenSeat(new_id(), "", name, rules, data.seconds, None, data.near, now, now, data.casual)
    holder = await _count(asker, matchmaker, wish)
    # Only if asked for: figures of games may take a minute, and whoever wants to play waits for no level.
    level = await _level(asker, holder_figures, rules) if data.near else None
    return await matchmaker.seek(replace(wish, holder=holder, level=level))


@post("/api/lobby/seats/{seat}/sit", 404, needs_cookie=True)
async def take_open_seat(
    asker: Asker, matchmaker: Matchmaker, holder_figures: HolderFigures, seat: OpenSeatId, data: Named
) -> Found:
    """Play the person who waits at a seat."""
    name = checked_name(data.name)
    seen = await matchmaker.look(None)
    wish = next((one for one in seen.seats if one.id == seat), None)
    level = None if wish is None or not wish.near else await _level(asker, holder_figures, wish.rules)
    holder = await _count(asker, matchmaker, wish)
    return await matchmaker.sit_down(seat, holder, name, level)


@delete("/api/lobby/seats/{seat}", 404)
async def leave_open_seat(asker: Asker, matchmaker: Matchmaker, seat: OpenSeatId) -> None:
    """Wait at a seat no longer."""
    await matchmaker.withdraw(seat, asker.holder or "")


@get("/api/lobby/blocked")
async def list_blocked(asker: Asker) -> BlockedView:
    """The people whom this browser has blocked."""
    return await _blocked(asker)


@post("/api/lobby/blocked", 404)
async def block_player(asker: Asker, matchmaker: Matchmaker, data: Blocked) -> BlockedView:
    """Meet the player at a seat no more: neither sees the other's open seats or can offer the other a rematch. Nobody
    is told."""
    name = checked_name(data.name)
    asker.store(ROW_BYTES)
    await matchmaker.block(asker.holder, data.table, data.seat, name)
    return await _blocked(asker)


@delete("/api/lobby/blocked")
async def unblock_player(
    asker: Asker,
    matchmaker: Matchmaker,
    name: Annotated[str, Meta(description="the name in the list", max_length=MAX_NAME_CHARACTERS)],
) -> BlockedView:
    """Block the players of a name no longer."""
    await asker.written(lambda connection: unblock(connection, asker.holder or "", name))
    await matchmaker.tell()
    return await _blocked(asker)


async def _blocked(asker: Asker) -> BlockedView:
    names = await asker.fetched(lambda connection: blocked_by(connection, asker.holder or ""))
    return BlockedView(sorted(names))


async def _count(asker: Asker, matchmaker: Matchmaker, wish: OpenSeat | OpenSeatView | None) -> str:
    """Count a table and its game for whoever asks for one, and return their holder. Raises the errors of rules that
    cannot be played, `TooFastError` and `UnavailableError`."""
    if wish is not None:
        created = await in_rules_thread(matchmaker.created, wish, wish.name, "", bytes(32))
        asker.store(game_bytes(created) + ROW_BYTES)
    return await asker.become_holder()


async def _level(asker: Asker, holder_figures: HolderFigures, rules: str) -> int | None:
    """The number of the level that plays most nearly as a visitor did of late under these rules; None if unknown."""
    if asker.holder is None:
        return None
    try:
        found = await holder_figures.figures(asker.holder, asker.address, with_imports=False)
    except UnavailableError:
        return None  # the worker process has a problem; the game need not wait for it
    recent = next((one.recent for one in found if one.ruleset == rules), None)
    if recent is None or recent.level is None or recent.games < LEAST_RECENT:
        return None
    return int(recent.level.removeprefix("level_"))
