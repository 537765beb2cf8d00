"""`/api/account`: a name that lasts, with passkeys instead of passwords, and everything of a browser's user deleted."""

import asyncio
import ipaddress
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from sqlalchemy import Connection

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.names import checked_name
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.error_responses import NotYoursError
from fivedice.server.http.handling.params import AnyRequest, Named
from fivedice.server.identity import passkeys
from fivedice.server.identity.holders import Holders, Visitor
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.identity.passkeys import RelyingParty
from fivedice.server.limits import ROW_BYTES, UPLOAD_TOKENS
from fivedice.server.live.matchmaker import Matchmaker
from fivedice.server.live.registry import TableRegistry
from fivedice.server.replies.endpoint import delete, get, post
from fivedice.storage.rows import accounts
from fivedice.storage.rows.accounts import Passkey
from fivedice.storage.rows.holders import holder_of, known_holder, new_secret
from fivedice.storage.rows.own_data import erase_holder, move_in
from fivedice.views.access import AccountView, PasskeyOptionsView, PasskeyView

CHALLENGE_SECONDS = 300.0
"""How long a passkey may take to answer."""

RowId = Annotated[str, Meta(description="the id of a passkey or session in the account", max_length=1400)]
NO_ACCOUNT = "this browser is not signed in to an account"
USED = "this answer is too late, was used before or is not of this browser: try again"


_AGENTS = ("Edg", "OPR", "SamsungBrowser", "Firefox", "Chrome", "Safari")
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Mac OS", "CrOS", "Linux")


class Credential(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the browser's `navigator.credentials` returned, in its JSON form."""

    credential: dict[str, Any]


class PrintedCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A printed code."""

    code: Annotated[str, Meta(max_length=64)]


@get("/api/account")
async def show_account(asker: Asker) -> AccountView:
    """The account of this browser, with its passkeys and sessions."""
    return await _view(asker)


@post("/api/account/passkeys/options", needs_cookie=True)
async def offer_passkey(asker: Asker, data: Named) -> PasskeyOptionsView:
    """Options for a passkey: of a new account under a name, or a further one of the account of this browser."""
    party, now, challenge = _party(asker), asker.now, _challenge()
    asker.store_more(ROW_BYTES)
    wanted = data.name and checked_name(data.name)
    shape = await asyncio.to_thread(skeleton, wanted)

    def job(connection: Connection) -> tuple[str, str, list[bytes]]:
        holder = holder_of(connection, asker.visitor.key)
        own = accounts.account_name(connection, holder) if holder else None
        name = own or checked_name(wanted)
        if not own and accounts.is_taken(connection, shape):
            raise IllegalError(accounts.TAKEN)
        expires = now + CHALLENGE_SECONDS
        accounts.add_challenge(connection, challenge, asker.visitor.key, expires, now, name)
        known = accounts.passkeys_of(connection, holder) if holder and own else []
        # Without a holder the id of its user is that of this try.
        return name, holder or new_secret(), [one.id for one in known]

    name, holder, known = await asker.written(job)
    options = await asyncio.to_thread(passkeys.creation_options, party, challenge, name, holder, known)
    return PasskeyOptionsView(options)


@post("/api/account/passkeys", 403, needs_cookie=True, success=201)
async def add_passkey(asker: Asker, holders: Holders, data: Credential) -> AccountView:
    """Store a passkey that answers to the options. The first creates the account, with a printed code."""
    now, agent = asker.now, _agent(asker.request)
    _, challenge = await asyncio.to_thread(passkeys.answered, data.credential)
    [name] = await _used(asker, challenge)
    new = await asyncio.to_thread(passkeys.created, _party(asker), challenge, data.credential)
    shape = await asyncio.to_thread(skeleton, name or "")
    asker.count_browser()

    def store(connection: Connection) -> tuple[str | None, Visitor]:
        holder, code, key = known_holder(connection, asker.visitor.key, now), None, asker.visitor.key
        if accounts.account_name(connection, holder) is None:
            code = accounts.new_code()
            accounts.set_name(connection, holder, name or "", shape)
            accounts.change_code(connection, holder, code)
            key = accounts.begin_session(connection, holder, asker.visitor.key, agent, now)
        public, signs = new.credential_public_key, new.sign_count
        found = Passkey(new.credential_id, holder, public, signs, now, None, agent)
        if not accounts.add_passkey(connection, found):
            raise IllegalError("this passkey is known already")
        return code, Visitor(key, holder)

    code, session = await asker.written(store)
    holders.forget()
    asker.visitor = session
    return await _view(asker, code)


@post("/api/account/session/options", 400, needs_cookie=True)
async def offer_session(asker: Asker) -> PasskeyOptionsView:
    """Options to sign in with any passkey of this server."""
    party, challenge, now = _party(asker), _challenge(), asker.now
    asker.store_more(ROW_BYTES)
    expires = now + CHALLENGE_SECONDS
    await asker.written(lambda c: accounts.add_challenge(c, challenge, asker.visitor.key, expires, now))
    return PasskeyOptionsView(await asyncio.to_thread(passkeys.request_options, party, challenge))


@post("/api/account/session", 403, needs_cookie=True)
async def sign_in(asker: Asker, holders: Holders, tables: TableRegistry, data: Credential) -> AccountView:
    """Sign this browser in with a passkey. Its games move to the account, unless it was signed in to another one."""
    id, challenge = await asyncio.to_thread(passkeys.answered, data.credential)
    await _used(asker, challenge)
    known = await asker.fetched(lambda connection: accounts.passkey_of(connection, id))
    if known is None:
        raise NotYoursError("this server does not know the passkey: its account may have been deleted")
    party, now = _party(asker), asker.now
    signs = await asyncio.to_thread(passkeys.signed, party, challenge, data.credential, known.public)

    def use(connection: Connection) -> tuple[str, None]:
        accounts.use_passkey(connection, id, signs, now)
        return known.holder, None

    return await _begin(asker, holders, tables, use)


@post("/api/account/recover", 403, cost=UPLOAD_TOKENS, needs_cookie=True)
async def recover(asker: Asker, holders: Holders, tables: TableRegistry, data: PrintedCode) -> AccountView:
    """Sign this browser in with a printed code, which is used up; the answer has a new one."""

    def use(connection: Connection) -> tuple[str, str]:
        code = accounts.new_code()
        holder = accounts.use_code(connection, data.code, code)
        if holder is None:
            raise NotYoursError("no account has this code")
        return holder, code

    return await _begin(asker, holders, tables, use)


@post("/api/account/code", 403)
async def renew_code(asker: Asker) -> AccountView:
    """Replace the printed code, which is shown once."""
    code, holder = accounts.new_code(), await _own(asker)
    await asker.written(lambda connection: accounts.change_code(connection, holder, code))
    return await _view(asker, code)


@post("/api/account/name", 403)
async def rename_account(asker: Asker, data: Named) -> AccountView:
    """Give the account another name; the former one becomes free."""
    name, holder = checked_name(data.name), await _own(asker)
    shape = await asyncio.to_thread(skeleton, name)
    await asker.written(lambda connection: accounts.set_name(connection, holder, name, shape))
    return await _view(asker)


@delete("/api/account/passkeys/{id}", 403, 404)
async def remove_passkey(asker: Asker, id: RowId) -> None:
    """Delete a passkey of the account. Browsers that signed in with it stay signed in."""
    holder, wanted = await _own(asker), _bytes(id)
    if not await asker.written(lambda c: accounts.remove_passkey(c, holder, wanted)):
        raise UnknownError("this account has no such passkey")


@delete("/api/account/sessions/{id}", 403, 404)
async def end_session(asker: Asker, holders: Holders, id: RowId) -> None:
    """Sign a browser out of the account; it can be this one. Other processes know it within a minute."""
    holder = await _own(asker)
    if not await asker.written(lambda c: accounts.end_session(c, holder, id)):
        raise UnknownError("this account has no such session")
    holders.forget()


@delete("/api/me", 403, cost=UPLOAD_TOKENS)
async def delete_everything(asker: Asker, holders: Holders, tables: TableRegistry, matchmaker: Matchmaker) -> None:
    """Delete everything of this browser's user: account, games, records and lessons.

    At the tables of others and in clubs, a pseudonym stays. Dailies and games on the same dice stay without a name, so
    that no place of others changes, and this browser cannot play them again.
    """
    holder = asker.holder
    if holder is None:
        return
    changed = await asker.written(partial(erase_holder, holder=holder, at=asker.now))
    holders.forget()
    tables.forget(changed)  # those who are at a table come back to it as it is stored now
    await matchmaker.tell()


async def _begin(asker: Asker, holders: Holders, tables: TableRegistry, use: Any) -> AccountView:
    """Sign a browser in to the account that `use` returns, with a new code, and move its games in."""
    now, agent = asker.now, _agent(asker.request)
    asker.store_more(ROW_BYTES)

    def job(connection: Connection) -> tuple[Visitor, str | None, list[tuple[str, int]]]:
        holder, code = use(connection)
        former, moved = holder_of(connection, asker.visitor.key), list[tuple[str, int]]()
        if former and former != holder and accounts.account_name(connection, former) is None:
            moved = move_in(connection, former, holder)
        key = accounts.begin_session(connection, holder, asker.visitor.key, agent, now)
        return Visitor(key, holder), code, moved

    session, code, moved = await asker.written(job)
    holders.forget()
    for table, seat in moved:
        tables.record_claim(table, seat, session, session.holder or "")
    asker.visitor = session
    return await _view(asker, code)


async def _view(asker: Asker, code: str | None = None) -> AccountView:
    def read(connection: Connection) -> AccountView:
        holder = holder_of(connection, asker.visitor.key)
        name = accounts.account_name(connection, holder) if holder else None
        if holder is None or name is None:
            return AccountView(None, [], [], None, is_possible)
        known, sessions = (
            accounts.passkeys_of(connection, holder),
            accounts.sessions_of(connection, holder, asker.visitor.key),
        )
        return AccountView(
            name,
            [
                PasskeyView(urlsafe_b64encode(one.id).decode(), one.agent, one.created, one.used, one.copied)
                for one in known
            ],
            sessions,
            code,
            is_possible,
        )

    is_possible = _is_possible(asker)
    return await asker.fetched(read)


async def _own(asker: Asker) -> str:
    """The holder of this browser's account, as the database has it now; raises `NotYoursError`."""

    def read(connection: Connection) -> str | None:
        holder = holder_of(connection, asker.visitor.key)
        return holder if holder and accounts.account_name(connection, holder) else None

    if (holder := await asker.fetched(read)) is None:
        raise NotYoursError(NO_ACCOUNT)
    return holder


async def _used(asker: Asker, challenge: bytes) -> tuple[str | None]:
    now = asker.now
    found = await asker.written(lambda c: accounts.use_challenge(c, challenge, asker.visitor.key, now))
    if found is None:
        raise NotYoursError(USED)
    return found


def _party(asker: Asker) -> RelyingParty:
    """This server as browsers know it: by its setting, or by the address of the page, which `Hosts` has checked."""
    if not _is_possible(asker):
        raise IllegalError("passkeys need https and a name: open this page under the name of the server")
    id = asker.settings.relying_party or asker.request.url.hostname or ""
    origin = f"{asker.request.url.scheme}://{asker.request.headers['host']}"
    # Another program on the same machine may have a page at another port, and a passkey signs for that, too.
    at, own = asker.request.url.port, (asker.request.scope.get("server") or ("", None))[1]
    if at not in (None, own):
        raise IllegalError("passkeys need the port of this server, or that of https: open this page there")
    return RelyingParty(id, origin)


def _is_possible(asker: Asker) -> bool:
    host = asker.request.url.hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        is_secure = asker.request.url.scheme == "https" or host == "localhost"
        id = asker.settings.relying_party
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
    """The browser and system of a request, such as Firefox, Linux: just enough to tell one's own apart."""
    header = request.headers.get("user-agent", "")
    found = (next((one for one in names if re.search(one, header)), "") for names in (_AGENTS, _SYSTEMS))
    return ", ".join(filter(None, found))
