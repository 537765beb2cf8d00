"""A review as lines of text: what matters in short, or every turn in full."""

from collections.abc import Iterator, Sequence

from rich.cells import set_cell_size
from rich.text import Text

from fivedice.analysis.reviews.marks import SYMBOLS, Mark
from fivedice.cli.language import chosen, say
from fivedice.cli.text.terminal import draw_dice, paragraph
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.review import CostlyDecisionView, ReviewView, SeatReviewView, TurnReviewView

STYLES = {None: "green", Mark.INACCURACY: "yellow", Mark.MISTAKE: "bold yellow", Mark.BLUNDER: "bold red"}
"""The colours of marks."""


def review_lines(view: ReviewView, record: Record, *, width: int = 80, is_full: bool = False) -> Iterator[Text]:
    """The review of a record, at most `width` characters wide."""
    ruleset = record.ruleset
    yield from paragraph(f"{ruleset.name} ({ruleset}). {view.outcome}", width)
    yield from paragraph(view.congratulations, width, style="green")
    yield from paragraph(view.dice or "", width)
    yield from paragraph(view.limits or "", width)
    for seat in view.seats:
        yield Text()
        yield Text(seat.player, style="bold")
        yield from _summary(seat, width)
        if is_full and seat.turns:
            yield Text()
            for turn in seat.turns:
                yield from _turn(turn, record.turns[turn.turn], ruleset, width)
            yield from paragraph(seat.summary.exact_sums, width, "  ")
        elif seat.turns:
            yield Text()
            yield from _strip(seat.turns, width)
        numbers = {turn.turn: turn.number for turn in seat.turns}
        for decision in seat.costliest:
            yield Text()
            yield from _decision(numbers[decision.turn], decision, ruleset, width)
    if view.odds:
        yield Text()
        yield Text(say("Turning points"), style="bold")
        for sentence in view.odds.sentences:
            yield from paragraph(sentence, width, "  ")
    yield Text()
    more = view.note if is_full else say("--full shows every turn, and explains luck and marks.")
    yield from paragraph(more, width, style="dim")


def _summary(seat: SeatReviewView, width: int) -> Iterator[Text]:
    summary = seat.summary
    marks = (f"{marked.words} {SYMBOLS[marked.mark]}" for marked in summary.marks)
    yield from paragraph(" · ".join(summary.result), width, "  ")
    yield from paragraph(summary.sums, width, "  ", style="dim")
    yield from paragraph(" · ".join(summary.done_well), width, "  ", style="green")
    yield from paragraph(" · ".join(marks), width, "  ")


def _strip(turns: Sequence[TurnReviewView], width: int) -> Iterator[Text]:
    """The turns in a row, each with its number and its mark."""
    line = Text(" ")
    for turn in turns:
        cell = f" {turn.number:>2} {SYMBOLS[turn.mark]:<2}"
        if line.cell_len + len(cell) > width:
            line.rstrip()
            yield line
            line = Text(" ")
        line.append(cell, style=STYLES[turn.mark])
    line.rstrip()
    yield line


def _decision(number: int, decision: CostlyDecisionView, ruleset: Ruleset, width: int) -> Iterator[Text]:
    """A costly decision: the dice, what was done, and what was better and why."""
    head = Text("  ")
    turn = say("Turn {number}", number=number)
    head.append(f"{turn} {SYMBOLS[decision.mark]}", style=STYLES[decision.mark])
    head.append(f"   {draw_dice(tuple(decision.dice), ruleset)}")
    yield head
    yield from paragraph(decision.sentence, width, "    ")
    yield from paragraph(decision.why, width, "    ", style="dim")


def _turn(view: TurnReviewView, turn: Turn, ruleset: Ruleset, width: int) -> Iterator[Text]:
    """Two lines on a turn: its score, luck and loss, and its rolls and keeps."""
    scored = "" if view.points is None else str(view.points)
    line = Text(f"  {view.number:>2} ")
    line.append(f"{SYMBOLS[view.mark]:<3}", style=STYLES[view.mark])
    box, to = set_cell_size(view.box or say("not scored"), min(24, width - 42)), chosen()
    luck = say("luck {points}", points=f"{'–' if view.luck is None else to.with_point(f'{view.luck:+.1f}'):>5}")
    lost = say("lost {points}", points=f"{to.decimal(view.loss):>4}")
    line.append(f"{box}{scored:>4}  {luck}  {lost}{to.decimal(view.value):>7}")
    yield line
    yield from paragraph(_rolls(turn, ruleset), width, " " * 8, style="dim")


def _rolls(turn: Turn, ruleset: Ruleset) -> str:
    """The rolls of a turn, with the dice kept between them."""
    steps = ["–"] * turn.missing + [draw_dice(turn.rolls[0], ruleset)]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        kept = say("keep {dice}", dice=draw_dice(keep.dice, ruleset)) if keep.dice else say("keep nothing")
        steps.append(f"{kept}: {draw_dice(roll, ruleset)}")
    return ", ".join(steps)
