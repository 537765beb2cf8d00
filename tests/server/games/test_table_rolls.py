"""Counting dice from events: every roll counts once, with or without undo, in one part or several."""

import random
from itertools import pairwise

import pytest

from fivedice.analysis.dice_counts import COMPUTER, PERSON, Cell, DiceCounts, examine
from fivedice.base.errors import IllegalError
from fivedice.players import Greedy
from fivedice.server.games.dice_counter import count_on
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Event
from fivedice.server.table.verbs import Closed, Rolled, Scored, Undone
from fivedice.storage.rows.dice_counts import DiceCursor
from tests.server.scripted import Live, computers, people


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


def test_undoing_a_score_counts_no_roll(events: list[Event]) -> None:
    undone = next(number for number, event in enumerate(events) if isinstance(event, Undone))
    before = count_on("t", DiceCursor(), events[: undone - 1])
    after = count_on("t", DiceCursor(), events[: undone + 1])
    assert after.counts == before.counts
    assert after.after.open_boxes == before.after.open_boxes == 26


def test_a_turn_of_a_computer_is_counted_once_the_score_before_it_is_final(events: list[Event]) -> None:
    undone = max(number for number, event in enumerate(events) if isinstance(event, Undone))
    score = max(n for n, event in enumerate(events[:undone]) if isinstance(event, Scored) and event.by == "person")
    assert undone > score + 1
    for cut in range(score, undone + 2):
        assert count_on("t", DiceCursor(), events[:cut]).counts == count_on("t", DiceCursor(), events[:score]).counts
    assert count_on("t", DiceCursor(), events[: undone + 1]).after.version == undone + 1


def test_counting_in_two_parts_gives_the_same_result(events: list[Event]) -> None:
    whole = count_on("t", DiceCursor(), events)
    for cut in range(len(events) + 1):
        first = count_on("t", DiceCursor(), events[:cut])
        rest = count_on("t", first.after, events[first.after.version :])
        assert rest.after == whole.after
        assert first.counts + rest.counts == whole.counts


def test_a_roll_that_does_not_fit_the_cursor_is_refused() -> None:
    with pytest.raises(IllegalError, match="no roll is possible"):
        count_on("t", DiceCursor(), [Rolled(at=1.0, seat=0, dice=[1, 2, 3, 4, 5], kept=[True] * 5)])


@pytest.mark.parametrize(("chance_of_six", "unusual"), [(1 / 6, set()), (0.2, {"faces", "follows"})])
def test_loaded_dice_are_unusual_and_fair_dice_are_not(chance_of_six: float, unusual: set[str]) -> None:
    chance = random.Random(11)
    weights = [(1 - chance_of_six) / 5] * 5 + [chance_of_six]
    live = Live(NewTable(seats=people("Ann"), casual=True))
    log: list[Event] = [live.events[0]]
    for _ in range(1_500):
        dice = chance.choices(range(1, 7), weights, k=5)
        kept = [chance.random() < 0.4 for _ in range(5)]
        again = [
            old if stays else chance.choices(range(1, 7), weights)[0] for old, stays in zip(dice, kept, strict=True)
        ]
        log += [Rolled(at=1.0, seat=0, dice=dice, kept=[]), Rolled(at=2.0, seat=0, dice=again, kept=kept)]
    counts = count_on("t", DiceCursor(), log).counts
    assert {test.name for test in examine(counts) if test.is_unusual} == unusual
