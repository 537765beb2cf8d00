"""A NATS server for the tests, which can be killed, frozen and started again."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

import msgspec

from tests.waiting import TIMEOUT_SECONDS, wait_for


def find_nats() -> str | None:
    """The path of nats-server; Debian installs it into a folder that is on root's PATH only."""
    return shutil.which("nats-server", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))


class NatsServer:
    """A NATS server at a port of 127.0.0.1, which it keeps when it is started again."""

    def __init__(self, program: str) -> None:
        self._program = program
        with socket.create_server(("127.0.0.1", 0)) as free, socket.create_server(("127.0.0.1", 0)) as other:
            self.port: int = free.getsockname()[1]
            self._monitor: int = other.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        command = [self._program, "--addr", "127.0.0.1", "--port", str(self.port), "--log", os.devnull]
        command += ["--http_port", str(self._monitor)]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603
        wait_for(self._accepts, "NATS accepts connections")

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self._process:
            self._process.kill()
            self._process.wait(TIMEOUT_SECONDS)
            self._process = None

    def freeze(self) -> None:
        """Let it do nothing; its connections stay open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    @property
    def num_listening(self) -> int:
        """The number of fivedice processes that listen."""
        with urlopen(f"http://127.0.0.1:{self._monitor}/connz?subs=1", timeout=TIMEOUT_SECONDS) as page:
            connections = msgspec.json.decode(page.read())["connections"]
        return sum("fivedice.peers" in one.get("subscriptions_list", ()) for one in connections)

    def publish(self, subject: str, text: str) -> None:
        """Send a message, and wait until the server has read it."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_SECONDS) as plain:
            plain.sendall(f"CONNECT {{}}\r\nPUB {subject} {len(text.encode())}\r\n{text}\r\nPING\r\n".encode())
            lines = plain.makefile("rb")
            while lines.readline() != b"PONG\r\n":
                pass

    def _signal(self, number: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(number)

    def _accepts(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True


@contextmanager
def run_nats(program: str) -> Iterator[NatsServer]:
    """A running NATS server, which is killed at the end."""
    server = NatsServer(program)
    server.start()
    try:
        yield server
    finally:
        server.kill()
