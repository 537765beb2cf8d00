"""What other sites, names and clients may do: origins, host names and headers."""

from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.base.errors import MalformedError
from fivedice.server.http.hosts import Hosts, names_of_this_computer
from fivedice.server.http.security import HEADERS
from tests import clients
from tests.server.serving import Browser, serving


def test_only_pages_of_this_server_can_open_a_socket(ann: Browser) -> None:
    table = ann.create()
    with pytest.raises(InvalidStatus) as refused, ann.socket(table, origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with ann.socket(table, origin=ann.url) as socket:
        assert socket.send("roll", seat=0, kept=[])["type"] == "accepted"


@pytest.mark.parametrize("path", ["/", "/t/none", "/api/players", "/api/nothing", "/api/docs", "/api/tables/none"])
def test_every_response_has_the_security_headers(ann: Browser, path: str) -> None:
    headers = ann.http.get(path).headers
    for name, value in HEADERS:
        assert headers[name.decode()] == value.decode()
    assert "server" not in headers


def test_the_content_security_policy_allows_no_inline_script(ann: Browser) -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in ann.http.get("/").headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy
    assert "unsafe" not in str(policy)


ALLOWED = [b"localhost", b"localhost:8000", b"LocalHost.", b"127.0.0.1:8000", b"192.168.178.20", b"[::1]:8000"]
REFUSED = [b"evil.example", b"evil.example:8000", b"localhost.evil.example", b"", b"[evil]", b"a b", b"127.0.0.1.evil"]


@pytest.mark.parametrize(
    ("header", "is_allowed"),
    [
        *((header, True) for header in (None, *ALLOWED, b"dice.example.org", b"DICE.example.org:443")),
        *((header, False) for header in (*REFUSED, b"example.org", b"www.dice.example.org")),
    ],
)
def test_addresses_and_chosen_names_are_allowed_and_all_others_refused(header: bytes | None, is_allowed: bool) -> None:
    why = Hosts(["dice.example.org", *names_of_this_computer()]).why_refused(header)
    assert (not why) if is_allowed else "--allow-host" in why


@pytest.mark.parametrize("name", ["", "dice.example.org:443", "https://dice.example.org", "*", "a b", "a" * 300])
def test_a_name_that_is_none_is_refused_at_the_start(name: str) -> None:
    with pytest.raises(MalformedError, match="want a name"):
        Hosts([name])


def test_a_request_for_another_name_changes_nothing_and_gets_421(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("dice.example.org",)) as server, clients.Client(base_url=server.url) as http:
        for path in ("/", "/api/players", "/t/none", "/api/me"):
            answer = http.get(path, headers={"host": "evil.example"})
            assert (answer.status_code, answer.json()["code"]) == (421, "wrong_host")
        assert http.get("/api/players", headers={"host": "dice.example.org"}).status_code == 200
        assert http.get("/health", headers={"host": "10.0.0.7.probe"}).status_code == 200, "a probe may use any name"
