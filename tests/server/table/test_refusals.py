"""Refusals of anything that a person may try have a code, which a page translates."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from msgspec import structs

from fivedice.players.pace import Pace
from fivedice.server.table.answers import Code, Refused, RefusedError
from fivedice.server.table.create import NewTable, WantedSeat
from fivedice.server.table.created import DuplicateEntry
from fivedice.server.table.decide import decide
from fivedice.server.table.verbs import AnyCommand, Close, Nudge, Rematch, Resign, StandIn
from tests.server.scripted import ALL, Live, Scripted, people

ANN = frozenset({0})
ONES_TO_SIXES = "13456"
FOURS = "44444"


def game(rules: str = "yahtzee", dice: str = ONES_TO_SIXES, *, silence: int = 60, names: tuple[str, ...] = ()) -> Live:
    """Ann and Bob, unless others are named; every roll shows the same dice."""
    chance = Scripted({(turn, roll): dice for turn in range(30) for roll in range(3)})
    return Live(NewTable(rules=rules, seats=people(*(names or ("Ann", "Bob"))), silence=silence), chance=chance)


def a_free_seat() -> Refused:
    live = game(names=("Ann", ""))
    return refused(live, live.roll(seat=0))


def a_table_that_was_ended() -> Refused:
    live = game()
    live.do(Close(id=live.new_id(), version=1, seat=0))
    return refused(live, live.roll(seat=0))


def the_turn_of_another() -> Refused:
    live = game()
    return refused(live, live.roll(seat=1))


def a_seat_played_by_a_computer() -> Refused:
    live = game()
    live.do(StandIn(id=live.new_id(), version=1, seat=0))
    return refused(live, live.roll(seat=0))


def no_dice_yet() -> Refused:
    live = game()
    return refused(live, live.score("chance"))


def a_fourth_roll() -> Refused:
    live = game()
    live.do(live.roll())
    live.do(live.roll("....."))
    live.do(live.roll("....."))
    return refused(live, live.roll("....."))


def a_box_that_is_filled() -> Refused:
    live = game(names=("Ann",))
    live.do(live.roll())
    live.do(live.score("chance"))
    live.do(live.roll())
    return refused(live, live.score("chance"))


def a_box_that_the_order_closes() -> Refused:
    live = game("yahtzee[order=down]")
    live.do(live.roll())
    return refused(live, live.score("threes"))


def a_roll_before_an_announcement() -> Refused:
    live = game("yamb[columns=announced]")
    live.do(live.roll())
    return refused(live, live.roll("....."))


def nothing_scored() -> Refused:
    live = game()
    return refused(live, live.undo(0))


def a_name_that_is_taken() -> Refused:
    live = game(names=("Ann", ""))
    return refused(live, live.sit(1, "Ann"))


def a_seat_that_is_not_idle_yet() -> Refused:
    live = game(names=("Bob", "Ann"))
    live.do(live.roll())
    live.now += 40
    return refused(live, StandIn(id=live.new_id(), version=live.table.version, seat=0), frozenset({1}))


def a_game_that_others_play() -> Refused:
    live = game()
    live.do(live.roll())
    return refused(live, Close(id=live.new_id(), version=live.table.version, seat=0), ANN)


def a_second_nudge_in_a_turn() -> Refused:
    live = Live(NewTable(people("Ann", "Bob"), pace=Pace("turn", 86_400)))
    for version in (1, 2):
        answer = live.send(Nudge(id=live.new_id(), version=version, seat=1), frozenset({1}))
    assert isinstance(answer, Refused)
    return answer


def a_rematch_with_somebody_who_wants_none() -> Refused:
    live = game()
    live.do(live.roll())
    live.do(Resign(id=live.new_id(), version=live.table.version, seat=0))
    rematch = Rematch(id=live.new_id(), version=live.table.version, seat=0)
    with pytest.raises(RefusedError) as caught:
        decide(live.table, rematch, replace(live.context(), is_blocked=True))
    return caught.value.answer(rematch.id, live.table.version)


def a_game_on_the_same_dice_whose_time_has_passed() -> Refused:
    live = game(names=("Ann",))
    entry = structs.replace(live.table.created, duplicate=DuplicateEntry("d", closes=live.context().now))
    live.table = live.table.but(created=entry)
    return refused(live, live.roll())


TRIED: dict[Code, Callable[[], Refused]] = {
    "not_begun": a_free_seat,
    "ended": a_table_that_was_ended,
    "not_your_turn": the_turn_of_another,
    "stood_in": a_seat_played_by_a_computer,
    "roll_first": no_dice_yet,
    "no_rolls": a_fourth_roll,
    "box_filled": a_box_that_is_filled,
    "box_closed": a_box_that_the_order_closes,
    "must_announce": a_roll_before_an_announcement,
    "nothing_to_undo": nothing_scored,
    "name_taken": a_name_that_is_taken,
    "still_acts": a_seat_that_is_not_idle_yet,
    "others_play": a_game_that_others_play,
    "nudged": a_second_nudge_in_a_turn,
    "no_rematch": a_rematch_with_somebody_who_wants_none,
    "closed": a_game_on_the_same_dice_whose_time_has_passed,
}


def refused(live: Live, command: AnyCommand, holds: frozenset[int] = ALL) -> Refused:
    answer = live.send(command, holds)
    assert isinstance(answer, Refused)
    assert answer.reason == "illegal"
    return answer


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_is_the_answer_to_something_a_person_may_try(code: Code) -> None:
    assert TRIED[code]().code == code


def test_a_refused_stand_in_includes_the_seconds_to_wait() -> None:
    assert a_seat_that_is_not_idle_yet().seconds == pytest.approx(20)


def test_mistakes_of_faulty_clients_have_no_code() -> None:
    live = Live(NewTable(seats=[*people("Ann"), WantedSeat("greedy")]))
    live.do(live.roll())
    assert refused(live, live.score("nonsense")).code is None
    assert refused(live, live.sit(1, "Eve")).code is None
