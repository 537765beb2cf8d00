"""Listening on one address or on both families."""

import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from fivedice.base.errors import IllegalError
from fivedice.server.process.listening import address, bind, notify_ready


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@contextmanager
def bound(host: str, port: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(one) for one in bind(host, port)]


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


@needs_ipv6
@pytest.mark.parametrize("host", ["::", "localhost"])
def test_both_families_are_served_at_one_port(host: str) -> None:
    with bound(host, 0) as sockets:
        [port] = {one.getsockname()[1] for one in sockets}
        for local in ("127.0.0.1", "::1"):
            with socket.create_connection((local, port)) as connection:
                assert connection.getpeername()[0] == local
        assert address(sockets) == (f"http://[::]:{port}/" if host == "::" else f"http://127.0.0.1:{port}/")
    with bound("127.0.0.1", port):
        pass  # the sockets are closed


@needs_ipv6
def test_a_port_that_is_in_use_in_one_family_is_refused() -> None:
    with bound("::1", 0) as [used]:
        port = used.getsockname()[1]
        with pytest.raises(IllegalError, match=f"cannot listen at ::1, port {port}: Address already in use"):
            bind("localhost", port)
    with bound("127.0.0.1", port):
        pass  # nothing is left open


def test_localhost_needs_no_second_family(monkeypatch: pytest.MonkeyPatch) -> None:
    create_server = socket.create_server

    def without_ipv6(place: tuple[str, int], **options: int) -> socket.socket:
        if ":" in place[0]:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return create_server(place, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "create_server", without_ipv6)
    with bound("localhost", 0) as sockets:
        assert [one.getsockname()[0] for one in sockets] == ["127.0.0.1"]
    with pytest.raises(IllegalError, match="cannot listen at ::, port 0: Address family not supported"):
        bind("::", 0)


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
