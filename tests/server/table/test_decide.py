"""The judge: what a table lets whom do, and when."""

import pytest

from fivedice.game import action as game_action
from fivedice.game.position import Position
from fivedice.server.table.commands import AddNonce, Close, Refused, Rematch, Return, RollOff, StandIn
from fivedice.server.table.create import NewTable
from fivedice.server.table.events import Closed, NonceAdded, Rematched, Rolled, RolledOff, Sat, Scored, StoodIn
from fivedice.server.table.state import State
from fivedice.server.table.uptime import Uptime
from tests.server.scripted import Live, Scripted, computers, people

ANN, BOB = frozenset({0}), frozenset({1})
DICE = {(turn, roll): "33456" for turn in range(30) for roll in range(3)}


def live(silence: int = 60) -> Live:
    """Ann and Bob at yahtzee; every roll shows 33456."""
    return Live(NewTable(seats=people("Ann", "Bob"), silence=silence), chance=Scripted(DICE))


def stand_in(game: Live, seat: int, player: str = "greedy", turns: int = 0) -> StandIn:
    return StandIn(id=game.new_id(), version=game.table.version, seat=seat, player=player, turns=turns)


def back(game: Live, seat: int) -> Return:
    return Return(id=game.new_id(), version=game.table.version, seat=seat)


def close(game: Live, seat: int) -> Close:
    return Close(id=game.new_id(), version=game.table.version, seat=seat)


def nonce(game: Live, seat: int | None, text: str = "0f") -> AddNonce:
    return AddNonce(id=game.new_id(), version=game.table.version, seat=seat, nonce=text)


def roll_off(game: Live, seat: int) -> RollOff:
    return RollOff(id=game.new_id(), version=game.table.version, seat=seat)


def rematch(game: Live, seat: int) -> Rematch:
    return Rematch(id=game.new_id(), version=game.table.version, seat=seat)


# Turns


def test_only_whoever_holds_a_seat_plays_for_it() -> None:
    game = live()
    assert game.refusal(game.roll(), BOB) == ("not_yours", "seat 0 is not yours")
    assert game.refusal(game.roll(), frozenset()) == ("not_yours", "seat 0 is not yours")
    assert isinstance(game.do(game.roll(), ANN), Rolled)


def test_a_seat_plays_in_its_turn_alone() -> None:
    game = live()
    assert game.refusal(game.roll(seat=1)) == ("illegal", "it is the turn of seat 0, not of seat 1")
    reason, detail = game.refusal(game.roll(seat=7))
    assert (reason, detail) == ("malformed", "there is no seat 7: the seats are 0 to 1")


def test_the_first_roll_keeps_nothing_and_a_later_one_marks_every_die() -> None:
    game = live()
    assert game.refusal(game.roll("....."))[0] == "illegal"
    game.do(game.roll())
    for marks in ("", "xx", "xxxxxx"):
        reason, detail = game.refusal(game.roll(marks))
        assert (reason, detail) == (
            "illegal",
            f"{len(marks)} marks of kept dice: want one for each of the 5 dice",
        )


def test_a_roll_of_none_is_gone_like_any_other() -> None:
    game = live()
    game.do(game.roll())
    event = game.do(game.roll("xxxxx"))
    assert isinstance(event, Rolled)
    assert (event.dice, event.kept) == ([3, 3, 4, 5, 6], [True] * 5)
    assert game.table.position.rolls_left == 1


def test_no_fourth_roll_is_made() -> None:
    game = live()
    for kept in ("", "xx...", "xx..."):
        game.do(game.roll(kept))
    reason, detail = game.refusal(game.roll("xx..."))
    assert (reason, detail) == ("illegal", "keep 33: no roll is left; choose a box to score")


def test_a_box_is_filled_after_a_roll_and_once() -> None:
    game = live()
    assert game.refusal(game.score("chance"))[0] == "illegal"
    game.do(game.roll())
    assert game.do(game.score("chance")) == Scored(at=game.now, seat=0, box="chance", points=21)
    for step in (game.roll, lambda: game.score("chance"), game.roll):
        game.do(step())
    reason, detail = game.refusal(game.score("chance"))
    assert (reason, detail) == ("illegal", "score chance: the box is filled, with 21")
    assert "no box jackpot" in game.refusal(game.score("jackpot"))[1]


def test_a_joker_goes_where_the_rules_force_it() -> None:
    dice = {(turn, 0): "44444" for turn in range(4)}
    game = Live(NewTable(seats=people("Ann")), chance=Scripted(dice))
    for box in ("yahtzee", "fours"):
        game.do(game.roll())
        if box == "fours":
            reason, detail = game.refusal(game.score("large_straight"))
            assert (reason, detail) == (
                "illegal",
                "score large_straight: an extra Yahtzee goes in Fours while it is open",
            )
        game.do(game.score(box))
    assert game.table.position.card.extras == 1
    game.do(game.roll())
    assert game.do(game.score("large_straight")) == Scored(
        at=game.now, seat=0, box="large_straight", points=40, bonus=100
    )


# Who begins, and seats


def test_nothing_is_played_until_every_seat_is_taken() -> None:
    game = Live(NewTable(seats=people("Ann", "")), chance=Scripted(DICE))
    assert game.refusal(game.roll()) == ("illegal", "the game begins when every seat is taken")
    assert game.do(game.sit(1, " Bob  ", nonce="0f"), frozenset()) == Sat(at=game.now, seat=1, name="Bob", nonce="0f")
    assert game.table.nonces == ("seat 1 0f",)
    game.do(game.roll())


def test_a_seat_that_is_taken_belongs_to_its_holder() -> None:
    game = Live(NewTable(seats=[*people("Ann", ""), *computers("greedy")]))
    assert game.refusal(game.sit(0, "Bob"), frozenset()) == ("not_yours", "seat 0 is not yours")
    assert game.refusal(game.sit(2, "Bob")) == ("illegal", "seat 2 is a computer player's")
    assert game.refusal(game.sit(1, "Ann")) == ("illegal", "Ann sits here already: take another name")
    game.do(game.sit(0, "Anna"), ANN)
    assert game.table.seats[0].name == "Anna"


@pytest.mark.parametrize("name", ["   ", "a,b", "a=b", "a:b", "a\nb", "a\x00", "a\u202eb", "\ud800"])
def test_a_name_is_one_that_a_record_can_hold(name: str) -> None:
    game = Live(NewTable(seats=people("")))
    assert game.refusal(game.sit(0, name))[0] == "malformed"


def test_the_highest_roll_begins_when_a_seat_asks_for_it() -> None:
    opening = [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1]
    wanted = NewTable(seats=people("Ann", "Bob", ""), first="highest_roll")
    game = Live(wanted, chance=Scripted(DICE, opening))
    assert game.refusal(roll_off(game, 1)) == ("illegal", "who begins is not rolled for now")
    game.do(game.sit(2, "Cid"))
    assert game.table.state is State.OPENING
    assert game.refusal(game.roll()) == ("illegal", "the highest roll has yet to say who begins")
    assert game.do(roll_off(game, 1)) == RolledOff(at=game.now, seat=1, rounds=[[30, 30, 5], [6, 5, None]], first=0)
    assert game.table.first == 0
    assert game.refusal(roll_off(game, 1))[0] == "illegal"


def test_nonces_come_before_the_dice_once_for_a_seat() -> None:
    game = live()
    assert game.do(nonce(game, 1, "5f3a"), BOB) == NonceAdded(at=game.now, seat=1, nonce="5f3a")
    game.do(nonce(game, None, "00ff"), frozenset())
    game.do(nonce(game, None, "11"), frozenset())
    assert game.table.nonces == ("seat 1 5f3a", "watcher 0 00ff", "watcher 1 11")
    assert game.refusal(nonce(game, 1)) == ("illegal", "seat 1 has added its nonce")
    assert game.refusal(nonce(game, 0), BOB)[0] == "not_yours"
    game.do(game.roll())
    assert game.refusal(nonce(game, 0)) == ("illegal", "the dice have been rolled: a nonce comes before")


def test_watchers_leave_room_for_the_nonces_of_the_seats() -> None:
    game = live()
    for _ in range(62):
        game.do(nonce(game, None), frozenset())
    assert game.refusal(nonce(game, None), frozenset())[0] == "illegal"
    for seat in (0, 1):
        game.do(nonce(game, seat))
    assert len(game.table.nonces) == 64
    assert game.do(game.roll())


# Undo


def test_a_score_is_taken_back_until_the_next_roll() -> None:
    game = live()
    game.do(game.roll())
    before = game.table.turn
    assert game.refusal(game.undo(0))[0] == "illegal"
    game.do(game.score("ones"))
    assert game.refusal(game.undo(1))[0] == "illegal"
    assert game.refusal(game.undo(0), BOB)[0] == "not_yours"
    game.do(game.undo(0), ANN)
    assert game.table.turn == before
    assert game.refusal(game.undo(0))[0] == "illegal"
    game.do(game.roll("xx..."))  # the turn goes on where it was
    game.do(game.score("threes"))
    game.do(game.roll())
    assert game.refusal(game.undo(0)) == (
        "illegal",
        "there is no score of this seat to take back: it can be until the next roll",
    )


def test_the_last_score_of_a_game_stands_because_it_shows_the_secret() -> None:
    game = Live(NewTable(seats=people("Ann"), rules="yahtzee[rounds=1]"), chance=Scripted(DICE))
    game.do(game.roll())
    game.do(game.score("chance"))
    assert game.table.state is State.OVER
    reason, detail = game.refusal(game.undo(0))
    assert (reason, detail[:16]) == ("illegal", "the game is over")


def test_what_a_computer_player_scored_is_not_taken_back() -> None:
    game = live()
    game.do(game.roll())
    game.do(stand_in(game, 0, turns=1))
    game.append(Scored(at=game.now, seat=0, box="chance", points=21, by="greedy"))
    assert game.refusal(game.undo(0))[0] == "illegal"


# Silence


def test_a_silent_seat_is_played_for_when_its_time_has_passed() -> None:
    game = live()
    game.now += 59
    assert game.refusal(stand_in(game, 0), BOB) == ("illegal", "seat 0 may still act for 1 s")
    game.now += 1
    assert game.refusal(stand_in(game, 0), frozenset())[0] == "not_yours"
    assert game.refusal(stand_in(game, 1), ANN)[0] == "illegal"  # it is not Bob that all wait for
    assert game.do(stand_in(game, 0, turns=1), BOB) == StoodIn(
        at=game.now, seat=0, player="greedy", turns=1, asked_by=1
    )
    assert game.refusal(game.roll(), ANN) == ("illegal", "greedy acts for this seat: return to it first")


def test_no_seat_is_silent_where_the_table_waits_for_ever() -> None:
    game = live(silence=0)
    game.now += 10**9
    assert game.refusal(stand_in(game, 0), BOB)[0] == "illegal"


def test_no_time_passes_while_the_service_is_down() -> None:
    game = live()
    began = game.now
    assert game.table.silent_at(game.now) == began + 60
    game.uptime = Uptime(((began - 500, began + 20), (began + 1_000, began + 9_000)))
    game.now = began + 1_039
    assert game.refusal(stand_in(game, 0), BOB) == ("illegal", "seat 0 may still act for 1 s")
    game.now += 1
    assert isinstance(game.do(stand_in(game, 0), BOB), StoodIn)


def test_a_skip_ends_with_the_turn_and_a_stand_in_with_the_return() -> None:
    game = live()
    game.do(stand_in(game, 0, turns=1), ANN)
    game.do(stand_in(game, 1), BOB)
    game.append(Rolled(at=game.now, seat=0, dice=[3, 3, 4, 5, 6], kept=[], by="greedy"))
    game.append(Scored(at=game.now, seat=0, box="chance", points=21, by="greedy"))
    assert [seat.decider for seat in game.table.seats] == ["person", "greedy"]
    assert game.refusal(back(game, 0)) == ("illegal", "nobody acts for seat 0")
    game.do(back(game, 1), BOB)
    game.do(game.roll(), BOB)


def test_a_seat_returns_in_the_middle_of_a_turn() -> None:
    game = live()
    game.do(game.roll())
    game.do(stand_in(game, 0))
    game.append(Rolled(at=game.now, seat=0, dice=[3, 3, 4, 5, 6], kept=[True] * 5, by="greedy"))
    game.do(back(game, 0))
    assert isinstance(game.do(game.score("chance")), Scored)


def test_a_score_is_not_taken_back_while_a_computer_player_acts() -> None:
    game = live()
    game.do(game.roll())
    game.do(game.score("chance"))
    game.do(stand_in(game, 0))
    assert game.refusal(game.undo(0))[1] == "greedy acts for this seat: return to it first"
    game.do(back(game, 0))
    game.do(game.undo(0))


@pytest.mark.parametrize("player", ["human", "person", "gredy", ""])
def test_only_a_computer_player_stands_in(player: str) -> None:
    game = live()
    assert game.refusal(stand_in(game, 0, player))[0] == "malformed"


# The end


def test_any_seat_closes_a_table_that_has_not_begun() -> None:
    game = live()
    assert game.do(close(game, 1), BOB) == Closed(at=game.now, seat=1)
    for command in (game.roll(), game.sit(0, "Anna"), stand_in(game, 0), nonce(game, 0), close(game, 0)):
        assert game.refusal(command) == ("illegal", "the table is closed")


def test_a_game_is_closed_by_whoever_is_left() -> None:
    game = live()
    game.do(game.roll())
    refused = ("illegal", "others are playing: leave your seat to a computer player instead")
    assert game.refusal(close(game, 0), ANN) == refused
    assert game.refusal(close(game, 1), BOB) == refused  # Ann still has time
    game.do(stand_in(game, 0, turns=1), ANN)
    assert game.refusal(close(game, 1), BOB) == refused  # and will be back after this turn
    game.do(back(game, 0), ANN)
    game.now += 60
    assert isinstance(game.do(close(game, 1), BOB), Closed)


def test_a_game_against_computer_players_is_closed_at_any_time() -> None:
    game = Live(NewTable(seats=[*people("Ann"), *computers("greedy")]), chance=Scripted(DICE))
    game.do(game.roll(), ANN)
    assert isinstance(game.do(close(game, 0), ANN), Closed)


def test_the_first_rematch_wins_and_the_seat_after_the_last_beginner_begins() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), rules="yahtzee[rounds=1]", first="1"), chance=Scripted(DICE))
    assert game.refusal(rematch(game, 0)) == ("illegal", "a rematch comes after the game")
    for step in (game.roll, lambda: game.score("chance")) * 2:
        game.do(step())
    ann, bob = rematch(game, 0), rematch(game, 1)
    assert game.do(ann, ANN) == Rematched(at=game.now, seat=0, table="rematch1")
    assert game.refusal(bob, BOB)[0] == "stale"
    assert game.refusal(rematch(game, 1), BOB) == ("illegal", "the rematch is at table rematch1")


# Versions and ids


def test_the_same_id_twice_gets_the_same_answer_and_changes_nothing() -> None:
    game = live()
    command = game.roll()
    first = game.send(command)
    table = game.table
    assert game.send(command) == first
    game.do(game.roll("xx..."))
    assert game.send(command) == first
    assert len(game.events) == table.version + 1


def test_a_refused_command_gets_the_same_answer_however_late_it_comes_again() -> None:
    game = live()
    foreign, illegal, late = game.roll(), game.score("ones"), game.roll()
    answers = [game.refusal(foreign, BOB), game.refusal(illegal)]
    game.do(game.roll())
    assert [game.refusal(foreign, BOB), game.refusal(illegal)] == answers
    assert game.refusal(late) == ("stale", "the table went on from version 1 to 2")
    assert game.refusal(late)[0] == "stale"


def test_a_version_that_the_table_never_had_is_malformed() -> None:
    game = live()
    command = AddNonce(id="abcdefgh", version=9, nonce="0f")
    assert game.refusal(command) == ("malformed", "the table never had version 9: it is at 1")


# The tutor


def test_the_tutor_asks_before_a_decision_that_costs_more_than_its_threshold() -> None:
    asked: list[tuple[str, str]] = []

    def loss_of(position: Position, action: game_action.Action) -> tuple[float, game_action.Action] | None:
        asked.append((str(position), str(action)))
        return (2.5 if action == game_action.Score("ones") else 1.0), game_action.Keep((3, 4, 5, 6))

    wanted = NewTable(seats=people("Ann"), advice="after", tutor=1.0)
    game = Live(wanted, chance=Scripted(DICE), loss_of=loss_of)
    game.do(game.roll())
    assert asked == []
    command = game.score("ones")
    answer = game.send(command)
    assert answer == Refused(command.id, 2, "costly", "score ones costs 2.50 points", 2.5, "keep 3456")
    assert game.send(command) == answer
    game.do(game.roll(".x.xx"))  # it costs no more than the threshold
    assert asked[-1] == ("yahtzee - 33456 r2", "keep 356")
    assert game.refusal(game.score("nines"))[1].startswith("score nines: the card has no box nines")
    game.do(game.score("ones", anyway=True))


def test_the_tutor_says_nothing_of_what_it_does_not_know() -> None:
    wanted = NewTable(seats=people("Ann"), advice="after", tutor=0.1)
    for loss_of in (None, lambda position, action: None):
        game = Live(wanted, chance=Scripted(DICE), loss_of=loss_of)
        game.do(game.roll())
        game.do(game.score("ones"))
