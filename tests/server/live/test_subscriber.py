"""A feed: what a connection has yet to be sent, and what a slow one gets in place of everything it missed."""

import asyncio

from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.subscriber import MAX_WAITING, Feed

VISITOR = Visitor("x" * 43, None)


def sent(feed: Feed) -> list[bytes]:
    """All that a feed sends until it is closed."""

    async def collect() -> list[bytes]:
        return [message async for message in feed.messages()]

    return asyncio.run(asyncio.wait_for(collect(), 10))


def test_messages_are_sent_in_their_order() -> None:
    feed = Feed(VISITOR, lambda visitor: b"now")
    feed.begin(b"first")
    feed.put(b"news")
    feed.answer(b"answer")
    feed.close(b"farewell")
    assert sent(feed) == [b"first", b"news", b"answer", b"farewell"]


def test_a_slow_connection_gets_one_update_in_place_of_many_and_every_answer() -> None:
    feed = Feed(VISITOR, lambda visitor: b"now" if visitor == VISITOR else b"somebody else's")
    for _ in range(MAX_WAITING + 1):
        feed.put(b"news")
    feed.answer(b"answer")
    feed.put(b"more news")
    feed.close(b"farewell")
    assert sent(feed) == [b"now", b"answer", b"farewell"]


def test_no_answer_gives_way_to_news() -> None:
    feed = Feed(VISITOR, lambda visitor: b"now")
    answers = [f"answer {number}".encode() for number in range(3)]
    for answer in answers:
        feed.answer(answer)
        for _ in range(MAX_WAITING):
            feed.put(b"news")
    feed.close(b"farewell")
    assert sent(feed) == [b"now", *answers, b"farewell"]


def test_news_among_many_answers_do_not_stop_commands_from_being_read() -> None:
    async def play() -> None:
        feed = Feed(VISITOR, lambda visitor: b"now")
        for _ in range(MAX_WAITING):
            feed.answer(b"answer")
        feed.put(b"news")
        reading = asyncio.create_task(feed.room())
        messages = feed.messages()
        assert [await anext(messages) for _ in range(2)] == [b"now", b"answer"]
        await asyncio.wait_for(reading, 10)

    asyncio.run(play())


def test_a_feed_without_messages_says_so_when_asked_to() -> None:
    async def play() -> None:
        feed = Feed(VISITOR, lambda visitor: b"now")
        messages = feed.messages(quiet=0.01)
        assert await anext(messages) == b""
        feed.put(b"news")
        assert await anext(messages) == b"news"
        assert await anext(messages) == b""

    asyncio.run(play())


def test_what_waits_is_bounded_whatever_it_is() -> None:
    feed = Feed(VISITOR, lambda visitor: b"now")
    for _ in range(MAX_WAITING):
        feed.answer(b"answer")
    for _ in range(10 * MAX_WAITING):
        feed.put(b"news")
    feed.close(b"farewell")
    assert sent(feed) == [b"now", *[b"answer"] * MAX_WAITING, b"farewell"]
