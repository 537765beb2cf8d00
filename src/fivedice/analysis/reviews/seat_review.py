"""`SeatReview`: one seat's game by rolls, decisions and turns, with the luck of each and what it lost."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum

from fivedice.analysis.reviews.marks import SHOWN_LOSS, Level, Mark, level_of, mark_of
from fivedice.base.language import ENGLISH, Language
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.game.wording import filled_names
from fivedice.rulesets.dice import Dice

EQUAL = 1e-9
"""A smaller difference between values is a rounding error."""

NUM_COSTLIEST = 3
"""The most decisions listed as the costliest."""


@dataclass(frozen=True, slots=True)
class RollReview:
    """A roll in a turn (numbered from 0 over the record), with the value before and after it."""

    turn: int
    dice: Dice
    before: float
    after: float

    @property
    def luck(self) -> float:
        """The value that the roll gained."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class DecisionReview:
    """A decision with its value and the best one. It is *unforced* if not all legal actions have the same value."""

    turn: int
    position: Position
    action: Action
    value: float
    best: Action
    best_value: float
    is_unforced: bool
    least_mistake: float = 0.0
    """A decision that loses less gets no mark, because its values are not exact."""

    @property
    def loss(self) -> float:
        """The value that the decision gave up; at least 0."""
        return self.best_value - self.value

    @property
    def mark(self) -> Mark | None:
        """Its mark, if it lost enough for one."""
        return mark_of(self.loss) if self.loss >= self.least_mistake else None


@dataclass(frozen=True, slots=True)
class WholePoints:
    """The sums of a seat's game in whole points, which add up: start + luck − loss = value."""

    start: int
    luck: int
    loss: int
    value: int


@dataclass(frozen=True, slots=True)
class SeatReview:
    """One seat's game. `value` is the value at the end of the record: the score, if the card is complete, with
    `outright_points`, which is what an outright win counts beside the score and else 0.

    `luck_percentile` is the percentage of perfect games with less luck; None without a `LuckScale`, and for incomplete
    cards, whose luck cannot be compared. `first_turn` is the first of the seat's own turns, from 1, that is reviewed: a
    later one where the game before it is too large to solve; and one more than it has played if none is. `error` is
    what approximate values are wrong by, about, in points; 0 if all are exact. `num_hard` counts the hard decisions in
    which the best action was found, as far as exact values tell.

    In `missing` of its turns with real dice, the first rolls were not entered. What such a turn gained until its first
    known roll counts as luck, together with what the unknown keeps lost: so `luck` is then that of the dice and these
    keeps, and `dice_neutral` too high.
    """

    name: str
    kind: str
    score: int
    start_value: float
    value: float
    rolls: tuple[RollReview, ...]
    decisions: tuple[DecisionReview, ...]
    luck_percentile: float | None = None
    outright_points: int = 0
    first_turn: int = 1
    error: float = 0.0
    missing: int = 0
    num_hard: int = 0

    @property
    def luck(self) -> float:
        """The luck of all rolls."""
        return fsum(roll.luck for roll in self.rolls)

    @property
    def loss(self) -> float:
        """The loss of all decisions."""
        return fsum(decision.loss for decision in self.decisions)

    @property
    def whole(self) -> WholePoints:
        """Its sums, rounded so that they add up: luck is what the others leave, up to a point off."""
        start, loss, value = round(self.start_value), round(self.loss), round(self.value)
        return WholePoints(start, value - start + loss, loss, value)

    @property
    def dice_neutral(self) -> float:
        """The score with neither good nor bad luck: value at the start − Σ loss."""
        return self.start_value - self.loss

    @property
    def num_unforced(self) -> int:
        """The number of unforced decisions."""
        return sum(decision.is_unforced for decision in self.decisions)

    @property
    def error_rate(self) -> float:
        """Points lost per unforced decision."""
        return self.loss / self.num_unforced if self.num_unforced else 0.0

    @property
    def level(self) -> Level | None:
        """The level at this error rate; None without an unforced decision, if only the last turns are reviewed, if
        values are not exact, or if decisions are unknown since rolls are missing."""
        is_known = self.num_unforced and self.first_turn == 1 and not self.error and not self.missing
        return level_of(self.error_rate) if is_known else None

    @property
    def marks(self) -> Mapping[Mark, int]:
        """The number of decisions with each mark."""
        found = Counter(decision.mark for decision in self.decisions)
        return {mark: found[mark] for mark in Mark}

    @property
    def costliest(self) -> list[DecisionReview]:
        """The decisions that lost most, the largest loss first; none whose loss rounds to 0.0, or may be
        an error of approximate values."""
        errors = [decision for decision in self.decisions if decision.loss >= max(SHOWN_LOSS, decision.least_mistake)]
        return sorted(errors, key=lambda decision: -decision.loss)[:NUM_COSTLIEST]


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn of a seat with its rolls and decisions. `number` counts the seat's own turns from 1; `box` is the name
    of the box filled, empty until the turn is scored."""

    number: int
    turn: Turn
    box: str
    rolls: tuple[RollReview, ...]
    decisions: tuple[DecisionReview, ...]

    @property
    def points(self) -> int | None:
        """The points scored, with any extra-Yahtzee bonus; None until the turn is scored."""
        return self.turn.offer.points + self.turn.offer.bonus if self.turn.offer else None

    @property
    def luck(self) -> float:
        """The luck of its rolls."""
        return fsum(roll.luck for roll in self.rolls)

    @property
    def known_luck(self) -> float | None:
        """The luck of its rolls; None if rolls of real dice are missing."""
        return None if self.turn.missing else self.luck

    def luck_of(self, roll: RollReview) -> float | None:
        """The luck of one of its rolls; None if rolls before it are missing."""
        return None if self.turn.missing and roll is self.rolls[0] else roll.luck

    @property
    def loss(self) -> float:
        """The loss of its decisions."""
        return fsum(decision.loss for decision in self.decisions)

    @property
    def mark(self) -> Mark | None:
        """The mark of the costliest decision."""
        return mark_of(max((decision.loss for decision in self.decisions if decision.mark), default=0.0))

    @property
    def steps(self) -> Iterator[tuple[RollReview, DecisionReview | None]]:
        """Every decision with the roll that it is about, an announcement and what follows it with the same one; a roll
        that is not yet decided has None."""
        rolls = iter(self.rolls)
        roll, is_new = next(rolls, None), True
        for decision in self.decisions:
            assert roll
            yield roll, decision
            if is_new := isinstance(decision.action, Keep):
                roll = next(rolls, None)
        if roll and is_new:
            yield roll, None

    @property
    def values(self) -> tuple[float, ...]:
        """The value after every roll and every decision, in order."""
        found: list[float] = []
        last: RollReview | None = None
        for roll, decision in self.steps:
            found += [roll.after] if roll is not last else []
            found += [decision.value] if decision else []
            last = roll
        return tuple(found)

    @property
    def value(self) -> float:
        """The value at the end of the turn, or after its last roll so far."""
        return self.decisions[-1].value if self.turn.offer else self.rolls[-1].after


def turn_reviews(record: Record, number: int, seat: SeatReview, to: Language = ENGLISH) -> list[TurnReview]:
    """The turns of seat `number` that are reviewed, with the names of their boxes in a language."""
    turns: list[TurnReview] = []
    own = [index for index, turn in enumerate(record.turns) if turn.seat == number]
    for place, index in enumerate(own, start=1):
        if place >= seat.first_turn:
            turn = record.turns[index]
            box = filled_names(record.ruleset, turn, to) if turn.offer else ""
            rolls = tuple(roll for roll in seat.rolls if roll.turn == index)
            decisions = tuple(decision for decision in seat.decisions if decision.turn == index)
            turns.append(TurnReview(place, turn, box, rolls, decisions))
    return turns


def solo_position(position: Position) -> Position:
    """The same decision in a game of one seat."""
    return Position(position.ruleset, (position.card,), 0, position.dice, position.rolls_left)
