"""A listener that is told to stop ends, whatever the driver and the database do."""

import asyncio

import psycopg
import pytest

from fivedice.storage.engine.postgres import SERVING
from fivedice.storage.notify.listener import Listener

SECONDS = 20


class Deaf(Listener):
    """Misses the first time that it is cancelled, as `asyncio.wait_for` may on Python 3.11."""

    def __init__(self) -> None:
        super().__init__({}, lambda *_: None, lambda: None, patience=SECONDS)
        self.missed = asyncio.Event()

    async def _listen(self) -> None:
        try:
            await asyncio.sleep(SECONDS)
        except asyncio.CancelledError:
            self.missed.set()
        await asyncio.sleep(SECONDS)


def test_a_cancellation_that_the_driver_misses_is_said_again() -> None:
    async def stop() -> None:
        listener = Deaf()
        listening = asyncio.create_task(listener.run())
        await asyncio.sleep(0.01)
        listening.cancel()
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(listening, return_exceptions=True)
        assert listening.cancelled()
        assert listener.missed.is_set()

    asyncio.run(stop())


def test_a_listener_that_waits_for_a_restore_can_be_stopped(postgres: str) -> None:
    async def stop() -> None:
        begun = asyncio.Event()
        listener = Listener({"conninfo": postgres}, lambda *_: None, begun.set, patience=SECONDS)
        async with asyncio.timeout(SECONDS), await psycopg.AsyncConnection.connect(postgres) as restoring:
            await restoring.execute("SELECT pg_advisory_xact_lock(%s)", [SERVING])
            listening = asyncio.create_task(listener.run())
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while await (await restoring.execute(waiting)).fetchone() != (1,):
                await asyncio.sleep(0.01)
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            assert listening.cancelled()
            assert not begun.is_set()

    asyncio.run(stop())


def test_what_ends_a_listener_by_mistake_is_not_hidden() -> None:
    class Broken(Listener):
        async def _listen(self) -> None:
            raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        asyncio.run(Broken({}, lambda *_: None, lambda: None, patience=SECONDS).run())
