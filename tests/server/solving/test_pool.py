"""The worker process computes for the server, is replaced when it dies, and never outlives the server."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fivedice.base.errors import MalformedError, UnavailableError
from fivedice.base.extras import missing_kernels
from fivedice.server.games.read_games import read_record
from fivedice.server.ops.budget import TooFastError
from fivedice.server.solving import pool as rooms
from fivedice.server.solving.pool import WORKER_ATTEMPTS, WORKER_NICENESS, LostError, Pool
from fivedice.storage.engine.sqlite_files import EventsMissingError
from tests.waiting import wait_for, wait_for_async


@pytest.fixture
def lost() -> list[str]:
    """An entry for each process that died, which a test removes if it had to."""
    return []


@pytest.fixture
async def pool(lost: list[str]) -> AsyncIterator[Pool]:
    pool = Pool(lambda: lost.append("lost"))
    yield pool
    await pool.close()
    assert not lost


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_functions_run_in_one_other_process_at_low_priority_until_the_pool_is_closed(pool: Pool) -> None:
    assert pool.pids == []
    call = asyncio.create_task(pool.run(os.getpid))
    [starting] = await wait_for_async(multiprocessing.active_children, "a process starts")
    assert starting.pid
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(starting.pid, number)  # these are for the server
    pid = await call
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
    assert pid == await pool.run(os.getpid) != os.getpid()
    assert pool.pids == [pid]
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert await pool.run(os.getpriority, os.PRIO_PROCESS, 0) == min(own + WORKER_NICENESS, 19)
    await pool.close()
    assert not is_running(pid)
    with pytest.raises(LostError, match="stopping"):
        await pool.run(os.getpid)


def fail() -> None:
    """Raise an error that a pickle cannot build again, because its arguments are not those of its class."""
    raise EventsMissingError(3, "fivedice.db")


def without_kernels() -> None:
    """What a call does before kernels are built."""
    raise missing_kernels()


async def test_errors_keep_their_type_and_name_the_process_and_kernels_may_come_later(pool: Pool) -> None:
    with pytest.raises(MalformedError, match="record 3: ") as error:
        await pool.run(read_record, 3, "no record", None, 0.0)
    assert "read_games.py" in str(error.value.__cause__)
    with pytest.raises(TypeError, match="cannot pickle"):
        await pool.run(threading.Lock)
    with pytest.raises(RuntimeError, match=r"EventsMissingError: fivedice\.db lacks 3 events"):
        await pool.run(fail)
    with pytest.raises(UnavailableError, match="the solver is still being built: try again in a minute"):
        await pool.run(without_kernels)


async def test_nothing_runs_in_the_server_if_it_stops_while_a_process_starts(pool: Pool) -> None:
    call = asyncio.create_task(pool.run(time.sleep, 60))
    await wait_for_async(lambda: pool._quick._executor is not None, "a process starts")
    await pool.close()
    with pytest.raises(LostError):
        await call


async def test_what_is_quick_does_not_wait_for_what_is_slow_which_fails_when_the_server_stops(pool: Pool) -> None:
    slow, behind = [asyncio.create_task(pool.run_slow(time.sleep, 60)) for _ in range(2)]
    await wait_for_async(lambda: pool.num_calls == 2, "both are on their way")
    assert await pool.run(os.getpid) != os.getpid()
    assert (slow.done(), behind.done()) == (False, False)
    await pool.close()
    for call in (slow, behind):
        with pytest.raises(LostError):
            await call
    assert pool.num_calls == 0


async def test_an_address_has_one_turn_of_a_kind_and_neither_others_nor_other_kinds_wait_for_it(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MAX_ADDRESS_WORKS", 2)
    async with pool.turn("eve", "slow"):
        second = asyncio.create_task(pool.turn("eve", "slow").__aenter__())
        await asyncio.sleep(0)
        async with pool.turn("ann", "slow"), pool.turn("eve", "rules"):
            assert not second.done()
        with pytest.raises(TooFastError, match="from this address are waiting"):
            await pool.turn("eve", "slow").__aenter__()
        second.cancel()
    async with pool.turn("eve", "slow"):
        pass


async def test_a_process_that_is_killed_is_replaced_and_its_calls_are_repeated_a_few_times(
    pool: Pool, lost: list[str]
) -> None:
    first = await pool.run(os.getpid)
    call = asyncio.create_task(pool.run(time.sleep, 1))
    await asyncio.sleep(0.5)
    os.kill(first, signal.SIGKILL)
    await call
    assert await pool.run(os.getpid) != first
    assert lost.pop()
    with pytest.raises(LostError, match="ended unexpectedly"):
        await pool.run(os._exit, 3)
    assert await pool.run(os.getpid) != os.getpid()
    assert [lost.pop() for _ in range(WORKER_ATTEMPTS)]


async def test_a_process_without_an_answer_is_killed(
    pool: Pool, lost: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rooms, "WORKER_ATTEMPTS", 1)
    await pool.run(os.getpid)
    monkeypatch.setattr(rooms, "WORKER_STUCK_SECONDS", 0.2)

    with pytest.raises(LostError):
        await pool.run(time.sleep, 60)
    assert lost.pop()
    assert "no answer for 0.2 s" in caplog.text


async def test_a_process_without_work_ends(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await pool.run(os.getpid)
    monkeypatch.setattr(rooms, "WORKER_IDLE_SECONDS", 0.0)
    await pool.run(os.getpid)
    await wait_for_async(lambda: not is_running(first) and not pool.pids, "the process ends")
    monkeypatch.setattr(rooms, "WORKER_IDLE_SECONDS", 60.0)
    assert await pool.run(os.getpid) != first


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits private memory")
async def test_its_memory_is_limited(
    pool: Pool, lost: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rooms, "WORKER_ATTEMPTS", 1)

    with pytest.raises(LostError):
        await pool.run(bytearray, 3 * 2**30)
    assert lost.pop()
    assert "more memory than is allowed" in caplog.text


async def serve() -> None:
    """Work for ever, after printing the id of the process that does."""
    pool = Pool()
    print(await pool.run(os.getpid), flush=True)  # noqa: T201
    await pool.run(time.sleep, 600)


def test_it_ends_in_the_middle_of_its_work_when_the_server_is_killed() -> None:
    script = "import asyncio, tests.server.solving.test_pool as test; asyncio.run(test.serve())"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert is_running(pid)
        server.kill()
        wait_for(lambda: not is_running(pid), "the worker ends with its server")
