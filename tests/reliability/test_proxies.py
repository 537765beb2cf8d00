"""Servers behind nginx and Caddy with TLS, by the lines of docs/deployment.md."""

import asyncio
import json
import random
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.reliability.client import GONE, Client
from tests.reliability.databases import Place
from tests.reliability.ledger import Ledger, Notes
from tests.reliability.process import ServerProcess
from tests.reliability.proxy import Proxy, proxy_before
from tests.waiting import wait_for, wait_for_async

pytestmark = pytest.mark.slow

ProxyKind = tuple[str, str]

LIMITS = ("--limit", "uploads=3/minute", "--limit", "commands=1000/second", "--limit", "messages=1000/second")
"""As few of one kind as a test can use up, and as many of another as programs play."""


@pytest.fixture(scope="module")
def proxy(proxy_kind: ProxyKind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A server on SQLite behind each kind of proxy, whose certificate everybody here checks."""
    folder = tmp_path_factory.mktemp("proxy")
    server = ServerProcess(f"sqlite:///{folder / 'tables.db'}", "--proxy", "127.0.0.1", limits=LIMITS)
    server.start()
    try:
        with proxy_before([server.port], *proxy_kind, folder) as proxy, trusting(proxy):
            yield proxy
    finally:
        server.kill()


@contextmanager
def trusting(proxy: Proxy) -> Iterator[None]:
    """Within it a proxy's certificate is good, for whoever makes a connection in the usual way."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SSL_CERT_FILE", str(proxy.authority))
        yield


def browser(proxy: Proxy, address: str = "127.0.0.1") -> httpx.Client:
    """What sends requests from an address of this machine, and keeps its cookie."""
    transport = httpx.HTTPTransport(verify=ssl.create_default_context(), local_address=address)
    return httpx.Client(base_url=proxy.url, transport=transport, timeout=20)


NOBODY = (502, 503)
"""What proxies answer where no server of theirs did."""

ALONE = {"seats": [{"kind": "person", "name": "Ann", "here": True}]}


def create(client: httpx.Client) -> Notes:
    """A table of one person alone, who is the client; asked for again where the proxy found nobody who answered."""

    def answered() -> httpx.Response | None:
        answer = client.post("/api/tables", json=ALONE)
        return None if answer.status_code in NOBODY else answer

    made = wait_for(answered, "a server behind the proxy answers", 20)
    assert made.status_code == 201, made.text
    return Notes(made.json()["table"], {0: f"fivedice={client.cookies['fivedice']}"})


def socket_address(proxy: Proxy, notes: Notes) -> str:
    """Where a table's socket is opened."""
    return f"{proxy.url.replace('http', 'ws', 1)}/api/tables/{notes.table}/socket"


@pytest.mark.parametrize("over_socket", [True, False])
def test_a_game_is_played_to_its_end_over_tls(proxy: Proxy, over_socket: bool) -> None:
    async def play() -> None:
        ledger = Ledger()
        client = Client(proxy.url, ledger, random.Random(4))
        notes = await client.create(computer=True)
        await client.play(notes, over_socket=over_socket)
        assert notes.has_ended
        await client.check(notes)
        assert ledger.lost == []

    asyncio.run(play())


def test_the_cookie_is_for_https_and_for_this_site_alone(proxy: Proxy) -> None:
    async def cookie_of_socket(notes: Notes) -> str:
        async with connect(socket_address(proxy, notes)) as opened:
            assert opened.response
            return str(opened.response.headers["set-cookie"])

    with browser(proxy) as client:
        notes = create(client)
        answer = client.post("/api/tables", json=ALONE)
    for cookie in (answer.headers["set-cookie"], asyncio.run(cookie_of_socket(notes))):
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; ")[1:])


def test_pages_of_this_site_are_let_in_and_those_of_others_are_not(proxy: Proxy) -> None:
    async def statuses(notes: Notes) -> list[int]:
        found = []
        for origin in (proxy.url, "https://evil.example", f"{proxy.url}.evil.example"):
            try:
                async with connect(socket_address(proxy, notes), origin=origin) as opened:  # type: ignore[arg-type]
                    found.append(opened.response.status_code if opened.response else 0)
            except InvalidStatus as refused:
                found.append(refused.response.status_code)
        return found

    with browser(proxy) as client:
        notes = create(client)
        path = f"/api/tables/{notes.table}/commands"
        roll = {"type": "roll", "id": "a-roll-of-ann", "version": 1, "seat": 0, "kept": []}
        refused = client.post(path, json=roll, headers={"origin": "https://evil.example"})
        assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")
        assert client.post(path, json=roll, headers={"origin": proxy.url}).json()["type"] == "accepted"
    assert asyncio.run(statuses(notes)) == [101, 403, 403]


def test_a_stream_brings_news_as_they_happen(proxy: Proxy) -> None:
    with browser(proxy) as client, browser(proxy) as beside:
        table = create(client).table
        with beside.stream("GET", f"/api/tables/{table}/stream") as stream:
            lines = (line for line in stream.iter_lines() if line)
            assert json.loads(next(lines).removeprefix("data: "))["view"]["version"] == 1
            for version in (1, 2):
                command = {"id": f"a-command-{version}", "version": version, "seat": 0}
                action = {"type": "roll", "kept": []} if version == 1 else {"type": "score", "box": "chance"}
                assert client.post(f"/api/tables/{table}/commands", json=command | action).is_success
                # Were it held back to fill a buffer, this would wait until the time for an answer is over.
                while (news := json.loads(next(lines).removeprefix("data: ")))["type"] != "update":
                    pass
                assert news["view"]["version"] == version + 1


def test_limits_are_those_of_the_addresses_behind_the_proxy(proxy: Proxy) -> None:
    def status(address: str, **headers: str) -> int:
        with browser(proxy, address) as client:
            return client.post("/api/rulesets/check", json={"toml": ""}, headers=headers).status_code

    claims = [
        {},
        {"x-forwarded-for": "192.0.2.1"},
        {"x-forwarded-for": "192.0.2.2, 127.0.0.1"},
        {"x-real-ip": "192.0.2.3"},
    ]
    assert [status("127.0.0.2", **claim) for claim in claims] == [400, 400, 400, 429]
    assert status("127.0.0.3", **{"x-forwarded-for": "127.0.0.2"}) == 400


def test_browsers_are_offered_http_2(proxy: Proxy) -> None:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    port = int(proxy.url.rpartition(":")[2])
    with (
        socket.create_connection(("localhost", port), timeout=20) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as wrapped,
    ):
        assert wrapped.selected_alpn_protocol() == "h2"


def test_a_game_goes_on_when_one_of_two_servers_behind_a_proxy_is_killed(
    proxy_kind: ProxyKind, postgres_database: Place, tmp_path_factory: pytest.TempPathFactory
) -> None:
    servers = [ServerProcess(postgres_database.url, "--proxy", "127.0.0.1") for _ in range(2)]
    for server in servers:
        server.begin()
    try:
        for server in servers:
            server.wait_until_up()
        ports = [server.port for server in servers]
        folder = tmp_path_factory.mktemp("proxies")
        with proxy_before(ports, *proxy_kind, folder) as proxy, trusting(proxy):
            ledger = Ledger()
            asyncio.run(_play_while_servers_die(proxy, servers, ledger))
            ledger.check_rows(postgres_database.commands())
            assert ledger.lost == []
    finally:
        for server in servers:
            server.kill()


async def _play_while_servers_die(proxy: Proxy, servers: list[ServerProcess], ledger: Ledger) -> None:
    """Games one after the other, in whose course one server is killed and started again, and then the other killed."""
    client = Client(proxy.url, ledger, random.Random(8))
    can_end = asyncio.Event()

    async def play() -> None:
        notes = await asyncio.to_thread(_table_alone, proxy, ledger)
        while not (notes.has_ended and can_end.is_set()):
            try:
                if notes.has_ended:
                    notes = await asyncio.to_thread(_table_alone, proxy, ledger)
                await client.play(notes, over_socket=True)
            except GONE:
                await asyncio.sleep(0.05)
        await client.check(notes)

    playing = asyncio.create_task(play())
    one, other = servers
    await wait_for_async(lambda: ledger.num_acknowledged > 2, "the game is under way")
    await asyncio.to_thread(one.kill)
    await asyncio.to_thread(_ask_and_change, proxy)
    await asyncio.to_thread(one.start)
    await asyncio.sleep(1.5)  # Caddy skips a server for one second after a failure, and has nothing that tells when
    await asyncio.to_thread(other.kill)
    await asyncio.to_thread(_ask_and_change, proxy)
    can_end.set()
    await playing


def _ask_and_change(proxy: Proxy) -> None:
    """Whoever asks is answered at once; what changes something may have to be sent again, as the page does it."""
    with browser(proxy) as client:
        for _ in range(4):
            assert client.get("/ready").status_code == 200
        create(client)


def _table_alone(proxy: Proxy, ledger: Ledger) -> Notes:
    """A new table of one person, beside whom another browser looks on."""
    with browser(proxy) as client:
        notes = create(client)
    notes.cookies[1] = f"fivedice={'b' * 43}"
    ledger.notes[notes.table] = notes
    return notes
