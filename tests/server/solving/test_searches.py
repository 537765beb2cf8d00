"""Searches take turns, and end when nobody waits for them any more."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import cast

import pytest

from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.solving import searches, worker_process
from fivedice.server.solving.fair_queue import FairQueue, Who
from fivedice.server.solving.searches import Searches, SearchProcess
from fivedice.server.solving.worker_process import WorkerProcess
from fivedice.server.table.state import ruleset_of
from tests import forked
from tests.waiting import wait_for, wait_for_async

EVE, ANN = (Who("192.0.2.1", "eve"),), (Who("192.0.2.2", "ann"),)
QUICK = ruleset_of("crag[rolls=2]")


def slow(number: int) -> Ruleset:
    """Rules for which the search takes some seconds here."""
    return ruleset_of(f"crag[rolls={3 + number}]")


@pytest.fixture(autouse=True)
def pids(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The ids of the processes that search; those for slow rules work for four seconds, and each turn is short."""
    started: list[int] = []
    monkeypatch.setattr(searches, "SEARCH_SHARE_SECONDS", 0.5)
    monkeypatch.setattr(searches, "SEARCH_LOOK_SECONDS", 0.05)
    take = FairQueue.take
    taken: list[object] = []

    def take_and_note(fair: FairQueue[searches.Key]) -> searches.Key | None:
        key = take(fair)
        taken.extend([key] if key else [])
        return key

    async def start(_: str, *args: str) -> forked.ForkedChild:
        seconds = "0" if taken[-1][0] == QUICK.digest else "4"  # type: ignore[index]
        module = "tests.server.solving.slow_child"
        child = await forked.start_child(module, "searching", seconds, *args)
        started.append(child.pid)
        return child

    monkeypatch.setattr(FairQueue, "take", take_and_note)
    monkeypatch.setattr(worker_process, "start_child", start)
    yield started
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the processes that have been paused, each as often as it was. They stand still when they are noted."""
    found: list[int] = []
    pause = WorkerProcess.pause

    def pause_and_note(worker: WorkerProcess) -> None:
        pause(worker)
        wait_for(lambda: state_of(worker.process.pid) == "T", "the process stands still")
        found.append(worker.process.pid)

    monkeypatch.setattr(WorkerProcess, "pause", pause_and_note)
    return found


@pytest.fixture
async def solutions(tmp_path: Path, pids: list[int]) -> AsyncIterator[Searches]:
    """A queue."""
    solutions = Searches(tmp_path)
    yield solutions
    await solutions.close()
    await asyncio.sleep(0.2)  # the pipes to the processes end


def state_of(pid: int) -> str:
    """The state of a process as Linux tells it; "T" is stopped."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]


async def test_a_search_of_another_pauses_after_its_share_and_goes_on_later(
    solutions: Searches, pids: list[int], paused: list[int]
) -> None:
    for number in range(3):
        assert solutions.solution(slow(number), EVE) is None
    await wait_for_async(lambda: pids, "the first search runs")
    assert [solutions.place(slow(number)) for number in range(3)] == [0, 1, 2]
    assert solutions.solution(QUICK, ANN) is None
    assert solutions.place(QUICK) == 1, "it comes before the others of Eve"
    await wait_for_async(lambda: len(pids) > 1, "its turn comes")
    await wait_for_async(lambda: pids[0] in paused, "the first search is paused")
    await wait_for_async(lambda: solutions.solution(QUICK, ANN), "it is solved")
    assert solutions.solution(slow(0), EVE) is None
    await wait_for_async(lambda: solutions.solution(slow(0), EVE), "the first search went on")
    assert len(pids) <= 3, "it did not begin again"


async def test_searches_that_nobody_waits_for_any_more_end(
    solutions: Searches, pids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        assert solutions.solution(slow(number), EVE) is None
    await wait_for_async(lambda: pids, "the first search runs")
    monkeypatch.setattr(searches, "SEARCH_PATIENCE_SECONDS", 0.2)
    for _ in range(10):
        assert solutions.solution(slow(1), ANN) is None, "who asks again still waits"
        await asyncio.sleep(0.05)
    assert [solutions.place(slow(number)) for number in range(3)] == [None, 0, None]
    await wait_for_async(lambda: solutions.num_waiting == 0, "nobody asks any more")


async def test_a_listener_is_called_so_often_that_it_keeps_waiting(
    solutions: Searches, pids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searches, "SEARCH_PATIENCE_SECONDS", 1.0)

    def ask() -> None:
        solutions.solution(slow(0), EVE, ask)

    ask()
    await wait_for_async(lambda: solutions.num_waiting == 0, "it is solved or dropped")
    assert solutions.solution(slow(0), EVE)
    assert len(pids) == 1


async def test_a_paused_search_ends_with_the_server(solutions: Searches, pids: list[int], paused: list[int]) -> None:
    assert solutions.solution(slow(0), EVE) is None
    await wait_for_async(lambda: pids, "the search runs")
    assert solutions.solution(slow(1), ANN) is None
    await wait_for_async(lambda: pids[0] in paused, "it is paused")


async def test_pauses_do_not_count_to_the_time_limit_of_a_search() -> None:
    class Process:
        """Notes what it is told."""

        def __init__(self) -> None:
            self.got: list[str] = []

        def pause(self) -> None:
            self.got.append("pause")

        def resume(self) -> None:
            self.got.append("resume")

    child, loop = Process(), asyncio.get_running_loop()
    async with asyncio.timeout(1_000) as limit:
        process = SearchProcess(cast("WorkerProcess", child), limit)
        end = limit.when()
        assert end is not None
        process.resume()
        assert (limit.when(), child.got) == (end, []), "it was not paused"
        process.pause()
        assert limit.when() is None
        await asyncio.sleep(0.2)
        process.resume()
        resumed = limit.when()
        assert resumed is not None
        assert end + 0.2 <= resumed <= loop.time() + 1_000
    assert child.got == ["pause", "resume"]
