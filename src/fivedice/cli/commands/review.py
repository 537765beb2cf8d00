"""`fivedice review`: the luck and the losses of a game, in short, or of every turn in full."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from rich.cells import set_cell_size
from rich.text import Text

from fivedice.analysis.estimated_odds import odds_over_time
from fivedice.analysis.reviews.marks import SYMBOLS, LuckScale, Mark
from fivedice.analysis.reviews.review import review as review_of
from fivedice.analysis.reviews.review import review_approximately, review_end
from fivedice.cli.files.saved_games import read_record
from fivedice.cli.language import chosen, say
from fivedice.cli.options import Flag, Json, RecordFile
from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import approximate_solution_of, estimator_of, part_of, prepare
from fivedice.cli.text.output import draw_dice, paragraph, prints, show, terminal_width
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.saved.saved_table import has_approximation, solutions_folder
from fivedice.solver.saved.store import BREAKDOWN, MOMENTS, Artefact
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import States, TooLargeError
from fivedice.views.review import CostlyDecisionView, ReviewView, SeatReviewView, TurnReviewView, review_view


@prints(ReviewView)
def review(file: RecordFile, /, *, full: Flag = False, json: Json = False) -> None:
    """Review a game: the exact luck of every roll and the exact loss of every decision.

    Parameters
    ----------
    full
        Show every turn.
    """
    record, width = read_record(file), terminal_width()
    view = view_of(record)
    page = say("The page shows every decision: import the file there under “My games” (fivedice serve).")
    show(view, chain(review_lines(view, record, width=width, is_full=full), paragraph(page, width)), json=json)


def view_of(record: Record) -> ReviewView:
    """The review of a game; if its rules cannot be solved, by approximate values or of its last turns.

    Raises `TooLargeError` if there are neither.
    """
    states = States(record.ruleset)
    has_parts = states.has_kernels  # of other rules only values and advice are known
    has_luck = has_parts and any(card.is_complete or card.won for card in record.position.cards)
    has_odds = has_parts and len(record.seats) > 1
    parts: list[tuple[Artefact[Solution, Any], bool]] = [
        (BREAKDOWN, has_parts),
        (PERFECT_SCORES, has_luck),
        (MOMENTS, has_odds),
    ]
    try:
        solution = prepare(record.ruleset, *(part for part, is_needed in parts if is_needed))
    except TooLargeError:
        is_learned = has_approximation(record.ruleset, solutions_folder())
        learned = approximate_solution_of(record.ruleset) if is_learned else None
        with shown_progress() as progress:
            progress(say("Solving the last turns of {game}", game=record.ruleset.name), None)
            review = review_approximately(learned, record) if learned else review_end(record)
        return review_view(None, review, to=chosen())
    scores = part_of(PERFECT_SCORES, solution) if has_luck else None
    review = review_of(solution, record, LuckScale(solution.expected_score, scores) if scores else None)
    reasons = part_of(BREAKDOWN, solution) if has_parts else None
    odds = odds_over_time(estimator_of(solution), record) if has_odds else None
    return review_view(reasons, review, to=chosen(), odds=odds)


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
    luck = "–" if view.luck is None else to.with_point(f"{view.luck:+.1f}".replace("-", "−"))
    luck = say("luck {points}", points=f"{luck:>5}")
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
