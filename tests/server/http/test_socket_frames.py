"""A `SocketConnection` frames and sends text messages itself, in order, however large they are."""

import asyncio

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from fivedice.server.http.protocol import SocketConnection, _head


class Transport:
    """Records what is written."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data


class Protocol:
    """The state of the protocol library."""

    state = State.OPEN


class OpenConnection(SocketConnection):
    """An open connection without a server."""

    def __init__(self) -> None:
        self.transport = Transport()  # type: ignore[assignment]
        self.conn = Protocol()  # type: ignore[assignment]
        self.writable = asyncio.Event()
        self.disconnected = False


def frame(message: bytes) -> bytes:
    return Frame(Opcode.TEXT, message).serialize(mask=False)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_frames_are_those_of_the_protocol_library(size: int) -> None:
    assert _head(size) + b"x" * size == frame(b"x" * size)


def test_a_message_that_is_sent_at_once_never_overtakes_one_that_waits() -> None:
    async def play() -> bytes:
        connection = OpenConnection()
        assert not connection.send_now(b"the client does not read")
        sending = asyncio.create_task(connection.send_texts([b"first", b"second"]))
        await asyncio.sleep(0)
        connection.writable.set()
        assert not connection.send_now(b"too early")
        await sending
        assert connection.send_now(b"third")
        return connection.transport.written  # type: ignore[attr-defined, no-any-return]

    assert asyncio.run(play()) == frame(b"first") + frame(b"second") + frame(b"third")


def test_nothing_is_sent_once_the_client_is_gone() -> None:
    async def play() -> None:
        connection = OpenConnection()
        connection.writable.set()
        connection.conn.state = State.CLOSING
        assert not connection.send_now(b"message")
        with pytest.raises(OSError):  # noqa: PT011
            await connection.send_texts([b"message"])
        assert connection.transport.written == b""  # type: ignore[attr-defined]

    asyncio.run(play())
