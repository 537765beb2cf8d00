"""How a player's decisions, scores and luck develop over the games of `PlayerFigures`, and its records; and `Streak`:
days in a row on which somebody played, of which one a week may be missed.

Nothing is said of fewer than `LEAST_GAMES` games, and nothing of losses and luck by approximate values.

>>> from datetime import timedelta
>>> monday = date(2026, 11, 23)
>>> days = [monday + timedelta(number) for number in (0, 1, 3, 4, 5, 6)]
>>> streak(days, days[-1])
Streak(days=6, longest=6, is_today_played=True)
>>> streak(days, days[-1] + timedelta(1)).days, streak(days, days[-1] + timedelta(2)).days
(6, 4)
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate, count, pairwise
from math import ceil, floor, fsum, sqrt
from typing import TYPE_CHECKING, Literal

from fivedice.analysis.reviews.estimate import LEAST_GAMES, NORMAL, Estimate, difference, estimate
from fivedice.analysis.reviews.player_figures import KINDS, NUM_RECENT, Example, GameFigures, PlayerFigures

if TYPE_CHECKING:
    from fivedice.solver.play.distribution import Distribution

PERIOD_GAMES = 5
"""The fewest games of a period: with fewer, its interval says little."""

MAX_PERIODS = 12

EXAMPLE_GAMES = 30
"""An example is from so many of the last games, since older ones say little of how somebody plays now."""

MAX_BINS = 24

MAX_POINTS = 60
"""The most points of the line of luck."""

TAIL = 0.01
"""Scores of perfect games beyond this share at either end widen no scale."""


@dataclass(frozen=True, slots=True)
class Period:
    """Successive games: the points lost a decision, and the dates of the first and the last game."""

    lost: Estimate
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Trend:
    """How many points more a decision lost in the later half of the games than in the earlier one, with its 95 %
    interval; `told` is "nothing" if chance alone explains the difference."""

    mean: float
    half_width: float
    told: Literal["less", "more", "nothing"]


@dataclass(frozen=True, slots=True)
class ScoreBins:
    """Scores in bins of `width` points, the first from `first` on; the end bins have all scores beyond.

    `own` counts the player's games and `perfect` has the shares of perfectly played ones, whose mean is `perfect_mean`;
    a share `above` of those scores more than the player's mean. The three are None if their distribution is not known.
    """

    first: int
    width: int
    own: tuple[int, ...]
    perfect: tuple[float, ...] | None
    perfect_mean: float | None
    above: float | None


@dataclass(frozen=True, slots=True)
class LuckSums:
    """The sum of luck after each of these numbers of games, the first of which is 0.

    The expected sum is 0, whoever plays. After n games it is within ± √n · `width` in 95 of 100 cases, about;
    `width` is from the spread of the player's own games.
    """

    games: tuple[int, ...]
    sums: tuple[float, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Records:
    """The games with the best score, with the fewest points lost, and with the first Yahtzee; None if there is none."""

    best: GameFigures | None
    least_lost: GameFigures | None
    first_yahtzee: GameFigures | None


def lost_over_time(figures: PlayerFigures) -> list[Period]:
    """The complete games in periods of about as many each, oldest first."""
    games = figures.complete
    if figures.is_approximate or len(games) < LEAST_GAMES:
        return []
    num = min(MAX_PERIODS, len(games) // PERIOD_GAMES)
    ends = [len(games) * number // num for number in range(num + 1)]
    return [
        Period(estimate(_lost(games[begin:end])), games[begin].date, games[end - 1].date)
        for begin, end in pairwise(ends)
    ]


def trend(figures: PlayerFigures) -> Trend | None:
    """What the complete games tell about a change."""
    games = figures.complete
    if figures.is_approximate or len(games) < LEAST_GAMES:
        return None
    half = len(games) // 2
    change = difference(_lost(games[:half]), _lost(games[half:]))
    if change.half_width is None or abs(change.mean) <= change.half_width:
        return Trend(change.mean, change.half_width or 0.0, "nothing")
    return Trend(change.mean, change.half_width, "less" if change.mean < 0 else "more")


def recent_lost(figures: PlayerFigures) -> Estimate:
    """The points lost a decision in the last complete games, of which there is at least one."""
    return estimate(_lost(figures.complete[-NUM_RECENT:]))


def costliest_kind(figures: PlayerFigures) -> tuple[str, float] | None:
    """The kind of decision, one of `KINDS`, in which most points are lost, and its share of all points lost."""
    if figures.is_approximate or figures.score.num < LEAST_GAMES or not figures.errors.loss:
        return None
    kind = max((kind for kind in KINDS if kind in figures.by_kind), key=lambda kind: figures.by_kind[kind].loss)
    return kind, figures.by_kind[kind].loss / figures.errors.loss


def examples(figures: PlayerFigures) -> dict[str, Example]:
    """The costliest decision of each kind and subject in the last `EXAMPLE_GAMES` games."""
    found: dict[str, Example] = {}
    for game in figures.games[-EXAMPLE_GAMES:]:
        for name, example in game.examples.items():
            if name not in found or example.loss > found[name].loss:
                found[name] = replace(example, table=game.table)
    return found


def score_bins(figures: PlayerFigures, perfect: "Distribution | None" = None) -> ScoreBins | None:
    """The scores of the complete games beside those of perfect games."""
    scores = [game.score for game in figures.complete]
    if len(scores) < LEAST_GAMES:
        return None
    low, high = min(scores), max(scores)
    if perfect is not None:
        low, high = min(low, perfect.percentile(TAIL)), max(high, perfect.percentile(1 - TAIL))
    width = _round_width((high - low + 1) / (MAX_BINS - 1))
    edges = range(low // width * width, high + 1, width)
    own = _counted(((score, 1) for score in scores), edges)
    if perfect is None:
        return ScoreBins(edges[0], width, tuple(map(round, own)), None, None, None)
    of_perfect = _counted(zip(perfect.scores.tolist(), perfect.chances.tolist(), strict=True), edges)
    above = perfect.at_least(floor(fsum(scores) / len(scores)) + 1)
    return ScoreBins(edges[0], width, tuple(map(round, own)), tuple(of_perfect), perfect.mean, above)


def luck_sums(figures: PlayerFigures) -> LuckSums | None:
    """The luck of all games, which adds up."""
    luck = [game.luck for game in figures.games]
    if figures.is_approximate or len(luck) < LEAST_GAMES:
        return None
    sums = [0.0, *accumulate(luck)]
    step = ceil(len(luck) / MAX_POINTS)
    games = [*range(0, len(luck), step), len(luck)]
    # The mean is known to be 0, so that the spread is about 0 as well.
    spread = sqrt(fsum(one**2 for one in luck) / len(luck))
    return LuckSums(tuple(games), tuple(sums[number] for number in games), NORMAL * spread)


def records(figures: PlayerFigures) -> Records:
    """The records among complete games; the earliest of equal ones."""
    games = figures.complete
    known = [] if figures.is_approximate else games
    return Records(
        best=max(games, key=lambda game: game.score, default=None),
        least_lost=min(known, key=lambda game: game.lost, default=None),
        first_yahtzee=next((game for game in figures.games if game.has_yahtzee), None),
    )


def _lost(games: Sequence[GameFigures]) -> list[float]:
    """The points lost a decision in each game."""
    return [game.lost_a_decision for game in games]


def _round_width(least: float) -> int:
    """The least round whole number that is not below `least`."""
    widths = (int(step * 10**power) for power in count() for step in (1, 2, 5))
    return next(width for width in widths if width >= least)


def _counted(weighted: Iterable[tuple[int, float]], edges: Sequence[int]) -> list[float]:
    """The weights of scores by bin; those beyond an end belong to the end bin."""
    found = [0.0] * len(edges)
    for score, weight in weighted:
        found[max(0, bisect_right(edges, score) - 1)] += weight
    return found


WEEK = 7
"""Of any so many days in a row, one may be missed."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row on which a game began that was finished, or a rank was won in the daily: in the streak that goes
    on today, 0 if none does, and in the longest one ever. Missed days do not count.

    A streak goes on as long as a game today would add to it.
    """

    days: int
    longest: int
    is_today_played: bool


def streak(days: Iterable[date], today: date) -> Streak:
    """The streak of somebody who played on these days, in any order; days after today do not count."""
    played = {day.toordinal() for day in days}
    now = today.toordinal()
    known = sorted(day for day in played if day <= now)
    is_today_played = now in played
    current = _runs([*known] if is_today_played else [*known, now])[-1]
    return Streak(current - (not is_today_played), max(_runs(known), default=0), is_today_played)


def _runs(days: list[int]) -> list[int]:
    """For each of these ascending days, the number of them in the longest streak that ends with it."""
    found: list[int] = []
    start, missed = 0, -WEEK
    for place, day in enumerate(days):
        gap = day - days[place - 1] if place else 1
        if gap == 2:
            if day - 1 - missed < WEEK:  # the streak begins after the day that was missed before
                start = next(number for number in range(start, place) if days[number] > missed)
            missed = day - 1
        elif gap > 2:
            start, missed = place, -WEEK
        found.append(place - start + 1)
    return found
