"""The broadcaster sends each connection what is new."""

import msgspec
import pytest

from fivedice.server.config.limits import MAX_UPDATE_EVENTS
from fivedice.server.live.broadcast import REACTION_SECONDS
from fivedice.server.table.messages import Reaction
from tests.server.live.living import Living, received


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
