"""`fivedice review`: how well a game was played, and how lucky it was."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from rich.cells import cell_len, set_cell_size

from fivedice.analysis.costliest import costliest
from fivedice.analysis.review import Review, SeatReview
from fivedice.analysis.review import review as review_of
from fivedice.analysis.review_turns import (
    NOTE,
    ReviewedTurn,
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
from fivedice.cli.text.language import chosen
from fivedice.cli.text.outcome import outcome
from fivedice.cli.text.output import File, Flag, print_json
from fivedice.dice import format_dice
from fivedice.errors import IllegalError, UnknownError
from fivedice.game.turn import Turn
from fivedice.solver.breakdown import Breakdown
from fivedice.solver.solution import Solution
from fivedice.views.review import reviewed_game_view

_DICE_WIDTH, _BOX_WIDTH = 34, 18
"""Minimum widths of the two text columns of a turn."""


def review(
    file: File,
    /,
    *,
    json: Flag = False,
    html: Path | None = None,
) -> None:
    """Review a game: the exact luck of every roll and the exact loss of every decision.

    Parameters
    ----------
    file
        A record of a complete or unfinished game, or - for standard input.
    json
        Print JSON.
    html
        Write the review to this file as a self-contained web page.
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
        print_json(reviewed_game_view(reviewed))
    else:
        print("\n".join(review_lines(solution, breakdown_of(solution), reviewed)))


def review_lines(solution: Solution, breakdown: Breakdown | None, reviewed: Review) -> Iterator[str]:
    """The review as text: for each seat a table with one line per turn, and the costliest decisions."""
    record = reviewed.record
    yield f"{record.ruleset.name} ({record.ruleset}). {outcome(record)}"
    for number, seat in enumerate(reviewed.seats):
        yield ""
        turns = reviewed_turns(record, number, seat)
        yield from _seat_lines(seat, turns)
        numbers = {decision: turn.number for turn in turns for decision in turn.decisions}
        for decision in costliest(seat):
            yield f"      turn {numbers[decision]}: {what_it_cost(decision)}"
            if why := reason(solution, breakdown, decision, chosen()):
                yield from wrap(why, 118, initial_indent=" " * 8, subsequent_indent=" " * 8)
    yield ""
    yield from NOTE


def _seat_lines(seat: SeatReview, turns: Sequence[ReviewedTurn]) -> Iterator[str]:
    yield seat.name
    dice = [_dice_and_keeps(turn.turn) for turn in turns]
    dice_width = max([_DICE_WIDTH, *(len(text) + 1 for text in dice)])
    box_width = max([_BOX_WIDTH, *(cell_len(turn.box) + 1 for turn in turns)])
    texts = f"{'dice and keeps':<{dice_width}}{'box':<{box_width}}"
    yield f"{'':>4}  {texts}{'points':>6}{'luck':>8}{'loss':>7}{'value':>8}  mark"
    for turn, rolled in zip(turns, dice, strict=True):
        points = "" if turn.points is None else str(turn.points)
        numbers = f"{points:>6}{turn.luck:>+8.1f}{turn.loss:>7.1f}{turn.value:>8.1f}"
        box = set_cell_size(turn.box, box_width)
        yield f"{turn.number:>4}  {rolled:<{dice_width}}{box}{numbers}  {turn.mark or ''}".rstrip()
    sums = f"{seat.score:>6}{seat.luck:>+8.1f}{seat.loss:>7.1f}{seat.value:>8.1f}"
    yield f"{'':>4}  {'':<{dice_width}}{'all turns':<{box_width}}{sums}"
    yield (
        f"      {seat.start_value:.1f} at the start {_signed(seat.luck)} luck − {seat.loss:.1f} loss"
        f" = {seat.value:.1f}; dice-neutral score {seat.dice_neutral:.1f}"
    )
    if luck := luck_in_words(seat):
        yield f"      {luck}"
    if seat.level:
        lost = f"{seat.loss:.1f} points lost in {seat.num_unforced} unforced decisions, {seat.error_rate:.2f} each"
        yield f"      {lost}: level {seat.level.name}; {marks_in_words(seat)}"


def _dice_and_keeps(turn: Turn) -> str:
    """The rolls of a turn; the dice kept between two rolls are in brackets."""
    steps = [format_dice(turn.rolls[0])]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        steps += [f"({format_dice(keep.dice)})"] if keep.dice else []
        steps.append(format_dice(roll))
    return " ".join(steps)


def _signed(number: float) -> str:
    return f"{'−' if number < 0 else '+'} {abs(number):.1f}"
