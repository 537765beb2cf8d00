"""`SeatReview`: the rolls and decisions of one seat in a game, with the luck of each and what it lost."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from fivedice.analysis.reviews.marks import Level, Mark, level_of, mark_of
from fivedice.dice import Dice
from fivedice.game.action import Action
from fivedice.game.position import Position


@dataclass(frozen=True, slots=True)
class ReviewedRoll:
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
class ReviewedDecision:
    """A decision with its value and the best one. It is *unforced* if not all legal actions have the same value."""

    turn: int
    position: Position
    action: Action
    value: float
    best: Action
    best_value: float
    is_unforced: bool

    @property
    def loss(self) -> float:
        """The value that the decision gave up; at least 0."""
        return self.best_value - self.value

    @property
    def mark(self) -> Mark | None:
        """Its mark, if it lost enough for one."""
        return mark_of(self.loss)


@dataclass(frozen=True, slots=True)
class SeatReview:
    """One seat's game. `value` is the value at the end of the record: the score, if the card is complete, with
    `outright_points`, which is what an outright win counts beside the score and else 0.

    `luck_percentile` is the percentage of perfect games with less luck; None without a `LuckScale`, and for incomplete
    cards, whose luck cannot be compared.
    """

    name: str
    kind: str
    score: int
    start_value: float
    value: float
    rolls: tuple[ReviewedRoll, ...]
    decisions: tuple[ReviewedDecision, ...]
    luck_percentile: float | None = None
    outright_points: int = 0

    @property
    def luck(self) -> float:
        """The luck of all rolls."""
        return sum(roll.luck for roll in self.rolls)

    @property
    def loss(self) -> float:
        """The loss of all decisions."""
        return sum(decision.loss for decision in self.decisions)

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
        """The level at this error rate; None without an unforced decision."""
        return level_of(self.error_rate) if self.num_unforced else None

    @property
    def marks(self) -> Mapping[Mark, int]:
        """The number of decisions with each mark."""
        found = Counter(decision.mark for decision in self.decisions)
        return {mark: found[mark] for mark in Mark}
