"""`/api/tables/…/seats/…`: who can hold a seat, by devices and links, and what its neighbours see of its player."""

import hashlib
from base64 import urlsafe_b64encode
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta
from sqlalchemy import Connection

from fivedice.base.errors import UnknownError
from fivedice.players.strength import over_all
from fivedice.server.games.holder_figures import HolderFigures
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.error_responses import NotYoursError
from fivedice.server.identity.holders import Holders
from fivedice.server.limits import ROW_BYTES
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.registry import TableRegistry
from fivedice.server.replies.asking import SeatIndex, TableId
from fivedice.server.replies.endpoint import delete, get, post
from fivedice.server.table.state import PERSON
from fivedice.storage.rows.holders import SECRET_CHARACTERS, first_holders, rating_of
from fivedice.storage.rows.seat_links import SeatDevice, devices_of, links_of, revoke_link
from fivedice.views.access import ClaimedView, DeviceView, LinkView, SeatAccessView
from fivedice.views.evaluation import ProfileView, rating_view

NEW_DEVICE_SECONDS = 86_400
"""During which a new device of a seat cannot remove an earlier one."""

AccessId = Annotated[str, Meta(description="the id of a device or link, as the list has it", max_length=64)]


class SeatSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A secret that lets another browser claim a seat, once: the recovery link is `/t/TABLE#seat=SECRET`."""

    secret: Annotated[str, Meta(min_length=SECRET_CHARACTERS, max_length=SECRET_CHARACTERS)]
    expires: float | None = None
    """When a new secret expires, in seconds since 1970; ignored in a claim."""


@post("/api/tables/{table}/seats/{seat}/link", 403, 404, success=201)
async def make_link(asker: Asker, holders: Holders, table: TableId, seat: SeatIndex) -> SeatSecret:
    """Create a secret for a seat that this browser holds, with which another device can hold it too. It works once,
    within a week."""
    live = await _own_seat(asker, table, seat)
    asker.store(ROW_BYTES)
    return SeatSecret(*await holders.create_link(asker.visitor, live.id, seat, asker.now))


@post("/api/tables/{table}/claim", 403, 404, renews_cookie=True)
async def claim_seat(asker: Asker, tables: TableRegistry, table: TableId, data: SeatSecret) -> ClaimedView:
    """Claim the seat that a secret belongs to, for this browser."""
    live = await asker.find(table)
    asker.store_more(ROW_BYTES)
    asker.count_browser()
    return ClaimedView(await tables.claim(live, asker.visitor, data.secret))


@get("/api/tables/{table}/seats/{seat}/devices", 403, 404)
async def list_devices(asker: Asker, table: TableId, seat: SeatIndex) -> SeatAccessView:
    """The devices that hold a seat of this browser, and the links to it."""
    live = await _own_seat(asker, table, seat)
    now = asker.now

    def read(connection: Connection) -> tuple[list[SeatDevice], list[LinkView]]:
        return devices_of(connection, live.id, seat), links_of(connection, live.id, seat, now)

    devices, links = await asker.fetched(read)
    connected = {subscriber.visitor.holder for subscriber in live.subscribers}
    return SeatAccessView(
        [
            DeviceView(
                id=_id(device),
                is_this=device.holder == asker.holder,
                since=device.since,
                seen=device.seen,
                is_connected=device.holder in connected,
                can_remove=not _why_kept(device, devices, asker),
            )
            for device in devices
        ],
        links,
    )


@delete("/api/tables/{table}/seats/{seat}/devices/{id}", 403, 404)
async def remove_device(asker: Asker, tables: TableRegistry, table: TableId, seat: SeatIndex, id: AccessId) -> None:
    """Take a seat of this browser from another device, and revoke the unused links that it created."""
    live = await _own_seat(asker, table, seat)
    devices = await asker.fetched(lambda connection: devices_of(connection, live.id, seat))
    device = next((device for device in devices if _id(device) == id), None)
    if device is None:
        raise UnknownError("no such device holds this seat")
    if why := _why_kept(device, devices, asker):
        raise NotYoursError(why)
    await tables.remove_device(live, seat, device.holder)


@delete("/api/tables/{table}/seats/{seat}/links/{id}", 403, 404)
async def remove_link(asker: Asker, table: TableId, seat: SeatIndex, id: AccessId) -> None:
    """Revoke a link to a seat of this browser. Devices that have used it keep the seat."""
    live = await _own_seat(asker, table, seat)

    def job(connection: Connection) -> bool:
        return revoke_link(connection, live.id, seat, id)

    if not await asker.written(job):
        raise UnknownError("this seat has no such link")


async def _own_seat(asker: Asker, table: str, seat: int) -> LiveTable:
    """The table, if the visitor holds the seat; raises `NotYoursError`, `UnknownError` or `UnavailableError`."""
    live = await asker.find(table)
    if seat not in live.seats_of(asker.holder):
        raise NotYoursError(f"seat {seat} is not yours")
    return live


def _why_kept(device: SeatDevice, devices: list[SeatDevice], asker: Asker) -> str:
    """Why a visitor cannot take a seat from a device; empty if they can.

    Somebody who finds a link must not be able to lock out the player at once.
    """
    if device.holder == asker.holder:
        return "this is your own device: remove it from another that holds the seat"
    since = next((own.since for own in devices if own.holder == asker.holder), asker.now)
    if device.since < since and asker.now < since + NEW_DEVICE_SECONDS:
        return "a device that has held the seat for less than a day cannot remove an earlier one"
    return ""


def _id(device: SeatDevice) -> str:
    """An id for a device that is not the internal one of its holder."""
    return urlsafe_b64encode(hashlib.sha256(f"device {device.holder}".encode()).digest()[:9]).decode()


@get("/api/tables/{table}/seats/{seat}/profile", 403, 404)
async def show_profile(asker: Asker, holder_figures: HolderFigures, table: TableId, seat: SeatIndex) -> ProfileView:
    """Strength and rating of the person at a seat, for those who hold a seat at the same table."""
    live = await asker.table(table)
    if not live.seats_of(asker.holder):
        raise NotYoursError("only those who play at this table see the profiles of its players")
    seats = live.table.seats
    if seat >= len(seats) or seats[seat].kind != PERSON or seats[seat].is_open:
        raise UnknownError(f"no person has seat {seat} of this table")
    holders = await asker.fetched(lambda connection: first_holders(connection, live.id))
    holder = holders.get(seat)
    found = await holder_figures.figures(holder, asker.address, with_imports=False)
    rating = await asker.fetched(partial(rating_of, holder=holder or ""))
    # Custom rules may say more about a player than they want to tell.
    known = [one.strength for one in found if one.strength and not one.progress.is_custom]
    return ProfileView(
        name=seats[seat].name,
        strengths=sorted(known, key=lambda one: -one.games),
        strength=over_all(known),
        rating=rating_view(rating) if rating else None,
    )
