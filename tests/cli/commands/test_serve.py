"""`fivedice serve` in its own process: its address, how it stops, and its errors."""

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests import clients
from tests.cli.run_command import refused
from tests.server.log_lines import log_lines
from tests.waiting import TIMEOUT_SECONDS


@contextmanager
def serving(*arguments: str) -> "Iterator[subprocess.Popen[str]]":
    """The command, running in its own process."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "fivedice", "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_as_json_and_serves_until_it_is_stopped(stop: signal.Signals, tmp_path: Path) -> None:
    database = tmp_path / "fivedice.db"
    with serving("--json", "--port", "0", "--database-url", f"sqlite:///{database}") as process:
        assert process.stdout is not None
        text = "".join(process.stdout.readline() for _ in range(3))
        assert clients.get(f"{json.loads(text)['url']}api/players").status_code == 200
        process.send_signal(stop)
        out, err = process.communicate(timeout=TIMEOUT_SECONDS)
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


def test_a_port_in_use_gets_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = refused("serve", "--port", str(port))
    assert sentence == f"fivedice: cannot listen at 127.0.0.1, port {port}: Address already in use\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "70000"], 'Invalid value "70000" for --port. Must be <= 65535.'),
        (["--port", "-1"], 'Invalid value "-1" for --port. Must be >= 0.'),
        (["--pace", "61"], 'Invalid value "61.0" for --pace. Must be <= 60.'),
        (["--host", "no such host", "--port", "0"], "cannot listen at no such host"),
        (["--port", "0", "--database-url", "mysql://x"], "want sqlite:///PATH or postgresql://"),
        (["--port", "0", "--database-url", "sqlite:////dev/null/x.db"], "there is no folder /dev/null"),
        (
            ["--relying-party", "https://example.org"],
            "--relying-party 'https://example.org': want a name without https:// or a port",
        ),
        (["--keep-finished", "99999"], 'Invalid value "99999" for --keep-finished. Must be <= 36500.'),
        (["--rate", "-1"], 'Invalid value "-1.0" for --rate. Must be >= 0.'),
    ],
)
def test_bad_input_gets_status_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    with log_lines():  # which restores the log of the tests, if the server came so far as to start its own
        assert sentence in refused("serve", *arguments)


def test_a_folder_for_solutions_that_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", "/dev/null")
    assert "the folder for solutions, /dev/null/solutions, cannot be used (Not a directory)" in refused("serve")
