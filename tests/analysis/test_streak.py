"""Streaks of days, against a definition in a few lines, and examples."""

import random
from datetime import date, timedelta
from itertools import pairwise

from fivedice.analysis.streak import WEEK, Streak, streak

FIRST = date(2026, 2, 20)


def days(marks: str) -> list[date]:
    """The days of a text with one character a day, `x` for those that were played."""
    return [FIRST + timedelta(place) for place, mark in enumerate(marks) if mark == "x"]


def at_the_end(marks: str) -> Streak:
    """The streak on the last day of such a text."""
    return streak(days(marks), FIRST + timedelta(len(marks) - 1))


def test_a_missed_day_a_week_does_not_break_a_streak_and_does_not_count() -> None:
    assert at_the_end("xxxxx") == Streak(5, 5, is_today_played=True)
    assert at_the_end("xx.xx") == Streak(4, 4, is_today_played=True)
    assert at_the_end("xxx.xxxxxx.xx") == Streak(11, 11, is_today_played=True)
    assert at_the_end("xx..xx").days == 2
    assert at_the_end("xxx.xxxxx.xx") == Streak(7, 8, is_today_played=True), "two of seven days were missed"


def test_a_streak_lasts_while_a_game_today_would_add_to_it() -> None:
    assert at_the_end("xxx.") == Streak(3, 3, is_today_played=False)
    assert at_the_end("xxx..").days == 3
    assert at_the_end("xxx...").days == 0
    assert at_the_end("x.xx..").days == 2
    assert streak([], FIRST) == Streak(0, 0, is_today_played=False)


def test_days_after_today_and_repeated_ones_do_not_count() -> None:
    assert streak([*days("xxxx"), *days("xxxx")], FIRST + timedelta(1)) == Streak(2, 2, is_today_played=True)


def is_streak(played: list[int]) -> bool:
    """Whether ascending days are a streak by the rule: no two of any seven days in a row were missed."""
    missed = [day for day in range(played[0], played[-1]) if day not in played]
    return all(after - before >= WEEK for before, after in pairwise(missed))


def test_random_days_agree_with_the_rule() -> None:
    chance = random.Random(1)
    for _ in range(300):
        marks = "".join("x" if chance.random() < 0.85 else "." for _ in range(chance.randint(1, 40)))
        played = [place for place, mark in enumerate(marks) if mark == "x"]
        runs = [played[a:b] for a in range(len(played)) for b in range(a + 1, len(played) + 1)]
        longest = max((len(run) for run in runs if is_streak(run)), default=0)
        today = len(marks) - 1
        with_today = sorted({*played, today})
        current = max(len(with_today[a:]) for a in range(len(with_today)) if is_streak(with_today[a:]))
        assert at_the_end(marks) == Streak(current - (marks[-1] == "."), longest, marks[-1] == "x"), marks
