"""Turns go round all addresses, and round the holders of each: nobody starves, and every place is true."""

from collections import Counter
from copy import deepcopy

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fivedice.server.solving.fair_queue import FairQueue, Who
from tests.amount import amount

WHOS = st.builds(Who, st.sampled_from("abcd"), st.sampled_from("xyz"))
THINGS = st.integers(0, 30)


def fair_queue(per_address: int = 100, most: int = 100, max_begun: int = 100) -> FairQueue[str]:
    return FairQueue(per_address=per_address, most=most, max_begun=max_begun)


def order(queue: FairQueue[str]) -> str:
    """Everything in the order in which it is done, if each thing needs one turn."""
    found = ""
    while what := queue.running or queue.take():
        found += what
        queue.done(what)
    return found


def asked(*wishes: str, queue: FairQueue[str] | None = None) -> FairQueue[str]:
    """A queue after wishes such as "A ann@home!": for A, by Ann, at home, urgently."""
    queue = fair_queue() if queue is None else queue
    for wish in wishes:
        what, who = wish.rstrip("!").split()
        holder, _, address = who.partition("@")
        queue.ask(what, Who(address, holder), is_urgent=wish.endswith("!"))
    return queue


def test_addresses_take_turns_however_much_one_asks_for() -> None:
    queue = asked("A eve@e", "B eve@e", "C eve@e", "D ann@a", "E ben@b")
    assert order(queue) == "ADEBC"


def test_holders_of_one_address_take_turns_too() -> None:
    assert order(asked("A eve@e", "B eve@e", "C ann@e", "D ann@e", "E ben@b")) == "AECBD"


def test_urgent_things_come_first_in_a_round_and_not_before_every_other() -> None:
    assert order(asked("A ann@a", "B eve@e!", "C eve@e!", "D eve@e!")) == "BACD"


def test_what_two_wait_for_is_done_at_the_earlier_place() -> None:
    assert order(asked("A eve@e", "B eve@e", "C eve@e", "D ann@a", "C ann@a")) == "ACBD"


def test_a_newcomer_comes_before_the_next_turn_of_the_one_that_runs() -> None:
    queue = asked("A eve@e")
    assert queue.take() == "A"
    assert not queue.is_contended
    asked("B ann@a", queue=queue)
    assert queue.is_contended
    assert [queue.place(what) for what in "AB"] == [0, 1]
    queue.end_turn()
    assert [queue.place(what) for what in "AB"] == [1, 0]
    assert [queue.take(), queue.place("A")] == ["B", 1]


def test_a_stream_of_newcomers_holds_nobody_up() -> None:
    queue = asked("A eve@e")
    taken = [queue.take()]
    for number in range(4):
        asked(f"{number} ann@{number}", queue=queue)
        if queue.running == "A":
            queue.end_turn()
        else:
            queue.done(str(queue.running))
        taken.append(queue.take())
    assert taken == ["A", "0", "A", "1", "2"]


def test_nothing_ends_for_those_who_wait_for_it_themselves() -> None:
    queue = asked("A eve@e", "B eve@e")
    assert queue.take() == "A"
    assert not queue.is_contended


def test_what_nobody_waits_for_any_more_is_dropped() -> None:
    queue = asked("A eve@e", "A ann@a", "B eve@e")
    assert queue.take() == "A"
    queue.leave("A", Who("e", "eve"))
    assert "A" in queue
    queue.leave("A", Who("a", "ann"))
    assert ("A" in queue, queue.running, queue.place("A")) == (False, None, None)
    assert queue.take() == "B"


def test_an_address_may_wait_for_so_much_and_everybody_for_so_much() -> None:
    queue = fair_queue(per_address=2, most=3)
    assert [queue.ask(what, Who("e")) for what in "ABC"] == [True, True, False]
    assert queue.ask("C", Who("e"), is_urgent=True)
    assert queue.ask("A", Who("a")), "what is there already can be waited for"
    assert [queue.ask(what, Who("a")) for what in "DE"] == [False, False], "there are three"
    queue.done("A")
    assert [queue.ask(what, Who("a")) for what in "DE"] == [True, False]


def test_no_more_than_so_many_are_begun_and_not_done() -> None:
    queue = asked("A eve@e", "B ann@a", "C ben@b", queue=fair_queue(max_begun=2))
    for what in "ABAB":
        assert queue.take() == what
        queue.end_turn()
    assert [queue.place(what) for what in "ABC"] == [0, 2, 1], "C begins when A is done"
    queue.done("A")
    assert queue.take() == "C"


class AnyUse(RuleBasedStateMachine):
    """Any use of a queue, beside a list of who waits for what and of the turns that others had meanwhile."""

    @initialize(max_begun=st.sampled_from([2, 1_000]))
    def start(self, max_begun: int) -> None:
        self.queue: FairQueue[int] = FairQueue(per_address=6, most=20, max_begun=max_begun)
        self.is_bounded = max_begun < 1_000
        self.waiting: dict[int, set[Who]] = {}
        self.turns_of_others: dict[str, Counter[str]] = {}
        """For each address that waits, the turns of each other since its last one."""

    @rule(what=THINGS, who=WHOS, is_urgent=st.booleans())
    def ask(self, what: int, who: Who, is_urgent: bool) -> None:
        if self.queue.ask(what, who, is_urgent=is_urgent):
            self.waiting.setdefault(what, set()).add(who)
            self.turns_of_others.setdefault(who.address, Counter())
        else:
            assert what not in self.waiting
            own = [whos for whos in self.waiting.values() if any(one.address == who.address for one in whos)]
            assert not is_urgent
            assert len(own) >= 6 or len(self.waiting) >= 20

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        what = data.draw(st.sampled_from(sorted(self.waiting)))
        who = data.draw(st.sampled_from(sorted(self.waiting[what])))
        self.queue.leave(what, who)
        self.waiting[what].discard(who)
        self._tidy()

    @rule()
    def take(self) -> None:
        had_turn, first = self.queue.running, {what: self.queue.place(what) for what in self.waiting}
        what = self.queue.take()
        if had_turn is not None or not self.waiting:
            assert what is None
            return
        assert what is not None, "a turn is given whenever somebody waits"
        assert first[what] == 0
        served = self.queue._served
        assert served in self.waiting[what]
        for address, turns in self.turns_of_others.items():
            turns[served.address] += address != served.address
        self.turns_of_others[served.address].clear()

    @precondition(lambda self: self.queue.running is not None)
    @rule()
    def end_turn(self) -> None:
        self.queue.end_turn()

    @precondition(lambda self: self.queue.running is not None)
    @rule()
    def done(self) -> None:
        what = self.queue.running
        assert what is not None
        self.queue.done(what)
        del self.waiting[what]
        self._tidy()

    @invariant()
    def exactly_what_somebody_waits_for_is_in_the_queue(self) -> None:
        assert {what for what in range(31) if what in self.queue} == set(self.waiting)
        assert len(self.queue) == len(self.waiting)
        assert self.queue.running is None or self.queue.running in self.waiting

    @invariant()
    def nobody_starves(self) -> None:
        if not self.is_bounded:
            assert all(turns <= 2 for others in self.turns_of_others.values() for turns in others.values())

    @invariant()
    def every_place_is_true(self) -> None:
        places = {what: self.queue.place(what) for what in self.waiting}
        served, queue = [], deepcopy(self.queue)
        while (what := queue.running if queue.running is not None else queue.take()) is not None:
            served.append(what)
            queue.done(what)
        assert places == {what: place for place, what in enumerate(served)}

    @invariant()
    def nothing_is_kept_about_those_who_do_not_wait(self) -> None:
        whos = {who for waiting in self.waiting.values() for who in waiting}
        assert self.queue._since.keys() == whos | {who.address for who in whos}
        assert self.queue._rounds.keys() == {who.address for who in whos}

    def _tidy(self) -> None:
        self.waiting = {what: whos for what, whos in self.waiting.items() if whos}
        addresses = {who.address for whos in self.waiting.values() for who in whos}
        self.turns_of_others = {
            address: others for address, others in self.turns_of_others.items() if address in addresses
        }


AnyUse.TestCase.settings = settings(max_examples=amount(30, full=200), stateful_step_count=40, deadline=None)
TestAnyUse = AnyUse.TestCase
