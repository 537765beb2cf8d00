"""A seat's review in the words that every report of it uses: its turns, and its dearest decisions."""

from dataclasses import dataclass

from fivedice.analysis.review import ReviewedDecision, ReviewedRoll, SeatReview
from fivedice.analysis.why import doing, why
from fivedice.dice import format_dice
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.solver.solution import Solution
from fivedice.solver.sources import Sources

NOTE = (
    "Luck: value after a roll minus value before. Loss: best value minus the value of what was chosen. Both are",
    "exact and add up to the score; they are not independent, because a bad keep changes what a roll can bring.",
)
"""What stands under every report, in two lines."""


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """One turn of a seat with its rolls and decisions. `number` counts the seat's own turns from 1;
    `box` is the name of the box that it filled, empty while the turn goes on."""

    number: int
    turn: Turn
    box: str
    rolls: tuple[ReviewedRoll, ...]
    decisions: tuple[ReviewedDecision, ...]

    @property
    def points(self) -> int | None:
        """What the turn wrote, with any extra-Yahtzee bonus; None while it goes on."""
        return self.turn.offer.points + self.turn.offer.bonus if self.turn.offer else None

    @property
    def luck(self) -> float:
        """The luck of its rolls."""
        return sum(roll.luck for roll in self.rolls)

    @property
    def loss(self) -> float:
        """The loss of its decisions."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def value(self) -> float:
        """The value at its end, or after its last roll while it goes on."""
        return self.decisions[-1].value if self.turn.offer else self.rolls[-1].after


def reviewed_turns(record: Record, number: int, seat: SeatReview) -> list[ReviewedTurn]:
    """The turns of the seat with this number."""
    turns: list[ReviewedTurn] = []
    for index, turn in enumerate(record.turns):
        if turn.seat == number:
            box = record.ruleset.boxes[record.ruleset.box_index[turn.offer.action.box]].name if turn.offer else ""
            rolls = tuple(roll for roll in seat.rolls if roll.turn == index)
            decisions = tuple(decision for decision in seat.decisions if decision.turn == index)
            turns.append(ReviewedTurn(len(turns) + 1, turn, box, rolls, decisions))
    return turns


def what_it_cost(decision: ReviewedDecision) -> str:
    """A decision that was not the best, in a sentence."""
    done = doing(decision.position, decision.action)
    dice = format_dice(decision.position.dice)
    return f"with {dice}, {done} cost {decision.loss:.1f}; best was to {decision.best}"


def reason(solution: Solution, sources: Sources | None, decision: ReviewedDecision) -> str:
    """Why the best action was better, in a sentence; empty without sources."""
    if sources is None:
        return ""
    return why(solution, sources, decision.position, decision.best, decision.action).sentence
