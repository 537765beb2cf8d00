"""A `ServerProcess`: `fivedice serve` as a process of its own, which can be killed and started again at its address."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence

SECONDS = 60
"""How long a start may take."""


class ServerProcess:
    """A server on this database, at a free port that stays the same over its lives."""

    def __init__(self, database_url: str, *options: str, environment: Sequence[tuple[str, str]] = ()) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "fivedice", "serve", "--port", str(self.port), "--pace", "0"]
        self._command += ["--database-url", database_url, *options]
        self._environment = {**os.environ, **dict(environment)}
        self._process: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        """Start it, without waiting."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, text=True, env=self._environment, start_new_session=True
        )

    def wait_until_up(self) -> None:
        """Wait until it says that it serves."""
        assert self._process is not None
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("fivedice is at"), "the server does not start"

    def start(self) -> None:
        """Start it, and wait until it serves."""
        self.begin()
        self.wait_until_up()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End it at once, with all its children, as a machine does that loses its power."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._end()

    def stop(self) -> int:
        """Ask it to stop; its exit status."""
        assert self._process is not None
        self._process.terminate()
        return self._end()

    def _end(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(SECONDS)
        self._process.stdout.close()
        self._process = None
        return status
