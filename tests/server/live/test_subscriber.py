"""A feed: what a connection has yet to be sent, and what a slow one gets in place of everything it missed."""

import asyncio

from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.subscriber import MAX_WAITING, Subscriber

VISITOR = Visitor("x" * 43, None)


def sent(subscriber: Subscriber) -> list[bytes]:
    """All that a feed sends until it is closed."""

    async def collect() -> list[bytes]:
        return [message async for message in subscriber.messages()]

    return asyncio.run(asyncio.wait_for(collect(), 10))


def test_messages_are_sent_in_their_order() -> None:
    subscriber = Subscriber(VISITOR, lambda visitor: b"now")
    subscriber.begin(b"first")
    subscriber.put(b"news")
    subscriber.answer(b"answer")
    subscriber.close(b"farewell")
    assert sent(subscriber) == [b"first", b"news", b"answer", b"farewell"]


def test_a_slow_connection_gets_one_update_in_place_of_many_and_every_answer() -> None:
    subscriber = Subscriber(VISITOR, lambda visitor: b"now" if visitor == VISITOR else b"somebody else's")
    for _ in range(MAX_WAITING + 1):
        subscriber.put(b"news")
    subscriber.answer(b"answer")
    subscriber.put(b"more news")
    subscriber.close(b"farewell")
    assert sent(subscriber) == [b"now", b"answer", b"farewell"]


def test_no_answer_gives_way_to_news() -> None:
    subscriber = Subscriber(VISITOR, lambda visitor: b"now")
    answers = [f"answer {number}".encode() for number in range(3)]
    for answer in answers:
        subscriber.answer(answer)
        for _ in range(MAX_WAITING):
            subscriber.put(b"news")
    subscriber.close(b"farewell")
    assert sent(subscriber) == [b"now", *answers, b"farewell"]


def test_news_among_many_answers_do_not_stop_commands_from_being_read() -> None:
    async def play() -> None:
        subscriber = Subscriber(VISITOR, lambda visitor: b"now")
        for _ in range(MAX_WAITING):
            subscriber.answer(b"answer")
        subscriber.put(b"news")
        reading = asyncio.create_task(subscriber.room())
        messages = subscriber.messages()
        assert [await anext(messages) for _ in range(2)] == [b"now", b"answer"]
        await asyncio.wait_for(reading, 10)

    asyncio.run(play())


def test_a_feed_without_messages_says_so_when_asked_to() -> None:
    async def play() -> None:
        subscriber = Subscriber(VISITOR, lambda visitor: b"now")
        messages = subscriber.messages(quiet=0.01)
        assert await anext(messages) == b""
        subscriber.put(b"news")
        assert await anext(messages) == b"news"
        assert await anext(messages) == b""

    asyncio.run(play())


def test_what_waits_is_bounded_whatever_it_is() -> None:
    subscriber = Subscriber(VISITOR, lambda visitor: b"now")
    for _ in range(MAX_WAITING):
        subscriber.answer(b"answer")
    for _ in range(10 * MAX_WAITING):
        subscriber.put(b"news")
    subscriber.close(b"farewell")
    assert sent(subscriber) == [b"now", *[b"answer"] * MAX_WAITING, b"farewell"]
