"""The distribution of a final score as lines of text: a summary, a histogram, and the chances of bonuses and boxes.

>>> import numpy as np
>>> from fivedice.solver.distribution import Distribution
>>> for line in histogram(Distribution(98, np.array([0.125, 0.25, 0.5, 0.0, 0.125])), width=44):
...     print(line)
 score   chance  or more
    98   12.5 %  100.0 %  ████▌
    99   25.0 %   87.5 %  █████████
   100   50.0 %   62.5 %  ██████████████████
   101    0.0 %   12.5 %
   102   12.5 %   12.5 %  ████▌
"""

from collections.abc import Iterator
from itertools import pairwise
from textwrap import wrap

import numpy as np

from fivedice.analysis.chances import Chances
from fivedice.solver.distribution import Distribution

MOST_BINS = 15
"""Lines of the histogram, so that a terminal of 24 lines shows all of it."""

RARE = 0.0005
"""The chance of the scores below, or above, all others that share the first or the last line."""

_EIGHTHS = " ▏▎▍▌▋▊▉"


def chances_lines(chances: Chances, width: int) -> Iterator[str]:
    """The chances of a position for a terminal of `width` columns."""
    position, found = chances.position, chances.distribution
    if found.chances.size == 1:
        yield f"The final score is {found.first}: no choice and no roll can change it."
        return
    low, lower, median, upper, high = map(found.percentile, (0.05, 0.25, 0.5, 0.75, 0.95))
    yield f"{position.ruleset.name}: the final score with best play"
    summary = (
        f"On average {found.mean:.1f} points (standard deviation {found.standard_deviation:.1f}),"
        f" half of all games {median} or more, half between {lower} and {upper}, 9 of 10 between {low} and {high}."
    )
    yield from wrap(summary, width)
    yield ""
    yield from histogram(found, width)
    yield ""
    yield from wrap(_bonuses(chances), width)
    boxes = zip(position.ruleset.boxes, position.card.boxes, strict=True)
    still_open = [f"{box.name} {_percent(chances.boxes[box.id])}" for box, points in boxes if points is None]
    yield from wrap(f"More than zero: {', '.join(still_open)}.", width)


def histogram(distribution: Distribution, width: int) -> Iterator[str]:
    """One line for each range of scores: its chance, that of its lowest score or more, and a bar."""
    step, ranges = _ranges(distribution)
    labels = [f"{low}" if step == 1 else f"{low}–{low + step - 1}" for low in ranges]
    if distribution.first < ranges[0]:
        labels[0] = f"under {ranges[0] + step}"
    if distribution.scores[-1] >= ranges[-1] + step:
        labels[-1] = f"{ranges[-1]} up"
    edges = [-np.inf, *ranges[1:], np.inf]
    scores, chances = distribution.scores, distribution.chances
    shares = [float(chances[(scores >= a) & (scores < b)].sum()) for a, b in pairwise(edges)]
    label_width = max(len("score"), *map(len, labels))
    room = max(1, width - label_width - 21)
    yield f" {'score':>{label_width}}   chance  or more"
    for label, low, share in zip(labels, [scores[0], *ranges[1:]], shares, strict=True):
        eighths = round(8 * room * share / max(shares))
        bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
        or_more = distribution.at_least(int(low))
        yield f" {label:>{label_width}}  {_percent(share, 1):>7}  {_percent(or_more, 1):>7}  {bar}".rstrip()


def _ranges(distribution: Distribution) -> tuple[int, list[int]]:
    """A round width of ranges, and the lowest score of each; the first and last also take all rarer scores."""
    low, high = distribution.percentile(RARE), distribution.percentile(1 - RARE)
    power, step = 1, 1
    while True:
        for factor in (1, 2, 5):
            step = factor * power
            first = low // step * step
            if (high - first) // step < MOST_BINS:
                return step, list(range(first, high + 1, step))
        power *= 10


def _bonuses(chances: Chances) -> str:
    """The chances of the upper bonus and of extra bonuses; empty if the rules have none."""
    parts = []
    ruleset = chances.position.ruleset
    if ruleset.upper_bonus:
        bonus = chances.upper_bonus
        pairs = zip(bonus.scores.tolist(), bonus.chances.tolist(), strict=True)
        amounts = [f"{_percent(chance)} for {amount} points" for amount, chance in pairs if amount and chance]
        parts.append("Upper bonus: " + (", ".join(amounts) or "out of reach") + ".")
    if ruleset.extra_bonus:
        extras, earned = chances.num_extras, chances.position.card.extras
        more = "another" if earned else "one or more"
        parts.append(f"Extra bonus of {ruleset.extra_bonus}: {_percent(extras.at_least(earned + 1))} for {more}.")
    return " ".join(parts)


def _percent(chance: float, decimals: int = 0) -> str:
    """A chance in percent: 31 %, 0.4 %; never 0 % or 100 % unless it is certain."""
    if 0 < chance < 0.5 / 10**decimals / 100:
        return f"<{1 / 10**decimals:g} %"
    if 1 - 0.5 / 10**decimals / 100 <= chance < 1 - 1e-12:
        return f">{100 - 1 / 10**decimals:g} %"
    return f"{100 * chance:.{decimals}f} %"
