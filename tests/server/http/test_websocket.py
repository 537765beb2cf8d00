"""Sockets and streams: what they send, and frames."""

import asyncio
import json
import time
from functools import reduce
from types import SimpleNamespace

import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from fivedice.server.http import websocket
from fivedice.server.http.api import tables as api_tables
from fivedice.server.http.websocket import SocketConnection
from fivedice.server.limits import MESSAGE_TOKENS
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.ops.budget import Budget, FreeSpace
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import load_stream
from tests.server.live.test_event_store import LATER_EVENTS
from tests.server.serving import SECRET, TWO, Browser, Serving, Socket, new_id
from tests.waiting import TIMEOUT_SECONDS


def test_every_event_of_computer_players_is_an_update_until_the_end_reveals_the_secret(ann: Browser) -> None:
    table = ann.create([{"kind": "greedy"}, {"kind": "random"}], rules="crag", first="highest_roll")
    with ann.socket(table) as socket:
        socket.receive()
        versions = [socket.update["view"]["version"]]
        while socket.update["view"]["state"] != "over":
            assert socket.receive()["type"] == "update"
            assert len(socket.update["events"]) == 1
            versions.append(socket.update["view"]["version"])
    assert versions == list(range(versions[0], versions[-1] + 1))
    assert socket.update["view"]["proof"]["secret"] == SECRET.hex()


def test_presence_changes_are_broadcast(ann: Browser, ben: Browser) -> None:
    table = ann.create([TWO[0], {"kind": "person"}, {"kind": "greedy"}])
    with ben.socket(table) as other:
        assert other.receive()["here"] == [2]
        with ann.socket(table) as mine:
            mine.receive()
            assert other.receive() == {"type": "presence", "here": [0, 2]}
            with ann.socket(table) as second:
                second.receive()
            assert mine.send("sit", seat=0, name="Anna")["type"] == "accepted"
            assert other.receive()["type"] == "update"
        assert other.receive() == {"type": "presence", "here": [2]}


def test_kept_dice_are_shown_to_the_others_but_not_stored(ann: Browser, ben: Browser) -> None:
    table = ann.create([TWO[0], {"kind": "person"}])
    ben.send(table, "sit", seat=1, name="Ben")
    version = ann.do(table, "roll", seat=0, kept=[])["version"]
    choice = {"type": "kept", "seat": 0, "roll_id": version, "kept": [True, False, False, False, True]}

    def kept(socket: Socket) -> object:
        while (message := socket.receive())["type"] in ("presence", "update"):
            pass
        return message

    with ann.socket(table) as mine, ben.socket(table) as other:
        mine.until(version)
        other.until(version)
        ignored = [{"seat": 1}, {"roll_id": version - 1}, {"kept": [True]}]
        for fields in (*ignored, {}):
            mine.connection.send(msgspec.json.encode(choice | fields).decode())
        assert kept(other) == choice
        with ben.socket(table) as late:
            assert kept(late) == choice
        changed = choice | {"kept": [False] * 5}
        for browser in (ben, ann):  # not Ben's dice
            assert browser.http.post(f"/api/tables/{table}/kept", json=changed).status_code == 204
        assert kept(other) == changed
        assert kept(mine) == changed, "its own choice was not sent back"
    assert ann.view(table)["version"] == version
    assert ann.view(table)["turn"]["kept"] == [False] * 5


def test_malformed_messages_are_refused_and_the_socket_stays_open(ann: Browser) -> None:
    sit = b'{"type":"sit","id":"abcdefgh","version":1,"seat":0,"name":"\xff"}'
    large = '{"type":"roll","id":"' + "x" * 9_000 + '"}'
    with ann.socket(ann.create()) as socket:
        socket.receive()
        for message in (large, '{"type":"ping","x":' + "[" * 8_000, sit, b"\xff"):
            socket.connection.send(message)
            answer = socket.receive()["answer"]
            assert (answer["type"], answer["reason"], answer["version"]) == ("refused", "malformed", 1), message
            assert answer["id"] == ("abcdefgh" if message == sit else "")
        assert socket.send("roll", seat=0, kept=[])["type"] == "accepted"


@pytest.mark.parametrize("part", ["services.command_handler.handle", "services.tables.broadcaster._view_of"])
def test_an_internal_error_closes_the_socket_and_is_logged(
    server: Serving, ann: Browser, part: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = ann.create()
    with ann.socket(table) as socket:
        socket.until(1)
        with monkeypatch.context() as broken:
            *path, name = part.split(".")
            broken.setattr(reduce(getattr, path, server), name, fail)
            socket.connection.send(f'{{"type":"roll","id":"{new_id()}","version":1,"seat":0,"kept":[]}}')
            assert socket.closing() == (1011, "internal server error")
    assert f"the socket of table {table} failed" in caplog.text
    assert "ZeroDivisionError: a mistake" in caplog.text
    monkeypatch.setattr(Subscriber, "batches", fail)
    with ann.socket(table) as again:
        assert again.closing()[0] == 1011, "its sender failed"


def fail(*_: object) -> None:
    raise ZeroDivisionError("a mistake")


def test_a_socket_to_an_unknown_table_is_closed_with_a_reason(ann: Browser) -> None:
    with ann.socket("none") as socket:
        assert socket.closing() == (4404, "there is no stream 'none'")


def test_a_stream_sends_the_same_messages_as_a_socket_and_keepalives(
    ann: Browser, ben: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without these a lost connection would not be noticed, and its seats would stay present."""
    monkeypatch.setattr(api_tables, "KEEPALIVE_SECONDS", 0.05)
    table = ann.create()
    with ben.http.stream("GET", f"/api/tables/{table}/stream", params={"since": 0}) as stream:
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "no-store"
        assert "content-encoding" not in stream.headers
        lines = stream.iter_lines()
        first = json.loads(next(lines).removeprefix("data: "))
        assert (first["status"], first["rules"]["ref"], first["yours"]) == ("snapshot", "yahtzee", [])
        pong = ["", "event: pong", 'data: {"type":"pong"}']
        assert [next(lines) for _ in range(6)] == [*pong, *pong]
        ann.do(table, "roll", seat=0, kept=[])
        second = json.loads(next(line for line in lines if line not in pong).removeprefix("data: "))
        assert (second["status"], second["view"]) == ("events", ann.view(table))


@pytest.mark.parametrize("is_announced", [True, False])
def test_clients_of_a_table_with_a_later_event_are_sent_elsewhere(server: Serving, is_announced: bool) -> None:
    """A load balancer can tell from the status that another server may answer, and a page from the code.

    Where the event is not announced, a command finds it, and is left to others.
    """
    ann = server.visit()
    table = ann.create()
    roll = {"type": "roll", "id": "a-first-roll", "version": 2, "seat": 0, "kept": []}
    with ann.socket(table) as socket:
        socket.until(1)
        stored = server.services.database.read(lambda connection: load_stream(connection, table))
        assert stored
        later = StoredEvent(table, 2, "later", time.time(), LATER_EVENTS[0], stored.entries[0].command)
        assert server.services.database.append(later).result(TIMEOUT_SECONDS)
        if is_announced:
            server._loop.call_soon_threadsafe(server.services.tables.on_notice, table, 2)
        else:
            socket.connection.send(json.dumps(roll))
        while (message := socket.receive())["type"] != "farewell":
            assert message["type"] != "answer"
        assert socket.closing()[0] == 1012
        assert socket.update["view"]["version"] == 1
    for answer in (
        ann.http.get(f"/api/tables/{table}"),
        ann.http.get(f"/api/tables/{table}/stream"),
        ann.http.post(f"/api/tables/{table}/commands", json=roll),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "reload")
    with pytest.raises(InvalidStatus) as refused:
        ann.socket(table)
    assert refused.value.response.status_code == 503


async def test_messages_beyond_the_budget_of_an_address_wait_for_their_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)

    async def sleep(seconds: float) -> None:
        clock.now += seconds + 1e-9

    async def nothing() -> None: ...

    async def receive() -> dict[str, str]:
        return events.pop()

    monkeypatch.setattr(websocket, "asyncio", SimpleNamespace(sleep=sleep))
    budget = Budget(1.0, FreeSpace(None, 0), lambda: clock.now)  # which holds 60 tokens
    events = [{"type": "websocket.disconnect"}, *[{"type": "websocket.receive", "text": '{"type":"ping"}'}] * 400]
    answers: list[bytes] = []
    subscriber = SimpleNamespace(
        visitor=SimpleNamespace(holder=None), room=nothing, is_closing=False, answer=answers.append
    )
    services = SimpleNamespace(budget=budget)
    await websocket._receive(SimpleNamespace(scope={}, receive=receive), subscriber, None, services)  # type: ignore[arg-type]
    assert len(answers) == 400
    assert clock.now == pytest.approx(400 * MESSAGE_TOKENS - 60)


def open_connection() -> tuple[SocketConnection, list[bytes]]:
    """A connection after the handshake, without a server, and what is written to it."""
    connection, written = SocketConnection.__new__(SocketConnection), list[bytes]()
    parts = {"transport": SimpleNamespace(write=written.append), "conn": ServerProtocol(state=State.OPEN)}
    vars(connection).update(parts, writable=asyncio.Event(), disconnected=False)
    return connection, written


async def test_a_message_that_is_sent_at_once_never_overtakes_one_that_waits() -> None:
    connection, written = open_connection()
    assert not connection.send_now(b"the client does not read")
    sending = asyncio.create_task(connection.send_texts([b"first", b"second"]))
    await asyncio.sleep(0)
    connection.writable.set()
    assert not connection.send_now(b"too early")
    await sending
    assert connection.send_now(b"third")
    messages = (b"first", b"second", b"third")
    assert b"".join(written) == b"".join(Frame(Opcode.TEXT, one).serialize(mask=False) for one in messages)


async def test_nothing_is_sent_once_the_client_is_gone() -> None:
    connection, written = open_connection()
    connection.writable.set()
    connection.conn.state = State.CLOSING
    assert not connection.send_now(b"message")
    with pytest.raises(OSError):  # noqa: PT011
        await connection.send_texts([b"message"])
    assert not written
