"""The addresses that `fivedice serve` prints on a terminal."""

import os
import socket

import pytest
import segno

from fivedice.cli.commands.serve import local_url, phone_url, qr_code, welcome

MODULES = {"█": (0, 0), "▄": (1, 0), "▀": (0, 1), " ": (1, 1)}


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer in a network, and a usual terminal with colours."""
    found = {socket.AF_INET: "192.168.1.20", socket.AF_INET6: "2001:db8::20"}
    monkeypatch.setattr("fivedice.cli.commands.serve.network_address", found.get)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize(
    ("url", "local", "phone"),
    [
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/", None),
        ("http://[::1]:8000/", "http://[::1]:8000/", None),
        ("http://0.0.0.0:8000/", "http://127.0.0.1:8000/", "http://192.168.1.20:8000/"),
        ("http://[::]:8000/", "http://[::1]:8000/", "http://[2001:db8::20]:8000/"),
        ("http://10.0.0.7:80/", "http://10.0.0.7:80/", "http://10.0.0.7:80/"),
    ],
)
def test_the_addresses_are_those_that_a_browser_can_open(url: str, local: str, phone: str | None) -> None:
    assert (local_url(url), phone_url(url)) == (local, phone)


def test_without_a_network_there_is_no_address_for_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.cli.commands.serve.network_address", lambda _: None)
    assert phone_url("http://0.0.0.0:8000/") is None
    assert welcome("http://0.0.0.0:8000/", "games.db", is_public=False).splitlines()[2:] == [
        "  On this computer  http://127.0.0.1:8000/"
    ]


def test_a_terminal_shows_both_addresses_and_a_code_of_the_one_for_phones() -> None:
    lines = welcome("http://0.0.0.0:8000/", "games.db", is_public=False).splitlines()
    assert len(lines) < 24
    assert "  On this computer  http://127.0.0.1:8000/" in lines
    assert "  On your phone     http://192.168.1.20:8000/" in lines
    code = [line for line in lines if "\x1b[97;40m" in line]
    assert [line.strip().removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for line in code] == qr_code(
        "http://192.168.1.20:8000/"
    )
    assert all(len(line) < 80 for line in lines)


def test_the_code_has_the_modules_of_the_address() -> None:
    rows: list[list[int]] = []
    for line in qr_code("http://192.168.1.20:8000/"):
        rows += [[MODULES[one][half] for one in line] for half in (0, 1)]
    expected = [list(row) for row in segno.make_qr("http://192.168.1.20:8000/", error="L").matrix_iter(border=2)]
    assert rows[: len(expected)] == expected


def test_there_is_no_code_in_a_small_terminal_and_no_colour_where_it_is_unwanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    plain = welcome("http://0.0.0.0:8000/", "games.db", is_public=False)
    assert "█" in plain
    assert "\x1b" not in plain
    for size in ((30, 24), (80, 20)):
        monkeypatch.setattr("shutil.get_terminal_size", lambda size=size: os.terminal_size(size))
        small = welcome("http://0.0.0.0:8000/", "games.db", is_public=False)
        assert "█" not in small
        assert "http://192.168.1.20:8000/" in small


def test_a_server_for_this_computer_only_says_how_phones_can_reach_it() -> None:
    text = welcome("http://127.0.0.1:8000/", "games.db", is_public=False)
    assert "--host 0.0.0.0" in text
    assert "█" not in text


def test_a_server_behind_a_proxy_shows_its_own_address_only() -> None:
    text = welcome("http://10.0.0.7:8000/", "games.db", is_public=True)
    assert text.endswith("On this computer  http://10.0.0.7:8000/")
