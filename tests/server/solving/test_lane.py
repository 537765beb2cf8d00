"""Work in a lane: who has the next turn, who joins whose, and when it ends."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from fivedice.server.ops.budget import TooFastError
from fivedice.server.solving import pool
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.lane import Work, own_turn
from fivedice.server.solving.pool import Pool
from tests.waiting import wait_for_async


class Steps:
    """Work in steps, before each of which it waits for its turn; `steps` are the names of those whose step began."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.running: set[str] = set()
        self.end = asyncio.Event()

    def __call__(self, name: str, num_steps: int = 1) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            self.running.add(name)
            try:
                for _ in range(num_steps):
                    await own_turn()
                    self.steps.append(name)
                    await (self.end.wait() if num_steps == 1 else asyncio.sleep(0.02))
                return f"{name} {len(self.steps)}"
            finally:
                self.running.remove(name)

        return work


class Load:
    """A pool with callers."""

    def __init__(self) -> None:
        self.pool = Pool()
        self.lane = self.pool.many_games
        self.work = Steps()

    def ask(self, name: str, *, address: str = "a", holder: str = "", num_steps: int = 1) -> "asyncio.Task[str]":
        """A caller that waits for work."""
        do = self.work(name, num_steps)
        return asyncio.create_task(self.pool.share(self.lane, name, Who(address, holder), do))


@pytest.fixture
async def load() -> AsyncIterator[Load]:
    """A pool, closed at the end."""
    load = Load()
    yield load
    await load.pool.close()


@pytest.fixture
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns end soon if others wait."""
    monkeypatch.setattr(pool, "BATCH_SECONDS", 0.01)


@pytest.fixture
def few_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address may wait for three."""
    monkeypatch.setattr(pool, "MAX_ADDRESS_WORKS", 3)


async def settled() -> None:
    """Let every task run until it waits for something."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.usefixtures("short_turns")
async def test_addresses_and_their_holders_take_turns(load: Load) -> None:
    eve = [load.ask(f"eve {number}", address="e", holder="eve", num_steps=6) for number in range(4)]
    await settled()
    ann = load.ask("ann", address="a", holder="ann", num_steps=3)
    await ann
    steps = load.work.steps
    assert steps.count("ann") == 3
    assert len(steps) - 3 <= 6, "she waited for one of Eve at each turn"
    await asyncio.gather(*eve)
    assert sorted(set(steps[-6:])) == ["eve 3"], "the work of one holder comes one after another"


async def test_equal_work_is_done_once_whoever_asks(load: Load) -> None:
    callers = [load.ask("review", address=address) for address in "aabc"]
    await settled()
    load.work.end.set()
    assert await asyncio.gather(*callers) == ["review 1"] * 4
    assert await load.ask("review") == "review 2", "what has ended is done again"
    await settled()
    assert len(load.lane) == 0


async def test_work_is_cancelled_when_its_last_caller_leaves(load: Load) -> None:
    first, second, waiting = load.ask("figures", holder="ann"), load.ask("figures"), load.ask("dice", holder="ann")
    again_first = load.ask("figures", holder="ann")
    await settled()
    first.cancel()
    again_first.cancel()
    await settled()
    assert load.work.running == {"figures"}, "somebody else waits for it"
    second.cancel()
    again = load.ask("figures", holder="ann")
    await settled()
    assert load.work.running == {"dice"}, "the next one in the queue has its turn"
    waiting.cancel()
    await settled()
    assert load.work.steps == ["figures", "dice", "figures"], "nobody joins work that is being cancelled"
    load.work.end.set()
    assert await again == "figures 3"


@pytest.mark.usefixtures("few_works")
async def test_too_much_work_of_an_address_is_refused_until_some_has_ended(load: Load) -> None:
    callers = [load.ask(str(number)) for number in range(3)]
    await settled()
    with pytest.raises(TooFastError, match="3 requests from this address are waiting") as refused:
        await load.ask("3")
    assert refused.value.seconds > 0
    joined, other = load.ask("0"), load.ask("3", address="b")
    load.work.end.set()
    await asyncio.gather(*callers, joined, other)
    assert await load.ask("3") == "3 5"


async def test_an_error_reaches_all_callers(load: Load) -> None:
    async def fail() -> None:
        raise ValueError("no")

    sharing = (load.pool.share(load.lane, "x", Who("a"), fail) for _ in range(2))
    found = await asyncio.gather(*sharing, return_exceptions=True)
    assert [str(error) for error in found] == ["no", "no"]


@pytest.mark.usefixtures("short_turns")
async def test_work_that_was_done_without_a_turn_is_done_again_for_the_next_caller(load: Load) -> None:
    is_read = asyncio.Event()
    num_done = 0

    async def read() -> int:
        nonlocal num_done
        await is_read.wait()
        num_done += 1
        return num_done

    first = asyncio.create_task(load.pool.share(load.lane, "read", Who("a"), read))
    other = load.ask("other", address="b")
    await wait_for_async(lambda: "other" in load.work.running, "the first makes room")
    is_read.set()
    assert await first == 1
    second = asyncio.create_task(load.pool.share(load.lane, "read", Who("a"), read))
    await settled()
    load.work.end.set()
    assert (await second, await other) == (2, "other 1")


async def test_what_begins_to_work_during_a_pause_is_paused() -> None:
    class Process:
        """Notes what it is told."""

        def __init__(self) -> None:
            self.got: list[str] = []

        def pause(self) -> None:
            self.got.append("pause")

        def resume(self) -> None:
            self.got.append("resume")

    async def wait(_: Work) -> None:
        await asyncio.Event().wait()

    work, process = Work(Pool().one_game, wait), Process()
    task = work.resume()
    work.pause()
    work.attach(process)
    work.resume()
    assert process.got == ["pause", "resume"]
    work.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_callers_learn_that_the_server_stops(load: Load) -> None:
    callers = [load.ask(name, address=name) for name in "ab"]
    await settled()
    await load.pool.close()
    found = await asyncio.gather(*callers, return_exceptions=True)
    assert [str(error) for error in found] == ["the server is stopping"] * 2
