"""Servers behind nginx, HAProxy and Caddy with TLS, with the configuration in contrib."""

import asyncio
import json
import random
import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests import clients
from tests.reliability.client import Client
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Ledger, Notes
from tests.reliability.process import ServerProcess, free_port, running
from tests.reliability.proxy import Proxy, run_proxy
from tests.server.serving import TWO
from tests.waiting import TIMEOUT_SECONDS, wait_for, wait_for_async

ProxyKind = tuple[str, str]


@pytest.fixture(scope="module")
def proxy(proxy_kind: ProxyKind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A proxy of each kind in front of a server on SQLite. Clients verify its certificate."""
    folder = tmp_path_factory.mktemp("proxy")
    server = ServerProcess(f"sqlite:///{folder / 'tables.db'}", "--proxy", "127.0.0.1", limits=())
    with server, run_proxy([server.port], *proxy_kind, folder) as proxy, trusting(proxy):
        yield proxy


@contextmanager
def trusting(proxy: Proxy) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SSL_CERT_FILE", str(proxy.ca_file))
        yield


def browser(proxy: Proxy, address: str = "127.0.0.1") -> clients.Client:
    transport = httpx.HTTPTransport(verify=ssl.create_default_context(), local_address=address)
    return clients.Client(base_url=proxy.url, transport=transport)


NO_BACKEND = (502, 503)


def create(client: clients.Client) -> Notes:
    """Create a table with the client in its only seat, and retry while the proxy reaches no server."""

    def post() -> httpx.Response | None:
        response = client.post("/api/tables", json={"seats": TWO[:1]})
        return None if response.status_code in NO_BACKEND else response

    response = wait_for(post, "the proxy reaches a server")
    assert response.status_code == 201, response.text
    return Notes(response.json()["table"], {0: f"__Host-fivedice={client.cookies['__Host-fivedice']}"})


@pytest.mark.parametrize("over_websocket", [True, False])
def test_a_game_is_played_to_its_end_over_tls(proxy: Proxy, over_websocket: bool) -> None:
    async def play() -> None:
        ledger = Ledger()
        client = Client(proxy.url, ledger, random.Random(4))
        notes = await client.create(computer=True)
        await client.play(notes, over_websocket=over_websocket)
        assert notes.has_ended
        await client.check(notes)
        assert ledger.lost == []

    asyncio.run(play())


def test_a_link_has_the_address_of_the_proxy_and_its_picture_and_texts_pass_unchanged(proxy: Proxy) -> None:
    with browser(proxy) as client:
        table = create(client).table
        page = client.get(f"/t/{table}", headers={"accept-encoding": "gzip"})
        picture = client.get("/link.png")
        again = client.get("/link.png", headers={"if-none-match": picture.headers["etag"]})
    assert f'property="og:url" content="{proxy.url}/t/{table}"' in page.text
    assert f'property="og:image" content="{proxy.url}/link.png"' in page.text
    assert page.headers["content-encoding"] == "gzip"
    assert picture.content.startswith(b"\x89PNG")
    assert again.status_code == 304


def test_a_stream_delivers_events_without_delay(proxy: Proxy) -> None:
    with browser(proxy) as client, browser(proxy) as beside:
        table = create(client).table
        with beside.stream("GET", f"/api/tables/{table}/stream") as stream:
            lines = (line for line in stream.iter_lines() if line)
            assert json.loads(next(lines).removeprefix("data: "))["view"]["version"] == 1
            for version in (1, 2):
                command = {"id": f"a-command-{version}", "version": version, "seat": 0}
                action = {"type": "roll", "kept": []} if version == 1 else {"type": "score", "box": "chance"}
                assert client.post(f"/api/tables/{table}/commands", json=command | action).is_success
                # If the proxy buffered the stream, this would time out.
                while (message := json.loads(next(lines).removeprefix("data: ")))["type"] != "update":
                    pass
                assert message["view"]["version"] == version + 1


def test_rate_limits_apply_to_the_addresses_behind_the_proxy(proxy: Proxy) -> None:
    def status(address: str, **headers: str) -> int:
        with browser(proxy, address) as client:
            return client.post("/api/rulesets/check", json={"toml": ""}, headers=headers).status_code

    forged_headers = [
        {},
        {"x-forwarded-for": "192.0.2.1"},
        {"x-forwarded-for": "192.0.2.2, 127.0.0.1"},
        {"x-real-ip": "192.0.2.3"},
    ]
    statuses = (status("127.0.0.2", **forged_headers[number % 4]) for number in range(100))
    assert next(one for one in statuses if one != 400) == 429
    assert status("127.0.0.3", **{"x-forwarded-for": "127.0.0.2"}) == 400


@contextmanager
def line_to(proxy: Proxy, address: str) -> Iterator[ssl.SSLSocket]:
    port = int(proxy.url.rpartition(":")[2])
    plain = socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS, (address, 0))
    over_tls = ssl.create_default_context().wrap_socket(
        plain, server_hostname="localhost", do_handshake_on_connect=False
    )
    with plain, over_tls as line:
        line.do_handshake()
        yield line


def rest_of(line: ssl.SSLSocket) -> bytes:
    received = b""
    with suppress(ConnectionResetError, ssl.SSLEOFError):
        while data := line.recv(65_536):
            received += data
    return received


def test_a_request_that_arrives_too_slowly_is_closed(proxy: Proxy) -> None:
    head = b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    with line_to(proxy, "127.0.0.5") as slow_head, line_to(proxy, "127.0.0.5") as slow_body:
        slow_head.sendall(head)
        slow_body.sendall(head + b"content-length: 4000\r\n\r\n{")
        for line in (slow_head, slow_body):
            assert b'"table"' not in rest_of(line)


def test_connections_of_an_address_are_limited(proxy: Proxy, proxy_kind: ProxyKind) -> None:
    if proxy_kind[0] == "caddy":
        pytest.skip("Caddy counts no connections")
    with browser(proxy) as client, ExitStack() as lines:
        request = f"GET /api/tables/{create(client).table}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
        for _ in range(200):
            line = lines.enter_context(line_to(proxy, "127.0.0.4"))
            line.sendall(request)
            assert line.recv(12) == b"HTTP/1.1 200"
        with suppress(ConnectionResetError, ssl.SSLEOFError), line_to(proxy, "127.0.0.4") as one_too_many:
            one_too_many.sendall(request)
            assert one_too_many.recv(12) in (b"HTTP/1.1 429", b"")
        assert client.get("/ready").status_code == 200, "from another address"


def test_all_connections_of_a_table_go_to_one_server_and_to_the_other_when_that_is_killed(
    proxy_kind: ProxyKind, postgres_database: TargetDatabase, tmp_path: Path
) -> None:
    metrics = [free_port(), free_port()]
    servers = [
        ServerProcess(postgres_database.url, "--proxy", "127.0.0.1", "--metrics-port", str(port)) for port in metrics
    ]

    def num_sockets() -> list[int]:
        pages = [clients.get(f"http://127.0.0.1:{port}/metrics").text for port in metrics]
        return [int(float(re.findall(r"^fivedice_sockets (\S+)$", page, re.M)[0])) for page in pages]

    async def watch_tables(proxy: Proxy) -> set[int]:
        found = set()
        for _ in range(12):
            with browser(proxy) as client:
                notes = create(client)
            notes.cookies[1] = f"fivedice={'b' * 43}"
            url = f"{proxy.url.replace('http', 'ws', 1)}{notes.path}/socket"
            async with AsyncExitStack() as stack:
                for seat in (0, 0, 1):
                    opened = clients.connect_async(url, additional_headers={"cookie": notes.cookies[seat]})
                    await (await stack.enter_async_context(opened)).recv()
                numbers = num_sockets()
                assert sorted(numbers) == [0, 3]
                found.add(numbers.index(3))
            await wait_for_async(lambda: num_sockets() == [0, 0], "the sockets are closed")
        return found

    ports = [server.port for server in servers]
    with running(*servers), run_proxy(ports, *proxy_kind, tmp_path) as proxy, trusting(proxy), browser(proxy) as client:
        assert asyncio.run(watch_tables(proxy)) == {0, 1}, "both servers have tables"
        path = f"/api/tables/{create(client).table}"
        for server in servers:
            server.kill()
            for _ in range(4):
                assert client.get("/ready").status_code == client.get(path).status_code == 200
            create(client)  # a write may need a retry, as in the page
            server.start()
            time.sleep(1.5)  # Caddy skips a failed server for one second, and does not report when that ends
