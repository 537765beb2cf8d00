"""Live tables: loaded once, changed once by each command, and shown to every connection."""

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection

from fivedice.base.errors import UnknownError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Greedy
from fivedice.server.identity.holders import Visitor
from fivedice.server.limits import MAX_QUEUED_MESSAGES, MAX_UPDATE_EVENTS
from fivedice.server.live import bot_scheduler, registry
from fivedice.server.live.broadcast import REACTION_SECONDS
from fivedice.server.live.live_stream import LiveStream, OnChange
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.table.answers import Accepted, AnyAnswer
from fivedice.server.table.messages import Reaction
from fivedice.server.table.verbs.play import Roll
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.own_data import rename_seats
from fivedice.storage.rows.streams import drop_streams, hold_seat
from tests.server.live.living import TABLE, Living, received
from tests.server.serving import TINY, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for_async


async def test_requests_at_the_same_time_load_a_table_once(living: Living) -> None:
    await living.begin()
    tables = living.services.tables
    tables._kept.clear()
    tables._live.clear()
    one, other = await asyncio.gather(tables.find(TABLE), tables.find(TABLE))
    assert one is other
    with pytest.raises(UnknownError):
        await tables.find("nothing")


async def test_the_newest_version_that_is_announced_or_known_to_a_client_counts(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    await living.write_remotely(2)
    assert (await tables.find(TABLE)).table.version == 1
    assert (await tables.find(TABLE, since=2)).table.version == live.table.version == 2
    for version in (3, 4):
        await living.write_remotely(version)
    for version in (4, 3):
        tables.on_notice(TABLE, version)
    assert (live.announced_version, live.is_stale) == (4, True)
    found = await tables.find(TABLE, since=1)
    assert (found is live, live.table.version, live.is_stale) == (True, 4, False)


@pytest.mark.parametrize("is_locked", [False, True])
async def test_a_seat_claimed_or_lost_while_a_table_is_read_is_read_again(living: Living, is_locked: bool) -> None:
    live, services = await living.begin(), living.services
    ben = await services.database.written(lambda c: known_holder(c, living.eve.key, 1.0))
    await services.database.written(lambda c: hold_seat(c, TABLE, 1, ben, 1.0))
    if is_locked:
        await live.lock.acquire()
    services.tables.record_claim(TABLE, 1, living.eve, ben)
    assert (live.seats_of(ben), live.must_reload) == (frozenset({1}), is_locked)
    live.must_reload = False
    assert await services.tables.remove_device(live, 1, ben)
    assert (live.seats_of(ben), live.must_reload) == (frozenset(), is_locked)
    live.must_reload = False
    assert not await services.tables.remove_device(live, 1, ben)
    assert not live.must_reload


@pytest.mark.parametrize("what", ["claimed", "renamed", "deleted"])
async def test_what_changes_while_a_table_is_loaded_is_not_missed(
    living: Living, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    live, services = await living.begin(), living.services
    services.tables.forget([TABLE])
    ben = await services.database.written(lambda c: known_holder(c, living.eve.key, 1.0))
    work: dict[str, Callable[[Connection], None]] = {
        "claimed": lambda connection: hold_seat(connection, TABLE, 1, ben, 1.0),
        "renamed": lambda connection: rename_seats(connection, TABLE, {1}),
        "deleted": lambda connection: drop_streams(connection, [TABLE]),
    }
    load, is_first = living.event_store.load, iter([True])

    async def load_slowly(id: str, on_change: OnChange) -> LiveStream:
        found = await load(id, on_change)
        if next(is_first, False):
            await services.database.written(work[what])
            if what == "claimed":
                services.tables.record_claim(TABLE, 1, living.eve, ben)
            else:
                services.tables.forget([TABLE])
        return found

    monkeypatch.setattr(living.event_store, "load", load_slowly)
    if what == "deleted":
        with pytest.raises(UnknownError):
            await services.tables.find(TABLE)
        return
    found = await services.tables.find(TABLE)
    assert (found.holders[1] > live.holders[1]) is (what == "claimed")
    assert found.table.seats[1].name == ("Player 2" if what == "renamed" else "Ben")


async def test_a_deleted_table_and_a_stopping_server_say_farewell(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    subscriber = await tables.subscribe(live, living.eve, 0, "192.0.2.1")
    tables.forget([TABLE, "unknown"])
    assert [message["type"] for message in await received(subscriber)] == ["update", "farewell"]
    await tables.close()
    late = await tables.subscribe(live, living.eve, 0, "192.0.2.1")
    assert [message["type"] for message in await received(late)][-1] == "farewell"


async def test_a_table_loaded_again_learns_of_a_command_that_was_in_progress_when_it_was_dropped(
    living: Living,
) -> None:
    before, tables = await living.begin(), living.services.tables
    tables.forget([TABLE])
    again = await tables.find(TABLE)
    subscriber = await tables.subscribe(again, living.eve, 0, "192.0.2.1")
    assert await roll(living, before) == Accepted("roll-1", 2)
    assert await tables.find(TABLE) is again, "there is no third one"
    await wait_for_async(lambda: again.table.version == 2, "the roll is read")
    tables.unsubscribe(again, subscriber)


async def test_values_for_a_table_are_sought_for_the_address_that_connected_last(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    await tables.subscribe(live, living.ann, 0, "192.0.2.1")
    eve = await tables.subscribe(live, living.eve, 0, "2001:db8:1:200::/56")
    tables.unsubscribe(live, eve)
    assert live.last_address == "2001:db8:1:200::/56"


def test_an_unused_table_is_dropped_from_memory_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not be part of a reference cycle, because a server seldom runs the garbage collector."""
    monkeypatch.setattr(registry, "MAX_CACHED_TABLES", 2)
    with serving(tmp_path) as server:
        ann = server.visit()
        gc.disable()
        try:
            first, *_ = [ann.create() for _ in range(5)]
            with ann.socket(first) as socket:
                socket.until(1)
            ann.do(first, "roll", seat=0, kept=[])
            for _ in range(2):
                ann.create()
            assert server.services.tables.num_live == 2
        finally:
            gc.enable()
        assert ann.view(first)["version"] == 2


async def roll(living: Living, live: LiveTable) -> AnyAnswer:
    command = Roll(id="roll-1", version=1, seat=0, kept=[])
    return await living.services.command_handler.handle(live, living.ann, command, "203.0.113.1")


def test_a_computer_player_that_fails_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot_scheduler, "BOT_RETRY_SECONDS", 0.01)
    choose, failures = Greedy.choose, iter([ZeroDivisionError("a mistake"), MemoryError()])

    def choose_at_last(player: Greedy, position: Position) -> Action:
        for failure in failures:
            raise failure
        return choose(player, position)

    monkeypatch.setattr(Greedy, "choose", choose_at_last)
    with serving(tmp_path) as server:
        ann = server.visit()
        with ann.socket(ann.create([{"kind": "greedy"}], toml=TINY)) as socket:
            while socket.receive() and socket.update["view"]["state"] != "over":
                pass
    assert caplog.text.count("computer player failed") == 2


async def test_a_repeated_command_is_answered_again(living: Living) -> None:
    live = await living.begin()
    answers = await asyncio.gather(*(roll(living, live) for _ in range(3)))
    assert answers == [Accepted("roll-1", 2)] * 3
    assert live.table.version == 2


async def test_a_stopping_server_finishes_what_it_has_begun(living: Living) -> None:
    live, handler = await living.begin(), living.services.command_handler
    await live.lock.acquire()
    under_way = asyncio.create_task(roll(living, live))
    await asyncio.sleep(0)
    closing = asyncio.create_task(handler.close(10.0))
    await asyncio.sleep(0.01)
    assert not closing.done()
    live.lock.release()
    assert await under_way == Accepted("roll-1", 2)
    await closing


@pytest.mark.parametrize(
    ("since", "status", "num_events"),
    [(0, "snapshot", 0), (1, "events", 2), (3, "up_to_date", 0), (9, "unknown_version", 0)],
)
async def test_an_update_says_what_is_new_since_a_version(
    living: Living, since: int, status: str, num_events: int
) -> None:
    live, tables = await living.begin(), living.services.tables
    for version in (2, 3):
        await living.tell_remotely(version)
    update = msgspec.json.decode(tables.broadcaster.update(live, living.ann.holder, since, None))
    assert (update["status"], len(update["events"]), update["yours"]) == (status, num_events, [0, 1])
    assert (update["view"]["version"], update["now"]) == (3, living.clock())


@pytest.mark.parametrize(
    ("num", "status"), [(None, "snapshot"), (0, "up_to_date"), (1, "events"), (MAX_UPDATE_EVENTS + 1, "snapshot")]
)
@pytest.mark.parametrize("help", ["none", "always"])
async def test_every_connection_gets_the_same_events_and_its_own_seats(
    living: Living, num: int | None, status: str, help: str
) -> None:
    live, tables = await living.begin(help=help), living.services.tables
    await living.services.searches.find(live.table.ruleset)  # whose end is an update, too
    await living.tell_remotely(2)
    subscribers = [await tables.subscribe(live, who, 0, "192.0.2.1") for who in (living.ann, living.eve)]
    for subscriber in subscribers:
        await received(subscriber)
    tables.broadcaster.publish(live, num)
    updates = [update for one in subscribers for update in await received(one) if update["type"] == "update"]
    assert [update["status"] for update in updates] == [status] * 2
    assert [update["yours"] for update in updates] == [[0, 1], []]
    assert [len(update["events"]) for update in updates] == [1 if status == "events" else 0] * 2


async def test_a_reaction_goes_to_everybody_if_it_is_from_its_seat_and_no_other_has_just_come(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    subscribers = [await tables.subscribe(live, who, 0, "192.0.2.1") for who in (living.ann, living.eve)]

    async def said() -> list[list[str]]:
        found = [await received(one) for one in subscribers]
        return [[one["reaction"] for one in messages if one["type"] == "reaction"] for messages in found]

    tables.broadcaster.react(live, living.eve, Reaction(0, "oops"))  # not Eve's seat
    tables.broadcaster.react(live, living.ann, Reaction(0, "hello"))
    tables.broadcaster.react(live, living.ann, Reaction(0, "thanks"))  # too soon
    tables.broadcaster.react(live, living.ann, Reaction(1, "bad_luck"))  # her other seat
    assert await said() == [["hello", "bad_luck"]] * 2
    living.clock.now += REACTION_SECONDS
    tables.broadcaster.react(live, living.ann, Reaction(0, "thanks"))
    assert await said() == [["thanks"]] * 2


VISITOR = Visitor("x" * 43, None)


async def now(subscriber: Subscriber) -> bytes:
    """The table as it is."""
    assert subscriber.visitor == VISITOR
    return b"now"


async def sent(subscriber: Subscriber) -> list[bytes]:
    return [message async for message in subscriber.messages()]


async def test_a_farewell_follows_the_answer_to_a_command_in_progress_unless_the_connection_is_closed() -> None:
    subscriber = Subscriber(VISITOR, now)
    with subscriber.busy():
        subscriber.close(b"farewell")
        subscriber.put(b"update")
        subscriber.answer(b"answer")
    assert subscriber.is_closing
    assert await sent(subscriber) == [b"update", b"answer", b"farewell"]
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
