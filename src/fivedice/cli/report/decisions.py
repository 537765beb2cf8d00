"""The decisions of a seat, turn by turn: one line each, which opens to show the alternatives."""

from collections.abc import Collection, Sequence

from markupsafe import Markup

from fivedice.analysis.advice import Advised, advise
from fivedice.analysis.reviews.review import EQUAL
from fivedice.analysis.reviews.review_turns import ReviewedTurn
from fivedice.analysis.reviews.seat_review import ReviewedDecision, ReviewedRoll
from fivedice.cli.report.markup import element, joined, one_decimal, signed
from fivedice.cli.report.review_tables import row, table
from fivedice.explanation.dice import faces_text
from fivedice.game.wording import to_do
from fivedice.solver.solution import Solution

NUM_SHOWN = 4
"""Actions in a decision's table: the best ones. The chosen action is added if it is not among them."""


def decision_ids(seat: int, turns: Sequence[ReviewedTurn]) -> dict[ReviewedDecision, str]:
    """Decision → its id on the page: seat-0-turn-3-decision-2."""
    return {
        decision: f"seat-{seat}-turn-{turn.number}-decision-{number}"
        for turn in turns
        for number, decision in enumerate(turn.decisions, 1)
    }


def turn_decisions(
    solution: Solution, turn: ReviewedTurn, ids: dict[ReviewedDecision, str], opened: Collection[ReviewedDecision]
) -> Markup:
    """A turn's decisions under a heading, and any roll not yet decided; decisions in `opened` are expanded."""
    what = f": {turn.box}, {turn.points} points" if turn.box else ": not finished"
    parts = [element("h4", f"Turn {turn.number}{what}")]
    for roll, decision in turn.steps:
        if decision:
            parts.append(_decision(solution, roll, decision, ids[decision], is_open=decision in opened))
        else:
            dice = element("b", faces_text(solution.ruleset, roll.dice))
            parts.append(element("p", dice, " is not yet decided. ", _about_roll(roll)))
    return joined(*parts)


def _decision(solution: Solution, roll: ReviewedRoll, decision: ReviewedDecision, id: str, *, is_open: bool) -> Markup:
    dice = faces_text(solution.ruleset, decision.position.dice)
    chosen, verdict = to_do(decision.position, decision.action), _verdict(decision)
    summary = element(
        "summary",
        element("b", dice, class_="dice"),
        " ",
        element("span", chosen, class_="action"),
        " ",
        element("span", verdict, class_="verdict costly" if decision.mark else "verdict"),
    )
    sentences = [f"Chosen: {chosen}, value {one_decimal(decision.value)}."]
    if decision.loss >= EQUAL:
        sentences.append(f"Best: {to_do(decision.position, decision.best)}, value {one_decimal(decision.best_value)}.")
    sentences.append(f"Loss {one_decimal(decision.loss)}{f', {decision.mark}' if decision.mark else ''}.")
    return element(
        "details",
        summary,
        element("p", element("code", str(decision.position))),
        element("p", _about_roll(roll)),
        element("p", " ".join(sentences)),
        _alternatives(solution, decision),
        id=id,
        open=is_open,
    )


def _verdict(decision: ReviewedDecision) -> str:
    if decision.loss >= EQUAL:
        mark = f"{decision.mark}, " if decision.mark else ""
        return f"{mark}loss {one_decimal(decision.loss)}"
    return "best" if decision.is_unforced else "forced"


def _about_roll(roll: ReviewedRoll) -> str:
    return (
        f"The roll: luck {signed(roll.luck)}, value {one_decimal(roll.before)} before, {one_decimal(roll.after)} after."
    )


def _alternatives(solution: Solution, decision: ReviewedDecision) -> Markup:
    """A table of the best actions with value and loss; the best and the chosen one are labelled."""
    actions = advise(solution, decision.position).actions
    required = {decision.action, decision.best}
    shown = [advised for place, advised in enumerate(actions) if place < NUM_SHOWN or advised.action in required]
    rows = [row(_named(advised, decision), one_decimal(advised.value), one_decimal(advised.loss)) for advised in shown]
    dice = faces_text(solution.ruleset, decision.position.dice)
    caption = f"Actions with {dice}" + (f": {len(shown)} of {len(actions)}" if len(shown) < len(actions) else "")
    return table(caption, ("Action", "Value", "Loss"), (rows,), class_="numbers actions")


def _named(advised: Advised, decision: ReviewedDecision) -> Markup:
    """An action, labelled "chosen" or "best" if it is."""
    words = [
        element("span", word, class_="label")
        for word, action in (("chosen", decision.action), ("best", decision.best))
        if advised.action == action
    ]
    return joined(to_do(decision.position, advised.action), *words, by=" ")
