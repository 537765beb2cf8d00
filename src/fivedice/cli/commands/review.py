"""`fivedice review`: how well a game was played, and how lucky it was."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

from rich.cells import cell_len, set_cell_size

from fivedice.analysis.costliest import costliest
from fivedice.analysis.review import Review, SeatReview
from fivedice.analysis.review import review as review_of
from fivedice.analysis.review_turns import (
    NOTE,
    luck_in_words,
    marks_in_words,
    reason,
    reviewed_turns,
    what_it_cost,
)
from fivedice.cli.records.read_record import read_record
from fivedice.cli.records.record_file import check_free, write_whole
from fivedice.cli.report.review_page import report_page
from fivedice.cli.solutions import breakdown_of, scale_of, solution_of
from fivedice.cli.text.outcome import outcome
from fivedice.cli.text.output import File, Flag, print_json
from fivedice.dice import format_dice
from fivedice.errors import IllegalError, UnknownError
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.solver.breakdown import Breakdown
from fivedice.solver.solution import Solution

_DICE_WIDTH, _BOX_WIDTH = 34, 18
"""Columns of the two texts of a turn, if they need no more."""


def review(
    file: File,
    /,
    *,
    json: Flag = False,
    html: Path | None = None,
) -> None:
    """Review a record: the luck of every roll and the loss of every decision, exactly.

    Parameters
    ----------
    file
        A record, finished or not, or - for standard input.
    json
        Print JSON.
    html
        Write the review to this file as one page that needs nothing else, for a browser or a printer.
    """
    if json and html:
        raise IllegalError("give --json or --html, not both")
    if html:
        check_free(html, "--html")
    record = read_record(file)
    solution = solution_of(record.ruleset)
    reviewed = review_of(solution, record, scale_of(solution))
    if html:
        try:
            write_whole(html, report_page(solution, breakdown_of(solution), reviewed))
        except OSError as error:
            raise UnknownError(f"--html {html} cannot be written: {error.strerror}") from None
        print(f"The review is in {html}")
    elif json:
        print_json(review_data(reviewed))
    else:
        print("\n".join(review_lines(solution, breakdown_of(solution), reviewed)))


def review_data(reviewed: Review) -> dict[str, Any]:
    """The review as plain data; dice, positions and actions are notation."""
    return {
        "ruleset": str(reviewed.record.ruleset),
        "digest": reviewed.record.ruleset.digest,
        "is_over": reviewed.record.position.is_over,
        "seats": [_seat_data(seat) for seat in reviewed.seats],
    }


def _seat_data(seat: SeatReview) -> dict[str, Any]:
    return {
        "player": seat.name,
        "kind": seat.kind,
        "score": seat.score,
        "start_value": seat.start_value,
        "value": seat.value,
        "luck": seat.luck,
        "luck_percentile": seat.luck_percentile,
        "loss": seat.loss,
        "dice_neutral": seat.dice_neutral,
        "unforced_decisions": seat.num_unforced,
        "error_rate": seat.error_rate,
        "level": seat.level.name if seat.level else None,
        "marks": dict(seat.marks),
        "decisions": [
            {
                "turn": decision.turn,
                "position": str(decision.position),
                "action": str(decision.action),
                "value": decision.value,
                "best": str(decision.best),
                "best_value": decision.best_value,
                "loss": decision.loss,
                "mark": decision.mark,
            }
            for decision in seat.decisions
        ],
        "rolls": [
            {
                "turn": roll.turn,
                "dice": format_dice(roll.dice),
                "before": roll.before,
                "after": roll.after,
                "luck": roll.luck,
            }
            for roll in seat.rolls
        ],
    }


def review_lines(solution: Solution, breakdown: Breakdown | None, reviewed: Review) -> Iterator[str]:
    """The review for a person: a table a seat, a line a turn, and the dearest decisions."""
    record = reviewed.record
    yield f"{record.ruleset.name} ({record.ruleset}). {outcome(record)}"
    for number, seat in enumerate(reviewed.seats):
        yield ""
        yield from _seat_lines(record, number, seat)
        places = {decision: turn.number for turn in reviewed_turns(record, number, seat) for decision in turn.decisions}
        for decision in costliest(seat):
            yield f"      turn {places[decision]}: {what_it_cost(decision)}"
            if because := reason(solution, breakdown, decision):
                yield from wrap(because, 118, initial_indent=" " * 8, subsequent_indent=" " * 8)
    yield ""
    yield from NOTE


def _seat_lines(record: Record, number: int, seat: SeatReview) -> Iterator[str]:
    yield seat.name
    turns = reviewed_turns(record, number, seat)
    dice = [_dice_and_keeps(turn.turn) for turn in turns]
    wide = max([_DICE_WIDTH, *(len(text) + 1 for text in dice)])
    wide_box = max([_BOX_WIDTH, *(cell_len(turn.box) + 1 for turn in turns)])
    yield f"{'':>4}  {'dice and keeps':<{wide}}{'box':<{wide_box}}{'points':>6}{'luck':>8}{'loss':>7}{'value':>8}  mark"
    for turn, rolled in zip(turns, dice, strict=True):
        points = "" if turn.points is None else str(turn.points)
        numbers = f"{points:>6}{turn.luck:>+8.1f}{turn.loss:>7.1f}{turn.value:>8.1f}"
        box = set_cell_size(turn.box, wide_box)
        yield f"{turn.number:>4}  {rolled:<{wide}}{box}{numbers}  {turn.mark or ''}".rstrip()
    sums = f"{seat.score:>6}{seat.luck:>+8.1f}{seat.loss:>7.1f}{seat.value:>8.1f}"
    yield f"{'':>4}  {'':<{wide}}{'all turns':<{wide_box}}{sums}"
    yield (
        f"      {seat.start_value:.1f} at the start {_signed(seat.luck)} luck − {seat.loss:.1f} loss"
        f" = {seat.value:.1f}; dice-neutral score {seat.dice_neutral:.1f}"
    )
    if said := luck_in_words(seat):
        yield f"      {said}"
    if seat.level:
        lost = f"{seat.loss:.1f} points lost in {seat.num_unforced} unforced decisions, {seat.error_rate:.2f} each"
        yield f"      {lost}: level {seat.level.name}; {marks_in_words(seat)}"


def _dice_and_keeps(turn: Turn) -> str:
    """The rolls of a turn, with what was kept before each further one in brackets."""
    steps = [format_dice(turn.rolls[0])]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        steps += [f"({format_dice(keep.dice)})"] if keep.dice else []
        steps.append(format_dice(roll))
    return " ".join(steps)


def _signed(number: float) -> str:
    return f"{'−' if number < 0 else '+'} {abs(number):.1f}"
