"""`Streak`: days in a row on which somebody played, of which one a week may be missed.

>>> from datetime import timedelta
>>> monday = date(2026, 11, 23)
>>> days = [monday + timedelta(number) for number in (0, 1, 3, 4, 5, 6)]
>>> streak(days, days[-1])
Streak(days=6, longest=6, is_today_played=True)
>>> streak(days, days[-1] + timedelta(1)).days, streak(days, days[-1] + timedelta(2)).days
(6, 4)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

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
