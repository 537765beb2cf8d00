"""Connections that are slow, endless or never read: each is closed, at a bounded cost."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from fivedice.server.config.limits import MAX_DISCARDED_BYTES, MAX_QUEUED_MESSAGES
from fivedice.server.config.settings import RateLimits
from fivedice.server.http import protocol, security
from tests import clients
from tests.server.serving import Serving, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for

HEAD = b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


@contextmanager
def line_to(server: Serving) -> Iterator[socket.socket]:
    """A bare protocol."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=TIMEOUT_SECONDS) as line:
        yield line


def rest_of(line: socket.socket) -> bytes:
    """Everything received until the connection is closed."""
    received = b""
    with suppress(ConnectionResetError):
        while data := line.recv(65_536):
            received += data
    return received


def trickle(line: socket.socket, data: bytes) -> bytes:
    """Send the same bytes slowly until the connection is closed; returns what was received."""

    def is_closed() -> bool:
        try:
            line.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return True
        return False

    wait_for(is_closed, "the server closes the connection")
    return rest_of(line)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A server with short timeouts."""
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(protocol, "UNREAD_SECONDS", 0.5)
    monkeypatch.setattr(security, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(security, "DISCARD_SECONDS", 0.5)
    with serving(tmp_path) as server:
        yield server
        assert clients.get(f"{server.url}/health").text == "ok\n"


def test_a_silent_connection_is_closed(server: Serving) -> None:
    with line_to(server) as line:
        assert rest_of(line) == b""


@pytest.mark.parametrize("before", [b"", b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"], ids=["first", "second"])
def test_an_incomplete_head_times_out(server: Serving, before: bytes) -> None:
    with line_to(server) as line:
        line.sendall(before)
        if before:
            assert b"200 OK" in line.recv(4_096)
        line.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n")
        assert b"200" not in trickle(line, b"x: y\r\n")


@pytest.mark.parametrize(
    "endless", [b"GET /" + b"x" * 99_000, b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 20_000], ids=["path", "headers"]
)
def test_a_large_head_is_refused(server: Serving, endless: bytes) -> None:
    with line_to(server) as line:
        line.sendall(endless)
        with suppress(OSError):
            line.sendall(endless)
        assert rest_of(line)[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 400", b"")


def test_a_slow_body_times_out(server: Serving) -> None:
    with line_to(server) as line:
        line.sendall(HEAD + b"content-length: 4000\r\n\r\n{")
        answer = rest_of(line)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer
    assert b'"code":"too_slow"' in answer


def test_a_body_in_small_chunks_times_out(server: Serving) -> None:
    with line_to(server) as line:
        line.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
        answer = b""

        def is_answered() -> bool:
            nonlocal answer
            with suppress(BrokenPipeError, ConnectionResetError):
                line.sendall(b"1\r\n \r\n")
            with suppress(BlockingIOError):
                answer += line.recv(4_096, socket.MSG_DONTWAIT)
            return bool(answer)

        wait_for(is_answered, "the server answers")
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_an_endless_body_is_refused_and_not_read_on(server: Serving) -> None:
    with line_to(server) as line:
        line.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
        sent = 0
        with suppress(OSError):
            while sent < 2**30:
                line.sendall(b"10000\r\n" + b" " * 65_536 + b"\r\n")
                sent += 65_536
        assert sent < MAX_DISCARDED_BYTES + 16 * 2**20, "at most the buffers of the system are filled"


def test_an_unread_response_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "UNREAD_SECONDS", 0.3)
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_bytes(b"x" * 50_000_000)
    with serving(tmp_path, page=page) as server, line_to(server) as line:
        line.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        wait_until_ended(server)


def test_a_socket_with_unread_answers_is_throttled_and_closed(server: Serving) -> None:
    with socket_to(server) as (line, table):
        live = server.services.tables._live[table]
        with ThreadPoolExecutor(1) as pool:
            flooding = pool.submit(flood, line, Frame(Opcode.TEXT, b'{"type":"nonsense"}'))
            while not flooding.done():
                assert all(len(one._waiting) <= MAX_QUEUED_MESSAGES + 1 for one in tuple(live.subscribers))
        flooding.result()
        wait_until_ended(server)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (Frame(Opcode.PING, b""), Frame(Opcode.PING, b"x" * 125)),
        (Frame(Opcode.TEXT, b"", fin=False), Frame(Opcode.CONT, b"", fin=False)),
    ],
    ids=["pings", "empty pieces"],
)
def test_empty_frames_are_bounded(server: Serving, first: Frame, then: Frame) -> None:
    with socket_to(server) as (line, _):
        line.sendall(first.serialize(mask=True))
        flood(line, then)
        wait_until_ended(server)


@contextmanager
def socket_to(server: Serving) -> Iterator[tuple[socket.socket, str]]:
    """A WebSocket that is never read, and the id of its table."""
    ann = server.visit()
    table = ann.create()
    key = b"upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: " + b"A" * 22
    with line_to(server) as line:
        line.sendall(f"GET /api/tables/{table}/socket HTTP/1.1\r\nhost: localhost\r\n".encode() + key + b"==\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 101"
        yield line, table


def flood(line: socket.socket, frame: Frame) -> None:
    """Send the same frame until the server closes the connection."""
    frames = frame.serialize(mask=True) * 1_000
    with suppress(BrokenPipeError, ConnectionResetError):
        for _ in range(1_000):
            line.sendall(frames)
        pytest.fail("the server takes a million frames")


def wait_until_ended(server: Serving) -> None:
    """Wait until the server has no open connection."""
    wait_for(lambda: not server._server.server_state.connections, "the server closes the connection")


def test_a_message_above_the_limit_closes_the_socket(server: Serving) -> None:
    ann = server.visit()
    with ann.socket(ann.create()) as socket:
        socket.until(1)
        socket.connection.send("x" * 70_000)
        assert socket.closing()[0] == 1009


def test_connections_of_an_address_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(connections=3)) as server:
        with line_to(server), line_to(server), line_to(server), line_to(server) as one_too_many:
            assert rest_of(one_too_many) == b""
        assert clients.get(f"{server.url}/health").text == "ok\n"
