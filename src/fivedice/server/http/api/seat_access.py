"""`/api/tables/…/seats/…`: the devices that hold a seat, and the links with which others can hold it."""

import hashlib
from base64 import urlsafe_b64encode
from typing import Annotated

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter
from sqlalchemy import Connection

from fivedice.base.errors import UnknownError
from fivedice.server.config.limits import NEW_DEVICE_SECONDS, ROW_BYTES
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import NotYoursError, documented
from fivedice.server.http.handling.params import (
    AnyRequest,
    SeatIndex,
    TableId,
    TheServices,
    TheVisitor,
    sender_of,
    with_cookie,
)
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.live_table import LiveTable
from fivedice.server.services import Services
from fivedice.storage.rows.holders import SECRET_CHARACTERS
from fivedice.storage.rows.seat_links import SeatDevice, SeatLink, devices_of, links_of, revoke_link
from fivedice.views.access import ClaimedView, DeviceView, LinkView, SeatAccessView

AccessId = Annotated[str, PathParameter(description="the id of a device or link, as the list has it", max_length=64)]


class SeatSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A secret that lets another browser claim a seat, once: the recovery link is `/t/TABLE#seat=SECRET`."""

    secret: Annotated[str, msgspec.Meta(min_length=SECRET_CHARACTERS, max_length=SECRET_CHARACTERS)]
    expires: float | None = None
    """When a new secret expires, in seconds since 1970; ignored in a claim."""


@post(
    "/api/tables/{table:str}/seats/{seat:int}/link",
    guards=[rate_limit_work],
    status_code=201,
    responses=documented(400, 403, 404, 503),
)
async def make_link(
    table: TableId, seat: SeatIndex, request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> SeatSecret:
    """Create a secret for a seat that this browser holds, with which another device can hold it too. It works once,
    within a week."""
    live = await _own_seat(services, visitor, table, seat)
    services.storage_guard.count_rows(sender_of(request, visitor), ROW_BYTES)
    return SeatSecret(*await services.holders.create_link(visitor, live.id, seat, services.settings.clock()))


@post(
    "/api/tables/{table:str}/claim",
    guards=[rate_limit_work],
    status_code=200,
    responses=documented(400, 403, 404, 413, 503),
)
async def claim_seat(
    table: TableId, data: JSONBody[SeatSecret], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[ClaimedView]:
    """Claim the seat that a secret belongs to, for this browser."""
    live = await services.tables.find(table)
    sender = sender_of(request, visitor)
    services.storage_guard.count_change(sender, ROW_BYTES)
    services.storage_guard.count_browser(sender)
    return with_cookie(ClaimedView(await services.tables.claim(live, visitor, data.secret)), request, visitor)


@get(
    "/api/tables/{table:str}/seats/{seat:int}/devices",
    guards=[rate_limit_work],
    responses=documented(400, 403, 404, 503),
)
async def list_devices(table: TableId, seat: SeatIndex, services: TheServices, visitor: TheVisitor) -> SeatAccessView:
    """The devices that hold a seat of this browser, and the links to it."""
    live = await _own_seat(services, visitor, table, seat)
    now = services.settings.clock()

    def read(connection: Connection) -> tuple[list[SeatDevice], list[SeatLink]]:
        return devices_of(connection, live.id, seat), links_of(connection, live.id, seat, now)

    devices, links = await services.database.fetched(read)
    connected = {subscriber.visitor.holder for subscriber in live.subscribers}
    return SeatAccessView(
        [
            DeviceView(
                id=_id(device),
                is_this=device.holder == visitor.holder,
                since=device.since,
                seen=device.seen,
                is_connected=device.holder in connected,
                can_remove=not _why_kept(device, devices, visitor, now),
            )
            for device in devices
        ],
        [LinkView(link.id, link.kind, link.created, link.expires, link.used) for link in links],
    )


@delete(
    "/api/tables/{table:str}/seats/{seat:int}/devices/{id:str}",
    guards=[rate_limit_work],
    responses=documented(400, 403, 404, 503),
)
async def remove_device(
    table: TableId, seat: SeatIndex, id: AccessId, services: TheServices, visitor: TheVisitor
) -> None:
    """Take a seat of this browser from another device, and revoke the unused links that it created."""
    live = await _own_seat(services, visitor, table, seat)
    devices = await services.database.fetched(lambda connection: devices_of(connection, live.id, seat))
    device = next((device for device in devices if _id(device) == id), None)
    if device is None:
        raise UnknownError("no such device holds this seat")
    if why := _why_kept(device, devices, visitor, services.settings.clock()):
        raise NotYoursError(why)
    await services.tables.remove_device(live, seat, device.holder)


@delete(
    "/api/tables/{table:str}/seats/{seat:int}/links/{id:str}",
    guards=[rate_limit_work],
    responses=documented(400, 403, 404, 503),
)
async def remove_link(
    table: TableId, seat: SeatIndex, id: AccessId, services: TheServices, visitor: TheVisitor
) -> None:
    """Revoke a link to a seat of this browser. Devices that have used it keep the seat."""
    live = await _own_seat(services, visitor, table, seat)

    def job(connection: Connection) -> bool:
        return revoke_link(connection, live.id, seat, id)

    if not await services.database.written(job):
        raise UnknownError("this seat has no such link")


async def _own_seat(services: Services, visitor: Visitor, table: str, seat: int) -> LiveTable:
    """The table, if the visitor holds the seat; raises `NotYoursError`, `UnknownError` or `UnavailableError`."""
    live = await services.tables.find(table)
    if seat not in live.seats_of(visitor.holder):
        raise NotYoursError(f"seat {seat} is not yours")
    return live


def _why_kept(device: SeatDevice, devices: list[SeatDevice], visitor: Visitor, now: float) -> str:
    """Why a visitor cannot take a seat from a device; empty if they can.

    Somebody who finds a link must not be able to lock out the player at once.
    """
    if device.holder == visitor.holder:
        return "this is your own device: remove it from another that holds the seat"
    since = next((own.since for own in devices if own.holder == visitor.holder), now)
    if device.since < since and now < since + NEW_DEVICE_SECONDS:
        return "a device that has held the seat for less than a day cannot remove an earlier one"
    return ""


def _id(device: SeatDevice) -> str:
    """An id for a device that is not the internal one of its holder."""
    return urlsafe_b64encode(hashlib.sha256(f"device {device.holder}".encode()).digest()[:9]).decode()
