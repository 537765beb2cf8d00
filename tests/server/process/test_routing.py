import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing

import pytest

from fivedice.server.config.shards import SHARDS, new_table_id, owners, shard_of, shards_of
from fivedice.server.process import routing
from fivedice.server.process.routing import Router, Routes, mail
from tests.waiting import wait_for_async


class Worker:
    """A worker without a server: it keeps the connections that it adopts, and what their clients have sent."""

    def __init__(self, routes: Routes, listening: socket.socket) -> None:
        self.adopted: list[bytes] = []
        self.changed = asyncio.Event()
        self.router = Router(routes, [listening], self._adopt)

    async def _adopt(self, connection: socket.socket) -> None:
        try:
            self.adopted.append(connection.recv(1_000))
        except BlockingIOError:
            self.adopted.append(b"")
        connection.close()
        self.changed.set()


Test = Callable[[list[Worker], tuple[str, int]], Awaitable[None]]


def with_workers(count: int, test: Test, *, accepting: int = 0) -> None:
    """Run a test with so many workers, of which one accepts all connections."""

    async def run() -> None:
        inboxes, outboxes = mail(count)
        listening, unused = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
        with closing(listening), closing(unused):
            workers = [
                Worker(Routes(number, inboxes[number], outboxes), listening if number == accepting else unused)
                for number in range(count)
            ]
            for worker in workers:
                worker.router.start()
            await test(workers, listening.getsockname())
            for worker in workers:
                worker.router.close()
        for one in (*inboxes, *outboxes):
            one.close()

    asyncio.run(run())


async def request(address: tuple[str, int], text: bytes, stack: AsyncExitStack) -> None:
    _, writer = await asyncio.open_connection(*address)
    stack.callback(writer.close)
    writer.write(text)


def table_of(worker: int, count: int) -> str:
    return new_table_id(shards_of(worker, count))


@pytest.mark.parametrize("path", ["/api/tables/{}", "/api/tables/{}/socket", "/t/{}?seat=1"])
def test_a_connection_is_served_by_the_worker_that_has_its_table(path: str) -> None:
    texts = [f"GET {path.format(table_of(worker, 3))} HTTP/1.1\r\n".encode() for worker in range(3)]

    async def test(workers: list[Worker], address: tuple[str, int]) -> None:
        async with AsyncExitStack() as stack:
            for text in texts:
                await request(address, text, stack)
            for worker in workers:
                await worker.changed.wait()
        assert [worker.adopted for worker in workers] == [[text] for text in texts]

    with_workers(3, test)


@pytest.mark.parametrize(
    "text", [b"GET / HTTP/1.1\r\n", b"POST /api/tables HTTP/1.1\r\n", b"\x16\x03\x01", b"GET /api/"]
)
def test_a_connection_for_no_table_stays_where_it_was_accepted(text: bytes) -> None:
    async def test(workers: list[Worker], address: tuple[str, int]) -> None:
        async with AsyncExitStack() as stack:
            await request(address, text, stack)
            await workers[1].changed.wait()
        assert [worker.adopted for worker in workers] == [[], [text], []]

    with_workers(3, test, accepting=1)


def test_a_client_that_sends_nothing_is_served_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routing, "FIRST_BYTES_SECONDS", 0.01)

    async def test(workers: list[Worker], address: tuple[str, int]) -> None:
        async with AsyncExitStack() as stack:
            await request(address, b"", stack)
            await workers[0].changed.wait()
        assert workers[0].adopted == [b""]

    with_workers(2, test)


def test_a_worker_that_does_not_answer_gets_no_connection_not_even_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routing, "OFFER_SECONDS", 0.01)
    table = table_of(1, 3)
    _, second, third = owners(shard_of(table), 3)
    text = f"GET /t/{table} HTTP/1.1\r\n".encode()

    async def test(workers: list[Worker], address: tuple[str, int]) -> None:
        workers[1].router.close()  # as one that is frozen
        async with AsyncExitStack() as stack:
            await request(address, text, stack)
            await workers[second].changed.wait()
            assert (workers[second].adopted, workers[third].adopted) == ([text], [])
            workers[1].router.start()
            await request(address, b"GET / HTTP/1.1\r\n", stack)
            await asyncio.wait_for(workers[0].changed.wait(), 1)
            await wait_for_async(lambda: not workers[1].router._tasks, "the offer that has waited is refused")
        assert workers[1].adopted == []

    with_workers(3, test)


def test_connections_of_a_dead_worker_are_served_by_the_one_that_accepted_them() -> None:
    """Its inbox is closed, so that no offer can be sent."""
    text = f"GET /t/{table_of(1, 2)} HTTP/1.1\r\n".encode()

    async def test(workers: list[Worker], address: tuple[str, int]) -> None:
        dead = workers.pop()
        dead.router.close()
        dead.router._routes.inbox.close()
        async with AsyncExitStack() as stack:
            await request(address, text, stack)
            await workers[0].changed.wait()
        assert (workers[0].adopted, dead.adopted) == ([text], [])

    with_workers(2, test)


def test_every_shard_has_each_worker_once_in_its_order() -> None:
    for count in (1, 2, 3, 8):
        assert all(sorted(owners(shard, count)) == list(range(count)) for shard in SHARDS)
        parts = [shards_of(worker, count) for worker in range(count)]
        assert sorted(shard for part in parts for shard in part) == sorted(SHARDS)
        assert min(map(len, parts)) > 256 / count / 2, "no worker has far fewer tables than another"


def test_one_worker_more_takes_shards_only_for_itself() -> None:
    for shard in SHARDS:
        before, after = owners(shard, 4), owners(shard, 5)
        assert before[0] == after[0] or after[0] == 4


def test_every_id_has_a_shard() -> None:
    assert all(shard_of(new_table_id([shard])) == shard for shard in SHARDS)
    assert shard_of("made up") == SHARDS[0]
