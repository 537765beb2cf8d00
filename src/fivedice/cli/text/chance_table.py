"""Chances as text: tables of actions and of targets, for advice that aims at a goal, and who is ahead."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from rich.cells import cell_len, set_cell_size

from fivedice.analysis.odds.estimated_odds import Odds
from fivedice.cli.language import chosen, say
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.wording import to_do
from fivedice.views.review_words import percents

if TYPE_CHECKING:
    from fivedice.analysis.odds.targets import UtilityAdvice
    from fivedice.solver.tables.states import Array


class Rated(Protocol):
    """An action with the points that it scores, if any, and its loss as a share."""

    @property
    def action(self) -> Action: ...
    @property
    def points(self) -> int | None: ...
    @property
    def loss(self) -> float: ...


def chance_text(chance: float) -> str:
    """A chance in percent, with more digits where it is small: 31.2 %, 0.047 %."""
    to, percent = chosen(), 100 * chance
    if percent >= 1 or percent == 0:
        text = f"{percent:.1f}"
        return to.with_point(f"{'> 99.9' if text == '100.0' and chance < 1 else text} %")
    return to.with_point(f"{percent:.2g} %" if percent >= 1e-4 else "< 0.0001 %")


def chance_table(
    position: Position,
    actions: Sequence[Rated],
    chances: Sequence[float],
    top: int | None = None,
    values: Sequence[float] | None = None,
) -> Iterator[str]:
    """The `top` best actions with their chances, losses in percentage points, and points; `values` are expected
    scores, and have a column if they are given."""
    to = chosen()
    shown = actions[:top]
    columns = [
        _column(to.say("chance"), 10, map(chance_text, chances)),
        _column(to.say("loss"), 6, (to.decimal(100 * each.loss) for each in shown)),
    ]
    if values is not None:
        columns.append(_column(to.say("expected"), 8, map(to.decimal, values)))
    points = ("" if each.points is None else str(each.points) for each in shown)
    columns.append(_column(to.say("points"), 6, points))
    labels = ["", *(to_do(position, each.action, to) for each in shown)]
    width = max(map(cell_len, labels))
    for label, *cells in zip(labels, *columns, strict=False):
        yield "  ".join([set_cell_size(label, width), *cells]).rstrip()
    if len(actions) > len(shown):
        yield to.say(
            "and {n} more, each at least {loss} percentage points below the best",
            n=len(actions) - len(shown),
            loss=to.decimal(100 * actions[len(shown)].loss),
        )


def _column(heading: str, width: int, cells: "Iterator[str]") -> list[str]:
    """The heading and the cells, right-justified."""
    texts = [heading, *cells]
    return [text.rjust(max(width, len(heading))) for text in texts]


MOST_LINES = 24
"""The most lines of a table of targets."""

STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
"""Distances between the round numbers of a table."""

LEAST_SHOWN = 1e-6
"""Chances below this are not worth a line."""


def target_lines(scores: "Array", chances: "Array") -> list[str]:
    """A table of the best chance of reaching round numbers, from those that are almost certain to those that are
    almost impossible. Chances are P(final score ≥ target)."""
    first, last = int(scores[0]), int(scores[-1])
    shown = scores[(chances < 1 - LEAST_SHOWN) & (chances >= LEAST_SHOWN)]
    low, high = (int(shown[0]), int(shown[-1])) if shown.size else (first, first)
    step = next((step for step in STEPS if (high - low) / step <= MOST_LINES - 3), STEPS[-1])
    targets = [first, *(t for t in range(-(-low // step) * step, high + 1, step) if first < t < last), last]
    to = chosen()
    headings = to.say("at least"), to.say("best chance")
    width, chance_width = max(len(headings[0]), len(str(last))), max(len(headings[1]), 11)
    lines = [f"{headings[0]:>{width}}  {headings[1]:>{chance_width}}"]
    for target in dict.fromkeys(targets):
        lines.append(f"{target:>{width}}  {chance_text(float(chances[target - first])):>{chance_width}}")
    return lines


def target_advice_lines(advice: "UtilityAdvice", target: int, top: int | None = None) -> Iterator[str]:
    """The best chance of reaching a target, then the `top` best actions with their chances, best first."""
    to = chosen()
    values: dict[str, object] = {"target": target, "chance": chance_text(advice.utility)}
    if advice.position.is_over:
        total = advice.position.card.total
        if advice.utility:
            yield to.say("The game is over: the score is {total}, at least {target}.", total=total, **values)
        else:
            yield to.say("The game is over: the score is {total}, less than {target}.", total=total, **values)
        return
    if not advice.actions:
        yield to.say("Before the roll: the best chance of {target} or more is {chance}.", **values)
        return
    yield to.say("Best chance of {target} or more: {chance}.", **values)
    shown = advice.actions[:top]
    chances, scores = [each.utility for each in shown], [each.value for each in shown]
    yield from chance_table(advice.position, advice.actions, chances, top, scores)


def odds_line(odds: Odds, names: Sequence[str]) -> str:
    """Every seat's chance to win in one line."""
    shown = (f"{name} {percents(chance)}" for name, chance in zip(names, odds.chances, strict=True))
    listed = ", ".join(shown)
    if odds.is_exact:
        return say("Chances to win: {chances}.", chances=listed)
    return say("Chances to win (estimated): {chances}.", chances=listed)
