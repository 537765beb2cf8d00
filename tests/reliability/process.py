"""`ServerProcess`: a `fivedice serve` process that tests can kill and restart on the same port."""

import io
import mmap
import os
import pickle
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from pkgutil import resolve_name
from random import SystemRandom
from typing import Any

from tests.capabilities import obeying_permissions
from tests.waiting import TIMEOUT_SECONDS

SYSTEM_RANDOM = SystemRandom()


def free_port() -> int:
    """A port of 127.0.0.1 that nothing uses now, below those that systems give to connections of other programs.

    So no connection takes it while a server with this port is being restarted.
    """
    while True:
        port = SYSTEM_RANDOM.randrange(12_000, 32_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


def start_module(module: str, *arguments: object) -> "subprocess.Popen[bytes]":
    """Start a module of the tests in a session of its own; its standard input has the arguments, pickled."""
    process = subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )
    assert process.stdin
    with process.stdin:
        pickle.dump(arguments, process.stdin)
    return process


class ServerProcess:
    """A server on a database, with a free port that it keeps across restarts.

    `constants` replaces constants of the program, such as timeouts, and methods.
    The server's log from `log_level` up is written to `log`. With `obeys_permissions`, file permissions hold for it
    even if the tests run as root. Its wall clock differs from the true one by the seconds in the file `clock`, as
    `set_clock` writes it.
    """

    def __init__(
        self,
        database_url: str,
        *options: str,
        pace: float = 0,
        constants: Mapping[str, Any] | None = None,
        log: Path | None = None,
        limits: tuple[str, ...] = ("--rate", "0"),
        clock: Path | None = None,
        log_level: str = "error",
        obeys_permissions: bool = False,
    ) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = ["serve", "--port", str(self.port), "--pace", str(pace), "--log-level", log_level]
        self._command += ["--database-url", database_url, *limits, *options]
        self._arguments = (constants or {}, clock, log, self._command, obeys_permissions)
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        self._process = start_module("tests.reliability.process", *self._arguments)
        assert self._process.stdout
        self._output = io.TextIOWrapper(self._process.stdout)

    def wait_until_ready(self) -> None:
        assert self.has_started(), "the server did not start"

    def has_started(self) -> bool:
        """Wait until the server prints its address, or ends without doing so."""
        if line := self._output.readline():
            assert re.fullmatch(r"fivedice is at http://\S+/ \(Ctrl-C stops it\)\n", line), line
            return True
        self.kill()
        return False

    def start(self) -> None:
        self.launch()
        self.wait_until_ready()

    def __enter__(self) -> "ServerProcess":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill the process and all its children, as a power failure would."""
        if self._process is not None:
            with suppress(ProcessLookupError):  # it has ended
                os.killpg(self.pid, signal.SIGKILL)
            self.wait()

    def freeze(self) -> None:
        """Stop the process and all its children from running, as a suspended virtual machine does."""
        os.killpg(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.killpg(self.pid, signal.SIGCONT)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        assert self.wait() in (0, -signal.SIGTERM)

    def send_signal(self, number: int = signal.SIGTERM) -> None:
        os.kill(self.pid, number)

    def wait(self, seconds: float = TIMEOUT_SECONDS) -> int:
        assert self._process is not None
        status = self._process.wait(seconds)
        self._process = None
        self._output.close()
        return status


@contextmanager
def running(*servers: ServerProcess) -> Iterator[None]:
    try:
        for server in servers:
            server.launch()
        for server in servers:
            server.wait_until_ready()
        yield
    finally:
        for server in servers:
            server.kill()


def set_clock(path: Path, seconds: float) -> None:
    """Set the difference between the wall clock of a process and the true one, at once."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(struct.pack("d", seconds))


def _serve(
    constants: Mapping[str, Any], clock: Path | None, log: Path | None, command: Sequence[str], obeys_permissions: bool
) -> None:
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may have been started with nohup
    if log:
        with log.open("w") as file:
            os.dup2(file.fileno(), 2)
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)  # the former may seek, which a pipe cannot
    if clock:
        with clock.open("r+b") as file:
            offset, true_time = mmap.mmap(file.fileno(), 8), time.time
        time.time = lambda: true_time() + struct.unpack("d", offset)[0]
    main = resolve_name("fivedice.cli.app:main")  # imported only now, because its defaults keep the clock
    for name, value in constants.items():
        owner, _, constant = name.rpartition(".")
        setattr(resolve_name(owner), constant, value)
    with obeying_permissions() if obeys_permissions else nullcontext():
        main(command)


if __name__ == "__main__":
    _serve(*pickle.load(sys.stdin.buffer))  # noqa: S301
