"""Counts of dice in SQLite and PostgreSQL: concurrent, in steps, and rebuilt from the events."""

import asyncio
import random
from itertools import pairwise

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from fivedice.analysis.dice_counts import COMPUTER, PERSON, Cell, DiceCounts
from fivedice.base.errors import IllegalError
from fivedice.players import Greedy
from fivedice.server.games.dice_counter import DiceCounter, count_on
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Event
from fivedice.server.table.verbs import Announce, Closed, Rolled, Scored, Undone
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.dice_counts import DiceCursor, add_counts, stored_cursor, uncounted
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.life import find_changed, store_read
from fivedice.storage.rows.streams import create_stream
from fivedice.storage.rows.tables import create_table
from fivedice.storage.schema import changed_streams, dice_counts, streams
from tests.server.scripted import SECRET, Live, Scripted, computers, people
from tests.storage.conftest import bare_url, open_database, url
from tests.storage.empty import OpenDatabase


def played() -> list[Event]:
    """A person against a computer: an undone score whose turn continues, another that is undone with the computer's
    turn after it, and a few more turns up to a person's score."""
    live = Live(NewTable(seats=[*people("Ann"), *computers("random")], casual=True))
    chance = random.Random(5)
    live.do(live.roll())
    live.do(live.score("chance"))
    live.do(live.undo(0))
    live.do(live.roll("x..x."))
    live.do(live.roll("x.xx."))
    live.do(live.score("chance"))
    play_computer(live)
    live.do(live.undo(0))
    live.do(live.score("twos"))
    for _ in range(13):
        if live.table.position.seat:
            play_computer(live)
        else:
            live.do(live.roll())
            live.do(live.roll("".join(chance.choice("x.") for _ in range(5))))
            box = next(offer.action.box for offer in live.table.position.offers())
            live.do(live.score(box))
    return live.events


def play_computer(live: Live) -> None:
    """Take the turn of the computer player."""
    while live.table.position.seat:
        assert live.let_computer_act(lambda kind, position: Greedy().choose(position))


@pytest.fixture(scope="module")
def events() -> list[Event]:
    """The events of a table with an undone score."""
    return played()


def brute_force(events: list[Event]) -> DiceCounts:
    """A simple count of the events, die by die."""
    counts: DiceCounts = DiceCounts()
    stream: list[int] = []
    rolls: list[Rolled] = []
    at_score = 0
    for found in events:
        match found:
            case Rolled():
                rolls.append(found)
            case Scored(by="person"):
                at_score = len(rolls)
            case Undone():
                del rolls[at_score:]
    for before, event in pairwise([None, *rolls]):
        assert event is not None
        who = f"{event.seat} {PERSON if event.by == 'person' else COMPUTER}"
        kept = [die for place, die in enumerate(event.dice) if event.kept and event.kept[place]]
        new = [place for place in range(5) if not (event.kept and event.kept[place])]
        for place in new:
            face = event.dice[place]
            counts[Cell("faces", 6, who, str(face))] += 1
            if stream:
                counts[Cell("follows", 6, str(stream[-1]), str(face))] += 1
            if event.kept and before:
                counts[Cell("replaces", 6, str(before.dice[place]), str(face))] += 1
            if kept:
                counts[Cell("kept", 6, str(len(set(kept))), "same" if face in kept else "other")] += 1
            stream.append(face)
        if len(new) > 1:
            faces = [event.dice[place] for place in new]
            equal = sorted((faces.count(face) for face in set(faces)), reverse=True)
            counts[Cell("pairs", 6, str(len(new)), "".join(map(str, equal)))] += 1
    return counts


def test_the_counts_match_a_simple_count(events: list[Event]) -> None:
    counted = count_on("t", DiceCursor(), [*events, Closed(at=1.0)])
    assert counted.counts == brute_force(events)
    assert counted.after.version == len(events) + 1


def test_counting_in_two_parts_gives_the_same_result(events: list[Event]) -> None:
    whole = count_on("t", DiceCursor(), events)
    for cut in range(len(events) + 1):
        first = count_on("t", DiceCursor(), events[:cut])
        rest = count_on("t", first.after, events[first.after.version :])
        assert rest.after == whole.after
        assert first.counts + rest.counts == whole.counts


def test_rolls_are_counted_once_when_an_announcement_is_taken_back() -> None:
    dice = Scripted({(0, roll): "66644" for roll in range(3)})
    game = Live(NewTable(seats=people("Ann"), rules="yamb", casual=True), chance=dice)
    game.do(game.roll())
    game.do(Announce(id=game.new_id(), version=game.table.version, seat=0, box="yamb_announced"))
    game.do(game.undo(0))
    game.do(game.roll("xxx.."))
    counted = count_on("t", DiceCursor(), game.events[:3])
    rest = count_on("t", counted.after, game.events[counted.after.version :])
    assert counted.counts + rest.counts == (whole := count_on("t", DiceCursor(), game.events).counts)
    assert sum(num for cell, num in whole.items() if cell.table == "faces") == 7


def test_a_roll_that_does_not_fit_the_cursor_is_refused() -> None:
    with pytest.raises(IllegalError, match="no roll is possible"):
        count_on("t", DiceCursor(), [Rolled(at=1.0, seat=0, dice=[1, 2, 3, 4, 5], kept=[True] * 5)])


__all__ = ["bare_url", "open_database", "url"]


@pytest.fixture
def databases(open_database: OpenDatabase, url: str) -> list[Database]:
    """The connections of two processes to one database."""
    return [open_database(url), open_database(url)]


def store(database: Database, table: str, events: list[Event]) -> None:
    entries = [
        stored_event(event, table, number, f"{number}", f"{number - 1}") for number, event in enumerate(events, 1)
    ]
    database.write(lambda connection: create_table(connection, SECRET, entries[0], [])).result()
    for entry in entries[1:]:
        assert database.append(entry).result()


async def test_two_counters_in_steps_count_like_one_at_once(databases: list[Database], events: list[Event]) -> None:
    counters = [DiceCounter(database) for database in databases]
    for number in range(3):
        store(databases[0], f"table{number}", events[: 10 + number])
    for part in range(13, len(events) + 1, 9):
        for number in range(3):
            for version in range(part - 9 if part > 13 else 10 + number, part):
                entry = stored_event(events[version], f"table{number}", version + 1, f"{version + 1}", f"{version}")
                await databases[0].appended(entry)
        for counter in counters:
            for number in range(3):
                counter.mark(f"table{number}")
        await asyncio.gather(*(counter.count_marked() for counter in counters))
    for counter in counters:
        await counter.sweep()
    found = await counters[1].counts()
    stored = databases[0].read(lambda connection: uncounted(connection, "table0"))
    assert stored is not None
    once = count_on("t", DiceCursor(), events[: stored.cursor.version]).counts
    assert found == DiceCounts({cell: 3 * num for cell, num in once.items()})

    def forget(connection: Connection) -> None:
        connection.execute(delete(dice_counts))
        connection.execute(update(streams).values(counted=stored_cursor()))
        connection.execute(insert(changed_streams), [{"stream": f"table{number}"} for number in range(3)])

    await databases[0].written(forget)
    counter = DiceCounter(databases[1])
    await counter.sweep()
    assert await counter.counts() == found


def test_concurrent_counters_count_each_roll_once(databases: list[Database], events: list[Event]) -> None:
    store(databases[0], "table", events)
    counted = count_on("table", DiceCursor(), events)
    added = [database.write(lambda connection: add_counts(connection, [counted])).result() for database in databases]
    assert added == [{"table"}, set()]
    assert asyncio.run(DiceCounter(databases[0]).counts()) == counted.counts


def test_dice_that_others_play_too_count_for_none_of_them(databases: list[Database], events: list[Event]) -> None:
    database = databases[0]
    first = StoredEvent("d", 1, "created", 0.0, "{}")
    database.write(lambda connection: create_stream(connection, "duplicate", first, SECRET, due=1.0)).result()
    for table in ("one", "two", "alone"):
        store(database, table, events)
    of_game = streams.update().where(streams.c.id.in_(("one", "two")))
    database.write(lambda connection: connection.execute(of_game.values(parent="d"))).result()
    asyncio.run(DiceCounter(database).sweep())
    assert asyncio.run(DiceCounter(database).counts()) == count_on("alone", DiceCursor(), events).counts
    assert active(database, "one") == active(database, "alone")


def changed(database: Database) -> list[str]:
    return database.read(lambda connection: find_changed(connection, "", 10))


def active(database: Database, table: str) -> float:
    """When a table was last played."""
    wanted = select(streams.c.active).where(streams.c.id == table)
    found: float = database.read(lambda connection: connection.execute(wanted).scalar_one())
    return found


def test_a_sweep_reads_only_the_tables_that_changed(databases: list[Database], events: list[Event]) -> None:
    store(databases[0], "running", events[:-1])
    store(databases[0], "ended", [*events, Closed(at=1.0)])
    assert changed(databases[0]) == ["ended", "running"]
    asyncio.run(DiceCounter(databases[1]).sweep())
    assert changed(databases[0]) == []
    last = stored_event(events[-1], "running", len(events), f"{len(events)}", f"{len(events) - 1}")
    assert databases[0].append(last).result()
    assert changed(databases[0]) == ["running"]
    asyncio.run(DiceCounter(databases[1]).sweep())
    assert changed(databases[0]) == [], "the last score can be taken back, but there is nothing new to read"


def test_a_table_with_an_event_that_was_not_read_stays_changed(databases: list[Database]) -> None:
    store(databases[0], "table", played()[:9])
    before = active(databases[0], "table")
    databases[0].write(lambda connection: store_read(connection, {"table": 8})).result()
    assert (changed(databases[0]), active(databases[0], "table")) == (["table"], before)
    databases[0].write(lambda connection: store_read(connection, {"table": 9})).result()
    assert changed(databases[0]) == []


def test_a_missing_table_does_not_block_the_others(databases: list[Database], events: list[Event]) -> None:
    store(databases[0], "there", events)
    counter = DiceCounter(databases[0])
    counter.mark("gone")
    counter.mark("there")
    asyncio.run(counter.count_marked())
    assert asyncio.run(counter.counts()) == count_on("there", DiceCursor(), events).counts
