"""Long lists are gone through in parts, between which the event loop does other work."""

import asyncio

from fivedice.server.config.limits import CHUNK_ITEMS
from fivedice.server.games.library import chunked


async def test_other_tasks_run_between_two_parts_of_a_list() -> None:
    done: list[str] = []

    async def other() -> None:
        while len(done) < 5:
            done.append("other")
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    found: list[int] = []
    async for part in chunked(range(3 * CHUNK_ITEMS - 1)):
        found += part
        done.append(f"{len(part)}")
    await task
    assert found == list(range(3 * CHUNK_ITEMS - 1))
    assert done == [str(CHUNK_ITEMS), "other", str(CHUNK_ITEMS), "other", str(CHUNK_ITEMS - 1)]
