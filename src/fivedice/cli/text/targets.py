"""Targets as text: a table of chances to reach scores, and advice for one target."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fivedice.cli.language import chosen
from fivedice.cli.text.chance_table import chance_table, chance_text

if TYPE_CHECKING:
    from fivedice.analysis.odds.targets import UtilityAdvice
    from fivedice.solver.tables.states import Array

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
