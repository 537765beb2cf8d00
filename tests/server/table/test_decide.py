"""Commands that everybody may send, for the table and its seats, and giving up a game."""

import pytest

from fivedice.server.table.create import NewTable, create_rematch
from fivedice.server.table.decide import is_bots_turn
from fivedice.server.table.state import State
from fivedice.server.table.verbs.begin import AddNonce, NonceAdded, RolledOff, RollOff, Sat
from fivedice.server.table.verbs.end import Close, Rematch, Rematched, Resign, Resigned
from fivedice.server.table.view import view
from tests.server.scripted import ANN, BOB, DICE, SECRET, Live, Scripted, computers, nonce, people, run_out, two_players


def test_a_command_is_made_against_the_newest_version_whatever_it_asks_for() -> None:
    game = two_players()
    late = game.roll(), game.score("ones")
    game.do(game.roll())
    for command, holds in ((late[0], BOB), *((one, frozenset({0, 1})) for one in late)):
        assert game.refusal(command, holds) == ("stale", "the table has moved on from version 1 to 2")
    early = AddNonce(id="abcdefgh", version=9, nonce="0f")
    assert game.refusal(early) == ("malformed", "the table never had version 9: it is at 2")


def test_only_the_first_rematch_is_accepted() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), rules="yahtzee[rounds=1]", first="1"), chance=Scripted(DICE))
    assert game.refusal(game.command(Rematch, seat=0)) == ("illegal", "a rematch is possible after the game")
    for step in (game.roll, lambda: game.score("chance")) * 2:
        game.do(step())
    ann, bob = game.command(Rematch, seat=0), game.command(Rematch, seat=1)
    assert game.do(ann, ANN) == Rematched(at=game.now, seat=0, table="rematch1")
    assert game.refusal(bob, BOB)[0] == "stale"
    assert game.refusal(game.command(Rematch, seat=1), BOB) == ("illegal", "the rematch is at table rematch1")


def test_the_game_starts_when_every_seat_is_taken() -> None:
    game = Live(NewTable(seats=people("Ann", "")), chance=Scripted(DICE))
    assert game.refusal(game.roll()) == ("illegal", "the game begins when every seat is taken")
    assert game.do(game.sit(1, " Bob  ", nonce="0f"), frozenset()) == Sat(at=game.now, seat=1, name="Bob", nonce="0f")
    assert game.table.nonces == ("seat 1 0f",)
    game.do(game.roll())


def test_only_its_holder_can_rename_a_taken_seat() -> None:
    game = Live(NewTable(seats=[*people("Ann", ""), *computers("greedy")]))
    assert game.refusal(game.sit(0, "Bob"), frozenset()) == ("not_yours", "seat 0 is not yours")
    assert game.refusal(game.sit(2, "Bob")) == ("illegal", "seat 2 belongs to a computer player")
    assert game.refusal(game.sit(1, "Ann")) == ("illegal", "Ann sits here already: take another name")
    assert game.refusal(game.sit(1, "a\nb")) == (
        "malformed",
        "a name cannot contain control characters, such as a line break",
    )
    game.do(game.sit(0, "Anna"), ANN)
    assert game.table.seats[0].name == "Anna"


def test_any_seat_can_start_the_opening_roll() -> None:
    opening = [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1]
    wanted = NewTable(seats=people("Ann", "Bob", ""), first="highest_roll")
    game = Live(wanted, chance=Scripted(DICE, opening))
    assert game.refusal(game.command(RollOff, seat=1)) == ("illegal", "no opening roll is due now")
    game.do(game.sit(2, "Cid"))
    assert game.table.state is State.OPENING
    assert game.refusal(game.roll()) == ("illegal", "the seats must first roll for who begins")
    assert game.do(game.command(RollOff, seat=1)) == RolledOff(
        at=game.now, seat=1, rounds=[[30, 30, 5], [6, 5, None]], first=0
    )
    assert game.table.first == 0
    assert game.refusal(game.command(RollOff, seat=1))[0] == "illegal"


def test_each_seat_can_add_one_nonce_before_the_first_roll() -> None:
    game = two_players()
    assert game.do(nonce(game, 1, "5f3a"), BOB) == NonceAdded(at=game.now, seat=1, nonce="5f3a")
    game.do(nonce(game, None, "00ff"), frozenset())
    game.do(nonce(game, None, "11"), frozenset())
    assert game.table.nonces == ("seat 1 5f3a", "watcher 0 00ff", "watcher 1 11")
    assert game.refusal(nonce(game, 1)) == ("illegal", "seat 1 has already added a nonce")
    assert game.refusal(nonce(game, 0), BOB)[0] == "not_yours"
    game.do(game.roll())
    assert game.refusal(nonce(game, 0)) == ("illegal", "the dice have been rolled: nonces are added before that")


def test_nonces_of_watchers_leave_room_for_those_of_seats() -> None:
    game = two_players()
    for _ in range(62):
        game.do(nonce(game, None), frozenset())
    assert game.refusal(nonce(game, None), frozenset())[0] == "illegal"
    for seat in (0, 1):
        game.do(nonce(game, seat))
    assert len(game.table.nonces) == 64
    assert game.do(game.roll())


def test_a_seat_resigns_while_a_computer_player_finishes_its_turn() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob", "Cem"), pace=60), chance=Scripted(DICE))
    run_out(game)
    assert is_bots_turn(game.table)
    game.do(game.command(Resign, seat=0))
    assert game.table.seats[0].stand_in is None
    assert not is_bots_turn(game.table)
    assert game.table.due == game.now + 60


def test_only_who_plays_alone_can_close_a_table_after_the_first_roll() -> None:
    game = Live(NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")]), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.refusal(game.command(Close, seat=0), ANN) == ("illegal", "others are playing: resign instead")
    assert [game.table.can_close(holds) for holds in (BOB, ANN | BOB, frozenset[int]())] == [False, True, False]
    game.do(game.command(Resign, seat=1), BOB)
    game.do(game.command(Close, seat=0), ANN)


@pytest.mark.parametrize("kinds", [(), ("greedy",), ("greedy", "random")])
def test_a_game_is_over_when_no_person_is_left(kinds: tuple[str, ...]) -> None:
    game = Live(NewTable(seats=[*people("Ann"), *computers(*kinds)], casual=True), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.do(game.command(Resign, seat=0)) == Resigned(at=game.now, seat=0, unplayed=13 * (1 + len(kinds)))
    assert game.table.state is State.OVER
    assert not is_bots_turn(game.table)
    ranks = [seat.rank for seat in view(game.table, secret=SECRET).seats]
    assert ranks == ([2, 1] if len(kinds) == 1 else [None] * (1 + len(kinds)))
    game.do(game.command(Rematch, seat=0))
    assert isinstance(game.events[-1], Rematched)
    assert create_rematch(game.table, "t2", "00", game.now).first == str(1 % (1 + len(kinds)))
