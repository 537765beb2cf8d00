"""A review as lines of text: what matters in short, or every turn in full."""

from collections.abc import Iterator, Sequence

from rich.cells import set_cell_size
from rich.text import Text

from fivedice.analysis.odds.turning_points import OddsOverTime
from fivedice.analysis.reviews.costliest import costliest
from fivedice.analysis.reviews.marks import SYMBOLS, Mark
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.review_turns import NOTE, ReviewedTurn, reason, reviewed_turns
from fivedice.analysis.reviews.seat_review import ReviewedDecision, SeatReview
from fivedice.cli.report.seat_summary import congratulations, seat_summary
from fivedice.cli.text.language import chosen
from fivedice.cli.text.odds import all_turning_points
from fivedice.cli.text.outcome import outcome
from fivedice.cli.text.terminal import draw_dice, paragraph, points
from fivedice.game.turn import Turn
from fivedice.game.wording import doing, to_do
from fivedice.ruleset import Ruleset
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.solution import Solution

STYLES = {None: "green", Mark.INACCURACY: "yellow", Mark.MISTAKE: "bold yellow", Mark.BLUNDER: "bold red"}
"""The colours of marks."""

MORE = "--full shows every turn, and explains luck and marks."


def review_lines(
    solution: Solution,
    breakdown: Breakdown | None,
    reviewed: Review,
    odds: OddsOverTime | None = None,
    *,
    width: int = 80,
    is_full: bool = False,
) -> Iterator[Text]:
    """The review, at most `width` characters wide. Without a breakdown, decisions have no reasons.

    Without odds there are no turning points.
    """
    record = reviewed.record
    yield from paragraph(f"{record.ruleset.name} ({record.ruleset}). {outcome(record)}", width)
    if praise := congratulations(reviewed):
        yield Text(praise, style="green")
    for number, seat in enumerate(reviewed.seats):
        turns = reviewed_turns(record, number, seat)
        yield Text()
        yield Text(seat.name, style="bold")
        yield from _summary(solution, seat, turns, width)
        if is_full and turns:
            yield Text()
            for turn in turns:
                yield from _turn(turn, solution.ruleset, width)
            yield from _exact_sums(seat, width)
        elif turns:
            yield Text()
            yield from _strip(turns, width)
        numbers = {decision: turn.number for turn in turns for decision in turn.decisions}
        for decision in costliest(seat):
            yield Text()
            yield from _decision(numbers[decision], decision, reason(solution, breakdown, decision, chosen()), width)
    if odds and (sentences := all_turning_points(record, odds)):
        yield Text()
        yield Text("Turning points", style="bold")
        for sentence in sentences:
            yield from paragraph(sentence, width, "  ")
    yield Text()
    yield from paragraph(NOTE if is_full else MORE, width, style="dim")


def _summary(solution: Solution, seat: SeatReview, turns: Sequence[ReviewedTurn], width: int) -> Iterator[Text]:
    summary = seat_summary(solution, seat, turns)
    yield from paragraph(summary.result, width, "  ")
    yield from paragraph(summary.sums, width, "  ", style="dim")
    if summary.praise:
        yield from paragraph(summary.praise, width, "  ", style="green")
    if summary.marks:
        yield from paragraph(summary.marks, width, "  ")


def _strip(turns: Sequence[ReviewedTurn], width: int) -> Iterator[Text]:
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


def _decision(number: int, decision: ReviewedDecision, why: str, width: int) -> Iterator[Text]:
    """A costly decision: the dice, what was done, and what was better and why."""
    position = decision.position
    head = Text("  ")
    head.append(f"Turn {number} {SYMBOLS[decision.mark]}", style=STYLES[decision.mark])
    head.append(f"   {draw_dice(position.dice, position.ruleset)}")
    yield head
    done = doing(position, decision.action)
    yield from paragraph(
        f"{done[0].upper()}{done[1:]} lost {points(decision.loss)}. Best was to {to_do(position, decision.best)}.",
        width,
        "    ",
    )
    yield from paragraph(why, width, "    ", style="dim")


def _turn(turn: ReviewedTurn, ruleset: Ruleset, width: int) -> Iterator[Text]:
    """Two lines on a turn: its score, luck and loss, and its rolls and keeps."""
    scored = "" if turn.points is None else str(turn.points)
    line = Text(f"  {turn.number:>2} ")
    line.append(f"{SYMBOLS[turn.mark]:<3}", style=STYLES[turn.mark])
    box = set_cell_size(turn.box or "not scored", min(24, width - 42))
    line.append(f"{box}{scored:>4}  luck{turn.luck:>+6.1f}  lost{turn.loss:>5.1f}{turn.value:>7.1f}")
    yield line
    yield from paragraph(_rolls(turn.turn, ruleset), width, " " * 8, style="dim")


def _exact_sums(seat: SeatReview, width: int) -> Iterator[Text]:
    luck = f"{'−' if seat.luck < 0 else '+'} {abs(seat.luck):.1f}"
    yield from paragraph(
        f"Exactly: {seat.start_value:.1f} at the start {luck} luck − {seat.loss:.1f} lost = {seat.value:.1f}; "
        f"with average luck, these decisions score {seat.dice_neutral:.1f}. "
        f"{seat.error_rate:.2f} points lost in each of {seat.num_unforced} decisions with a choice.",
        width,
        "  ",
    )


def _rolls(turn: Turn, ruleset: Ruleset) -> str:
    """The rolls of a turn, with the dice kept between them."""
    steps = [draw_dice(turn.rolls[0], ruleset)]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        steps.append(f"keep {draw_dice(keep.dice, ruleset) if keep.dice else 'none'}: {draw_dice(roll, ruleset)}")
    return ", ".join(steps)
