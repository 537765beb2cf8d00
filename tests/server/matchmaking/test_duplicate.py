"""Whatever people do in a game on the same dice, nobody sees more than they may, and the result does not change."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from fivedice.base.errors import IllegalError
from fivedice.server.clubs.same_dice import Seen
from fivedice.server.matchmaking.duplicate import Duplicate, EntryEnded, Opened, in_order, ranks
from tests.amount import amount
from tests.any_log import AnyLog

CLOSES = 1_000.0
SEATS = 4


def duplicate(names: str) -> Duplicate:
    """A game in which these people play, each at the table `t` and their name."""
    found = opened().start()
    for name in names.split():
        found = found.enter(f"t{name}", name, 0.0).apply(found)
    return found


def opened() -> Opened:
    return Opened(at=0.0, id="d", rules="yatzy", seats=SEATS, closes=CLOSES)


def ended(game: Duplicate, table: str, score: int | None, now: float) -> Duplicate:
    return EntryEnded(at=now, table=table, score=score).apply(game)


def seen(game: Duplicate, own: set[str], now: float) -> list[bool]:
    views = {one.number: one for one in game.entry_views(own, {}, now)}
    return [views[one.number].table is not None for one in game.entries]


class AnyDuplicate(AnyLog):
    kind = "duplicate"

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.begin(opened())

    @property
    def game(self) -> Duplicate:
        state: Duplicate = self.state
        return state

    def may_play(self) -> bool:
        return self.now < CLOSES and any(one.ended is None for one in self.game.entries)

    @rule(name=st.sampled_from("abcdef"))
    def enter(self, name: str) -> None:
        is_open = self.now < self.game.closes and len(self.game.entries) < SEATS
        is_new = name not in [one.name for one in self.game.entries]
        try:
            entered = self.game.enter(f"t{name}", name, self.now)
        except IllegalError:
            assert not (is_open and is_new)
        else:
            assert is_open
            assert is_new
            assert self.append(entered)

    @precondition(may_play)
    @rule(data=st.data(), score=st.none() | st.integers(0, 300))
    def end(self, data: st.DataObject, score: int | None) -> None:
        playing = [one for one in self.game.entries if one.ended is None]
        self.append(EntryEnded(at=self.now, table=data.draw(st.sampled_from(playing)).table, score=score))

    @precondition(lambda self: self.game.entries)
    @rule(data=st.data(), score=st.none() | st.integers(0, 300))
    def a_result_counts_once(self, data: st.DataObject, score: int | None) -> None:
        done = [one for one in self.game.entries if one.ended is not None]
        if done:
            chosen = data.draw(st.sampled_from(done))
            assert chosen in ended(self.game, chosen.table, score, self.now).entries

    @rule(seconds=st.sampled_from([1.0, 100.0, CLOSES]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @invariant()
    def it_has_no_more_entries_than_seats_and_no_name_twice(self) -> None:
        names = [one.name for one in self.game.entries]
        assert len(names) == len(set(names)) <= SEATS
        assert [one.number for one in self.game.entries] == list(range(1, len(names) + 1))

    @invariant()
    def it_closes_at_its_time_or_once_nobody_can_play(self) -> None:
        all_ended = len(self.game.entries) == SEATS and all(one.ended is not None for one in self.game.entries)
        assert self.game.is_closed(self.now) == (self.now >= CLOSES or all_ended)

    @invariant()
    def others_are_seen_by_those_who_have_finished_and_by_everybody_at_the_end(self) -> None:
        is_closed = self.game.is_closed(self.now)
        for one in self.game.entries:
            for other, sees in zip(self.game.entries, seen(self.game, {one.table}, self.now), strict=True):
                assert sees == (one is other or is_closed or one.score is not None)
        assert set(seen(self.game, set(), self.now)) <= {is_closed}


def test_whatever_people_do_nobody_sees_more_than_they_may() -> None:
    run(AnyDuplicate, settings=settings(max_examples=amount(30, full=1_000), stateful_step_count=30, deadline=None))


def test_who_loses_fewest_points_is_first_and_who_has_no_rank_last_or_two_entries_waits_for_both() -> None:
    game = ended(duplicate("a b c"), "ta", 200, 1.0)
    assert seen(game, {"ta"}, 2.0) == [True, True, True]
    assert seen(game, {"ta", "tb"}, 2.0) == [True, True, False]
    assert Seen(game, 1, {"ta", "tb"}, "", None).table == "tb", "that of the game which goes on"
    game = ended(ended(duplicate("a b c"), "ta", None, 1.0), "tc", 200, 2.0)
    assert [one.name for one in in_order(game.entries, {3: 1})] == ["c", "a", "b"]
    assert ranks({1: 4.0, 2: 0.5, 3: 4.0 + 1e-9, 4: 7.0}) == {2: 1, 1: 2, 3: 2, 4: 4}
