"""A clock runs in its person's own turns, and computer players act at once, at their pace, or for who is late."""

import dataclasses

import msgspec
import pytest
from msgspec.structs import replace

from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.game.seats import PERSON as HUMAN
from fivedice.players import Greedy
from fivedice.players.pace import DEFAULT_SECONDS
from fivedice.players.rating import Result, result_of
from fivedice.server.table.apply import start
from fivedice.server.table.create import NewTable, WantedSeat, create, create_rematch
from fivedice.server.table.decide import Choose, due_at, is_bots_turn
from fivedice.server.table.event import Event, NewSeat, TournamentLink
from fivedice.server.table.history import encode
from fivedice.server.table.state import PERSON, State
from fivedice.server.table.to_record import TableLog
from fivedice.server.table.verbs.begin import AddNonce, RolledOff
from fivedice.server.table.verbs.end import Close, Resign, Resigned, TimedOut, time_out
from fivedice.server.table.verbs.play import Rolled, Scored
from fivedice.server.table.view import view
from tests.server.scripted import ANN, BOB, NOW, SECRET, Live, Scripted, computers, nonce, people, run_out, two_players

MANY_DICE = "id = 'many'\ndice = 10\nfaces = 9\n[categories]\nany = { scorer = 'any_dice' }\n"
HERE, AWAY = WantedSeat(PERSON, "Ann", here=True), WantedSeat(PERSON)


def turn(game: Live, seconds: float, box: str = "chance") -> None:
    """The person to move takes a turn of so many seconds."""
    game.do(game.roll())
    game.now += seconds
    game.do(game.score(box))


def finish_late_turn(game: Live) -> None:
    """Let the clock of the person to move run out, and the computer player finish the turn."""
    assert isinstance(run_out(game), TimedOut)
    while game.let_computer_act():
        pass


def left(game: Live) -> float:
    """The seconds on the clock of the person to move."""
    assert game.table.due is not None
    return game.table.due - game.now


@pytest.mark.parametrize(
    ("seats", "pace", "expected"),
    [
        ([HERE, AWAY], None, DEFAULT_SECONDS),
        ([HERE, AWAY], 60, 60),
        ([HERE, WantedSeat("greedy")], None, 0),
        (people("Ann", "Bob"), None, 0),
        (people("Ann", "Bob"), 60, 60),
    ],
)
def test_a_table_has_a_clock_of_a_day_if_a_person_plays_from_elsewhere(
    seats: list[WantedSeat], pace: int | None, expected: int
) -> None:
    assert create(NewTable(seats, pace=pace), "t", "0" * 64, NOW).pace == expected


def test_a_clock_begins_anew_with_each_turn_and_after_an_undo_and_its_end_may_be_put_off() -> None:
    game = two_players()
    turn(game, 50)
    assert left(game) == 60
    game.now += 15
    game.do(game.sit(1, "Robert"))
    assert left(game) == 45
    game.do(game.undo(0))
    assert left(game) == 60
    game.now += 1_020
    assert time_out(game.table, game.now, game.now)
    assert time_out(game.table, game.now, game.now + 30) is None
    assert time_out(game.table, game.now + 30, game.now + 30)


def test_a_clock_runs_when_the_second_person_has_come_and_while_two_play() -> None:
    game = Live(NewTable([HERE, AWAY, AWAY], pace=60))
    game.do(game.sit(1, "Bob"), BOB)
    assert game.table.due is None
    game.do(game.sit(2, "Cem"), frozenset({2}))
    assert left(game) == 60
    game.do(game.command(Resign, seat=2))
    assert left(game) == 60
    game.do(game.command(Resign, seat=1))
    assert game.table.due is None, "the game is over"
    game = Live(NewTable([HERE, AWAY, WantedSeat("greedy")], pace=60))
    game.do(game.sit(1, "Bob"), BOB)
    game.do(game.command(Resign, seat=1))
    assert game.table.due is None, "nobody waits for Ann"


def test_a_computer_player_that_rules_allow_finishes_a_late_turn_and_the_person_plays_the_next_one() -> None:
    game = two_players()
    game.do(game.roll())
    run_out(game)
    assert game.refusal(game.score("chance"), ANN) == ("illegal", "the time is up: greedy finishes this turn")
    assert game.table.due is None
    while game.let_computer_act():
        pass
    assert [type(event) for event in game.events[2:]] == [TimedOut, Scored]
    assert (game.table.position.seat, game.table.seats[0].is_late, game.table.seats[0].decider) == (1, True, PERSON)
    turn(game, 1)
    turn(game, 1)
    assert not game.table.seats[0].is_late
    game = Live(NewTable(people("Ann", "Bob"), toml=MANY_DICE, pace=60))
    assert run_out(game) == TimedOut(at=game.now, seat=0, player="random")


def test_a_seat_whose_clock_runs_out_twice_in_a_row_resigns_which_is_rated() -> None:
    game = Live(NewTable([HERE, AWAY], pace=60))
    game.do(game.sit(1, "Bob"), BOB)
    finish_late_turn(game)
    turn(game, 1)
    last = run_out(game)
    assert isinstance(last, Resigned)
    assert (last.seat, last.is_late) == (0, True)
    assert (game.table.state, game.table.position.winners) == (State.OVER, (1,))
    table, record, own = TableLog(tuple(encode(event) for event in game.events), SECRET).read()
    assert table.is_rated
    assert result_of(record) == Result((HUMAN, HUMAN), (2, 1), "yahtzee")
    assert result_of(dataclasses.replace(record, proof=None)) is None
    assert own == {1}, "a computer player decided for Ann, so her decisions tell nothing of her strength"


def test_the_clock_of_a_rematch_begins_when_the_second_person_has_come_and_who_waits_may_close_it_unrated() -> None:
    game = Live(NewTable([HERE, AWAY], pace=60, first="1"))
    game.do(game.sit(1, "Bob"), BOB)
    created = create_rematch(game.table, "t2", "", NOW)
    assert (created.pace, created.first) == (60, "0")
    game.events, game.table = [created], start(created)
    game.do(nonce(game, 0))
    game.now += 3_600
    assert game.table.due is None
    assert view(game.table, secret=b"").awaited == [1], "Bob still reads the result"
    before, num_events = game.table, len(game.events)
    game.do(game.roll())
    assert game.table.is_rated
    game.do(game.command(Close, seat=0), ANN)
    assert not game.table.is_rated
    game.table, game.events = before, game.events[:num_events]
    game.do(nonce(game, 1))
    assert (left(game), view(game.table, secret=b"").awaited) == (60, [])


def test_in_a_tournament_a_clock_runs_for_somebody_who_does_not_come_but_nobody_is_rated() -> None:
    wanted = create(NewTable([AWAY, AWAY], pace=60), "t1", "", NOW)
    seats = [NewSeat(PERSON, "Ann"), NewSeat(PERSON, "Bob")]
    game = two_players()
    created = replace(wanted, seats=seats, first="1", tournament=TournamentLink("T", "Ladder"), is_called=True)
    game.events, game.table = [created], start(created)
    finish_late_turn(game)
    turn(game, 1)
    run_out(game)
    assert game.table.position.winners == (0,)
    assert not game.table.is_rated


@pytest.mark.parametrize("pace", ["9", "604801", "60.5", "false", '{"per":"turn","seconds":60}'])
def test_a_clock_that_is_too_short_or_too_long_is_refused(pace: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"seats":[{{"kind":"person"}}],"pace":{pace}}}', type=NewTable)


DICE = {(turn, roll): "33436" for turn in range(30) for roll in range(3)}
PACE = 0.5


def greedy(kind: str, position: Position) -> Action:
    assert kind == "greedy"
    return Greedy().choose(position)


def act(game: Live, choose: Choose = greedy) -> Event | None:
    """Take the next step of the computer player to move, and return its event."""
    return game.let_computer_act(choose)


def test_a_computer_player_waits_while_it_has_no_action_and_for_people_at_the_beginning() -> None:
    game = Live(NewTable(seats=computers("optimal")))
    assert isinstance(act(game, lambda kind, position: None), Rolled)
    assert act(game, lambda kind, position: None) is None
    opening = Live(NewTable(seats=[*people("Ann"), *computers("greedy")], first="highest_roll", casual=True))
    assert (is_bots_turn(opening.table), act(opening)) == (False, None)
    assert isinstance(act(Live(NewTable(seats=computers("greedy", "random"), first="highest_roll"))), RolledOff)
    is_open = Live(NewTable(seats=[*computers("greedy"), *people("")]))
    assert (act(is_open), due_at(is_open.table, PACE, is_open.now)) == (None, None)


def test_computer_players_act_at_once_where_people_play_after_time_for_nonces_and_else_at_their_pace() -> None:
    game = Live(NewTable(seats=[*computers("greedy"), *people("Ann", "")]), chance=Scripted(DICE))
    game.now += 100
    game.do(game.sit(2, "Bob"))
    assert due_at(game.table, PACE, game.now) == game.now + 5 * PACE
    for seat in (1, 2):
        game.do(game.command(AddNonce, seat=seat, nonce="0f"))
    assert due_at(game.table, PACE, game.now) == game.now
    while act(game):
        pass
    assert due_at(game.table, PACE, game.now) is None
    for command in (game.roll, lambda: game.score("chance"), game.roll, lambda: game.score("ones")):
        game.now += 7
        game.do(command())
    assert due_at(game.table, PACE, game.now) == game.now
    alone = Live(NewTable(seats=computers("greedy")), chance=Scripted(DICE))
    assert due_at(alone.table, PACE, alone.now) == alone.now + 5 * PACE
    act(alone)
    assert due_at(alone.table, PACE, alone.now) == alone.now + PACE


def test_a_stand_in_continues_with_the_dice_in_their_places() -> None:
    dice = {(0, 0): "33436", (0, 1): "21222", (0, 2): "55555"}
    game = Live(NewTable(seats=people("Ann", "Bob"), pace=60), chance=Scripted(dice))
    game.do(game.roll())
    game.do(game.roll(".x.x."))
    run_out(game)
    chosen: list[Action] = [Keep((2, 2, 3)), Score("twos")]
    # The 3 in the second place was kept before, so it stays.
    assert act(game, lambda kind, position: chosen.pop(0)) == Rolled(
        at=NOW + 60, seat=0, dice=[2, 3, 2, 5, 5], kept=[True, True, True, False, False], by="greedy"
    )
