"""A `ServerProcess`: `fivedice serve` as a process of its own, which can be killed and started again at its address."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

SECONDS = 60
"""How long a start may take."""


class ServerProcess:
    """A server on this database, at a free port that stays the same over its lives.

    `bounds` are constants of the program that the process itself, but not its workers, has otherwise: how long to wait.
    What it logs is in `log`, if that is given.
    """

    def __init__(
        self,
        database_url: str,
        *options: str,
        pace: float = 0,
        bounds: Mapping[str, float] | None = None,
        log: Path | None = None,
        limits: tuple[str, ...] = ("--no-limits",),
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [
            sys.executable,
            "-c",
            _program(bounds or {}),
            "serve",
            "--port",
            str(self.port),
            "--pace",
            str(pace),
            "--log-level",
            "error",
        ]
        self._command += ["--database-url", database_url, *limits, *options]
        self._log = log
        self._process: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        """Start it, without waiting."""
        with open(self._log, "w") if self._log else nullcontext() as log:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
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

    def tell(self, number: int = signal.SIGTERM) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def ends(self, seconds: float) -> int:
        """Wait until it has ended, at most so long: its exit status, as `subprocess` has it."""
        return self._end(seconds)

    def _end(self, seconds: float = SECONDS) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(seconds)
        self._process.stdout.close()
        self._process = None
        return status


def _program(bounds: Mapping[str, float]) -> str:
    lines = [f"import {name.rpartition('.')[0]}; {name} = {value}" for name, value in bounds.items()]
    return "\n".join([*lines, "from fivedice.cli.app import main", "main()"])
