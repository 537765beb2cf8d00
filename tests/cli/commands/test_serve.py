"""`fivedice serve` in its own process: its address, how it stops, and its errors; and the addresses that it prints."""

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import segno

from fivedice.cli.commands.serve import local_url, phone_url, qr_code, welcome
from tests import clients
from tests.cli.run_command import refused
from tests.server.log_lines import log_lines
from tests.waiting import TIMEOUT_SECONDS


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_as_json_and_serves_until_it_is_stopped(stop: signal.Signals, tmp_path: Path) -> None:
    database = tmp_path / "fivedice.db"
    command = [sys.executable, "-m", "fivedice", "serve", "--json", "--port", "0"]
    with subprocess.Popen(  # noqa: S603
        [*command, "--database-url", f"sqlite:///{database}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            text = "".join(process.stdout.readline() for _ in range(3))
            assert clients.get(f"{json.loads(text)['url']}api/players").status_code == 200
            process.send_signal(stop)
            out, err = process.communicate(timeout=TIMEOUT_SECONDS)
        finally:
            process.kill()
    assert (process.returncode, out) == (0 if stop == signal.SIGINT else -stop, "")
    assert [json.loads(line)["event"] for line in err.splitlines()][-1] == "stopped"
    assert database.exists()


def test_a_terminal_shows_the_address_and_no_json(tmp_path: Path) -> None:
    terminal, program = pty.openpty()
    database = f"sqlite:///{tmp_path / 'fivedice.db'}"
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "fivedice", "serve", "--port", "0", "--database-url", database],
        stdout=program,
        stderr=program,
    )
    os.close(program)
    shown = ""
    try:
        while "On your phone" not in shown:
            shown += os.read(terminal, 10_000).decode()
        url = re.search(r"On this computer  (http://127\.0\.0\.1:\d+/)", shown)
        assert url, shown
        assert clients.get(f"{url[1]}nothing").status_code in (404, 503)
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # a closed terminal on Linux
            while more := os.read(terminal, 10_000).decode():
                shown += more
        assert process.wait(TIMEOUT_SECONDS) == 0
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
    assert "{" not in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "70000"], 'Invalid value "70000" for --port. Must be <= 65535.'),
        (["--pace", "61"], 'Invalid value "61.0" for --pace. Must be <= 60.'),
        (["--host", "no such host", "--port", "0"], "cannot listen at no such host"),
        (["--port", "0", "--database-url", "sqlite:////dev/null/x.db"], "there is no folder /dev/null"),
        (
            ["--relying-party", "https://example.org"],
            "--relying-party 'https://example.org': want a name without https:// or a port",
        ),
        (["--keep-finished", "99999"], 'Invalid value "99999" for --keep-finished. Must be <= 36500.'),
    ],
)
def test_bad_input_gets_status_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    with log_lines():  # which restores the log of the tests, if the server came so far as to start its own
        assert sentence in refused("serve", *arguments)


def test_a_folder_for_solutions_that_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", "/dev/null")
    assert "the folder for solutions, /dev/null/solutions, cannot be used (Not a directory)" in refused("serve")


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


def test_a_terminal_shows_both_addresses_and_a_code_of_the_one_for_phones() -> None:
    url = "http://192.168.1.20:8000/"
    lines = welcome("http://0.0.0.0:8000/", "games.db", is_public=False).splitlines()
    assert len(lines) < 24
    assert "  On this computer  http://127.0.0.1:8000/" in lines
    assert f"  On your phone     {url}" in lines
    code = [line.strip().removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for line in lines if "\x1b[97;40m" in line]
    assert code == qr_code(url)
    assert all(len(line) < 80 for line in lines)
    rows = [[MODULES[one][half] for one in line] for line in code for half in (0, 1)]
    expected = [list(row) for row in segno.make_qr(url, error="L").matrix_iter(border=2)]
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


def test_a_server_that_phones_cannot_reach_shows_no_code_and_says_how_they_can_unless_a_proxy_serves_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = welcome("http://127.0.0.1:8000/", "games.db", is_public=False)
    assert "--host 0.0.0.0" in alone
    assert "█" not in alone
    public = welcome("http://10.0.0.7:8000/", "games.db", is_public=True)
    assert public.endswith("On this computer  http://10.0.0.7:8000/")
    monkeypatch.setattr("fivedice.cli.commands.serve.network_address", lambda _: None)
    assert phone_url("http://0.0.0.0:8000/") is None
    lines = welcome("http://0.0.0.0:8000/", "games.db", is_public=False).splitlines()
    assert lines[2:] == ["  On this computer  http://127.0.0.1:8000/"]
