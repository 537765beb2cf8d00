"""A `Live` table for tests: a small server without storage, with a clock and dice that the test controls."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

from fivedice.game.proof import TableDice, commitment
from fivedice.server.table.answers import Accepted, AnyAnswer, RefusedError
from fivedice.server.table.apply import apply, start
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.decide import Choose, bot_step, decide
from fivedice.server.table.event import Event
from fivedice.server.table.state import Table
from fivedice.server.table.tutor import LossOf, Questions
from fivedice.server.table.verb import Command, Context
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.begin import AddNonce, Sit
from fivedice.server.table.verbs.end import Undo, time_out
from fivedice.server.table.verbs.play import Roll, Score

Sent = TypeVar("Sent", bound=Command)

SECRET = bytes(range(32))
NOW = 1_800_000_000.0
ALL = frozenset(range(12))


class Scripted(TableDice):
    """Given dice: `{(turn, roll): "33456"}` by place; `opening` has the numbers of the opening roll."""

    _rolls: Mapping[tuple[int, int], str]
    _opening: Sequence[int]

    def __init__(self, rolls: Mapping[tuple[int, int], str], opening: Sequence[int] = ()) -> None:
        super().__init__(SECRET, "scripted")
        object.__setattr__(self, "_rolls", rolls)
        object.__setattr__(self, "_opening", opening)

    def die(self, turn: int, roll: int, index: int, faces: int) -> int:
        die = int(self._rolls[turn, roll][index])
        assert die <= faces
        return die

    def opening(self) -> Callable[[int], int]:
        numbers = iter(self._opening)
        return lambda sides: next(numbers)


class Live:
    """A table that handles commands. `now` is its clock, and `accepted` has the answers by the id of the command."""

    def __init__(self, wanted: NewTable, *, chance: TableDice | None = None, loss_of: LossOf | None = None) -> None:
        created = create(wanted, "k7Qm2x", commitment(SECRET), NOW)
        self.events: list[Event] = [created]
        self.table: Table = start(created)
        self.now = NOW
        self.loss_of = loss_of
        self.accepted: dict[str, Accepted] = {}
        self.questions = Questions()
        self._chance = chance
        self._ids = count(10_000_000)

    @property
    def chance(self) -> TableDice:
        """The given dice, or those of the table's secret and nonces."""
        return self._chance or TableDice(SECRET, self.table.id, self.table.nonces)

    def new_id(self) -> str:
        return str(next(self._ids))

    def send(self, command: AnyCommand, holds: frozenset[int] = ALL) -> AnyAnswer:
        if command.id in self.accepted:
            return self.accepted[command.id]
        try:
            step = decide(self.table, command, self.context(holds))
        except RefusedError as error:
            return error.answer(command.id, self.table.version)
        self.table = step.table
        self.events.append(step.event)
        return self.accepted.setdefault(command.id, Accepted(command.id, self.table.version))

    def context(self, holds: frozenset[int] = ALL) -> Context:
        """The context of a command from the holder of these seats."""
        return Context(
            holds=holds,
            questions=self.questions,
            now=self.now,
            chance=self.chance,
            num_changes=Counter(event.changer for event in self.events if event.changer is not None),
            rematch="rematch1",
            loss_of=self.loss_of,
        )

    def append(self, event: Event) -> None:
        self.table = apply(self.table, event)
        self.events.append(event)

    def let_computer_act(self, choose: Choose = lambda kind, position: position.offers()[0].action) -> Event | None:
        """Append the next step of the computer player to move, and return its event; None if there is none.

        By default it rolls once and fills the first box.
        """
        step = bot_step(self.table, choose, self.chance, self.now)
        if step is None:
            return None
        self.append(step.event)
        assert self.table == step.table
        return step.event

    def do(self, command: AnyCommand, holds: frozenset[int] = ALL) -> Event:
        """Send a command that must be accepted, and return its event."""
        answer = self.send(command, holds)
        assert isinstance(answer, Accepted), answer
        return self.events[-1]

    def refusal(self, command: AnyCommand, holds: frozenset[int] = ALL) -> tuple[str, str]:
        """Send a command that must be refused and change nothing, and return the reason and the detail."""
        before = self.table
        answer = self.send(command, holds)
        assert not isinstance(answer, Accepted), f"{command} was accepted"
        assert self.table is before
        assert answer.version == before.version
        return answer.reason, answer.detail

    def command(self, kind: type[Sent], **fields: Any) -> Sent:
        """A command against the newest version."""
        return kind(id=self.new_id(), version=self.table.version, **fields)

    def roll(self, kept: str = "", *, seat: int | None = None, anyway: bool = False) -> Roll:
        """A command to roll for the seat to move; `kept` marks the places, as in `x..x.`."""
        return self.command(Roll, seat=self._seat(seat), kept=[mark == "x" for mark in kept], anyway=anyway)

    def score(self, box: str, *, seat: int | None = None, scratch: bool = False, anyway: bool = False) -> Score:
        return self.command(Score, seat=self._seat(seat), box=box, scratch=scratch, anyway=anyway)

    def sit(self, seat: int, name: str, nonce: str | None = None) -> Sit:
        return self.command(Sit, seat=seat, name=name, nonce=nonce)

    def undo(self, seat: int) -> Undo:
        return self.command(Undo, seat=seat)

    def _seat(self, seat: int | None) -> int:
        return self.table.position.seat if seat is None else seat


def people(*names: str) -> list[WantedSeat]:
    """Seats of people; an empty name leaves a seat open."""
    return [WantedSeat("person", name, here=bool(name)) for name in names]


def computers(*kinds: str) -> list[WantedSeat]:
    return [WantedSeat(kind) for kind in kinds]


ANN, BOB = frozenset({0}), frozenset({1})
DICE = {(turn, roll): "33456" for turn in range(30) for roll in range(3)}


def two_players(pace: int | None = 60) -> Live:
    """Ann and Bob at yahtzee; every roll shows 33456."""
    return Live(NewTable(seats=people("Ann", "Bob"), pace=pace), chance=Scripted(DICE))


def run_out(game: Live) -> Event:
    """Let the clock of the person to move run out, and return what follows."""
    assert game.table.due is not None
    game.now = game.table.due
    step = time_out(game.table, game.now, game.now)
    assert step is not None
    game.append(step.event)
    return step.event


def nonce(game: Live, seat: int | None, text: str = "0f") -> AddNonce:
    return game.command(AddNonce, seat=seat, nonce=text)
