"""What other sites, names, clients and untrusted proxies may do: origins, host names, cookies and headers."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.base.errors import MalformedError
from fivedice.server.http.hosts import Hosts, names_of_this_computer, network
from fivedice.server.http.security import HEADERS, with_security
from fivedice.server.limits import BURST_SECONDS
from fivedice.server.ops.budget import Budget, FreeSpace
from tests import clients
from tests.server.attacks.test_connections import line_to
from tests.server.serving import TWO, Browser, Serving, new_id, serving
from tests.waiting import TIMEOUT_SECONDS


def test_only_pages_of_this_server_can_open_a_socket(ann: Browser) -> None:
    table = ann.create()
    with pytest.raises(InvalidStatus) as refused, ann.socket(table, origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with ann.socket(table, origin=ann.url) as socket:
        assert socket.send("roll", seat=0, kept=[])["type"] == "accepted"


@pytest.mark.parametrize("path", ["/", "/t/none", "/api/players", "/api/nothing"])
def test_every_response_has_the_security_headers(ann: Browser, path: str) -> None:
    headers = ann.http.get(path).headers
    for name, value in HEADERS:
        assert headers[name.decode()] == value.decode()
    assert "server" not in headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy
    assert "unsafe" not in str(policy)


def test_addresses_and_chosen_names_are_allowed_and_all_others_refused() -> None:
    hosts = Hosts(["dice.example.org", *names_of_this_computer()])
    allowed = [b"localhost", b"localhost:8000", b"LocalHost.", b"127.0.0.1:8000", b"192.168.178.20", b"[::1]:8000"]
    for header in (None, *allowed, b"dice.example.org", b"DICE.example.org:443"):
        assert not hosts.why_refused(header), header
    refused = [b"evil.example", b"evil.example:8000", b"localhost.evil.example", b"", b"[evil]", b"a b"]
    for header in (*refused, b"127.0.0.1.evil", b"example.org", b"www.dice.example.org"):
        assert "--allow-host" in hosts.why_refused(header), header


def test_a_name_that_is_none_and_a_proxy_without_an_address_are_refused_at_the_start() -> None:
    for name in ("", "dice.example.org:443", "https://dice.example.org", "*", "a b", "a" * 300):
        with pytest.raises(MalformedError, match="want a name"):
            Hosts([name])
    for stated in ("", "evil.example", "10.0.0.1/8", "300.0.0.1", "*"):
        with pytest.raises(MalformedError, match="want an address or a network"):
            network(stated)


def test_a_request_for_another_name_changes_nothing_and_gets_421(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("dice.example.org",)) as server, clients.Client(base_url=server.url) as http:
        for path in ("/", "/api/players", "/t/none", "/api/me"):
            answer = http.get(path, headers={"host": "evil.example"})
            assert (answer.status_code, answer.json()["code"]) == (421, "wrong_host")
        assert http.get("/api/players", headers={"host": "dice.example.org"}).status_code == 200
        assert http.get("/health", headers={"host": "10.0.0.7.probe"}).status_code == 200, "a probe may use any name"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": ""}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "{here}"}, 403),
        ({"sec-fetch-site": ""}, 403),
        ({"origin": "{here}.evil.example"}, 403),
        ({"origin": "{here}@evil.example"}, 403),
        ({"origin": "https://evil.example", "x-forwarded-host": "evil.example"}, 403),
        ({"origin": "https://evil.example", "forwarded": "host=evil.example"}, 403),
        ({"origin": "{here}"}, 200),
        ({"sec-fetch-site": "same-origin", "origin": "https://dice.example"}, 200),
        ({"sec-fetch-site": "none"}, 200),
    ],
    ids=str,
)
def test_only_pages_of_this_server_can_send_commands(ann: Browser, headers: dict[str, str], status: int) -> None:
    table = ann.create()
    sent = {name: value.format(here=ann.url) for name, value in headers.items()}
    command = {"type": "roll", "id": new_id(), "version": 1, "seat": 0, "kept": []}
    answer = ann.http.post(f"/api/tables/{table}/commands", json=command, headers=sent)
    assert answer.status_code == status
    assert ann.view(table)["version"] == (2 if status == 200 else 1)
    if status == 403:
        assert answer.json()["code"] == "not_yours"
        for path in ("/api/tables", "/api/me/export"):
            assert ann.http.post(path, json={"seats": TWO}, headers=sent).status_code == 403


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that trusts the proxies on this machine."""
    with serving(tmp_path_factory.mktemp("proxied"), proxies=("127.0.0.0/8",), hosts=("dice.example",)) as running:
        yield running


KEYS = {"plain": "P" * 43, "secure": "S" * 43}


@pytest.mark.parametrize(
    ("sent", "is_https", "key", "names"),
    [
        ("fivedice={plain}", False, "plain", {"fivedice": True}),
        ("fivedice={plain}", True, "plain", {"__Host-fivedice": True, "fivedice": False}),
        ("__Host-fivedice={secure}", True, "secure", {"__Host-fivedice": True}),
        # An attacker on an unencrypted connection can set the plain cookie, before or after.
        ("__Host-fivedice={secure}; fivedice={plain}", True, "secure", {"__Host-fivedice": True, "fivedice": False}),
        ("fivedice={plain}; __Host-fivedice={secure}", True, "secure", {"__Host-fivedice": True, "fivedice": False}),
        # The operator has forgotten to name the proxy: the key must not become a plain cookie again.
        ("__Host-fivedice={secure}; fivedice={plain}", False, "secure", {}),
    ],
)
def test_the_secure_cookie_takes_precedence_and_replaces_the_plain_one(
    proxied: Serving, sent: str, is_https: bool, key: str, names: dict[str, bool]
) -> None:
    with clients.Client(base_url=proxied.url) as http:
        headers = {"cookie": sent.format(**KEYS)} | ({"x-forwarded-proto": "https"} if is_https else {})
        created = http.post("/api/tables", json={"seats": TWO}, headers=headers)
        given = {header.partition("=")[0]: header for header in created.headers.get_list("set-cookie")}
        assert {name: header.partition(";")[0].partition("=")[2] for name, header in given.items()} == {
            name: KEYS[key] if is_set else '""' for name, is_set in names.items()
        }
        assert "; Secure" in given.get("__Host-fivedice", "; Secure")
        assert "Max-Age=0" in given.get("fivedice", "Max-Age=0") or not is_https
        http.cookies.clear()
        table = created.json()["table"]
        for name, value in KEYS.items():
            shown = http.get(f"/api/tables/{table}", headers={"cookie": f"fivedice={value}"}).json()
            assert shown["yours"] == ([0, 1] if name == key else [])


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
def test_only_a_trusted_proxy_reports_addresses_without_forged_parts(proxies: tuple[str, ...], tmp_path: Path) -> None:
    with serving(tmp_path, rate=2 / BURST_SECONDS, proxies=proxies) as server:

        def get(forwarded: str) -> int:
            return clients.get(f"{server.url}/api/players", headers={"x-forwarded-for": forwarded}).status_code

        if not proxies:
            assert [get(f"192.0.2.{number}") for number in range(3)] == [200, 200, 429]
            return
        assert [get("192.0.2.1"), get("192.0.2.1"), get("192.0.2.1")] == [200, 200, 429]
        assert [get("192.0.2.2"), get("6.6.6.6, 192.0.2.2"), get("7.7.7.7, 192.0.2.2")] == [200, 200, 429]
        assert [get("2001:db8::1"), get("2001:db8::2"), get("2001:db8::3")] == [200, 200, 429]
        assert get("2001:db8:0:100::1") == 200


@pytest.mark.parametrize("hosts", ["", "host: localhost\r\nhost: 127.0.0.1\r\n"])
def test_a_request_of_http_1_1_has_one_host(hosts: str, server: Serving) -> None:
    with line_to(server) as line:
        line.sendall(f"GET /api/players HTTP/1.1\r\n{hosts}connection: close\r\n\r\n".encode())
        assert line.recv(12) == b"HTTP/1.1 400"


async def test_a_request_that_the_stop_cancels_can_be_repeated_and_is_no_mistake() -> None:
    began, sent = asyncio.Event(), list[Any]()

    async def draw(*_: Any) -> None:
        began.set()
        await asyncio.sleep(TIMEOUT_SECONDS)

    async def send(message: Any) -> None:
        sent.append(message)

    app = with_security(cast(Any, draw), Budget(0.0, FreeSpace(None, 0)), Hosts([]), is_stopping=lambda: True)
    scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": "/x", "query_string": b""}
    task = asyncio.ensure_future(cast(Any, app)(scope | {"headers": [(b"host", b"localhost")]}, None, send))
    await began.wait()
    task.cancel()
    await task
    assert (sent[0]["status"], json.loads(sent[1]["body"])["code"]) == (503, "unavailable")
