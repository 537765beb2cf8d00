"""Jobs: how many run at once, who joins whose, and when they end."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count

import pytest

from fivedice.server.ops.jobs import Jobs
from fivedice.server.ops.rate_limits import TooFastError


class Work:
    """Work that ends when it is told to; `running` are the names of what is under way, `begun` of all that began."""

    def __init__(self) -> None:
        self.running: set[str] = set()
        self.begun: list[str] = []
        self.end = asyncio.Event()

    def __call__(self, name: str) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            self.begun.append(name)
            self.running.add(name)
            try:
                await self.end.wait()
                return f"{name} {len(self.begun)}"
            finally:
                self.running.remove(name)

        return work


class Load:
    """Jobs with callers."""

    def __init__(self, max_jobs: int = 20) -> None:
        self.jobs = Jobs(per_holder=1, per_address=2, max_jobs=max_jobs)
        self.work = Work()

    def ask(self, name: str, *, address: str = "a", holder: str | None = None) -> "asyncio.Task[str]":
        """A caller that waits for a job."""
        return asyncio.create_task(self.jobs.run(name, self.work(name), address=address, holder=holder))


async def settled() -> None:
    """Let every task run until it waits for something."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_one_job_of_a_holder_and_two_of_an_address_run_at_once() -> None:
    async def scenario() -> None:
        load = Load()
        names = iter(count())
        ann = [load.ask(f"ann {next(names)}", holder="ann") for _ in range(4)]
        ben = [load.ask(f"ben {next(names)}", holder="ben") for _ in range(4)]
        eve = load.ask("eve", address="b", holder="eve")
        cyd = load.ask("cyd", holder="cyd")
        await settled()
        assert load.work.running == {"ann 0", "ben 4", "eve"}, "the jobs of another address do not wait"
        load.work.end.set()
        await asyncio.gather(*ann, *ben, eve, cyd)
        assert [name for name in load.work.begun if name.startswith("ann")] == [f"ann {number}" for number in range(4)]
        assert load.jobs.num_jobs == 0

    asyncio.run(scenario())


def test_a_second_job_of_a_holder_takes_no_slot_of_its_address() -> None:
    async def scenario() -> None:
        load = Load()
        callers = [load.ask(f"ann {number}", holder="ann") for number in range(3)] + [load.ask("ben", holder="ben")]
        await settled()
        assert load.work.running == {"ann 0", "ben"}
        load.work.end.set()
        await asyncio.gather(*callers)

    asyncio.run(scenario())


def test_equal_jobs_run_once_whoever_asks() -> None:
    async def scenario() -> None:
        load = Load()
        callers = [load.ask("review", address=address) for address in "aabc"]
        await settled()
        load.work.end.set()
        assert await asyncio.gather(*callers) == ["review 1"] * 4
        assert await load.ask("review") == "review 2", "a job that has ended runs again"

    asyncio.run(scenario())


def test_a_job_is_cancelled_when_its_last_caller_leaves() -> None:
    async def scenario() -> None:
        load = Load()
        first, second, waiting = load.ask("figures", holder="ann"), load.ask("figures"), load.ask("dice", holder="ann")
        await settled()
        first.cancel()
        await settled()
        assert load.work.running == {"figures"}, "somebody else waits for it"
        second.cancel()
        again = load.ask("figures", holder="ann")
        await settled()
        assert load.work.running == {"dice"}, "the next one in the queue runs"
        waiting.cancel()
        await settled()
        assert load.work.begun == ["figures", "dice", "figures"], "nobody joins a job that is being cancelled"
        load.work.end.set()
        assert await again == "figures 3"

    asyncio.run(scenario())


def test_too_many_jobs_of_an_address_are_refused_until_some_have_ended() -> None:
    async def scenario() -> None:
        load = Load(max_jobs=3)
        callers = [load.ask(str(number)) for number in range(3)]
        await settled()
        with pytest.raises(TooFastError, match="3 requests from this address are waiting") as refused:
            await load.ask("3")
        assert refused.value.seconds > 0
        joined, other = load.ask("0"), load.ask("3", address="b")
        load.work.end.set()
        await asyncio.gather(*callers, joined, other)
        assert await load.ask("3") == "3 5"

    asyncio.run(scenario())


def test_an_error_reaches_all_callers() -> None:
    async def scenario() -> None:
        jobs = Jobs(per_holder=1, per_address=2, max_jobs=3)

        async def fail() -> None:
            raise ValueError("no")

        found = await asyncio.gather(*(jobs.run("x", fail, address="a") for _ in range(2)), return_exceptions=True)
        assert [str(error) for error in found] == ["no", "no"]
        assert jobs.num_jobs == 0

    asyncio.run(scenario())
