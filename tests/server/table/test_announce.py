"""Announcements at a table: what becomes an event, what is refused, and what can be taken back."""

from collections.abc import Iterable

import pytest

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.game.record import parse_record
from fivedice.players import Greedy
from fivedice.server.games.table_rolls import count_on
from fivedice.server.table.answers import Refused
from fivedice.server.table.apply import replay
from fivedice.server.table.create import NewTable
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs import Announce, Announced
from fivedice.server.table.view import view
from fivedice.storage.rows.dice_counts import DiceCursor
from tests.server.scripted import SECRET, Live, Scripted, computers, people

DICE = {(turn, roll): "66644" for turn in range(4) for roll in range(3)}


def table(rules: str = "yamb") -> Live:
    return Live(NewTable(seats=people("Ann"), rules=rules, casual=True), chance=Scripted(DICE))


def announce(game: Live, box: str) -> Announce:
    return Announce(id=game.new_id(), version=game.table.version, seat=0, box=box)


def announced() -> Live:
    game = table()
    game.do(game.roll())
    game.do(announce(game, "yamb_announced"))
    return game


def test_an_announcement_is_an_event_and_the_turn_must_end_in_its_box() -> None:
    game = announced()
    assert game.events[-1] == Announced(at=game.now, seat=0, box="yamb_announced")
    assert str(game.table.position) == "yamb announced=yamb_announced 44666 r2"
    shown = view(game.table, secret=SECRET)
    assert shown.turn
    assert [offer.box for offer in shown.turn.offers if offer.is_open] == ["yamb_announced"]
    assert shown.seats[0].card.announced == "yamb_announced"
    assert game.refusal(game.score("poker_free"))[0] == "illegal"
    game.do(game.roll("xxx.."))
    game.do(game.score("yamb_announced"))
    assert replay(game.events) == game.table


@pytest.mark.parametrize("box", ["yamb_free", "yamb", "yamb_announced"])
def test_what_cannot_be_announced_is_refused(box: str) -> None:
    game = announced() if box == "yamb_announced" else table()
    if box != "yamb_announced":
        game.do(game.roll())
    answer = game.send(announce(game, box))
    assert isinstance(answer, Refused)
    assert answer.reason == "illegal"


def test_an_announcement_can_be_taken_back_until_the_next_roll() -> None:
    game = announced()
    assert view(game.table, secret=SECRET).can_undo == [0]
    game.do(game.undo(0))
    assert str(game.table.position) == "yamb - 44666 r2"
    game.do(announce(game, "poker_announced"))
    game.do(game.roll("xxx.."))
    assert game.refusal(game.undo(0))[0] == "illegal"
    assert replay(game.events) == game.table
    record = record_of(game.table, game.events, SECRET)
    assert "0: 44666, announce poker_announced, keep 666, 44666" in str(record).splitlines()
    assert parse_record(str(record)).position == game.table.position


def test_a_repeated_announcement_is_the_same_command() -> None:
    game = announced()
    assert announce(game, "yamb_announced").asks_for(game.events[-1])
    assert not announce(game, "poker_announced").asks_for(game.events[-1])


def test_rolls_are_counted_once_when_an_announcement_is_taken_back() -> None:
    game = announced()
    game.do(game.undo(0))
    game.do(game.roll("xxx.."))

    def counts(parts: Iterable[int]) -> DiceCounts:
        cursor, total = DiceCursor(), DiceCounts()
        for end in parts:
            counted = count_on("k7Qm2x", cursor, game.events[cursor.version : end])
            cursor = counted.after
            total += counted.counts
        return total

    whole = counts([len(game.events)])
    assert sum(whole[cell] for cell in whole if cell.table == "faces") == 7
    assert counts(range(2, len(game.events) + 1)) == whole


def test_a_computer_player_announces() -> None:
    game = Live(NewTable(seats=computers("greedy"), rules="yamb[columns=announced]"), chance=Scripted(DICE))
    for _ in range(3):
        assert game.let_computer_act(lambda kind, position: Greedy().choose(position))
    assert [event.by for event in game.events if isinstance(event, Announced)] == ["greedy"]
