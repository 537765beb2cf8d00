"""Decisions on versions and repeated commands, and on the end of a table."""

from fivedice.server.table.create import NewTable
from fivedice.server.table.verbs import AddNonce, Closed, Rematched
from tests.server.scripted import Live, Scripted, computers, people
from tests.server.table.two_players import ANN, BOB, DICE, close, nonce, rematch, return_to, stand_in, two_players


def test_a_repeated_id_gets_the_same_answer_and_changes_nothing() -> None:
    game = two_players()
    command = game.roll()
    first = game.send(command)
    table = game.table
    assert game.send(command) == first
    game.do(game.roll("xx..."))
    assert game.send(command) == first
    assert len(game.events) == table.version + 1


def test_a_refused_command_gets_the_same_answer_however_late_it_is_repeated() -> None:
    game = two_players()
    foreign, illegal, late = game.roll(), game.score("ones"), game.roll()
    answers = [game.refusal(foreign, BOB), game.refusal(illegal)]
    game.do(game.roll())
    assert [game.refusal(foreign, BOB), game.refusal(illegal)] == answers
    assert game.refusal(late) == ("stale", "the table has moved on from version 1 to 2")
    assert game.refusal(late)[0] == "stale"


def test_a_version_that_the_table_never_had_is_malformed() -> None:
    game = two_players()
    command = AddNonce(id="abcdefgh", version=9, nonce="0f")
    assert game.refusal(command) == ("malformed", "the table never had version 9: it is at 1")


def test_any_seat_can_close_a_table_before_the_first_roll() -> None:
    game = two_players()
    assert game.do(close(game, 1), BOB) == Closed(at=game.now, seat=1)
    for command in (game.roll(), game.sit(0, "Anna"), stand_in(game, 0), nonce(game, 0), close(game, 0)):
        assert game.refusal(command) == ("illegal", "the table is closed")


def test_a_game_can_be_closed_when_every_other_seat_is_away() -> None:
    game = two_players()
    game.do(game.roll())
    refused = ("illegal", "others are playing: leave your seat to a computer player instead")
    assert game.refusal(close(game, 0), ANN) == refused
    assert game.refusal(close(game, 1), BOB) == refused  # Ann still has time
    assert [game.table.closable_at(holds, game.now) for holds in ({0}, {1}, {0, 1}, ())] == [
        None,
        game.now + 60,
        game.now,
        None,
    ]
    game.do(stand_in(game, 0, turns=1), ANN)
    assert game.refusal(close(game, 1), BOB) == refused  # the skip ends with this turn
    game.do(return_to(game, 0), ANN)
    game.now += 60
    assert isinstance(game.do(close(game, 1), BOB), Closed)


def test_a_game_against_computer_players_can_be_closed_at_any_time() -> None:
    game = Live(NewTable(seats=[*people("Ann"), *computers("greedy")]), chance=Scripted(DICE))
    game.do(game.roll(), ANN)
    assert isinstance(game.do(close(game, 0), ANN), Closed)


def test_only_the_first_rematch_is_accepted() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), rules="yahtzee[rounds=1]", first="1"), chance=Scripted(DICE))
    assert game.refusal(rematch(game, 0)) == ("illegal", "a rematch is possible after the game")
    for step in (game.roll, lambda: game.score("chance")) * 2:
        game.do(step())
    ann, bob = rematch(game, 0), rematch(game, 1)
    assert game.do(ann, ANN) == Rematched(at=game.now, seat=0, table="rematch1")
    assert game.refusal(bob, BOB)[0] == "stale"
    assert game.refusal(rematch(game, 1), BOB) == ("illegal", "the rematch is at table rematch1")
