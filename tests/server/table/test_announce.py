"""Announcements at a table: what becomes an event, what is refused, and what can be taken back."""

from collections.abc import Iterable

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.server.games.dice_counter import count_on
from fivedice.server.table.create import NewTable
from fivedice.server.table.verbs import Announce
from fivedice.storage.rows.dice_counts import DiceCursor
from tests.server.scripted import Live, Scripted, people

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
