"""Commands that everybody may send, for the table and its seats."""

import pytest

from fivedice.server.table.clocks import Away
from fivedice.server.table.create import NewTable
from fivedice.server.table.state import State
from fivedice.server.table.verbs import AddNonce, Closed, NonceAdded, Rematched, Rolled, RolledOff, Sat, Scored, StoodIn
from tests.server.scripted import Live, Scripted, computers, people
from tests.server.table.two_players import (
    ANN,
    BOB,
    DICE,
    close,
    nonce,
    rematch,
    return_to,
    roll_off,
    stand_in,
    two_players,
)


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
    game.do(game.sit(0, "Anna"), ANN)
    assert game.table.seats[0].name == "Anna"


@pytest.mark.parametrize("name", ["   ", "", "x" * 41, "a\nb", "a\x00", "a\u202eb", "\ud800"])
def test_a_name_that_cannot_be_shown_is_refused_in_a_sentence_without_it(name: str) -> None:
    game = Live(NewTable(seats=people("")))
    reason, sentence = game.refusal(game.sit(0, name))
    assert reason == "malformed"
    assert sentence.startswith("a name ")
    assert "\\" not in sentence


@pytest.mark.parametrize("name", ["Ann, the 1st", "A=B:C", '"Ann"', "👨\u200d👩\u200d👧" * 40])
def test_a_name_of_any_visible_characters_is_accepted(name: str) -> None:
    game = Live(NewTable(seats=people("")))
    game.do(game.sit(0, name), ANN)
    assert game.table.seats[0].name == name


def test_any_seat_can_start_the_opening_roll() -> None:
    opening = [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1]
    wanted = NewTable(seats=people("Ann", "Bob", ""), first="highest_roll")
    game = Live(wanted, chance=Scripted(DICE, opening))
    assert game.refusal(roll_off(game, 1)) == ("illegal", "no opening roll is due now")
    game.do(game.sit(2, "Cid"))
    assert game.table.state is State.OPENING
    assert game.refusal(game.roll()) == ("illegal", "the seats must first roll for who begins")
    assert game.do(roll_off(game, 1)) == RolledOff(at=game.now, seat=1, rounds=[[30, 30, 5], [6, 5, None]], first=0)
    assert game.table.first == 0
    assert game.refusal(roll_off(game, 1))[0] == "illegal"


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


def test_idle_time_begins_anew_when_the_service_is_back() -> None:
    game = two_players()
    began = game.now
    assert game.table.silent_at() == began + 60
    game.away = Away(back=began + 1_000)
    game.now = began + 1_059
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
