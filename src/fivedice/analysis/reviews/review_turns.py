"""A seat's review by turns, and the wording shared by all reports."""

from collections.abc import Iterator
from dataclasses import dataclass

from fivedice.analysis.reviews.marks import BLUNDER, INACCURACY, MISTAKE, SYMBOLS, Mark, mark_of
from fivedice.analysis.reviews.seat_review import ReviewedDecision, ReviewedRoll, SeatReview
from fivedice.analysis.why import why
from fivedice.explanation.dice import dice_text
from fivedice.game.action import Keep
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.game.wording import doing, filled_names, to_do
from fivedice.language import ENGLISH, Language
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.solution import Solution

PLURALS = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """One turn of a seat with its rolls and decisions. `number` counts the seat's own turns from 1; `box` is the name
    of the box filled, empty until the turn is scored."""

    number: int
    turn: Turn
    box: str
    rolls: tuple[ReviewedRoll, ...]
    decisions: tuple[ReviewedDecision, ...]

    @property
    def points(self) -> int | None:
        """The points scored, with any extra-Yahtzee bonus; None until the turn is scored."""
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
    def mark(self) -> Mark | None:
        """The mark of the costliest decision."""
        return mark_of(max((decision.loss for decision in self.decisions), default=0.0))

    @property
    def steps(self) -> Iterator[tuple[ReviewedRoll, ReviewedDecision | None]]:
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
        last: ReviewedRoll | None = None
        for roll, decision in self.steps:
            found += [roll.after] if roll is not last else []
            found += [decision.value] if decision else []
            last = roll
        return tuple(found)

    @property
    def value(self) -> float:
        """The value at the end of the turn, or after its last roll so far."""
        return self.decisions[-1].value if self.turn.offer else self.rolls[-1].after


def reviewed_turns(record: Record, number: int, seat: SeatReview, to: Language = ENGLISH) -> list[ReviewedTurn]:
    """The turns of seat `number`, with the names of their boxes in a language."""
    turns: list[ReviewedTurn] = []
    for index, turn in enumerate(record.turns):
        if turn.seat == number:
            box = filled_names(record.ruleset, turn, to) if turn.offer else ""
            rolls = tuple(roll for roll in seat.rolls if roll.turn == index)
            decisions = tuple(decision for decision in seat.decisions if decision.turn == index)
            turns.append(ReviewedTurn(len(turns) + 1, turn, box, rolls, decisions))
    return turns


def what_it_cost(decision: ReviewedDecision) -> str:
    """A sentence on a decision that was not the best."""
    done = doing(decision.position, decision.action)
    dice = dice_text(decision.position.ruleset, decision.position.dice)
    mark = f", {'an' if decision.mark == Mark.INACCURACY else 'a'} {decision.mark}" if decision.mark else ""
    return f"with {dice}, {done} cost {decision.loss:.1f}{mark}; best was to {to_do(decision.position, decision.best)}"


def note(to: Language = ENGLISH) -> str:
    """The explanation below every whole report."""
    return to.say(
        "Luck: value after a roll minus value before. Loss: best value minus value of the choice. Both are exact, and "
        "they add up to the score. They are not independent, because a bad keep changes what a roll can bring: for a "
        "player who makes one choice in ten at random, luck and loss of a game of Yahtzee have a correlation of +0.15. "
        "An inaccuracy loses {inaccuracy} points or more, a mistake {mistake}, a blunder {blunder}. These limits and "
        "the levels are calibrated on known kinds of players in simulated games of Yahtzee. Luck is compared with that "
        "of perfectly played games.",
        inaccuracy=to.with_point(f"{INACCURACY:g}"),
        mistake=f"{MISTAKE:g}",
        blunder=f"{BLUNDER:g}",
    )


def marks_in_words(seat: SeatReview, to: Language = ENGLISH) -> str:
    """The number of decisions with each mark, as in: 2 inaccuracies ?! · 1 mistake ?; empty if there are none."""
    counts = seat.marks
    words = {
        Mark.INACCURACY: to.numbered("1 inaccuracy", "{n} inaccuracies", counts[Mark.INACCURACY]),
        Mark.MISTAKE: to.numbered("1 mistake", "{n} mistakes", counts[Mark.MISTAKE]),
        Mark.BLUNDER: to.numbered("1 blunder", "{n} blunders", counts[Mark.BLUNDER]),
    }
    return " · ".join(f"{words[mark]} {SYMBOLS[mark]}" for mark, count in counts.items() if count)


def luck_in_words(seat: SeatReview, to: Language = ENGLISH) -> str:
    """The percentile of luck among perfect games, in tenths; empty for an unfinished game."""
    if seat.luck_percentile is None:
        return ""
    tenths = round(seat.luck_percentile / 10)
    if tenths == 5:
        return to.say("average luck")
    if tenths in (0, 10):
        most, least = to.say("luckier than 19 of 20 perfect games"), to.say("less lucky than 19 of 20 perfect games")
        return most if tenths else least
    if tenths > 5:
        return to.say("luckier than {count} of 10 perfect games", count=tenths)
    return to.say("less lucky than {count} of 10 perfect games", count=10 - tenths)


def reason(solution: Solution, breakdown: Breakdown | None, decision: ReviewedDecision, to: Language = ENGLISH) -> str:
    """Why the best action was better, in words; empty without a breakdown."""
    if breakdown is None:
        return ""
    return why(solution, breakdown, decision.position, decision.best, decision.action).in_language(to)
