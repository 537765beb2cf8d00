"""Bodies, messages and answers that nobody reads are bounded. Slow clients and many connections are the proxy's."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from fivedice.server.config.limits import MAX_QUEUED_MESSAGES
from tests import clients
from tests.server.serving import Serving, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for

HEAD = b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


@contextmanager
def line_to(server: Serving) -> Iterator[socket.socket]:
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=TIMEOUT_SECONDS) as line:
        yield line


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path) as server:
        yield server
        assert clients.get(f"{server.url}/health").text == "ok\n"


def test_a_large_body_is_refused_while_it_is_sent(server: Serving) -> None:
    with line_to(server) as line:
        line.sendall(HEAD + b"content-length: 1000000\r\n\r\n" + b" " * 65_536)
        assert line.recv(12) == b"HTTP/1.1 413"


def test_a_socket_with_unread_answers_is_read_no_further(server: Serving) -> None:
    with socket_to(server) as (line, table), ThreadPoolExecutor(1) as pool:
        live = server.services.tables._live[table]
        [subscriber] = wait_for(lambda: tuple(live.subscribers), "the socket follows the table")
        flooding = pool.submit(flood, line, Frame(Opcode.TEXT, b'{"type":"nonsense"}'))
        wait_for(lambda: not subscriber._room.is_set(), "the server reads no more")
        assert len(subscriber._waiting) <= MAX_QUEUED_MESSAGES + 1
        line.shutdown(socket.SHUT_RDWR)
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
    frames = frame.serialize(mask=True) * 1_000
    with suppress(BrokenPipeError, ConnectionResetError):
        for _ in range(1_000):
            line.sendall(frames)
        pytest.fail("the server takes a million frames")


def wait_until_ended(server: Serving) -> None:
    wait_for(lambda: not server._server.server_state.connections, "the server closes the connection")


def test_a_message_above_the_limit_closes_the_socket(server: Serving) -> None:
    ann = server.visit()
    with ann.socket(ann.create()) as socket:
        socket.until(1)
        socket.connection.send("x" * 70_000)
        assert socket.closing()[0] == 1009
