"""Any commands from any devices in any order: what the rules allow is accepted, and nobody decides with dice known."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, TypeAlias, TypeVar, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from fivedice.game.action import Keep
from fivedice.game.action import Score as ScoreAction
from fivedice.game.proof import TableDice
from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.table.answers import Refused, RefusedError
from fivedice.server.table.apply import replay
from fivedice.server.table.available import available_here
from fivedice.server.table.create import NewTable, WantedSeat
from fivedice.server.table.decide import decide
from fivedice.server.table.event import Event, Help
from fivedice.server.table.state import HIGHEST_ROLL, PERSON, State, Table
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs import AnyCommand, AnyEvent, begin, end, play
from fivedice.server.table.verbs.begin import NonceAdded, Sat
from fivedice.server.table.verbs.end import Closed, TimedOut, Undone, time_out
from fivedice.server.table.verbs.play import Announced, Rolled, Scored
from fivedice.server.table.view import view
from fivedice.testing.strategies import rulesets
from fivedice.testing.tiny import TINY, TINY_TURNS
from tests.amount import IS_FULL, amount
from tests.server.scripted import SECRET, Live

T = TypeVar("T")
Choose: TypeAlias = Callable[[Sequence[Any]], Any]
Kind: TypeAlias = type[Any]

COMMANDS: tuple[Kind, ...] = tuple(kind for kind in get_args(AnyCommand) if kind is not play.Enter)
"""All commands but that for real dice, which has its own tests."""
OF_A_TURN = (play.Roll, play.Score, play.Announce, end.Undo)
KEEP_THE_UNDO = Sat | NonceAdded | TimedOut
"""Events after which a score can still be taken back, besides the steps of computer players in seats of their own."""

BEHIND = [0, 0, 0, 0, 1, 2, 5]
"""How many versions a device is behind."""

RANDOM = st.randoms(use_true_random=True)
"""One choice, the seed, however much is drawn from it."""


def likely_seats(table: Table, kind: Kind) -> list[int]:
    """The seats for which a command may be legal."""
    seats = list(enumerate(table.seats))
    if kind is end.Undo:
        return [] if table.undo_seat is None else [table.undo_seat]
    if kind is begin.Sit:
        return [index for index, seat in seats if seat.kind == PERSON]
    return [table.position.seat]


def any_box(table: Table, choose: Choose) -> Any:
    position = table.position
    scores = [offer.action.box for offer in position.offers()]
    return choose([*scores, *(action.box for action in position.announcements())] or ["no"])


FIELDS: Mapping[str, Callable[[Table, Choose], Any]] = {
    "kept": lambda table, choose: [choose([False, True]) for _ in table.turn.places],
    "box": any_box,
    "scratch": lambda table, choose: choose([False, False, True]),
    "anyway": lambda table, choose: choose([True, False]),
    "name": lambda table, choose: choose(["p0", "late 0", "late 1", "late 2"]),
    "nonce": lambda table, choose: choose(["0f", "a1"]),
}
"""A value of each field besides the seat, the version and the id, often one with which a command is legal."""


def due(table: Table) -> list[Kind]:
    """The commands that continue the game."""
    match table.state:
        case State.OPEN:
            return [begin.Sit]
        case State.OPENING:
            return [begin.RollOff, begin.AddNonce]
        case State.OVER | State.CLOSED:
            return [end.Rematch]
    position = table.position
    kinds: list[tuple[Kind, Any]] = [
        (play.Roll, position.rolls_left),
        (play.Announce, position.announcements()),
        (play.Score, position.offers()),
    ]
    return [kind for kind, is_possible in kinds if is_possible]


def is_legal(table: Table, command: Any) -> bool:
    """Whether the rules allow a command of the seat's holder that knows the newest version."""
    if isinstance(command, end.Undo):
        return table.undo_seat == command.seat and table.seats[command.seat].decider == PERSON
    if table.state is not State.PLAYING or command.seat != table.position.seat or table.mover.decider != PERSON:
        return False
    position = table.position
    match command:
        case play.Roll(kept=kept):
            kept_dice = tuple(die for die, is_kept in zip(table.turn.places, kept, strict=True) if is_kept)
            return not position.dice or not position.why_illegal(Keep(kept_dice))
        case play.Score(box=box, scratch=scratch):
            return any(offer.action == ScoreAction(box, scratch) for offer in position.offers())
        case play.Announce(box=box):
            return any(action.box == box for action in position.announcements())
    return False


def kind_of(ruleset: Ruleset) -> str:
    """The kind of a ruleset, by the rules on which the order of decisions and dice depends."""
    wins = any(category.first_roll_wins for category in ruleset.categories)
    rules = {"announced": ruleset.announceable_boxes, "wins": wins}
    return " ".join(["shipped", *(name for name, has_it in rules.items() if has_it)])


RULESETS = TINY | TINY_TURNS | {kind_of(ruleset): ruleset for ruleset in map(load_ruleset, ruleset_ids())}
"""Tiny rulesets by id, and a shipped one of each kind."""


class AnyCommands(RuleBasedStateMachine):
    """A table, with devices that hold some of its seats and may not know its newest versions."""

    accepted: ClassVar[Counter[Kind]] = Counter()
    """How often each command was accepted, in all examples."""

    @initialize(
        ruleset=st.sampled_from(list(RULESETS.values())) | rulesets(),
        kinds=st.lists(st.sampled_from([PERSON, "random"]), min_size=1, max_size=3),
        own=st.integers(0, 3),
        is_open=st.booleans(),
        first=st.sampled_from(["0", HIGHEST_ROLL]),
        help=st.sampled_from(["none", "tutor"]),
        chance=RANDOM,
        head_start=st.sampled_from([0, 10, 40]),
        pace=st.sampled_from([None, 60, 3_600]),
    )
    def create(
        self,
        ruleset: Ruleset,
        kinds: list[str],
        own: int,
        is_open: bool,
        first: str,
        help: Help,
        chance: Random,
        head_start: int,
        pace: int | None,
    ) -> None:
        kinds = [*kinds[:own], PERSON, *kinds[own:]]
        seats = [
            WantedSeat(kind, f"p{seat}" if here else "", here=here)
            for seat, kind in enumerate(kinds)
            for here in [kind == PERSON and not (is_open and seat == len(kinds) - 1)]
        ]
        assert ruleset.file
        help = "none" if available_here(ruleset).solution else help
        toml = "" if ruleset.file.is_shipped else ruleset.file.text
        wanted = NewTable(seats, str(ruleset), toml, first=first, help=help, pace=pace, casual=True)
        self.live = Live(wanted, loss_of=lambda position, action: (2 * (len(str(action)) % 3), action))
        self.all_seats = frozenset(range(len(seats)))
        self.seen: dict[int, tuple[int, int]] = {}
        """For each seat, the turn and the roll of the last of its dice that was shown."""
        self.undoable: tuple[int, str] | None = None
        """The seat that can take an action back, and that action as a record names it."""
        self.rolled: set[int] = set()
        """The seats that have rolled since then."""
        self.undone: list[str] = []
        self.play(chance, head_start)

    # What happens

    @rule(chance=RANDOM, num_steps=st.integers(1, 4))
    def play(self, chance: Random, num_steps: int) -> None:
        for _ in range(num_steps):
            takes_back = self.live.table.undo_seat is not None and chance.random() < 1 / 5
            if takes_back or not self.computer_acts(chance):
                self.send_likely(end.Undo if takes_back else chance.choice(due(self.live.table)), chance)

    @rule(chance=RANDOM, num_steps=st.integers(1, 12))
    def computers_play(self, chance: Random, num_steps: int) -> None:
        for _ in range(num_steps):
            self.computer_acts(chance)

    def computer_acts(self, chance: Random) -> bool:
        live, before = self.live, self.live.table
        event = live.let_computer_act(lambda kind, here: chance.choice(here.actions()))
        if event:
            self.check(before, event)
        return event is not None

    @rule(data=st.data(), kind=st.sampled_from(COMMANDS))
    def send_anything(self, data: st.DataObject, kind: Kind) -> None:
        def choose(options: Sequence[T]) -> T:
            return data.draw(st.sampled_from(options))

        seats = [*likely_seats(self.live.table, kind), *self.all_seats, *([None] if kind is begin.AddNonce else [])]
        holds = choose([self.all_seats, self.all_seats, *(frozenset({seat}) for seat in self.all_seats), frozenset()])
        self.send(kind, choose(seats), holds, choose, choose(BEHIND))

    @precondition(lambda self: self.live.table.undo_seat is not None)
    @rule(chance=RANDOM)
    def take_back(self, chance: Random) -> None:
        self.send_likely(end.Undo, chance)

    @precondition(lambda self: self.live.table.due is not None)
    @rule(chance=RANDOM, share=st.sampled_from([0.5, 1.0]), num_steps=st.integers(0, 8))
    def let_the_clock_run(self, chance: Random, share: float, num_steps: int) -> None:
        """The person to move waits, and perhaps too long."""
        live, before = self.live, self.live.table
        due = before.due
        assert due is not None
        live.now += share * max(due - live.now, 0.0)
        step = time_out(before, live.now, due)
        assert (step is None) == (live.now < due)
        if step is not None:
            live.append(step.event)
            self.check(before, step.event)
            self.computers_play(chance, num_steps)

    @precondition(lambda self: self.live.table.turn.number > 2)
    @rule(chance=RANDOM, kind=st.sampled_from([end.Resign, end.Close]))
    def give_up(self, chance: Random, kind: Kind) -> None:
        self.send_likely(kind, chance)

    def send_likely(self, kind: Kind, chance: Random) -> None:
        """Send a command for a seat for which it may be legal, if there is one."""
        if seats := likely_seats(self.live.table, kind):
            self.send(kind, chance.choice(seats), self.all_seats, chance.choice)

    def send(self, kind: Kind, seat: int | None, holds: frozenset[int], choose: Choose, behind: int = 0) -> None:
        """Send a command; if it is refused, the answer does not depend on the dice."""
        live, before = self.live, self.live.table
        live.now += choose([0, 0, 60])
        version = max(1, before.version - behind)
        fields = {name: FIELDS[name](before, choose) for name in kind.__struct_fields__ if name in FIELDS}
        command = kind(id=live.new_id(), version=version, seat=seat, **fields)
        asked = deepcopy(live.questions)
        answer = live.send(msgspec.json.decode(msgspec.json.encode(command), type=AnyCommand), holds)
        if isinstance(answer, Refused):
            assert live.table is before
            may_act = version == before.version and seat in holds and answer.reason != "costly"
            assert not (may_act and is_legal(before, command)), answer
            other_dice = TableDice(b"\0" * 32, before.id, before.nonces)
            with pytest.raises(RefusedError) as caught:
                decide(before, command, replace(live.context(holds), chance=other_dice, questions=asked))
            assert caught.value.answer(command.id, before.version) == answer
        else:
            assert version == before.version == live.table.version - 1 == len(live.events) - 1
            assert seat is None or seat in holds or kind is begin.Sit
            assert kind not in OF_A_TURN or is_legal(before, command), command
            self.accepted[kind] += 1
            self.check(before, live.events[-1])

    # What must hold

    def check(self, before: Table, event: Event) -> None:
        """Follow an event at a table: nobody decides with dice known that the seat rolls in this turn or later."""
        if isinstance(event, Undone):
            assert self.undoable
            seats = ", ".join(f"seat {seat}" for seat in sorted(self.rolled))
            self.undone.append(self.undoable[1] + (f", after rolls of {seats}" if seats else ""))
        if not isinstance(event, Rolled | Scored | Announced):
            self.undoable = self.undoable if isinstance(event, KEEP_THE_UNDO) else None
            return
        assert event.seat is not None
        turn, roll = before.turn.number, before.turn.num_rolled
        is_persons_seat = before.seats[event.seat].kind == PERSON
        if is_persons_seat:
            assert self.seen.get(event.seat, (-1, 0)) < (turn, roll), "dice of this seat were known to who decides"
            self.undoable, self.rolled = None, set()
        if isinstance(event, Rolled):
            for place, die in enumerate(event.dice):
                if not (event.kept and event.kept[place]):
                    assert die == self.live.chance.die(turn, roll, place, before.ruleset.faces)
            self.seen[event.seat] = max(self.seen.get(event.seat, (-1, 0)), (turn, roll))
            self.rolled.add(event.seat)
        elif event.by == PERSON:
            verb = "announce" if isinstance(event, Announced) else "scratch" if event.scratch else "score"
            self.undoable = event.seat, f"turn {turn}, {verb} {event.box}"

    @invariant()
    def only_steps_at_computers_seats_keep_the_undo_open(self) -> None:
        if self.live.table.has_ended:
            self.undoable = None  # the last score reveals the secret
        assert self.live.table.undo_seat == (self.undoable[0] if self.undoable else None)

    @invariant()
    def the_view_is_that_of_the_table_and_hides_the_secret(self) -> None:
        table = self.live.table
        shown, undo_seat = view(table, secret=SECRET), table.undo_seat
        text = msgspec.json.encode(shown)
        assert (SECRET.hex().encode() in text) == table.has_ended
        assert str(table.position).encode() in text
        assert shown.can_undo == (
            [undo_seat] if undo_seat is not None and table.seats[undo_seat].decider == PERSON else []
        )
        assert tuple(sorted(table.turn.places)) == table.position.dice
        assert len(table.turn.kept) == len(table.turn.places)

    @precondition(lambda self: self.undone)
    @invariant()
    def the_record_names_the_undone_turns(self) -> None:
        proof = record_of(self.live.table, self.live.events, SECRET).proof
        assert proof
        assert [str(undone) for undone in proof.undone] == self.undone

    def teardown(self) -> None:
        """The record is verified, and no dice were foreseen."""
        live = self.live
        if not live.table.has_ended:
            live.append(Closed(at=live.now))
        stored = [msgspec.json.encode(event) for event in live.events]
        assert replay([msgspec.json.decode(line, type=AnyEvent) for line in stored]) == live.table
        record = record_of(live.table, live.events, SECRET)
        assert record.position == live.table.position
        verification = verify_record(parse_record(str(record)))
        assert (list(verification.problems), verification.foreseen) == ([], ())
        assert [str(undone) for undone in verification.proof.undone] == self.undone


def test_whatever_is_sent_nobody_foresees_dice_and_every_command_is_tried() -> None:
    AnyCommands.accepted.clear()
    amounts = settings(
        max_examples=amount(75, full=1_000),
        stateful_step_count=30,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        # To shorten a failure takes minutes, more than a test may take in `make test`.
        phases=list(Phase) if IS_FULL else [Phase.generate],
    )
    run(AnyCommands, settings=amounts)
    assert AnyCommands.accepted.keys() == set(COMMANDS)
