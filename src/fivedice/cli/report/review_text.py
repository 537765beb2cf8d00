"""A review as lines of text: what matters in short, or every turn in full."""

from collections.abc import Iterator, Sequence

from rich.cells import set_cell_size
from rich.text import Text

from fivedice.analysis.odds.turning_points import OddsOverTime
from fivedice.analysis.reviews.costliest import costliest
from fivedice.analysis.reviews.marks import SYMBOLS, Mark
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.review_turns import ReviewedTurn, note, reason, reviewed_turns
from fivedice.analysis.reviews.seat_review import ReviewedDecision, SeatReview
from fivedice.cli.language import chosen, say
from fivedice.cli.report.seat_summary import congratulations, seat_summary
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
    if praise := congratulations(reviewed, chosen()):
        yield from paragraph(praise, width, style="green")
    for number, seat in enumerate(reviewed.seats):
        turns = reviewed_turns(record, number, seat, chosen())
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
        yield Text(say("Turning points"), style="bold")
        for sentence in sentences:
            yield from paragraph(sentence, width, "  ")
    yield Text()
    more = note(chosen()) if is_full else say("--full shows every turn, and explains luck and marks.")
    yield from paragraph(more, width, style="dim")


def _summary(solution: Solution, seat: SeatReview, turns: Sequence[ReviewedTurn], width: int) -> Iterator[Text]:
    summary = seat_summary(solution, seat, turns, chosen())
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
    turn = say("Turn {number}", number=number)
    head.append(f"{turn} {SYMBOLS[decision.mark]}", style=STYLES[decision.mark])
    head.append(f"   {draw_dice(position.dice, position.ruleset)}")
    yield head
    done, best = doing(position, decision.action, chosen()), to_do(position, decision.best, chosen())
    sentence = say(
        "{done} lost {points}. Best was to {best}.",
        done=f"{done[0].upper()}{done[1:]}",
        points=points(decision.loss),
        best=best,
    )
    yield from paragraph(sentence, width, "    ")
    yield from paragraph(why, width, "    ", style="dim")


def _turn(turn: ReviewedTurn, ruleset: Ruleset, width: int) -> Iterator[Text]:
    """Two lines on a turn: its score, luck and loss, and its rolls and keeps."""
    scored = "" if turn.points is None else str(turn.points)
    line = Text(f"  {turn.number:>2} ")
    line.append(f"{SYMBOLS[turn.mark]:<3}", style=STYLES[turn.mark])
    box, to = set_cell_size(turn.box or say("not scored"), min(24, width - 42)), chosen()
    luck = say("luck {points}", points=f"{to.with_point(f'{turn.luck:+.1f}'):>5}")
    lost = say("lost {points}", points=f"{to.decimal(turn.loss):>4}")
    line.append(f"{box}{scored:>4}  {luck}  {lost}{to.decimal(turn.value):>7}")
    yield line
    yield from paragraph(_rolls(turn.turn, ruleset), width, " " * 8, style="dim")


def _exact_sums(seat: SeatReview, width: int) -> Iterator[Text]:
    to = chosen()
    sentence = say(
        "Exactly: {start} at the start {luck} luck − {loss} lost = {value}; with average luck, these decisions score "
        "{neutral}. {rate} points lost in each of {decisions} decisions with a choice.",
        start=to.decimal(seat.start_value),
        luck=f"{'−' if seat.luck < 0 else '+'} {to.decimal(abs(seat.luck))}",
        loss=to.decimal(seat.loss),
        value=to.decimal(seat.value),
        neutral=to.decimal(seat.dice_neutral),
        rate=to.with_point(f"{seat.error_rate:.2f}"),
        decisions=seat.num_unforced,
    )
    yield from paragraph(sentence, width, "  ")


def _rolls(turn: Turn, ruleset: Ruleset) -> str:
    """The rolls of a turn, with the dice kept between them."""
    steps = [draw_dice(turn.rolls[0], ruleset)]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        kept = say("keep {dice}", dice=draw_dice(keep.dice, ruleset)) if keep.dice else say("keep nothing")
        steps.append(f"{kept}: {draw_dice(roll, ruleset)}")
    return ", ".join(steps)
