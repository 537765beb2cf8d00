"""A cancelled listener ends, even if the driver or the database does not cooperate."""

import asyncio

import psycopg
import pytest

from fivedice.storage.listener import Listener
from fivedice.storage.schema import SERVING
from tests.waiting import TIMEOUT_SECONDS, wait_for_async


class Uncancellable(Listener):
    """Misses its first cancellation, as `asyncio.wait_for` may on Python 3.11."""

    def __init__(self) -> None:
        super().__init__({}, lambda *_: None, lambda: None, timeout=TIMEOUT_SECONDS)
        self.started = asyncio.Event()
        self.missed = asyncio.Event()

    async def _listen(self) -> None:
        self.started.set()
        try:
            await asyncio.sleep(TIMEOUT_SECONDS)
        except asyncio.CancelledError:
            self.missed.set()
        await asyncio.sleep(TIMEOUT_SECONDS)


def test_a_cancellation_that_the_driver_misses_is_repeated() -> None:
    async def stop() -> None:
        listener = Uncancellable()
        listening = asyncio.create_task(listener.run())
        await listener.started.wait()
        listening.cancel()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await asyncio.gather(listening, return_exceptions=True)
        assert listening.cancelled()
        assert listener.missed.is_set()

    asyncio.run(stop())


def test_a_listener_that_waits_for_a_restore_can_be_cancelled(postgres: str) -> None:
    async def stop() -> None:
        is_listening = asyncio.Event()
        listener = Listener({"conninfo": postgres}, lambda *_: None, is_listening.set, timeout=TIMEOUT_SECONDS)
        with psycopg.connect(postgres) as restoring:
            restoring.execute("SELECT pg_advisory_xact_lock(%s)", [SERVING])
            listening = asyncio.create_task(listener.run())
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            await wait_for_async(lambda: restoring.execute(waiting).fetchone() == (1,), "the listener waits")
            listening.cancel()
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await asyncio.gather(listening, return_exceptions=True)
            assert listening.cancelled()
            assert not is_listening.is_set()

    asyncio.run(stop())


def test_an_unexpected_error_of_a_listener_is_raised() -> None:
    class Broken(Listener):
        async def _listen(self) -> None:
            raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        asyncio.run(Broken({}, lambda *_: None, lambda: None, timeout=TIMEOUT_SECONDS).run())
