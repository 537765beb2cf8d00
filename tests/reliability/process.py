"""`ServerProcess`: a `fivedice serve` process that tests can kill and restart on the same port."""

import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

STOP_SECONDS = 60
"""The time for a process to end."""

CLOCK = """\
import mmap, struct, time
with open({path!r}, "r+b") as _file:
    _offset = mmap.mmap(_file.fileno(), 8)
_true_time = time.time
time.time = lambda: _true_time() + struct.unpack("d", _offset)[0]
"""


class ServerProcess:
    """A server on a database, with a free port that it keeps across restarts.

    `constants` overrides constants of the program, such as timeouts, in the main process but not in its workers.
    The server's log is written to `log`. Its wall clock differs from the true one by the seconds in the file `clock`
    (see `set_clock`).
    """

    def __init__(
        self,
        database_url: str,
        *options: str,
        pace: float = 0,
        constants: Mapping[str, float] | None = None,
        log: Path | None = None,
        limits: tuple[str, ...] = ("--no-limits",),
        clock: Path | None = None,
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [
            sys.executable,
            "-c",
            (CLOCK.format(path=str(clock)) if clock else "") + _program(constants or {}),
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

    def launch(self) -> None:
        """Start the process without waiting for it."""
        with open(self._log, "w") if self._log else nullcontext() as log:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )

    def wait_until_ready(self) -> None:
        """Wait until the server prints its address."""
        assert self.has_started(), "the server did not start"

    def has_started(self) -> bool:
        """Wait until the server prints its address, or ends without doing so."""
        assert self._process is not None
        assert self._process.stdout is not None
        if self._process.stdout.readline().startswith("fivedice is at"):
            return True
        self.kill()
        return False

    def start(self) -> None:
        """Start the server and wait until it is ready."""
        self.launch()
        self.wait_until_ready()

    def kill(self) -> None:
        """Kill the process and all its children, as a power failure would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self.wait()

    def freeze(self) -> None:
        """Stop the process and all its children from running, as a suspended virtual machine does."""
        os.killpg(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them continue."""
        os.killpg(self.pid, signal.SIGCONT)

    @property
    def is_running(self) -> bool:
        """Whether the process was started, and neither killed nor stopped since then."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    @property
    def workers(self) -> list[int]:
        """The process ids of the workers."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def stop(self) -> None:
        """Terminate the server and wait until it has ended cleanly."""
        assert self._process is not None
        self._process.terminate()
        assert self.wait() in (0, -signal.SIGTERM)

    def send_signal(self, number: int = signal.SIGTERM) -> None:
        """Send a signal to the main process."""
        os.kill(self.pid, number)

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Wait until the process has ended, and return its exit status. Raises `TimeoutExpired` after `seconds`."""
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(seconds)
        self._process.stdout.close()
        self._process = None
        return status


def set_clock(path: Path, seconds: float) -> None:
    """Set the difference between the wall clock of a server and the true one, at once."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(struct.pack("d", seconds))


def _program(constants: Mapping[str, float]) -> str:
    lines = [f"import {name.rpartition('.')[0]}; {name} = {value}" for name, value in constants.items()]
    return "\n".join([*lines, "from fivedice.cli.app import main", "main()"])
