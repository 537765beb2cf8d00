"""Giving up a game at a table: the others play on, the last one wins, and the record tells it."""

import pytest

from fivedice.base.errors import IllegalError
from fivedice.server.table.apply import apply
from fivedice.server.table.create import NewTable, create_rematch
from fivedice.server.table.decide import is_bots_turn
from fivedice.server.table.state import State
from fivedice.server.table.verbs.end import Closed, Rematched, Resigned
from fivedice.server.table.view import view
from tests.server.scripted import SECRET, Live, Scripted, computers, people
from tests.server.table.two_players import (
    ANN,
    BOB,
    DICE,
    close,
    rematch,
    resign,
    run_out,
)


def three_people() -> Live:
    return Live(NewTable(seats=people("Ann", "Bob", "Cem"), pace=60), chance=Scripted(DICE))


def test_a_seat_resigns_while_a_computer_player_finishes_its_turn() -> None:
    game = three_people()
    run_out(game)
    assert is_bots_turn(game.table)
    game.do(resign(game, 0))
    assert game.table.seats[0].stand_in is None
    assert not is_bots_turn(game.table)
    assert game.table.due == game.now + 60


def test_a_seat_that_resigned_keeps_nobody_from_ending_the_table() -> None:
    game = Live(NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")]), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.refusal(close(game, 0), ANN)[0] == "illegal"
    game.do(resign(game, 1), BOB)
    game.do(close(game, 0), ANN)


@pytest.mark.parametrize("kinds", [(), ("greedy",), ("greedy", "random")])
def test_a_game_is_over_when_no_person_is_left(kinds: tuple[str, ...]) -> None:
    game = Live(NewTable(seats=[*people("Ann"), *computers(*kinds)], casual=True), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.do(resign(game, 0)) == Resigned(at=game.now, seat=0, unplayed=13 * (1 + len(kinds)))
    assert game.table.state is State.OVER
    assert not is_bots_turn(game.table)
    ranks = [seat.rank for seat in view(game.table, secret=SECRET).seats]
    assert ranks == ([2, 1] if len(kinds) == 1 else [None] * (1 + len(kinds)))
    game.do(rematch(game, 0))
    assert isinstance(game.events[-1], Rematched)
    assert create_rematch(game.table, "t2", "00", game.now).first == str(1 % (1 + len(kinds)))


def test_a_log_with_another_resignation_does_not_replay() -> None:
    game = three_people()
    for event, why in (
        (Resigned(at=game.now, seat=0, unplayed=12), "13 turns are not played now, not 12"),
        (Resigned(at=game.now, seat=3, unplayed=13), "there is no seat 3"),
        (Resigned(at=game.now, unplayed=13), "there is no seat None"),
    ):
        with pytest.raises(IllegalError, match=why):
            apply(game.table, event)
    game.append(Closed(at=game.now))
    with pytest.raises(IllegalError, match="no seat can resign while the table is closed"):
        apply(game.table, Resigned(at=game.now, seat=0, unplayed=13))
