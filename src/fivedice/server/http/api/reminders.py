"""`/api/me/reminders` and `/api/reminders/key`: the browsers to tell of turns or the daily ten."""

from typing import Annotated, Literal

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, QueryParameter

from fivedice.server.config.limits import MAX_ADDRESS_CHARACTERS
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import NotYoursError, documented
from fivedice.server.http.handling.params import AnyRequest, TheServices, TheVisitor, sender_of, with_cookie
from fivedice.storage.rows.reminders import Reminded
from fivedice.views.answers import ReminderKeyView

NO_SEAT = "this browser holds no seat, so nobody waits for it"

BrowserAddress = Annotated[
    str,
    QueryParameter(description="the address of the browser at its push service", max_length=MAX_ADDRESS_CHARACTERS),
]


class NewReminder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser to remind: what its `PushSubscription` says, in base64 for URLs, and the language of reminders.

    `turns` is for turns and rematches, `hour` for the daily ten: from 0 to 23 in the time `zone`; null for none.
    """

    address: Annotated[str, msgspec.Meta(max_length=MAX_ADDRESS_CHARACTERS)]
    key: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{87}$")]
    auth: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{22}$")]
    lang: Literal["en", "de", "sv"] = "en"
    turns: bool = True
    hour: Annotated[int, msgspec.Meta(ge=0, le=23)] | None = None
    zone: Annotated[str, msgspec.Meta(max_length=64)] = "UTC"


@get("/api/reminders/key", guards=[rate_limit_work], responses=documented(503))
async def show_reminder_key(services: TheServices) -> ReminderKeyView:
    """What a browser needs to ask its push service for an address."""
    return ReminderKeyView(await services.reminders.public_key())


@post("/api/me/reminders", guards=[rate_limit_work], status_code=204, responses=documented(400, 403, 404, 413, 503))
async def add_reminder(
    services: TheServices, visitor: TheVisitor, data: JSONBody[NewReminder], request: AnyRequest
) -> Response[None]:
    """Remind this browser from now on, at all tables where it holds a seat, or of the daily ten."""
    now = services.settings.clock()
    holder = visitor.holder
    if data.hour is not None:
        services.storage_guard.count_browser(sender_of(request, visitor))
        holder = await services.holders.ensure(visitor, now)
    if holder is None:
        raise NotYoursError(NO_SEAT)
    site = f"https://{request.url.hostname or 'localhost'}"
    wanted = data.turns, data.hour, data.zone
    await services.reminders.add(holder, Reminded(data.address, data.key, data.auth, data.lang, site, *wanted), now)
    return with_cookie(None, request, visitor, status_code=204)


@delete("/api/me/reminders", guards=[rate_limit_work], status_code=204, responses=documented(400, 403, 503))
async def remove_reminder(services: TheServices, visitor: TheVisitor, address: BrowserAddress) -> None:
    """Remind this browser no longer."""
    if visitor.holder is None:
        raise NotYoursError(NO_SEAT)
    await services.reminders.remove(visitor.holder, address)
