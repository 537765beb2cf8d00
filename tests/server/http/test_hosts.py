"""The names under which a server answers: pages of other sites cannot lead their own name to it."""

from pathlib import Path

import pytest

from fivedice.errors import MalformedError
from fivedice.server.http.hosts import Hosts, names_of_this_computer
from tests import clients
from tests.server.serving import serving

ALLOWED = [b"localhost", b"localhost:8000", b"LocalHost.", b"127.0.0.1:8000", b"192.168.178.20", b"[::1]:8000"]
REFUSED = [b"evil.example", b"evil.example:8000", b"localhost.evil.example", b"", b"[evil]", b"a b", b"127.0.0.1.evil"]


@pytest.mark.parametrize("header", [None, *ALLOWED, b"dice.example.org", b"DICE.example.org:443"])
def test_addresses_and_chosen_names_are_allowed(header: bytes | None) -> None:
    assert Hosts(["dice.example.org"]).why_refused(header) == ""


@pytest.mark.parametrize("header", [*REFUSED, b"example.org", b"www.dice.example.org"])
def test_all_other_names_are_refused(header: bytes) -> None:
    assert "--allow-host" in Hosts(["dice.example.org"]).why_refused(header)


@pytest.mark.parametrize("name", ["", "dice.example.org:443", "https://dice.example.org", "*", "a b", "a" * 300])
def test_a_name_that_is_none_is_refused_at_the_start(name: str) -> None:
    with pytest.raises(MalformedError, match="want a name"):
        Hosts([name])


def test_the_names_of_this_computer_are_names() -> None:
    Hosts(names_of_this_computer())


def test_a_request_for_another_name_changes_nothing_and_gets_421(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("dice.example.org",)) as server, clients.Client(base_url=server.url) as http:
        for path in ("/", "/api/players", "/t/none", "/api/me"):
            answer = http.get(path, headers={"host": "evil.example"})
            assert (answer.status_code, answer.json()["code"]) == (421, "wrong_host")
        assert http.get("/api/players", headers={"host": "dice.example.org"}).status_code == 200
        assert http.get("/health", headers={"host": "10.0.0.7.probe"}).status_code == 200, "a probe may use any name"
