"""Targets as text: a table of chances to reach scores, and advice for one target."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from fivedice.cli.text.dice import to_do_text

if TYPE_CHECKING:
    from fivedice.analysis.targets import UtilityAdvice
    from fivedice.solver.states import Array

MOST_LINES = 24
"""The most lines of a table of targets."""

STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
"""Distances between the round numbers of a table."""

LEAST_SHOWN = 1e-6
"""Chances below this are not worth a line."""


def chance_text(chance: float) -> str:
    """A chance in percent, with more digits where it is small: 31.2 %, 0.047 %."""
    percent = 100 * chance
    if percent >= 1 or percent == 0:
        text = f"{percent:.1f}"
        return f"{'> 99.9' if text == '100.0' and chance < 1 else text} %"
    return f"{percent:.2g} %" if percent >= 1e-4 else "< 0.0001 %"


def target_lines(scores: "Array", chances: "Array") -> list[str]:
    """A table of the best chance of reaching round numbers, from those that are almost certain to those that are
    almost impossible. Chances are P(final score ≥ target)."""
    first, last = int(scores[0]), int(scores[-1])
    shown = scores[(chances < 1 - LEAST_SHOWN) & (chances >= LEAST_SHOWN)]
    low, high = (int(shown[0]), int(shown[-1])) if shown.size else (first, first)
    step = next((step for step in STEPS if (high - low) / step <= MOST_LINES - 3), STEPS[-1])
    targets = [first, *(t for t in range(-(-low // step) * step, high + 1, step) if first < t < last), last]
    width = max(len("at least"), len(str(last)))
    lines = [f"{'at least':>{width}}  best chance"]
    for target in dict.fromkeys(targets):
        lines.append(f"{target:>{width}}  {chance_text(float(chances[target - first])):>11}")
    return lines


def target_advice_lines(advice: "UtilityAdvice", target: int, top: int | None = None) -> Iterator[str]:
    """The best chance of reaching a target, then the `top` best actions with their chances, best first."""
    chance = chance_text(advice.utility)
    if not advice.actions:
        if advice.position.is_over:
            total = advice.position.card.total
            yield f"The game is over: the score is {total}, {'at least' if advice.utility else 'less than'} {target}."
        else:
            yield f"Before the roll: the best chance of {target} or more is {chance}."
        return
    yield f"Best chance of {target} or more: {chance}."
    shown = advice.actions[:top]
    labels = [to_do_text(advice.position, advised.action) for advised in shown]
    width = max(map(cell_len, labels))
    yield f"{'':<{width}}      chance    loss  expected  points"
    for label, advised in zip(labels, shown, strict=True):
        points = "" if advised.points is None else str(advised.points)
        yield (
            f"{set_cell_size(label, width)}  {chance_text(advised.utility):>10}  {100 * advised.loss:6.1f}"
            f"  {advised.value:8.1f}  {points:>6}"
        ).rstrip()
    num_hidden = len(advice.actions) - len(shown)
    if num_hidden:
        least = 100 * advice.actions[len(shown)].loss
        yield f"and {num_hidden} more, each at least {least:.1f} percentage points below the best"
