"""`fivedice review`: how well a game was played, and how lucky it was."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from fivedice.analysis.odds.estimated_odds import OddsEstimator, OddsOverTime, odds_over_time
from fivedice.analysis.reviews.luck_scale import LuckScale
from fivedice.analysis.reviews.perfect_scores import PERFECT_SCORES
from fivedice.analysis.reviews.review import Review, review_approximately, review_end
from fivedice.analysis.reviews.review import review as review_of
from fivedice.cli.completed import RecordFile
from fivedice.cli.files.saved_games import read_record
from fivedice.cli.language import chosen, say
from fivedice.cli.progress import shown_progress
from fivedice.cli.report.review_text import review_lines
from fivedice.cli.solutions import approximate_solution_of, part_of, prepare
from fivedice.cli.text.output import Flag, print_json, prints
from fivedice.cli.text.terminal import paragraph, print_lines, terminal_width
from fivedice.game.record import Record
from fivedice.solver.saved.kept_tables import solutions_folder
from fivedice.solver.saved.kinds import BREAKDOWN, MOMENTS
from fivedice.solver.saved.saved_table import has_approximation
from fivedice.solver.saved.store import Artefact
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import States, TooLargeError
from fivedice.views.review import ReviewView, review_view


@prints(ReviewView)
def review(
    file: RecordFile,
    /,
    *,
    full: Flag = False,
    json: Flag = False,
) -> None:
    """Review a game: the exact luck of every roll and the exact loss of every decision.

    Parameters
    ----------
    file
        A record of a complete or unfinished game, or - for standard input.
    full
        Show every turn.
    json
        Print JSON.
    """
    found = report_of(read_record(file))
    if json:
        print_json(found.view)
    else:
        width = terminal_width()
        print_lines(found.lines(width, is_full=full))
        page = say("The page shows every decision: import the file there under “My games” (fivedice serve).")
        print_lines(paragraph(page, width))


@dataclass(frozen=True, slots=True)
class Report:
    """A review, and its sentences in the language of the command."""

    review: Review
    odds: OddsOverTime | None
    view: ReviewView

    def lines(self, width: int, *, is_full: bool = False) -> Iterator[Text]:
        """The review as lines of text."""
        return review_lines(self.view, self.review.record, width=width, is_full=is_full)


def report_of(record: Record) -> Report:
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
        return Report(review, None, review_view(None, review, to=chosen()))
    scores = part_of(PERFECT_SCORES, solution) if has_luck else None
    review = review_of(solution, record, LuckScale(solution.expected_score, scores) if scores else None)
    reasons = part_of(BREAKDOWN, solution) if has_parts else None
    odds = odds_over_time(OddsEstimator(solution, part_of(MOMENTS, solution)), record) if has_odds else None
    return Report(review, odds, review_view(reasons, review, to=chosen(), odds=odds))
