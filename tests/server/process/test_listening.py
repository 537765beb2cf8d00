"""Listening on one address or on both families, with one or several workers."""

import errno
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from fivedice.base.errors import IllegalError
from fivedice.server.process.listening import address, bind, listening_at, notify_ready, passed
from tests import clients
from tests.storage.empty import empty_postgres
from tests.waiting import TIMEOUT_SECONDS, wait_for


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


AT_A_SOCKET = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execve(sys.argv[2], sys.argv[2:], {**os.environ, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
"""
"""Starts a program as systemd does that passes a socket to it."""


@contextmanager
def server_at(listening: socket.socket, url: str, log: Path, *options: str) -> "Iterator[subprocess.Popen[str]]":
    """`fivedice serve` at a socket that it is passed, once it is ready."""
    command = [sys.executable, "-c", AT_A_SOCKET, str(listening.fileno()), sys.executable, "-m", "fivedice", "serve"]
    command += ["--database-url", url, "--no-limits", "--log-level", "warning", *options]
    with (
        log.open("ab") as errors,
        subprocess.Popen(  # noqa: S603
            command, stdout=subprocess.PIPE, stderr=errors, text=True, pass_fds=[listening.fileno()]
        ) as process,
    ):
        assert process.stdout
        try:
            assert process.stdout.readline().startswith("fivedice is at"), log.read_text()
            yield process
        finally:
            process.kill()


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


@needs_ipv6
@pytest.mark.parametrize("host", ["::", "localhost"])
def test_both_families_are_served_at_one_port(host: str) -> None:
    with listening_at(host, 0) as sockets:
        [port] = {one.getsockname()[1] for one in sockets}
        for local in ("127.0.0.1", "::1"):
            with socket.create_connection((local, port)) as connection:
                assert connection.getpeername()[0] == local
        assert address(sockets) == (f"http://[::]:{port}/" if host == "::" else f"http://127.0.0.1:{port}/")
    with listening_at("127.0.0.1", port):
        pass  # the sockets are closed


@needs_ipv6
def test_a_port_that_is_in_use_in_one_family_is_refused() -> None:
    with listening_at("::1", 0) as [used]:
        port = used.getsockname()[1]
        with pytest.raises(IllegalError, match=f"cannot listen at ::1, port {port}: Address already in use"):
            bind("localhost", port)
    with listening_at("127.0.0.1", port):
        pass  # nothing is left open


def test_localhost_needs_no_second_family(monkeypatch: pytest.MonkeyPatch) -> None:
    create_server = socket.create_server

    def without_ipv6(place: tuple[str, int], **options: int) -> socket.socket:
        if ":" in place[0]:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return create_server(place, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "create_server", without_ipv6)
    with listening_at("localhost", 0) as sockets:
        assert [one.getsockname()[0] for one in sockets] == ["127.0.0.1"]
    with pytest.raises(IllegalError, match="cannot listen at ::, port 0: Address family not supported"):
        bind("::", 0)


def test_two_servers_at_a_passed_socket_take_turns_without_a_refused_connection(postgres: str, tmp_path: Path) -> None:
    """As with socket activation by systemd, where an upgrade starts the new server before it stops the old one."""
    url = empty_postgres(postgres)
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as stack:
        where = f"http://127.0.0.1:{listening.getsockname()[1]}"
        statuses: list[int | str] = []
        ended = threading.Event()

        def ask() -> None:
            while not ended.wait(0.01):
                try:
                    statuses.append(clients.get(f"{where}/api/players").status_code)
                except httpx.HTTPError as error:
                    statuses.append(repr(error))

        first = stack.enter_context(server_at(listening, url, tmp_path / "log", "--workers", "2"))
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        stack.enter_context(server_at(listening, url, tmp_path / "log"))
        first.terminate()
        assert first.wait(TIMEOUT_SECONDS) in (0, -signal.SIGTERM)
        before = len(statuses)
        wait_for(lambda: len(statuses) > before + 20, "the second server answers")
        ended.set()
        asking.join()
    assert set(statuses) == {200}


def test_a_service_manager_is_told_that_the_server_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        notify_ready()  # none waits
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        notify_ready()
        manager.setblocking(False)
        assert manager.recv(100) == b"READY=1"
        with pytest.raises(BlockingIOError):
            manager.recv(100)


def test_sockets_that_were_passed_to_another_process_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", "1")
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert passed() == []
    assert "LISTEN_FDS" not in os.environ
