"""Whatever people do in the lobby, each meets only people who want the same game, and nobody who is blocked."""

from contextlib import suppress
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.server.config.limits import MAX_OPEN_SEATS
from fivedice.server.matchmaking.lobby import LIVE_SEAT_SECONDS, NEAR, RELAXED_SEAT_SECONDS, Lobby, OpenSeat
from tests.amount import amount

HOLDERS = st.sampled_from("abcdef")
DAY = 86_400


def seat(holder: str, id: str = "", *, seconds: int = 60, level: int | None = None, near: bool = False) -> OpenSeat:
    """A seat that somebody opens at time 0."""
    return OpenSeat(id or holder, holder, holder.upper(), "yatzy", seconds, level, near, 0.0, 0.0)


class AnyLobby(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.lobby, self.now, self.ids = Lobby(), 0.0, count()
        self.filled: set[str] = set()

    def meet(self, seat: OpenSeat, holder: str) -> None:
        """Let a holder play the person at a seat, which is left with the others that `left_by` names."""
        assert seat.waits(self.now)
        assert seat.id not in self.filled, "a seat is filled once"
        self.filled.add(seat.id)
        assert holder != seat.holder
        assert not {(holder, seat.holder), (seat.holder, holder)} & self.lobby.blocked
        left = {seat.id} | self.lobby.left_by(seat, holder)
        self.lobby = replace(self.lobby, seats=tuple(one for one in self.lobby.seats if one.id not in left))

    @rule(
        holder=HOLDERS,
        rules=st.sampled_from(["yatzy", "kniffel"]),
        seconds=st.sampled_from([30, 60, DAY]),
        level=st.none() | st.integers(1, 9),
        near=st.booleans(),
        casual=st.booleans(),
    )
    def seek(self, holder: str, rules: str, seconds: int, level: int | None, near: bool, casual: bool) -> None:
        wish = OpenSeat(f"s{next(self.ids)}", holder, holder, rules, seconds, level, near, self.now, self.now, casual)
        self.lobby = self.lobby.at(self.now)
        fitting = [one for one in self.lobby.seats if one.wants_same(wish) and self.lobby.may_meet(one.holder, holder)]
        try:
            found = self.lobby.seek(wish)
        except IllegalError:
            assert not fitting
            return
        assert (found in fitting) == bool(fitting), "somebody waits although another person fits"
        if not fitting:
            others = (one for one in self.lobby.seats if one.id != found.id)
            self.lobby = replace(self.lobby, seats=(*others, found))
            return
        assert (found.rules, found.seconds, found.casual) == (rules, seconds, casual)
        if near or found.near:
            assert level is not None
            assert found.level is not None
            assert abs(level - found.level) <= NEAR
        self.meet(found, holder)

    @precondition(lambda self: self.lobby.seats)
    @rule(holder=HOLDERS, data=st.data(), level=st.none() | st.integers(1, 9))
    def sit_down(self, holder: str, data: st.DataObject, level: int | None) -> None:
        chosen = data.draw(st.sampled_from(self.lobby.seats))
        self.lobby = self.lobby.at(self.now)
        with suppress(IllegalError, UnknownError):
            self.meet(self.lobby.open_to(holder, level, chosen.id), holder)

    @rule(one=HOLDERS, other=HOLDERS)
    def block(self, one: str, other: str) -> None:
        self.lobby = replace(self.lobby, blocked=self.lobby.blocked | {(one, other)})

    @rule(seconds=st.sampled_from([1.0, LIVE_SEAT_SECONDS, RELAXED_SEAT_SECONDS]), here=st.sets(HOLDERS))
    def time_passes(self, seconds: float, here: set[str]) -> None:
        self.now += seconds
        seats = (replace(one, seen=self.now) if one.holder in here else one for one in self.lobby.seats)
        self.lobby = replace(self.lobby, seats=tuple(seats))

    @invariant()
    def nobody_waits_at_too_many_seats_or_twice_for_one_game(self) -> None:
        for holder in "abcdef":
            own = [(one.rules, one.seconds, one.casual) for one in self.lobby.at(self.now).of(holder)]
            assert len(own) <= MAX_OPEN_SEATS
            assert len(set(own)) == len(own)


def test_whatever_people_do_the_lobby_keeps_its_promises() -> None:
    run(AnyLobby, settings=settings(max_examples=amount(30, full=1_000), stateful_step_count=30, deadline=None))


def test_of_several_who_fit_the_nearest_level_is_met_and_then_who_waited_longest() -> None:
    seats = (seat("a", level=9), seat("b", level=5), replace(seat("c", level=5), since=-1.0))
    assert Lobby(seats).seek(seat("d", level=4)).holder == "c"


def test_who_plays_a_live_game_waits_for_no_other_one_but_goes_on_to_wait_for_a_relaxed_one() -> None:
    live, slow = seat("a", "live"), seat("a", "slow", seconds=DAY)
    lobby = Lobby((live, replace(seat("a", "other"), rules="kniffel"), slow, seat("b", "own"), seat("c")))
    assert lobby.left_by(live, "b") == {"other", "own"}
    assert lobby.left_by(slow, "b") == set()


@pytest.mark.parametrize(("seconds", "waits"), [(60, LIVE_SEAT_SECONDS), (DAY, RELAXED_SEAT_SECONDS)])
def test_a_seat_is_open_until_its_person_has_left_to_who_is_near(seconds: int, waits: float) -> None:
    lobby = Lobby((seat("a", seconds=seconds, level=5, near=True),))
    assert lobby.at(waits - 1).open_to("b", 7, "a")
    for level in (None, 1, 8):
        with pytest.raises(IllegalError, match="about their level"):
            lobby.open_to("b", level, "a")
    with pytest.raises(UnknownError, match="no longer open"):
        lobby.at(waits).open_to("b", 7, "a")


def test_who_seeks_again_keeps_the_place_in_the_queue() -> None:
    found = Lobby((seat("a", "first"),)).seek(replace(seat("a", "second"), since=9.0, seen=9.0))
    assert (found.id, found.since, found.seen) == ("first", 0.0, 9.0)


def test_nobody_waits_at_many_seats() -> None:
    own = tuple(seat("a", seconds=seconds) for seconds in range(60, 60 + MAX_OPEN_SEATS))
    with pytest.raises(IllegalError, match="you wait at 3 seats already: leave one of them first"):
        Lobby(own).seek(seat("a", seconds=DAY))
