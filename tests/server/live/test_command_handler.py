"""The command handler changes a table once for each command, however it competes with other processes."""

import asyncio

from fivedice.server.live.live_table import LiveTable
from fivedice.server.table.answers import Accepted, AnyAnswer, Refused
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.play import Roll
from tests.server.live.living import Living


async def send(living: Living, live: LiveTable, command: AnyCommand) -> AnyAnswer:
    return await living.services.command_handler.handle(live, living.ann, command, "203.0.113.1")


def roll(version: int, id: str = "roll-1", seat: int = 0) -> Roll:
    return Roll(id=id, version=version, seat=seat, kept=[])


async def test_a_repeated_command_is_answered_again_and_changes_nothing(living: Living) -> None:
    live = await living.begin()
    answers = await asyncio.gather(*(send(living, live, roll(1)) for _ in range(3)))
    assert answers == [Accepted("roll-1", 2)] * 3
    assert live.table.version == 2


async def test_a_command_against_a_version_from_another_process_reads_that_first(living: Living) -> None:
    live = await living.begin()
    await living.write_remotely(2)
    assert await send(living, live, roll(2)) == Accepted("roll-1", 3)


async def test_a_command_against_an_old_version_does_not_hide_a_newer_announced_one(living: Living) -> None:
    live = await living.begin()
    await living.write_remotely(2)
    live.announced_version = 2
    answer = await send(living, live, roll(1))
    assert isinstance(answer, Refused)
    assert (answer.reason, answer.version, live.table.version) == ("stale", 2, 2)


async def test_a_command_whose_version_was_taken_is_decided_again(living: Living) -> None:
    live = await living.begin()
    await living.write_remotely(2)
    answer = await send(living, live, roll(1))
    assert isinstance(answer, Refused)
    assert (answer.reason, live.table.version) == ("stale", 2)


async def test_a_stopping_server_finishes_what_it_has_begun(living: Living) -> None:
    live, handler = await living.begin(), living.services.command_handler
    await live.lock.acquire()
    under_way = asyncio.create_task(send(living, live, roll(1)))
    await asyncio.sleep(0)
    closing = asyncio.create_task(handler.close(10.0))
    await asyncio.sleep(0.01)
    assert not closing.done()
    live.lock.release()
    assert await under_way == Accepted("roll-1", 2)
    await closing
