"""The web page of a review."""

from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files

from markupsafe import Markup

from fivedice.analysis.odds.turning_points import OddsOverTime
from fivedice.analysis.reviews.costliest import costliest
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.review_turns import ReviewedTurn, note, reason, reviewed_turns, what_it_cost
from fivedice.analysis.reviews.seat_review import SeatReview
from fivedice.cli.language import chosen
from fivedice.cli.report.chart import Line, chart
from fivedice.cli.report.decisions import decision_ids, turn_decisions
from fivedice.cli.report.markup import element, joined
from fivedice.cli.report.review_tables import card_table, odds_table, summary_table, turn_table, value_table
from fivedice.cli.report.seat_summary import congratulations, seat_summary
from fivedice.cli.text.odds import all_turning_points
from fivedice.cli.text.outcome import outcome
from fivedice.game.record import Record
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.solution import Solution

NOTHING_ELSE = "default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy: the browser loads and runs nothing, whatever a record contains."""


def report_page(
    solution: Solution, breakdown: Breakdown | None, reviewed: Review, odds: OddsOverTime | None = None
) -> str:
    """The whole page. The solution gives the alternatives, the breakdown the reasons why they were better, and the odds
    the chances to win over time."""
    record = reviewed.record
    turns = [reviewed_turns(record, number, seat) for number, seat in enumerate(reviewed.seats)]
    title = f"Review: {record.ruleset.name}"
    date = datetime.fromisoformat(record.date).date()
    body = element(
        "main",
        element("h1", title),
        element("p", outcome(record), class_="outcome"),
        *_congratulations(reviewed),
        element("p", "Played by ", element("code", str(record.ruleset)), f" on {date}.", class_="quiet"),
        element("h2", "In short"),
        *_summaries(solution, reviewed, turns),
        element("h2", "The costliest decisions"),
        *(
            _costliest(solution, breakdown, number, seat, turns[number], is_one_of_many=len(turns) > 1)
            for number, seat in enumerate(reviewed.seats)
        ),
        element("h2", "Value over time"),
        _values(reviewed, turns),
        *(_odds(record, odds) if odds else ()),
        element("h2", "Score cards"),
        card_table(record.position, [seat.name for seat in reviewed.seats]),
        *_seats(solution, reviewed, turns),
        element("h2", "Exact figures"),
        summary_table(reviewed),
        element("p", note(), class_="quiet"),
        element("p", "Value: the expected final score if all future decisions are optimal.", class_="quiet"),
    )
    style = Markup(files("fivedice.cli.report").joinpath("style.css").read_text(encoding="utf-8"))  # noqa: S704
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("title", title),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", http_equiv="Content-Security-Policy", content=NOTHING_ELSE),
        element("style", style),
    )
    return f"<!doctype html>\n{element('html', head, element('body', body), lang='en')}\n"


def _congratulations(reviewed: Review) -> list[Markup]:
    words = congratulations(reviewed)
    return [element("p", words, class_="good")] if words else []


def _summaries(solution: Solution, reviewed: Review, turns: Sequence[Sequence[ReviewedTurn]]) -> list[Markup]:
    parts = []
    for seat, seat_turns in zip(reviewed.seats, turns, strict=True):
        summary = seat_summary(solution, seat, seat_turns)
        parts += [element("h3", seat.name), element("p", summary.result)]
        parts += [element("p", summary.praise, class_="good")] if summary.praise else []
        parts += [element("p", summary.marks)] if summary.marks else []
        parts += [element("p", summary.sums, class_="quiet")]
    return parts


def _costliest(
    solution: Solution,
    breakdown: Breakdown | None,
    number: int,
    seat: SeatReview,
    turns: Sequence[ReviewedTurn],
    *,
    is_one_of_many: bool,
) -> Markup:
    ids = decision_ids(number, turns)
    numbers = {decision: turn.number for turn in turns for decision in turn.decisions}
    items = [
        element(
            "li",
            element(
                "a",
                f"Turn {numbers[decision]}",
                href=f"#{ids[decision]}",
                aria_label=f"{seat.name}, turn {numbers[decision]}",
            ),
            f": {what_it_cost(decision)}",
            *_reason(reason(solution, breakdown, decision, chosen())),
        )
        for decision in costliest(seat)
    ]
    list_ = element("ol", *items) if items else element("p", "No decision cost anything.")
    return joined(element("h3", seat.name), list_) if is_one_of_many else list_


def _reason(sentence: str) -> list[Markup]:
    return [element("p", sentence, class_="quiet")] if sentence else []


def _values(reviewed: Review, turns: Sequence[Sequence[ReviewedTurn]]) -> Markup:
    lines = [
        Line(seat.name, seat.start_value, tuple(turn.values for turn in seat_turns))
        for seat, seat_turns in zip(reviewed.seats, turns, strict=True)
    ]
    details = element("details", element("summary", "The numbers of the chart"), value_table(lines), class_="data")
    return joined(element("figure", chart(lines)), details)


def _odds(record: Record, odds: OddsOverTime) -> list[Markup]:
    """The turning points, the chart and its numbers."""
    num_seats = len(record.seats)
    # A turn on the axis is one of every seat, as in the sentences.
    rounds = [odds.odds[first : first + num_seats] for first in range(1, len(odds.odds), num_seats)]
    lines = [
        Line(one.name, odds.odds[0].chances[seat], tuple(tuple(at.chances[seat] for at in turn) for turn in rounds))
        for seat, one in enumerate(record.seats)
    ]
    sentences = [element("li", sentence) for sentence in all_turning_points(record, odds)]
    listed = element("ul", *sentences) if sentences else element("p", "No single turn changed the chances by 10 %.")
    drawing = chart(lines, title="Chances to win over time", id="odds", is_share=True)
    table = odds_table(record, odds)
    details = element("details", element("summary", "The numbers of the chart"), table, class_="data")
    return [element("h2", "Chances to win"), listed, element("figure", drawing), details]


def _seats(solution: Solution, reviewed: Review, turns: Sequence[Sequence[ReviewedTurn]]) -> list[Markup]:
    """For every seat, luck and loss per turn and all decisions. All bars share one scale."""
    sizes = [abs(size) for seat_turns in turns for turn in seat_turns for size in (turn.luck, turn.loss)]
    scale = max(sizes, default=0.0)
    parts = []
    for number, (seat, seat_turns) in enumerate(zip(reviewed.seats, turns, strict=True)):
        ids, opened = decision_ids(number, seat_turns), costliest(seat)
        parts.append(element("h2", seat.name))
        if not seat_turns:
            parts.append(element("p", "No turns yet."))
            continue
        parts += [
            element("h3", "Luck and loss per turn"),
            turn_table(seat, seat_turns, scale),
            element("h3", "Every decision"),
            element("p", "Click a decision to see the alternatives. The costliest are already open.", class_="quiet"),
            *(turn_decisions(solution, turn, ids, opened) for turn in seat_turns),
        ]
    return parts
