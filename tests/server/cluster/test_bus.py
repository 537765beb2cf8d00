"""The bus: lines reach those that listen to their channel, and a lost connection is told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import NamedTuple

import psycopg
import pytest

from fivedice.server.cluster import postgres_bus
from fivedice.server.cluster.bus import PEERS, Bus, Receiver
from fivedice.server.cluster.postgres_bus import PostgresBus
from fivedice.server.config.shards import shard_of
from fivedice.storage.rows.event import MAX_LINE_BYTES
from tests.storage.empty import empty_postgres
from tests.waiting import TIMEOUT_SECONDS, wait_for_async

MakeBus = Callable[[Receiver], Bus]


class Process:
    """A process with a bus, and what it has received."""

    def __init__(self, make: MakeBus) -> None:
        self.lines: list[tuple[str, str]] = []
        self.listening: frozenset[str] = frozenset()
        self.num_gaps = 0
        self.was_deaf = False
        self.bus = make(self)
        self.task = asyncio.create_task(self.bus.run())

    def on_lines(self, channel: str, lines: list[str]) -> None:
        self.lines += [(channel, line) for line in lines]

    def on_listening(self, channels: frozenset[str], added: frozenset[str]) -> None:
        assert added <= channels
        self.was_deaf = self.was_deaf or not channels
        self.listening = channels

    def on_gap(self) -> None:
        self.num_gaps += 1

    async def listen(self, *channels: str) -> None:
        self.bus.listen(channels)
        await wait_for_async(lambda: {PEERS, *channels} <= self.listening, "the process listens")

    async def close(self) -> None:
        self.task.cancel()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await asyncio.gather(self.task, return_exceptions=True)


class Cluster:
    """Processes with the same kind of bus."""

    def __init__(self, make: MakeBus, stack: AsyncExitStack) -> None:
        self._make = make
        self._stack = stack

    async def process(self, *channels: str) -> Process:
        process = Process(self._make)
        self._stack.push_async_callback(process.close)
        await process.listen(*channels)
        return process


class Wires(NamedTuple):
    """What carries lines: how to connect to it, to end all connections, and to announce without a process."""

    make: MakeBus
    cut: Callable[[], None]
    send_once: Callable[[Sequence[str]], None]


@pytest.fixture
def wires(request: pytest.FixtureRequest) -> Wires:
    """LISTEN and NOTIFY of a database."""
    url = empty_postgres(request.getfixturevalue("postgres"))

    def terminate() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid()"
            )

    return Wires(
        lambda receiver: PostgresBus({"conninfo": url}, receiver),
        terminate,
        partial(postgres_bus.send_once, {"conninfo": url}),
    )


@pytest.fixture
async def cluster(wires: Wires) -> AsyncIterator[Cluster]:
    """Processes on each implementation."""
    async with AsyncExitStack() as stack:
        yield Cluster(wires.make, stack)


async def test_lines_reach_the_processes_that_listen_to_their_channel(cluster: Cluster) -> None:
    one, other, third = await cluster.process("aa"), await cluster.process("aa", "bb"), await cluster.process()
    for channel, line in (("aa", "first"), ("bb", "second"), ("cc", "third"), ("aa", "fourth"), (PEERS, "last")):
        one.bus.send(channel, line)
    await wait_for_async(lambda: len(other.lines) == 4 and third.lines, "all lines arrive")
    found = {channel: [line for name, line in other.lines if name == channel] for channel in ("aa", "bb", PEERS)}
    assert found == {"aa": ["first", "fourth"], "bb": ["second"], PEERS: ["last"]}
    assert third.lines == [(PEERS, "last")]
    assert one.lines == [], "a process does not receive what it has sent itself"


async def test_a_process_can_listen_to_other_channels_at_any_time(cluster: Cluster) -> None:
    one, other = await cluster.process(), await cluster.process("aa")
    await other.listen("bb")
    await wait_for_async(lambda: "aa" not in other.listening, "it no longer listens to the first")
    one.bus.send("aa", "not heard")
    one.bus.send("bb", "heard")
    await wait_for_async(lambda: other.lines, "a line arrives")
    await one.bus.sent()
    assert other.lines == [("bb", "heard")]


async def test_long_lines_and_many_lines_arrive_whole_and_in_order(cluster: Cluster) -> None:
    one, other = await cluster.process(), await cluster.process("aa")
    lines = ["ü" * (MAX_LINE_BYTES // 2), *(f"line {number}" for number in range(2_000)), "x" * MAX_LINE_BYTES]
    for line in lines:
        one.bus.send("aa", line)
    await wait_for_async(lambda: len(other.lines) == len(lines), "all lines arrive")
    assert [line for _, line in other.lines] == lines


async def test_a_lost_connection_is_a_gap_and_then_lines_arrive_again(cluster: Cluster, wires: Wires) -> None:
    one, other = await cluster.process("aa"), await cluster.process("aa")
    one.bus.send("aa", "before")
    await wait_for_async(lambda: other.lines, "a line arrives")
    gaps = one.num_gaps, other.num_gaps
    await asyncio.to_thread(wires.cut)

    def arrives() -> bool:
        one.bus.send("aa", "after")
        return ("aa", "after") in other.lines

    await wait_for_async(arrives, "a line arrives again")
    await wait_for_async(lambda: one.num_gaps > gaps[0] and other.num_gaps > gaps[1], "both learn of the gap")
    assert (one.was_deaf, other.was_deaf) == (True, True)


async def test_a_program_that_serves_nothing_can_announce(cluster: Cluster, wires: Wires) -> None:
    table = "7aXq03bbUzk1FsCd2W"
    one = await cluster.process(shard_of(table))
    await asyncio.to_thread(wires.send_once, [f"{table} 0"])
    await wait_for_async(lambda: one.lines, "the line arrives")
    assert one.lines == [(shard_of(table), f"{table} 0")]


def test_an_announcement_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    postgres_bus.send_once({"host": "127.0.0.1", "port": 1}, ["7aXq03bbUzk1FsCd2W 0"])
    assert "the servers on this database were not told what has changed: " in caplog.text


async def test_a_process_without_a_connection_can_be_stopped() -> None:
    lost = Process(lambda receiver: PostgresBus({"host": "127.0.0.1", "port": 1}, receiver))
    await asyncio.sleep(0.1)
    lost.bus.send("aa", "never sent")
    await lost.close()
    assert lost.task.cancelled()
    assert not lost.bus.is_listening


async def test_a_cancellation_that_the_driver_misses_is_repeated() -> None:
    """As `asyncio.wait_for` may miss one on Python 3.11."""
    missed = asyncio.Event()

    class Uncancellable(PostgresBus):
        async def _listen(self) -> str:
            try:
                await asyncio.sleep(TIMEOUT_SECONDS)
            except asyncio.CancelledError:
                missed.set()
            await asyncio.sleep(TIMEOUT_SECONDS)
            return ""

    process = Process(lambda receiver: Uncancellable({"host": "127.0.0.1", "port": 1}, receiver))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await process.close()
    assert missed.is_set()
    assert process.task.cancelled()


async def test_an_unexpected_error_is_raised() -> None:
    class Broken(PostgresBus):
        async def _listen(self) -> str:
            raise ValueError("a mistake")

    process = Process(lambda receiver: Broken({"host": "127.0.0.1", "port": 1}, receiver))
    with pytest.raises(ValueError, match="a mistake"):
        await asyncio.wait_for(process.task, TIMEOUT_SECONDS)
