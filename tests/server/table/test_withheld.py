"""Which seats a table withholds advice from."""

import pytest

from fivedice.server.table.create import NewTable
from fivedice.server.table.created import Help
from fivedice.server.table.verbs import Close, Resign
from fivedice.server.table.view import shows_values, withheld_from
from tests.server.scripted import Live, computers, people


@pytest.mark.parametrize(
    ("help", "withholds", "shows"),
    [("none", True, False), ("after", True, True), ("tutor", False, True), ("always", False, True)],
)
def test_a_table_withholds_advice_unless_it_names_the_best_action_before_a_decision(
    help: Help, withholds: bool, shows: bool
) -> None:
    table = Live(NewTable(people("Ann", "Ben"), help=help)).table
    assert withheld_from(table) == (frozenset({0, 1}) if withholds else frozenset())
    assert shows_values(table) == shows


def test_it_withholds_from_its_people_from_the_first_turn_to_the_end() -> None:
    game = Live(NewTable([*people("Ann", ""), *computers("greedy")], rules="yahtzee[rounds=1]", first="highest_roll"))
    assert withheld_from(game.table) == frozenset(), "a seat is free"
    game.do(game.sit(1, "Ben"))
    assert withheld_from(game.table) == frozenset(), "nobody has rolled for who begins"
    begun = Live(NewTable([*people("Ann"), *computers("greedy")], rules="yahtzee[rounds=1]"))
    assert withheld_from(begun.table) == {0}
    begun.do(begun.roll())
    assert withheld_from(begun.table) == {0}
    begun.do(Close(id=begun.new_id(), version=begun.table.version, seat=0))
    assert withheld_from(begun.table) == frozenset()


def test_it_withholds_nothing_once_the_game_is_over() -> None:
    game = Live(NewTable(people("Ann"), rules="yahtzee[rounds=1]"))
    game.do(game.roll())
    game.do(game.score("chance"))
    assert withheld_from(game.table) == frozenset()


def test_a_seat_that_has_resigned_is_answered_while_the_others_play_on() -> None:
    game = Live(NewTable(people("Ann", "Ben", "Eve")))
    game.do(Resign(id=game.new_id(), version=game.table.version, seat=1))
    assert withheld_from(game.table) == {0, 2}
    game.do(Resign(id=game.new_id(), version=game.table.version, seat=0))
    assert withheld_from(game.table) == frozenset(), "the last one has won"
