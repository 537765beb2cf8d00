"""The helper process computes for the server, is replaced when it dies, and never outlives the server."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from fivedice.errors import MalformedError
from fivedice.rulesets import parse_ruleset
from fivedice.server.config.limits import HELPER_ATTEMPTS, HELPER_NICENESS
from fivedice.server.games.read_record import read_record
from fivedice.server.solving import helper as rooms
from fivedice.server.solving.helper import Helper, LostError
from fivedice.server.solving.wire import LENGTH_BYTES, decode, encode
from tests.server.serving import TINY
from tests.server.solving.failing import fail
from tests.waiting import wait_for, wait_for_async


def with_helper(scenario: Callable[[Helper], Awaitable[None]]) -> int:
    """Run a scenario and close its helper; returns the number of processes that died."""
    num_lost = 0

    def count_loss() -> None:
        nonlocal num_lost
        num_lost += 1

    async def run() -> None:
        helper = Helper(count_loss)
        try:
            await scenario(helper)
        finally:
            await helper.close()

    asyncio.run(run())
    return num_lost


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_functions_run_in_one_other_process_at_low_priority_which_starts_when_needed() -> None:
    async def scenario(helper: Helper) -> None:
        assert helper.pid is None
        pid = await helper.run("games", os.getpid)
        assert pid == await helper.run("records", os.getpid) == helper.pid != os.getpid()
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert await helper.run("games", os.getpriority, os.PRIO_PROCESS, 0) == min(own + HELPER_NICENESS, 19)
        await helper.close()
        assert not is_running(pid)
        with pytest.raises(LostError, match="stopping"):
            await helper.run("games", os.getpid)

    assert with_helper(scenario) == 0


def test_errors_keep_their_type_and_name_the_process() -> None:
    async def scenario(helper: Helper) -> None:
        with pytest.raises(MalformedError, match="record 3: ") as error:
            await helper.run("imports", read_record, 3, "no record", None)
        assert "read_record.py" in error.value.__notes__[0]
        with pytest.raises(TypeError, match="cannot pickle"):
            await helper.run("imports", threading.Lock)
        with pytest.raises(RuntimeError, match=r"EventsMissingError: fivedice\.db lacks 3 events"):
            await helper.run("imports", fail)

    assert with_helper(scenario) == 0


def test_calls_of_one_lane_wait_for_each_other_and_not_for_other_lanes() -> None:
    async def scenario(helper: Helper) -> None:
        slow = asyncio.create_task(helper.run("games", time.sleep, 60))
        behind = asyncio.create_task(helper.run("games", os.getpid))
        assert await helper.run("records", os.getpid) == helper.pid
        assert (slow.done(), behind.done(), helper.num_calls) == (False, False, 2)
        await helper.close()
        for call in (slow, behind):
            with pytest.raises(LostError):
                await call
        assert helper.num_calls == 0

    assert with_helper(scenario) == 0


def test_a_process_that_is_killed_is_replaced_and_its_calls_are_repeated() -> None:
    async def scenario(helper: Helper) -> None:
        first = await helper.run("games", os.getpid)
        call = asyncio.create_task(helper.run("games", time.sleep, 1))
        await wait_for_async(lambda: helper.num_calls == 1, "the call is on its way")
        os.kill(first, signal.SIGKILL)
        await call
        assert await helper.run("games", os.getpid) != first

    assert with_helper(scenario) == 1


def test_a_call_that_ends_every_process_fails_and_the_next_one_succeeds() -> None:
    async def scenario(helper: Helper) -> None:
        with pytest.raises(LostError, match="ended unexpectedly"):
            await helper.run("games", os._exit, 3)
        assert await helper.run("games", os.getpid) == helper.pid

    assert with_helper(scenario) == HELPER_ATTEMPTS


def test_a_process_without_an_answer_is_killed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rooms, "HELPER_STUCK_SECONDS", 0.2)
    monkeypatch.setattr(rooms, "HELPER_ATTEMPTS", 1)

    async def scenario(helper: Helper) -> None:
        with pytest.raises(LostError):
            await helper.run("games", time.sleep, 60)

    assert with_helper(scenario) == 1
    assert "no answer" in caplog.text


def test_a_process_without_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(helper: Helper) -> None:
        first = await helper.run("games", os.getpid)
        monkeypatch.setattr(rooms, "HELPER_IDLE_SECONDS", 0.0)
        await helper.run("games", os.getpid)
        await wait_for_async(lambda: not is_running(first) and helper.pid is None, "the process ends")
        monkeypatch.setattr(rooms, "HELPER_IDLE_SECONDS", 60.0)
        assert await helper.run("games", os.getpid) != first

    assert with_helper(scenario) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits private memory")
def test_its_memory_is_limited(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(rooms, "HELPER_ATTEMPTS", 1)

    async def scenario(helper: Helper) -> None:
        with pytest.raises(LostError):
            await helper.run("games", bytearray, 3 * 2**30)

    assert with_helper(scenario) == 1
    assert "bytes of memory" in caplog.text


def test_it_ignores_stop_signals_which_are_for_the_server() -> None:
    async def scenario(helper: Helper) -> None:
        pid = await helper.run("games", os.getpid)
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(pid, number)
        assert await helper.run("games", os.getpid) == pid

    assert with_helper(scenario) == 0


_SERVER = """
import asyncio, os, time
from fivedice.server.solving.helper import Helper

async def serve():
    helper = Helper()
    print(await helper.run("games", os.getpid), flush=True)
    await helper.run("games", time.sleep, 600)

asyncio.run(serve())
"""


def test_it_ends_in_the_middle_of_its_work_when_the_server_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert is_running(pid)
        server.kill()
        wait_for(lambda: not is_running(pid), "the helper ends with its server")


def test_rules_are_sent_as_the_text_of_their_file() -> None:
    ruleset = parse_ruleset(TINY, "tiny.toml")
    _ = ruleset.boxes
    message = encode([ruleset, ruleset.but()])
    assert len(message) < LENGTH_BYTES + 2 * len(TINY) + 300
    found = decode(message[LENGTH_BYTES:])
    assert [one.digest for one in found] == [ruleset.digest] * 2
    assert str(found[0]) == "tiny.toml"
