"""`/api/account`: a name that lasts, with passkeys instead of passwords, and everything of a browser's user deleted."""

import asyncio
import ipaddress
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name
from fivedice.server.config.limits import CHALLENGE_SECONDS, ROW_BYTES
from fivedice.server.http.handling.costs import rate_limit_upload, rate_limit_work, require_cookie
from fivedice.server.http.handling.error_responses import NotYoursError, documented
from fivedice.server.http.handling.params import AnyRequest, TheServices, TheVisitor, sender_of, with_cookie
from fivedice.server.identity import passkeys
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.identity.passkeys import RelyingParty
from fivedice.server.identity.visitor import Visitor
from fivedice.server.services import Services
from fivedice.storage.engine.database import UnavailableError
from fivedice.storage.rows import accounts
from fivedice.storage.rows.accounts import Account, NameTakenError, Passkey
from fivedice.storage.rows.holders import holder_of, known_holder, new_secret
from fivedice.storage.rows.own_data import erase_holder
from fivedice.views.access import AccountView, PasskeyOptionsView, PasskeyView, SessionView

RowId = Annotated[str, PathParameter(description="the id of a passkey or session in the account", max_length=1400)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARACTERS)]
TAKEN = "this name, or one that looks like it, belongs to somebody else: choose another"
NO_ACCOUNT = "this browser is not signed in to an account"
USED = "this answer is too late, was used before or is not of this browser: try again"

MAX_ERASE_TRIES = 5
"""So often somebody else may change a club of a user who deletes everything."""

_AGENTS = ("Edg", "OPR", "SamsungBrowser", "Firefox", "Chrome", "Safari")
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Mac OS", "CrOS", "Linux")


class AccountName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of an account."""

    name: Name


class Credential(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the browser's `navigator.credentials` returned, in its JSON form."""

    credential: dict[str, Any]


class PrintedCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A printed code."""

    code: Annotated[str, msgspec.Meta(max_length=64)]


@get("/api/account", guards=[rate_limit_work], responses=documented(503))
async def show_account(request: AnyRequest, services: TheServices, visitor: TheVisitor) -> AccountView:
    """The account of this browser, with its passkeys and sessions."""
    return await _view(request, services, visitor)


@post(
    "/api/account/passkeys/options",
    guards=[rate_limit_work, require_cookie],
    status_code=200,
    responses=documented(400, 401, 503),
)
async def offer_passkey(
    data: JSONBody[AccountName], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> PasskeyOptionsView:
    """Options for a passkey: of a new account under a name, or a further one of the account of this browser."""
    party, now, challenge = _party(request, services), services.settings.clock(), _challenge()
    services.storage_guard.count_change(sender_of(request, visitor), ROW_BYTES)
    wanted = data.name and checked_name(data.name)
    shape = await asyncio.to_thread(skeleton, wanted)

    def job(connection: Connection) -> tuple[str, str, list[bytes]]:
        holder = holder_of(connection, visitor.key)
        own = accounts.account_of(connection, holder) if holder else None
        name = own.name if own else checked_name(wanted)
        if not own and accounts.is_taken(connection, shape, None):
            raise IllegalError(TAKEN)
        expires = now + CHALLENGE_SECONDS
        accounts.add_challenge(connection, challenge, visitor.key, expires, now, name)
        known = accounts.passkeys_of(connection, own.holder) if own else []
        # Without a holder the id of its user is that of this try.
        return name, holder or new_secret(), [one.id for one in known]

    name, holder, known = await services.database.written(job)
    options = await asyncio.to_thread(passkeys.creation_options, party, challenge, name, holder, known)
    return PasskeyOptionsView(options)


@post(
    "/api/account/passkeys",
    guards=[rate_limit_work, require_cookie],
    status_code=201,
    responses=documented(400, 401, 403, 503),
)
async def add_passkey(
    data: JSONBody[Credential], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[AccountView]:
    """Store a passkey that answers to the options. The first creates the account, with a printed code."""
    now, agent = services.settings.clock(), _agent(request)
    challenge = await asyncio.to_thread(passkeys.challenge_of, data.credential)
    [name] = await _used(services, visitor, challenge)
    new = await asyncio.to_thread(passkeys.created, _party(request, services), challenge, data.credential)
    shape = await asyncio.to_thread(skeleton, name or "")
    services.storage_guard.count_browser(sender_of(request, visitor))

    def store(connection: Connection) -> tuple[str | None, Visitor]:
        holder, code, key = known_holder(connection, visitor.key, now), None, visitor.key
        if accounts.account_of(connection, holder) is None:
            code = accounts.new_code()
            account = Account(holder, name or "", now)
            accounts.create_account(connection, account, shape, code)
            key = accounts.begin_session(connection, holder, visitor.key, agent, now)
        if not accounts.add_passkey(connection, Passkey(new.id, holder, new.public, new.signs, now, None, agent)):
            raise IllegalError("this passkey is known already")
        return code, Visitor(key, holder)

    code, session = await _written(services, store)
    services.holders.forget()
    return with_cookie(await _view(request, services, session, code), request, session, status_code=201)


@post(
    "/api/account/session/options",
    guards=[rate_limit_work, require_cookie],
    status_code=200,
    responses=documented(400, 401, 503),
)
async def offer_session(request: AnyRequest, services: TheServices, visitor: TheVisitor) -> PasskeyOptionsView:
    """Options to sign in with any passkey of this server."""
    party, challenge, now = _party(request, services), _challenge(), services.settings.clock()
    services.storage_guard.count_change(sender_of(request, visitor), ROW_BYTES)
    expires = now + CHALLENGE_SECONDS
    await services.database.written(lambda c: accounts.add_challenge(c, challenge, visitor.key, expires, now))
    return PasskeyOptionsView(await asyncio.to_thread(passkeys.request_options, party, challenge))


@post(
    "/api/account/session",
    guards=[rate_limit_work, require_cookie],
    status_code=200,
    responses=documented(400, 401, 403, 503),
)
async def sign_in(
    data: JSONBody[Credential], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[AccountView]:
    """Sign this browser in with a passkey. Its games move to the account, unless it was signed in to another one."""
    challenge = await asyncio.to_thread(passkeys.challenge_of, data.credential)
    id = passkeys.credential_id(data.credential)
    await _used(services, visitor, challenge)
    known = await services.database.fetched(lambda connection: accounts.passkey_of(connection, id))
    if known is None:
        raise NotYoursError("this server does not know the passkey: its account may have been deleted")
    party, now = _party(request, services), services.settings.clock()
    signs = await asyncio.to_thread(passkeys.signed, party, challenge, data.credential, known.public, known.signs)

    def use(connection: Connection) -> tuple[str, None]:
        accounts.use_passkey(connection, id, signs, now)
        return known.holder, None

    return await _begin(request, services, visitor, use)


@post(
    "/api/account/recover",
    guards=[rate_limit_upload, require_cookie],
    status_code=200,
    responses=documented(400, 401, 403, 503),
)
async def recover(
    data: JSONBody[PrintedCode], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> Response[AccountView]:
    """Sign this browser in with a printed code, which is used up; the answer has a new one."""

    def use(connection: Connection) -> tuple[str, str]:
        code = accounts.new_code()
        holder = accounts.use_code(connection, data.code, code)
        if holder is None:
            raise NotYoursError("no account has this code")
        return holder, code

    return await _begin(request, services, visitor, use)


@post("/api/account/code", guards=[rate_limit_work], status_code=200, responses=documented(403, 503))
async def renew_code(request: AnyRequest, services: TheServices, visitor: TheVisitor) -> AccountView:
    """Replace the printed code, which is shown once."""
    code, holder = accounts.new_code(), await _own(services, visitor)
    await services.database.written(lambda connection: accounts.change_code(connection, holder, code))
    return await _view(request, services, visitor, code)


@post("/api/account/name", guards=[rate_limit_work], status_code=200, responses=documented(400, 403, 503))
async def rename_account(
    data: JSONBody[AccountName], request: AnyRequest, services: TheServices, visitor: TheVisitor
) -> AccountView:
    """Give the account another name; the former one becomes free."""
    name, holder = checked_name(data.name), await _own(services, visitor)
    shape = await asyncio.to_thread(skeleton, name)
    await _written(services, lambda connection: accounts.rename(connection, holder, name, shape))
    return await _view(request, services, visitor)


@delete("/api/account/passkeys/{id:str}", guards=[rate_limit_work], responses=documented(400, 403, 404, 503))
async def remove_passkey(id: RowId, services: TheServices, visitor: TheVisitor) -> None:
    """Delete a passkey of the account. Browsers that signed in with it stay signed in."""
    holder, wanted = await _own(services, visitor), _bytes(id)
    if not await services.database.written(lambda c: accounts.remove_passkey(c, holder, wanted)):
        raise UnknownError("this account has no such passkey")


@delete("/api/account/sessions/{id:str}", guards=[rate_limit_work], responses=documented(400, 403, 404, 503))
async def end_session(id: RowId, services: TheServices, visitor: TheVisitor) -> None:
    """Sign a browser out of the account; it can be this one. Other processes know it within a minute."""
    holder = await _own(services, visitor)
    if not await services.database.written(lambda c: accounts.end_session(c, holder, id)):
        raise UnknownError("this account has no such session")
    services.holders.forget()


@delete("/api/me", guards=[rate_limit_upload], responses=documented(403, 503))
async def delete_everything(services: TheServices, visitor: TheVisitor) -> None:
    """Delete everything of this browser's user: account, games, records, lessons and tries.

    At the tables of others and in clubs, a pseudonym stays.
    """
    holder = visitor.holder
    if holder is None:
        return
    erase = partial(erase_holder, holder=holder, at=services.settings.clock())
    for _ in range(MAX_ERASE_TRIES):
        with suppress(IntegrityError):
            changed = await services.database.written(erase)
            break
    else:
        raise UnavailableError("a club was changed at the same time: try again")
    services.holders.forget()
    services.tables.forget(changed)  # those who are at a table come back to it as it is stored now


async def _begin(request: AnyRequest, services: Services, visitor: Visitor, use: Any) -> Response[AccountView]:
    """Sign a browser in to the account that `use` returns, with a new code, and move its games in."""
    now, agent = services.settings.clock(), _agent(request)
    services.storage_guard.count_change(sender_of(request, visitor), ROW_BYTES)

    def job(connection: Connection) -> tuple[Visitor, str | None, list[tuple[str, int]]]:
        holder, code = use(connection)
        former, moved = holder_of(connection, visitor.key), list[tuple[str, int]]()
        if former and former != holder and accounts.account_of(connection, former) is None:
            moved = accounts.move_in(connection, former, holder)
        key = accounts.begin_session(connection, holder, visitor.key, agent, now)
        return Visitor(key, holder), code, moved

    session, code, moved = await services.database.written(job)
    services.holders.forget()
    for table, seat in moved:
        services.tables.record_claim(table, seat, session, session.holder or "")
    return with_cookie(await _view(request, services, session, code), request, session)


async def _view(request: AnyRequest, services: Services, visitor: Visitor, code: str | None = None) -> AccountView:
    def read(connection: Connection) -> AccountView:
        holder = holder_of(connection, visitor.key)
        account = accounts.account_of(connection, holder) if holder else None
        if holder is None or account is None:
            return AccountView(None, [], [], None, is_possible)
        known, sessions = (
            accounts.passkeys_of(connection, holder),
            accounts.sessions_of(connection, holder, visitor.key),
        )
        return AccountView(
            account.name,
            [PasskeyView(urlsafe_b64encode(one.id).decode(), one.agent, one.created, one.used) for one in known],
            [SessionView(one.id, one.agent, one.created, one.is_this) for one in sessions],
            code,
            is_possible,
        )

    is_possible = _is_possible(request, services)
    return await services.database.fetched(read)


async def _own(services: Services, visitor: Visitor) -> str:
    """The holder of this browser's account, as the database has it now; raises `NotYoursError`."""

    def read(connection: Connection) -> str | None:
        holder = holder_of(connection, visitor.key)
        return holder if holder and accounts.account_of(connection, holder) else None

    if (holder := await services.database.fetched(read)) is None:
        raise NotYoursError(NO_ACCOUNT)
    return holder


async def _used(services: Services, visitor: Visitor, challenge: bytes) -> tuple[str | None]:
    now = services.settings.clock()
    found = await services.database.written(lambda c: accounts.use_challenge(c, challenge, visitor.key, now))
    if found is None:
        raise NotYoursError(USED)
    return found


async def _written(services: Services, job: Any) -> Any:
    try:
        return await services.database.written(job)
    except NameTakenError:
        raise IllegalError(TAKEN) from None


def _party(request: AnyRequest, services: Services) -> RelyingParty:
    """This server as browsers know it: by its setting, or by the address of the page, which `Hosts` has checked."""
    if not _is_possible(request, services):
        raise IllegalError("passkeys need https and a name: open this page under the name of the server")
    id = services.settings.relying_party or request.url.hostname or ""
    return RelyingParty(id, f"{request.url.scheme}://{request.headers['host']}")


def _is_possible(request: AnyRequest, services: Services) -> bool:
    host = request.url.hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        is_secure = request.url.scheme == "https" or host == "localhost"
        id = services.settings.relying_party
        return is_secure and (not id or host == id or host.endswith(f".{id}"))
    return False


def _challenge() -> bytes:
    return urlsafe_b64decode(f"{new_secret()}=")


def _bytes(id: str) -> bytes:
    try:
        return urlsafe_b64decode(id)
    except ValueError:
        raise MalformedError("this is not the id of a passkey") from None


def _agent(request: AnyRequest) -> str:
    """The browser and the system of a request, such as Firefox, Linux; no more than tells the own ones apart."""
    header = request.headers.get("user-agent", "")
    found = (next((one for one in names if re.search(one, header)), "") for names in (_AGENTS, _SYSTEMS))
    return ", ".join(filter(None, found))
