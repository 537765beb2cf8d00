"""Counts of dice: which rolls of a table are counted, and what several processes add to one database."""

import random
from itertools import pairwise

import pytest
from msgspec.structs import replace

from fivedice.analysis.dice_counts import COMPUTER, PERSON, Cell, DiceCounts, Rolled, count
from fivedice.players import Greedy
from fivedice.server.live.dice_counter import new_roll
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Created, DuplicateEntry, Event
from fivedice.server.table.history import History
from fivedice.server.table.verbs.play import Rolled as RolledEvent
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.server import add_counts, load_counts
from tests.server.scripted import Live, computers, people
from tests.storage.conftest import bare_url, open_database, url
from tests.storage.empty import OpenDatabase

__all__ = ["bare_url", "open_database", "url"]


def rolls(events: list[Event]) -> list[Rolled]:
    stored = [stored_event(event, "t", number, f"{number}") for number, event in enumerate(events, 1)]
    history, found = History(stored[:1]), []
    for event, one in zip(events[1:], stored[1:], strict=True):
        found.append(new_roll(history, event))
        history.append(one)
    return [rolled for rolled in found if rolled]


def play_computer(live: Live) -> None:
    while live.table.position.seat:
        assert live.let_computer_act(lambda kind, position: Greedy().choose(position))


@pytest.fixture(scope="module")
def live() -> Live:
    """A person against a computer: an undone score whose turn continues, another that is undone with the computer's
    turn after it, and a few more turns."""
    live = Live(NewTable(seats=[*people("Ann"), *computers("random")], casual=True))
    chance = random.Random(5)
    live.do(live.roll())
    live.do(live.score("chance"))
    live.do(live.undo(0))
    live.do(live.roll("x..x."))
    live.do(live.score("chance"))
    play_computer(live)
    live.do(live.undo(0))
    live.do(live.roll("x.xx."))
    live.do(live.score("twos"))
    for _ in range(13):
        if live.table.position.seat:
            play_computer(live)
        else:
            live.do(live.roll())
            live.do(live.roll("".join(chance.choice("x.") for _ in range(5))))
            live.do(live.score(next(offer.action.box for offer in live.table.position.offers())))
    return live


def brute_force(events: list[Event]) -> DiceCounts:
    """A simple count of the events, die by die, with the computer's first turn only once: the second is the same."""
    counts: DiceCounts = DiceCounts()
    rolled = [event for event in events if isinstance(event, RolledEvent)]
    own = [number for number, event in enumerate(rolled) if event.seat == 0]
    again = range(own[2] + 1, own[3])
    assert rolled[own[2] + 1].dice == rolled[own[1] + 1].dice
    for number, (before, event) in enumerate(pairwise([None, *rolled])):
        if event is None or number in again:
            continue
        who = f"{event.seat} {PERSON if event.by == 'person' else COMPUTER}"
        for place, face in enumerate(event.dice):
            if event.kept and event.kept[place]:
                continue
            counts[Cell("faces", 6, who, str(face))] += 1
            if event.kept and before and number not in (own[1], own[2]):
                counts[Cell("replaces", 6, str(before.dice[place]), str(face))] += 1
    return counts


def test_the_counts_match_a_simple_count(live: Live) -> None:
    found = count(rolls(live.events))
    wanted = brute_force(live.events)
    assert {cell: num for cell, num in found.items() if cell.table == "faces"} == {
        cell: num for cell, num in wanted.items() if cell.table == "faces"
    }
    assert all(found[cell] >= num for cell, num in wanted.items())


def test_dice_that_others_play_too_count_for_none_of_them(live: Live) -> None:
    created = live.events[0]
    assert isinstance(created, Created)
    assert rolls(live.events)
    assert not rolls([replace(created, duplicate=DuplicateEntry("d", 1.0)), *live.events[1:]])


def test_counts_of_several_processes_add_up(open_database: OpenDatabase, url: str, live: Live) -> None:
    databases: list[Database] = [open_database(url), open_database(url)]
    counts = count(rolls(live.events))
    for written in [database.write(lambda connection: add_counts(connection, counts)) for database in databases * 3]:
        written.result()
    assert databases[0].read(load_counts) == DiceCounts({cell: 6 * num for cell, num in counts.items()})
