"""Hypothesis sends commands in any order: the table always equals the replay of its events."""

from random import Random

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fivedice.game.action import Score as ScoreAction
from fivedice.ruleset import Ruleset
from fivedice.server.table import verbs
from fivedice.server.table.answers import Accepted, AnyAnswer, Refused
from fivedice.server.table.apply import replay
from fivedice.server.table.bots import bot_step
from fivedice.server.table.create import NewTable, WantedSeat
from fivedice.server.table.state import PERSON, State
from fivedice.server.table.verbs import AnyCommand, AnyEvent
from fivedice.server.table.view import view
from fivedice.testing import rulesets
from tests.amount import amount
from tests.server.scripted import SECRET, Live

BEHIND = st.integers(0, 9).map(lambda number: max(0, number - 6))
"""The number of versions that a client is behind, mostly 0."""
KINDS = st.sampled_from([PERSON, PERSON, "random"])
OfASeat = verbs.RollOff | verbs.Undo | verbs.StandIn | verbs.Return | verbs.Close | verbs.Rematch
OF_A_SEAT: list[type[OfASeat]] = [
    verbs.RollOff,
    verbs.Undo,
    verbs.StandIn,
    verbs.Return,
    verbs.Close,
    verbs.Rematch,
]


class Protocol(RuleBasedStateMachine):
    """A table of people and computer players that receives random commands."""

    @initialize(
        ruleset=rulesets(),
        kinds=st.lists(KINDS, min_size=1, max_size=3),
        is_open=st.booleans(),
        first=st.sampled_from(["0", "highest_roll"]),
        chance=st.randoms(),
        head_start=st.integers(0, 40),
    )
    def create(
        self, ruleset: Ruleset, kinds: list[str], is_open: bool, first: str, chance: Random, head_start: int
    ) -> None:
        seats = [
            WantedSeat(kind, f"p{index}" if here else "", here=here)
            for index, kind in enumerate(kinds)
            for here in [kind == PERSON and not (is_open and index == 0)]
        ]
        assert ruleset.file
        self.live = Live(NewTable(seats=seats, rules=str(ruleset), toml=ruleset.file.text, first=first, silence=60))
        self.sent: list[tuple[AnyCommand, frozenset[int], AnyAnswer]] = []
        self.play_by_the_rules(chance, head_start)

    def send(self, command: AnyCommand, holds: frozenset[int]) -> AnyAnswer:
        """Send a command and record the answer; an accepted command appends one event, a refused one nothing."""
        live = self.live
        before, num_events = live.table, len(live.events)
        is_new = command.id not in live.accepted
        answer = live.send(msgspec.json.decode(msgspec.json.encode(command), type=AnyCommand), holds)
        if isinstance(answer, Accepted) and is_new:
            assert answer.version == before.version + 1 == live.table.version
            assert len(live.events) == num_events + 1
            assert command.version == before.version
            assert command.seat is None or command.seat in holds or isinstance(command, verbs.Sit | verbs.StandIn)
        else:
            assert live.table is before
            assert len(live.events) == num_events
        self.sent.append((command, holds, answer))
        return answer

    @property
    def holds(self) -> frozenset[int]:
        """All seats: tests/server/table tests ownership."""
        return frozenset(range(len(self.live.table.seats)))

    def a_seat(self, data: st.DataObject) -> int:
        """A seat of the table, or the one after the last."""
        return data.draw(st.integers(0, len(self.live.table.seats)), label="seat")

    def some_seats(self, data: st.DataObject) -> frozenset[int]:
        """The seats of the sender: mostly all of them."""
        return self.holds if data.draw(st.booleans()) else data.draw(st.frozensets(st.sampled_from(sorted(self.holds))))

    # Commands that the rules allow must be accepted.

    @precondition(lambda self: not self.live.table.has_ended)
    @rule(chance=st.randoms(), num_steps=st.integers(1, 6))
    def play_by_the_rules(self, chance: Random, num_steps: int) -> None:
        for _ in range(num_steps):
            live, table = self.live, self.live.table
            step = bot_step(table, lambda kind, here: chance.choice(here.actions()), live.chance, live.now)
            if step is not None:
                live.append(step.event)
            elif not table.has_ended:
                assert isinstance(self.send(self.next_command(chance), self.holds), Accepted)

    def next_command(self, chance: Random) -> AnyCommand:
        """A command that is legal now."""
        live, table = self.live, self.live.table
        if table.state is State.OPEN:
            seat = next(index for index, seat in enumerate(table.seats) if seat.is_open)
            return live.sit(seat, f"late {seat}", chance.choice([None, "0f"]) if not table.nonces else None)
        if table.state is State.OPENING:
            return verbs.RollOff(id=live.new_id(), version=table.version, seat=0)
        if not table.turn.places:
            return live.roll()
        if table.position.rolls_left and chance.random() < 1 / 2:
            return live.roll("".join(chance.choice("x.") for _ in table.turn.places))
        action = chance.choice(table.position.offers()).action
        return live.score(action.box, scratch=action.is_scratch)

    @precondition(lambda self: self.live.table.state is State.OVER)
    @rule()
    def begin_again(self) -> None:
        is_first = self.live.table.rematch is None
        command = verbs.Rematch(id=self.live.new_id(), version=self.live.table.version, seat=0)
        assert isinstance(self.send(command, self.holds), Accepted) == is_first

    @precondition(lambda self: self.live.table.undoer is not None)
    @rule()
    def take_back(self) -> None:
        undoer = self.live.table.undoer
        assert undoer is not None
        before = self.live.table.undo
        is_persons = self.live.table.seats[undoer].decider == PERSON
        answer = self.send(self.live.undo(undoer), self.holds)
        assert isinstance(answer, Accepted) == is_persons
        assert not is_persons or self.live.table.turn == before

    # Arbitrary commands, in any order.

    @rule(data=st.data(), kind=st.sampled_from(OF_A_SEAT), behind=BEHIND, waits=st.sampled_from([0, 30, 60]))
    def send_anything(self, data: st.DataObject, kind: type[OfASeat], behind: int, waits: int) -> None:
        self.live.now += waits
        version = max(1, self.live.table.version - behind)
        self.send(kind(id=self.live.new_id(), version=version, seat=self.a_seat(data)), self.some_seats(data))

    @rule(data=st.data(), kept=st.lists(st.booleans(), max_size=4), behind=BEHIND)
    def roll_anything(self, data: st.DataObject, kept: list[bool], behind: int) -> None:
        table, seat, holds = self.live.table, self.a_seat(data), self.some_seats(data)
        version = max(1, table.version - behind)
        answer = self.send(verbs.Roll(id=self.live.new_id(), version=version, seat=seat, kept=kept), holds)
        if isinstance(answer, Refused) and version == table.version and seat in holds:
            may_act = table.state is State.PLAYING and table.position.seat == seat and table.mover.decider == PERSON
            fits = len(kept) == len(table.turn.places) and (not table.turn.places or table.position.rolls_left > 0)
            assert not (may_act and fits), answer

    @rule(data=st.data(), scratch=st.booleans(), behind=BEHIND)
    def score_anything(self, data: st.DataObject, scratch: bool, behind: int) -> None:
        table, seat = self.live.table, self.a_seat(data)
        box = data.draw(st.sampled_from([*table.ruleset.box_index, "nothing"]))
        version = max(1, table.version - behind)
        command = verbs.Score(id=self.live.new_id(), version=version, seat=seat, box=box, scratch=scratch)
        answer = self.send(command, self.holds)
        if isinstance(answer, Refused) and version == table.version and seat == table.position.seat:
            is_legal = any(offer.action == ScoreAction(box, scratch) for offer in table.position.offers())
            assert not (is_legal and table.state is State.PLAYING and table.mover.decider == PERSON), answer

    @precondition(lambda self: len(self.live.table.nonces) < 3)
    @rule(seat=st.none() | st.integers(0, 3), nonce=st.sampled_from(["0", "0f", "f" * 64]))
    def add_a_nonce(self, seat: int | None, nonce: str) -> None:
        version = self.live.table.version
        had_begun = self.live.table.has_begun
        command = verbs.AddNonce(id=self.live.new_id(), version=version, seat=seat, nonce=nonce)
        answer = self.send(command, self.holds)
        assert not (had_begun and isinstance(answer, Accepted))

    @precondition(lambda self: bool(self.sent))
    @rule(data=st.data())
    def send_the_same_again(self, data: st.DataObject) -> None:
        command, holds, first = data.draw(st.sampled_from(self.sent))
        again = self.send(command, holds)
        if isinstance(first, Accepted):
            assert again == first
        elif first.reason != "illegal" or not isinstance(command, verbs.StandIn | verbs.Close):
            # A stand-in and an end may be refused as too early, and be legal later.
            assert isinstance(again, Refused)
            assert again.reason == first.reason

    # Invariants.

    @invariant()
    def the_table_is_the_replay_of_its_stored_events(self) -> None:
        stored = [msgspec.json.encode(event) for event in self.live.events]
        events = [msgspec.json.decode(line, type=AnyEvent) for line in stored]
        assert replay(events) == self.live.table
        assert self.live.table.version == len(events)

    @invariant()
    def the_view_is_that_of_the_table(self) -> None:
        table = self.live.table
        text = msgspec.json.encode(view(table, secret=SECRET))
        assert (SECRET.hex().encode() in text) == table.has_ended
        assert str(table.position).encode() in text

    @invariant()
    def the_dice_are_those_of_the_position(self) -> None:
        turn = self.live.table.turn
        assert tuple(sorted(turn.places)) == turn.position.dice
        assert len(turn.kept) == len(turn.places)


Protocol.TestCase.settings = settings(
    max_examples=amount(30, full=80),
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestProtocol = Protocol.TestCase
