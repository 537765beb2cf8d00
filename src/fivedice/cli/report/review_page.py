"""The web page of a review, which needs nothing else: no script, and no style, font or image from elsewhere."""

from collections.abc import Collection, Sequence
from datetime import datetime
from importlib.resources import files

from markupsafe import Markup

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import Advised, advise
from fivedice.analysis.odds.estimated_odds import OddsOverTime
from fivedice.analysis.reviews.marks import SYMBOLS
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.seat_review import EQUAL, DecisionReview, RollReview, TurnReview, turn_reviews
from fivedice.cli.language import chosen, numbered, say
from fivedice.cli.report.chart import Line, chart
from fivedice.cli.report.markup import element, joined, one_decimal, signed
from fivedice.cli.report.review_tables import card_table, odds_table, row, summary_table, table, turn_table, value_table
from fivedice.game.record import Record
from fivedice.game.wording import to_do
from fivedice.rulesets.explanation.dice import faces_text
from fivedice.solver.solution import Solution
from fivedice.views.review import ReviewView, SeatReviewView
from fivedice.views.review_words import mark_in_words, none_solved

NOTHING_ELSE = "default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy: the browser loads and runs nothing, whatever a record contains."""

NUM_SHOWN = 4
"""Actions in a decision's table: the best ones. The chosen action is added if it is not among them."""


def report_page(reviewed: Review, view: ReviewView, odds: OddsOverTime | None = None) -> str:
    """The whole page in the language of the command. The odds are the chances to win over time; the sentences are those
    of the view."""
    record, to = reviewed.record, chosen()
    turns = [turn_reviews(record, number, seat, to) for number, seat in enumerate(reviewed.seats)]
    title = say("Review: {game}", game=record.ruleset.name)
    played = say(
        "Played by {ruleset} on {date}.",
        ruleset=record.ruleset,
        date=datetime.fromisoformat(record.date).date(),
    )
    body = element(
        "main",
        element("h1", title),
        element("p", view.outcome, class_="outcome"),
        *_paragraph(view.congratulations, "good"),
        *_paragraph(view.dice or ""),
        *_paragraph(view.limits or ""),
        *_paragraph(played, "quiet"),
        element("h2", say("In short")),
        *(part for seat in view.seats for part in _summary(seat)),
        element("h2", say("The costliest decisions")),
        *(
            _costliest(seat, _decision_ids(number, turns[number]), is_one_of_many=len(turns) > 1)
            for number, seat in enumerate(view.seats)
        ),
        element("h2", say("Expected score, turn by turn")),
        _values(reviewed, turns),
        *(_odds(record, view, odds) if odds else ()),
        element("h2", say("Score cards")),
        card_table(record.position, [seat.name for seat in reviewed.seats]),
        *_seats(reviewed, turns),
        element("h2", say("All figures")),
        summary_table(reviewed),
        *_paragraph(view.note, "quiet"),
        *_paragraph(say("Value: the expected final score if all future decisions are optimal."), "quiet"),
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
    return f"<!doctype html>\n{element('html', head, element('body', body), lang=to.tag)}\n"


def _paragraph(sentence: str, class_: str = "") -> list[Markup]:
    """The sentence, if there is one."""
    return [element("p", sentence, class_=class_ or False)] if sentence else []


def _summary(seat: SeatReviewView) -> list[Markup]:
    summary = seat.summary
    marks = (f"{marked.words} {SYMBOLS[marked.mark]}" for marked in summary.marks)
    return [
        element("h3", seat.player),
        *_paragraph(" · ".join(summary.result)),
        *_paragraph(" · ".join(summary.done_well), "good"),
        *_paragraph(" · ".join(marks)),
        *_paragraph(summary.sums, "quiet"),
    ]


def _costliest(seat: SeatReviewView, ids: Sequence[str], *, is_one_of_many: bool) -> Markup:
    """The costliest decisions, with links to where they are shown; `ids` are those of all decisions in order."""
    numbers = {turn.turn: turn.number for turn in seat.turns}
    places = {(decision.position, decision.action): id for decision, id in zip(seat.decisions, ids, strict=True)}
    items = []
    for decision in seat.costliest:
        turn = say("Turn {number}", number=numbers[decision.turn])
        link = element(
            "a", turn, href=f"#{places[decision.position, decision.action]}", aria_label=f"{seat.player}, {turn}"
        )
        items.append(element("li", link, f": {decision.sentence}", *_paragraph(decision.why, "quiet")))
    list_ = element("ol", *items) if items else element("p", say("No decision cost anything."))
    return joined(element("h3", seat.player), list_) if is_one_of_many else list_


def _values(reviewed: Review, turns: Sequence[Sequence[TurnReview]]) -> Markup:
    lines = [
        Line(seat.name, seat.start_value, tuple(turn.values for turn in seat_turns), seat.first_turn - 1)
        for seat, seat_turns in zip(reviewed.seats, turns, strict=True)
    ]
    drawing = chart(lines, title=say("Expected score, turn by turn"))
    return joined(element("figure", drawing), _numbers(value_table(lines)))


def _odds(record: Record, view: ReviewView, odds: OddsOverTime) -> list[Markup]:
    """The turning points, the chart and its numbers."""
    num_seats = len(record.seats)
    # A turn on the axis is one of every seat, as in the sentences.
    rounds = [odds.odds[first : first + num_seats] for first in range(1, len(odds.odds), num_seats)]
    lines = [
        Line(one.name, odds.odds[0].chances[seat], tuple(tuple(at.chances[seat] for at in turn) for turn in rounds))
        for seat, one in enumerate(record.seats)
    ]
    sentences = view.odds.sentences if view.odds else ()
    drawing = chart(lines, title=say("Chances to win, turn by turn"), id="odds", is_share=True)
    return [
        element("h2", say("Chances to win")),
        element("ul", *(element("li", sentence) for sentence in sentences)),
        element("figure", drawing),
        _numbers(odds_table(record, odds)),
    ]


def _numbers(table: Markup) -> Markup:
    """The numbers of a chart, which open on a click."""
    return element("details", element("summary", say("The numbers of the chart")), table, class_="data")


def _seats(reviewed: Review, turns: Sequence[Sequence[TurnReview]]) -> list[Markup]:
    """For every seat, luck and loss per turn and all decisions. All bars share one scale."""
    sizes = [abs(size) for seat_turns in turns for turn in seat_turns for size in (turn.known_luck or 0.0, turn.loss)]
    scale = max(sizes, default=0.0)
    parts = []
    for number, (seat, seat_turns) in enumerate(zip(reviewed.seats, turns, strict=True)):
        ids = dict(zip(seat.decisions, _decision_ids(number, seat_turns), strict=True))
        parts.append(element("h2", seat.name))
        solution = reviewed.solutions[number]
        if not seat_turns or solution is None:
            parts += _paragraph(say("No turns yet.") if seat.first_turn == 1 else none_solved(chosen()))
            continue
        parts += [
            element("h3", say("Luck and loss per turn")),
            turn_table(seat, seat_turns, scale),
            element("h3", say("Every decision")),
            *_paragraph(say("Click a decision to see the alternatives. The costliest are already open."), "quiet"),
            *(_turn(solution, turn, ids, seat.costliest) for turn in seat_turns),
        ]
    return parts


def _decision_ids(seat: int, turns: Sequence[TurnReview]) -> list[str]:
    """The id on the page of each decision of a seat, in order: seat-0-turn-3-decision-2."""
    return [
        f"seat-{seat}-turn-{turn.number}-decision-{number}"
        for turn in turns
        for number, _ in enumerate(turn.decisions, 1)
    ]


def _turn(
    solution: Solution | PlainSolution,
    turn: TurnReview,
    ids: dict[DecisionReview, str],
    opened: Collection[DecisionReview],
) -> Markup:
    """A turn's decisions under a heading, and any roll not yet decided; decisions in `opened` are expanded."""
    if turn.points is None:
        heading = say("Turn {number}: not finished", number=turn.number)
    else:
        heading = numbered(
            "Turn {number}: {box}, 1 point",
            "Turn {number}: {box}, {n} points",
            turn.points,
            number=turn.number,
            box=turn.box,
        )
    parts = [element("h4", heading)]
    for roll, decision in turn.steps:
        if decision:
            about = _about_roll(roll, turn.luck_of(roll))
            parts.append(_decision(solution, about, decision, ids[decision], is_open=decision in opened))
        else:
            undecided = say("{dice} is not yet decided.", dice=faces_text(solution.ruleset, roll.dice))
            parts += _paragraph(f"{undecided} {_about_roll(roll, turn.luck_of(roll))}")
    return joined(*parts)


def _decision(
    solution: Solution | PlainSolution, about: str, decision: DecisionReview, id: str, *, is_open: bool
) -> Markup:
    to = chosen()
    done, best = (to_do(decision.position, action, to) for action in (decision.action, decision.best))
    mark = mark_in_words(decision.mark, to) if decision.mark else ""
    loss = one_decimal(decision.loss)
    summary = element(
        "summary",
        element("b", faces_text(solution.ruleset, decision.position.dice), class_="dice"),
        " ",
        element("span", done, class_="action"),
        " ",
        element("span", _verdict(decision, mark, loss), class_="verdict costly" if mark else "verdict"),
    )
    sentences = [say("Chosen: {action}, value {value}.", action=done, value=one_decimal(decision.value))]
    if decision.loss >= EQUAL:
        sentences.append(say("Best: {action}, value {value}.", action=best, value=one_decimal(decision.best_value)))
    sentences.append(say("Loss {loss}, {mark}.", loss=loss, mark=mark) if mark else say("Loss {loss}.", loss=loss))
    return element(
        "details",
        summary,
        element("p", element("code", str(decision.position))),
        element("p", about),
        element("p", " ".join(sentences)),
        _alternatives(solution, decision),
        id=id,
        open=is_open,
    )


def _verdict(decision: DecisionReview, mark: str, loss: str) -> str:
    if decision.loss >= EQUAL:
        return say("{mark}, loss {loss}", mark=mark, loss=loss) if mark else say("loss {loss}", loss=loss)
    return say("best") if decision.is_unforced else say("forced")


def _about_roll(roll: RollReview, luck: float | None) -> str:
    return say(
        "The roll: luck {luck}, value {before} before, {after} after.",
        luck=signed(luck),
        before=one_decimal(roll.before),
        after=one_decimal(roll.after),
    )


def _alternatives(solution: Solution | PlainSolution, decision: DecisionReview) -> Markup:
    """A table of the best actions with value and loss; the best and the chosen one are labelled."""
    actions = advise(solution, decision.position).actions
    required = {decision.action, decision.best}
    shown = [advised for place, advised in enumerate(actions) if place < NUM_SHOWN or advised.action in required]
    rows = [row(_named(advised, decision), one_decimal(advised.value), one_decimal(advised.loss)) for advised in shown]
    dice = faces_text(solution.ruleset, decision.position.dice)
    if len(shown) < len(actions):
        caption = say("Actions with {dice}: {shown} of {all}", dice=dice, shown=len(shown), all=len(actions))
    else:
        caption = say("Actions with {dice}", dice=dice)
    return table(caption, (say("Action"), say("Value"), say("Loss")), (rows,), class_="numbers actions")


def _named(advised: Advised, decision: DecisionReview) -> Markup:
    """An action, labelled "chosen" or "best" if it is."""
    words = [
        element("span", word, class_="label")
        for word, action in ((say("chosen"), decision.action), (say("best"), decision.best))
        if advised.action == action
    ]
    return joined(to_do(decision.position, advised.action, chosen()), *words, by=" ")
