"""Decisions on idle seats, stand-ins and returns."""

import pytest

from fivedice.server.table.uptime import Uptime
from fivedice.server.table.verbs import Rolled, Scored, StoodIn
from tests.server.table.two_players import ANN, BOB, return_to, stand_in, two_players


def test_another_seat_can_start_a_stand_in_for_an_idle_seat() -> None:
    game = two_players()
    game.now += 59
    assert game.refusal(stand_in(game, 0), BOB) == ("illegal", "seat 0 may still act for 1 s")
    game.now += 1
    assert game.refusal(stand_in(game, 0), frozenset())[0] == "not_yours"
    assert game.refusal(stand_in(game, 1), ANN)[0] == "illegal"  # it is not Bob's turn
    assert game.do(stand_in(game, 0, turns=1), BOB) == StoodIn(
        at=game.now, seat=0, player="greedy", turns=1, asked_by=1
    )
    assert game.refusal(game.roll(), ANN) == ("illegal", "greedy acts for this seat: return to it first")


def test_no_seat_is_idle_at_a_table_without_a_time_limit() -> None:
    game = two_players(silence=0)
    game.now += 10**9
    assert game.refusal(stand_in(game, 0), BOB)[0] == "illegal"


def test_idle_time_does_not_count_while_the_service_is_down() -> None:
    game = two_players()
    began = game.now
    assert game.table.silent_at(game.now) == began + 60
    game.uptime = Uptime(((began - 500, began + 20), (began + 1_000, began + 9_000)))
    game.now = began + 1_039
    assert game.refusal(stand_in(game, 0), BOB) == ("illegal", "seat 0 may still act for 1 s")
    game.now += 1
    assert isinstance(game.do(stand_in(game, 0), BOB), StoodIn)


def test_a_skip_ends_with_the_turn_and_a_stand_in_with_the_return() -> None:
    game = two_players()
    game.do(stand_in(game, 0, turns=1), ANN)
    game.do(stand_in(game, 1), BOB)
    game.append(Rolled(at=game.now, seat=0, dice=[3, 3, 4, 5, 6], kept=[], by="greedy"))
    game.append(Scored(at=game.now, seat=0, box="chance", points=21, by="greedy"))
    assert [seat.decider for seat in game.table.seats] == ["person", "greedy"]
    assert game.refusal(return_to(game, 0)) == ("illegal", "no computer player acts for seat 0")
    game.do(return_to(game, 1), BOB)
    game.do(game.roll(), BOB)


def test_a_person_can_return_in_the_middle_of_a_turn() -> None:
    game = two_players()
    game.do(game.roll())
    game.do(stand_in(game, 0))
    game.append(Rolled(at=game.now, seat=0, dice=[3, 3, 4, 5, 6], kept=[True] * 5, by="greedy"))
    game.do(return_to(game, 0))
    assert isinstance(game.do(game.score("chance")), Scored)


def test_a_score_cannot_be_undone_while_a_computer_player_acts_for_the_seat() -> None:
    game = two_players()
    game.do(game.roll())
    game.do(game.score("chance"))
    game.do(stand_in(game, 0))
    assert game.refusal(game.undo(0))[1] == "greedy acts for this seat: return to it first"
    game.do(return_to(game, 0))
    game.do(game.undo(0))


@pytest.mark.parametrize("player", ["human", "person", "gredy", ""])
def test_only_a_computer_player_can_stand_in(player: str) -> None:
    game = two_players()
    assert game.refusal(stand_in(game, 0, player))[0] == "malformed"
