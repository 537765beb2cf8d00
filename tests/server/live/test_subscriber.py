"""A subscriber queues the messages to a connection, and sends a snapshot to one that is too slow."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from fivedice.server.config.limits import MAX_QUEUED_MESSAGES
from fivedice.server.identity.holders import Visitor
from fivedice.server.live.subscriber import Subscriber
from tests.waiting import TIMEOUT_SECONDS

VISITOR = Visitor("x" * 43, None)


async def now(subscriber: Subscriber) -> bytes:
    """The table as it is."""
    assert subscriber.visitor == VISITOR
    return b"now"


async def sent(subscriber: Subscriber) -> list[bytes]:
    return [message async for message in subscriber.messages()]


async def test_a_farewell_follows_the_answer_to_a_command_in_progress() -> None:
    subscriber = Subscriber(VISITOR, now)
    with subscriber.busy():
        subscriber.close(b"farewell")
        subscriber.put(b"update")
        subscriber.answer(b"answer")
    assert subscriber.is_closing
    assert await sent(subscriber) == [b"update", b"answer", b"farewell"]


async def test_a_closed_connection_is_not_waited_for() -> None:
    subscriber = Subscriber(VISITOR, now)
    subscriber.close(b"farewell")
    subscriber.give_up()
    await asyncio.wait_for(subscriber.ended(), TIMEOUT_SECONDS)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, MAX_QUEUED_MESSAGES)), max_size=6))
def test_messages_come_in_order_and_a_slow_client_gets_a_snapshot_and_every_answer(
    runs: list[tuple[bool, int]],
) -> None:
    kinds = [is_answer for is_answer, num in runs for _ in range(num)]
    messages = [(is_answer, b"%d" % number) for number, is_answer in enumerate(kinds)]

    async def put() -> list[bytes]:
        subscriber = Subscriber(VISITOR, now)
        for is_answer, message in messages:
            (subscriber.answer if is_answer else subscriber.put)(message)
        subscriber.close(b"farewell")
        return await sent(subscriber)

    is_slow = not all(kinds[MAX_QUEUED_MESSAGES:])
    kept = [message for is_answer, message in messages if is_answer or not is_slow]
    assert asyncio.run(put()) == [*([b"now"] if is_slow else []), *kept, b"farewell"]


async def test_updates_do_not_take_up_the_room_for_answers() -> None:
    subscriber = Subscriber(VISITOR, now)
    for _ in range(MAX_QUEUED_MESSAGES):
        subscriber.answer(b"answer")
    subscriber.put(b"update")
    reading = asyncio.create_task(subscriber.room())
    messages = subscriber.messages()
    assert [await anext(messages) for _ in range(2)] == [b"now", b"answer"]
    await asyncio.wait_for(reading, TIMEOUT_SECONDS)


async def test_an_empty_message_follows_each_quiet_interval() -> None:
    subscriber = Subscriber(VISITOR, now)
    messages = subscriber.messages(quiet=0.01)
    assert await anext(messages) == b""
    subscriber.put(b"update")
    assert await anext(messages) == b"update"
    assert await anext(messages) == b""


async def test_messages_are_sent_at_once_until_the_connection_does_not_take_one() -> None:
    taken: list[bytes] = []
    takes = [True, True, False, True]

    def send_now(message: bytes) -> bool:
        is_taken = takes.pop(0)
        taken.extend([message] if is_taken else [])
        return is_taken

    subscriber = Subscriber(VISITOR, now)
    subscriber.send_now = send_now
    subscriber.put(b"update")
    subscriber.answer(b"answer")
    subscriber.put(b"late")
    subscriber.answer(b"behind it")
    assert taken == [b"update", b"answer"]
    batches = subscriber.batches()
    assert await anext(batches) == [b"late", b"behind it"]
    subscriber.put(b"next")
    subscriber.close(b"farewell")
    assert taken == [b"update", b"answer", b"next"]
    assert await anext(batches) == [b"farewell"]
