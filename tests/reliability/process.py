"""A `ServerProcess`: `fivedice serve` as a process of its own, which can be killed and started again at its address."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

SECONDS = 60
"""How long a start may take."""


class ServerProcess:
    """A server on this database, at a free port that stays the same over its lives."""

    def __init__(
        self, database_url: str, *options: str, pace: float = 0, limits: tuple[str, ...] = ("--no-limits",)
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [
            sys.executable,
            "-m",
            "fivedice",
            "serve",
            "--port",
            str(self.port),
            "--pace",
            str(pace),
            "--log-level",
            "error",
        ]
        self._command += ["--database-url", database_url, *limits, *options]
        self._process: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        """Start it, without waiting."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, start_new_session=True)

    def wait_until_up(self) -> None:
        """Wait until it says that it serves."""
        assert self._process is not None
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("fivedice is at"), "the server does not start"

    def start(self) -> None:
        """Start it, and wait until it serves."""
        self.begin()
        self.wait_until_up()

    def kill(self) -> None:
        """End it at once, with all its children, as a machine does that loses its power."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._end()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def workers(self) -> list[int]:
        """The numbers of its worker processes."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def stop(self) -> None:
        """Ask it to stop, and wait until it has."""
        assert self._process is not None
        self._process.terminate()
        assert self._end() in (0, -signal.SIGTERM)

    def _end(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(SECONDS)
        self._process.stdout.close()
        self._process = None
        return status
