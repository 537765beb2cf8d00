"""A clock runs in its person's own turns while the service is up, and then a computer player finishes the turn."""

import msgspec
import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.game.seats import PERSON as HUMAN
from fivedice.players.pace import Pace
from fivedice.players.rating import Result, result_of
from fivedice.server.table.apply import apply, replay, start
from fivedice.server.table.clocks import NEVER_AWAY, Away
from fivedice.server.table.create import NewTable, WantedSeat, create, create_rematch
from fivedice.server.table.created import NewSeat, TournamentLink
from fivedice.server.table.event_json import encode
from fivedice.server.table.state import PERSON, State
from fivedice.server.table.to_record import TableLog
from fivedice.server.table.verbs import Nudge, Resigned, Return, Rolled, TimedOut
from fivedice.server.table.verbs.time_out import time_out
from fivedice.server.table.view import view
from tests.server.scripted import NOW, SECRET, Live, people
from tests.server.table.two_players import BOB, close, nonce

MINUTE = Pace("turn", 60)
GAME = Pace("game", 60)
DAY = Pace("turn", 86_400)


def timed(pace: Pace | None = MINUTE) -> Live:
    """Ann and Bob at a table with clocks."""
    return Live(NewTable(people("Ann", "Bob"), pace=pace))


def turn(game: Live, seconds: float, box: str = "chance") -> None:
    """The person to move takes a turn of so many seconds."""
    game.do(game.roll())
    game.now += seconds
    game.do(game.score(box))


def run_out(game: Live, seconds: float = 0.0) -> None:
    """Let the clock of the person to move run out, and the computer player finish the turn, if there is one."""
    late_at = game.table.late_at(game.away)
    assert late_at is not None
    game.now = late_at + seconds
    step = time_out(game.table, game.now, game.away)
    assert step is not None
    game.append(step.event)
    while game.let_computer_act():
        pass


def late_in(game: Live) -> float:
    """In how many seconds the clock of the person to move runs out."""
    late_at = game.table.late_at(game.away)
    assert late_at is not None
    return late_at - game.now


def test_a_table_has_no_clock_unless_one_is_chosen() -> None:
    assert timed(None).table.late_at() is None


def test_a_clock_for_the_turn_begins_anew_with_each_turn() -> None:
    game = timed()
    turn(game, 50)
    assert late_in(game) == 60
    turn(game, 10)
    assert late_in(game) == 60


def test_a_clock_for_the_game_goes_on_where_it_stopped() -> None:
    game = timed(GAME)
    turn(game, 20)
    turn(game, 5)
    assert late_in(game) == 40
    turn(game, 30, "ones")
    assert late_in(game) == 55
    assert replay(game.events) == game.table


@pytest.mark.parametrize("pace", [MINUTE, GAME])
def test_an_undone_score_gives_no_time_back_and_takes_none_from_the_next_seat(pace: Pace) -> None:
    game = timed(pace)
    turn(game, 20)
    game.now += 15
    game.do(game.undo(0))
    assert late_in(game) == 40
    game.do(game.score("chance"))
    assert late_in(game) == 60


@pytest.mark.parametrize("pace", [MINUTE, GAME])
def test_a_clock_stands_still_while_the_service_is_down(pace: Pace) -> None:
    game = timed(pace)
    game.away = Away(put_off=990)
    game.now += 1_020
    assert late_in(game) == 30
    assert time_out(game.table, game.now, game.away) is None
    game.do(game.roll())
    game.do(game.score("chance"))
    game.away = NEVER_AWAY  # the end of the next clock is stored anew
    game.do(game.undo(0))
    assert late_in(game) == 30


def test_a_computer_player_finishes_a_late_turn_and_the_person_plays_the_next_one() -> None:
    game = timed()
    game.do(game.roll())
    run_out(game)
    assert [type(event) for event in game.events[2:3]] == [TimedOut]
    assert (game.table.position.seat, game.table.seats[0].is_late, game.table.seats[0].decider) == (1, True, PERSON)
    turn(game, 1)
    turn(game, 1)
    assert not game.table.seats[0].is_late


def test_nobody_returns_to_a_turn_whose_time_is_up() -> None:
    game = timed()
    game.now += 60
    step = time_out(game.table, game.now, NEVER_AWAY)
    assert step is not None
    game.append(step.event)
    back = Return(id=game.new_id(), version=game.table.version, seat=0)
    assert game.refusal(back)[1] == "the time is up: the computer player finishes this turn"


@pytest.mark.parametrize("pace", [MINUTE, GAME])
def test_a_seat_whose_clock_runs_out_twice_in_a_row_resigns(pace: Pace) -> None:
    game = timed(pace)
    run_out(game)
    turn(game, 1)
    run_out(game)
    last = game.events[-1]
    assert isinstance(last, Resigned)
    assert (last.seat, last.is_late) == (0, True)
    assert (game.table.state, game.table.position.winners) == (State.OVER, (1,))
    assert replay(game.events) == game.table


def test_two_late_turns_that_do_not_follow_each_other_are_no_resignation() -> None:
    game = timed()
    run_out(game)
    turn(game, 1)
    turn(game, 1)
    turn(game, 1, "ones")
    run_out(game)
    assert not any(card.resigned for card in game.table.position.cards)


def test_only_the_server_says_that_a_clock_has_run_out() -> None:
    game = timed()
    for event in (TimedOut(at=NOW, seat=1, player="greedy"), TimedOut(at=NOW, seat=None, player="greedy")):
        with pytest.raises(IllegalError, match="the clock of seat 0 runs"):
            apply(game.table, event)
    with pytest.raises(IllegalError, match="the table has no clocks"):
        apply(timed(None).table, TimedOut(at=NOW, seat=0, player="greedy"))


def test_a_rematch_has_the_same_clock_and_the_other_seat_begins() -> None:
    created = create_rematch(timed().table, "t2", "", NOW)
    assert (created.pace, created.first) == (MINUTE, "1")


def test_the_clocks_of_a_rematch_begin_when_everybody_has_come() -> None:
    game = Live(NewTable(people("Ann", ""), pace=MINUTE, first="1"))
    game.do(game.sit(1, "Bob"), BOB)
    assert late_in(game) == 60
    created = create_rematch(game.table, "t2", "", NOW)
    game.events, game.table = [created], start(created)
    game.do(nonce(game, 0))
    game.now += 3_600
    assert game.table.late_at() is game.table.clock_due is None
    assert view(game.table, secret=b"").awaited == [1], "Bob still reads the result"
    game.do(nonce(game, 1))
    assert (late_in(game), view(game.table, secret=b"").awaited) == (60, [])
    assert replay(game.events) == game.table


def test_a_table_whose_clocks_wait_for_somebody_can_be_closed_and_counts_for_nobody() -> None:
    game = Live(NewTable(people("Ann", ""), pace=MINUTE))
    game.do(game.sit(1, "Bob"), BOB)
    created = create_rematch(game.table, "t2", "", NOW)
    game.events, game.table = [replace(created, first="0")], start(replace(created, first="0"))
    game.do(game.roll())
    assert game.table.is_rated
    game.do(close(game, 0), frozenset({0}))
    assert not game.table.is_rated


def test_in_a_tournament_a_clock_runs_for_somebody_who_does_not_come_but_nobody_is_rated() -> None:
    wanted = create(NewTable([WantedSeat(PERSON)] * 2, pace=MINUTE), "t1", "", NOW)
    seats = [NewSeat(PERSON, "Ann"), NewSeat(PERSON, "Bob")]
    game = timed()
    created = replace(wanted, seats=seats, first="1", tournament=TournamentLink("T", "Ladder"), is_called=True)
    game.events, game.table = [created], start(created)
    run_out(game)
    game.do(game.roll())
    game.do(game.score("chance"))
    run_out(game)
    assert game.table.position.winners == (0,)
    assert not game.table.is_rated


def test_a_loss_by_the_clock_is_rated() -> None:
    game = Live(NewTable(people("Ann", ""), pace=MINUTE))
    game.do(game.sit(1, "Bob"), BOB)
    run_out(game)
    turn(game, 1)
    run_out(game)
    log = TableLog(tuple(encode(event) for event in game.events), SECRET)
    table, record, own = log.read()
    assert table.is_rated
    assert result_of(record) == Result((HUMAN, HUMAN), (2, 1), "yahtzee")
    assert own == {1}, "a computer player decided for Ann, so her decisions tell nothing of her strength"


def test_a_clock_needs_a_computer_player_that_knows_the_rules() -> None:
    with pytest.raises(IllegalError, match="no computer player acts with real dice"):
        create(NewTable(people("Ann"), dice="real", pace=MINUTE), "t", "", NOW)
    with pytest.raises(UnknownError, match="nobody"):
        create(NewTable(people("Ann"), pace=Pace("turn", 60, "nobody")), "t", "", NOW)


def test_a_player_is_nudged_once_in_each_turn_of_a_relaxed_game() -> None:
    game = timed(DAY)

    def nudge(seat: int) -> Nudge:
        return Nudge(id=game.new_id(), version=game.table.version, seat=seat)

    assert game.refusal(nudge(0), frozenset({0}))[1] == "nobody else is waited for"
    game.do(nudge(1), frozenset({1}))
    assert not game.table.can_nudge
    assert game.refusal(nudge(1), frozenset({1}))[1] == "a player is nudged once in each turn"
    game.do(game.roll())
    game.do(game.score("chance"))
    game.do(nudge(0), frozenset({0}))
    hasty = timed()
    refused = hasty.refusal(Nudge(id=hasty.new_id(), version=1, seat=1), frozenset({1}))
    assert refused[1] == "players can nudge only where a turn may take an hour or longer"
    assert not any(isinstance(event, Rolled) for event in hasty.events)


@pytest.mark.parametrize("pace", ['"turn","seconds":9', '"game","seconds":604801', '"day","seconds":60'])
def test_a_clock_that_is_too_short_or_too_long_is_refused(pace: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"seats":[{{"kind":"person"}}],"pace":{{"per":{pace}}}}}', type=NewTable)


# When the service was up


SECONDS = st.integers(0, 60)


def test_an_idle_moment_is_no_later_than_its_event_was_read_and_no_earlier_than_the_service_was_back() -> None:
    assert NEVER_AWAY.idle_from(100.0) == 100.0
    assert Away(back=150.0, latest=200.0).idle_from(100.0) == 150.0
    assert Away(back=150.0, latest=200.0).idle_from(170.0) == 170.0
    assert Away(back=150.0, latest=200.0).idle_from(9_999.0) == 200.0
