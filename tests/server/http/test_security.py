"""The security middleware: the origin check and the headers of every response."""

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.server.http.security import HEADERS
from tests.server.serving import TWO, Browser, new_id


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://[", ""])
def test_pages_of_other_sites_cannot_send_commands(ann: Browser, origin: str) -> None:
    table = ann.create()
    command = {"type": "roll", "id": new_id(), "version": 1, "seat": 0, "kept": []}
    answer = ann.http.post(f"/api/tables/{table}/commands", json=command, headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
    assert ann.http.post("/api/tables", json={"seats": TWO}, headers={"origin": origin}).status_code == 403
    assert ann.http.post("/api/me/export", headers={"origin": origin}).status_code == 403
    assert ann.view(table)["version"] == 1


def test_pages_of_other_sites_cannot_open_a_socket(ann: Browser) -> None:
    table = ann.create()
    with pytest.raises(InvalidStatus) as refused, ann.socket(table, origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403


def test_pages_of_this_server_and_other_programs_are_accepted(ann: Browser) -> None:
    table = ann.create()
    answer = ann.http.post("/api/tables", json={"seats": TWO}, headers={"origin": ann.url})
    assert answer.status_code == 201
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
