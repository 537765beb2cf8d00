"""Progress over many games: periods, scores beside perfect ones, luck and records, from few and from many games; and
streaks of days, against a definition in a few lines."""

import random
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from fivedice.analysis.reviews.estimate import LEAST_GAMES, difference, ratio_half_width
from fivedice.analysis.reviews.player_figures import (
    KINDS,
    SUBJECTS,
    Example,
    GameFigures,
    PlayerFigures,
    game_errors,
    player_figures,
    subjects_of,
    total_figures,
)
from fivedice.analysis.reviews.progress import (
    MAX_PERIODS,
    WEEK,
    Streak,
    costliest_kind,
    examples,
    lost_over_time,
    luck_sums,
    recent_lost,
    records,
    score_bins,
    streak,
    trend,
)
from fivedice.analysis.reviews.review import review_all
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.distribution import Distribution
from fivedice.views.figures import figures_view
from tests.analysis.reviews.test_review import game, policies
from tests.solutions import solution_of

DECISIONS = 13 * 2
"""Those of a game of crag."""


def played(number: int, lost: float, **changes: object) -> GameFigures:
    """The game of day `number`, counted from 1."""
    ruleset = load_ruleset("crag")
    errors = game_errors(ruleset, {"first keep": (lost, 13), "box": (0.0, 13)})
    date = f"2026-{1 + (number - 1) // 28:02}-{1 + (number - 1) % 28:02}T10:00:00+00:00"
    found = GameFigures("Ann", ruleset, 100 + number, 150.0 - lost, 1.0, lost, errors, date=date)
    return found._replace(**changes)  # type: ignore[arg-type]


def of(*games: GameFigures) -> PlayerFigures:
    [found] = total_figures(games)
    return found


def test_fewer_than_ten_games_tell_nothing_but_records() -> None:
    few = of(*(played(number, 20.0) for number in range(1, LEAST_GAMES)))
    assert lost_over_time(few) == []
    assert (trend(few), score_bins(few), luck_sums(few), costliest_kind(few)) == (None, None, None, None)
    best: Any = records(few).best
    assert best.score == 100 + LEAST_GAMES - 1


def test_periods_have_all_games_in_order_and_the_trend_compares_the_halves() -> None:
    chance = random.Random(1)
    games = [played(number, 40.0 - number / 2 + chance.gauss(0, 3)) for number in range(1, 64)]
    found = of(*reversed(games))
    periods = lost_over_time(found)
    assert len(periods) == MAX_PERIODS
    assert sum(period.lost.num for period in periods) == 63
    assert {period.lost.num for period in periods} == {5, 6}
    assert periods[0].lost.mean == pytest.approx(sum(one.lost for one in games[:5]) / 5 / DECISIONS)
    assert [period.first for period in periods] == sorted(period.first for period in periods)
    change: Any = trend(found)
    assert change.mean == pytest.approx(
        (sum(one.lost for one in games[31:]) / 32 - sum(one.lost for one in games[:31]) / 31) / DECISIONS
    )
    assert change.mean + change.half_width < 0
    assert change.told == "less"
    worse: Any = trend(of(*(played(number, 10.0 + number / 2 + chance.gauss(0, 3)) for number in range(1, 64))))
    as_before: Any = trend(of(*(played(number, 40.0 + 3 * (number % 2)) for number in range(1, 64))))
    assert (worse.told, as_before.told) == ("more", "nothing")
    assert recent_lost(found).mean == pytest.approx(sum(one.lost for one in games[-10:]) / 10 / DECISIONS)


def test_the_last_ten_games_that_were_played_to_their_end_tell_how_a_player_plays_now() -> None:
    days = [*range(9, 13), *range(1, 9)]
    assert of(*(played(day, float(day)) for day in days)).recent == tuple(map(float, range(3, 13)))
    assert of(played(1, 1.0), played(13, 13.0, is_cut_short=True)).recent == (1.0,)


def test_the_interval_of_a_difference_is_welchs() -> None:
    from scipy.stats import ttest_ind

    chance = random.Random(2)
    before, after = [chance.gauss(0, 5) for _ in range(12)], [chance.gauss(1, 1) for _ in range(12)]
    found: Any = difference(before, after)
    expected = ttest_ind(after, before, equal_var=False).confidence_interval(0.95)
    assert found.mean - found.half_width == pytest.approx(expected.low, abs=0.05)
    assert found.half_width >= (expected.high - expected.low) / 2, "whole degrees of freedom are never too many"
    assert difference([1.0, 1.0], [3.0, 3.0]).half_width == 0


def test_the_interval_of_a_rate_has_the_true_rate_in_95_of_100_cases() -> None:
    chance = random.Random(3)
    hits = 0
    for _ in range(400):
        counts = [chance.randint(5, 25) for _ in range(12)]
        losses = [sum(chance.expovariate(2.0) for _ in range(count)) for count in counts]
        half_width: Any = ratio_half_width(losses, counts)
        hits += abs(sum(losses) / sum(counts) - 0.5) <= half_width
    assert 365 <= hits <= 395
    assert ratio_half_width([1.0], [4]) is None


def test_a_rate_needs_twenty_decisions_and_two_games() -> None:
    few, enough = (
        [played(day, 9.0, errors=game_errors(load_ruleset("crag"), {"box": (9.0, num)})) for day in (1, 2)]
        for num in (9, 10)
    )
    assert [of(*games).errors.is_told for games in (few, enough, enough[:1])] == [False, True, False]
    many = of(*(played(number, 26.0) for number in range(1, 15)))
    assert costliest_kind(many) == ("first keep", 1.0)
    assert many.by_kind["first keep"].error_rate == 2.0
    assert many.by_kind["first keep"].half_width == pytest.approx(0)


def test_scores_stand_beside_perfect_ones_in_the_same_bins() -> None:
    found = of(*(played(number, 26.0) for number in range(1, 21)))  # scores 101 to 120
    thin = np.full(1_000, 1e-12)  # scores that widen no scale
    perfect = Distribution(first=90, chances=np.append(np.full(200, 1 / 200), thin))
    bins: Any = score_bins(found, perfect)
    assert sum(bins.own) == 20
    assert (bins.first, bins.width, len(bins.own)) == (90, 10, 20)
    assert bins.own[:5] == (0, 9, 10, 1, 0)
    assert sum(bins.perfect) == pytest.approx(1)
    assert bins.perfect[0] == pytest.approx(0.05)
    assert (bins.perfect_mean, bins.above) == pytest.approx((189.5, (290 - 111) / 200))
    alone: Any = score_bins(found)
    assert (alone.first, alone.width, alone.perfect) == (101, 1, None)


def test_luck_adds_up_and_its_band_is_from_the_spread_of_games() -> None:
    chance = random.Random(4)
    luck = [chance.gauss(0, 30) for _ in range(200)]
    sums: Any = luck_sums(of(*(played(number + 1, 20.0, luck=one) for number, one in enumerate(luck))))
    assert (sums.games[0], sums.games[-1], sums.sums[0]) == (0, 200, 0.0)
    assert sums.sums[-1] == pytest.approx(sum(luck))
    assert sums.width == pytest.approx(1.96 * 30, rel=0.15)


def test_records_are_the_earliest_of_equal_ones() -> None:
    found = records(
        of(
            played(1, 20.0, score=200, table="a"),
            played(2, 12.0, score=200, has_yahtzee=True, table="b"),
            played(3, 12.0, has_yahtzee=True, table="c"),
        )
    )
    games = (found.best, found.least_lost, found.first_yahtzee)
    assert [game.table for game in games if game] == ["a", "b", "b"]


def test_nothing_is_said_of_losses_and_luck_by_approximate_values() -> None:
    found = of(*(played(number, 20.0, is_approximate=True) for number in range(1, 21)))
    assert found.is_approximate
    assert (lost_over_time(found), trend(found), luck_sums(found), costliest_kind(found)) == ([], None, None, None)
    assert records(found).least_lost is None
    assert score_bins(found)
    view = figures_view(found)
    assert (view.level, view.progress.trend, view.progress.luck_sums) == (None, None, None)
    assert view.progress.is_approximate
    assert view.progress.scores


def test_the_example_is_the_costliest_decision_of_the_last_thirty_games() -> None:
    old = played(1, 20.0, examples={"box": Example("old", "score ones", 90.0)})
    new = [played(n, 20.0, examples={"box": Example(str(n), "score ones", float(n))}) for n in range(2, 32)]
    assert examples(of(old, *new))["box"].line == "31"


@pytest.mark.parametrize(
    ("line", "action", "subjects"),
    [
        ("yahtzee - 12345 r0", "score large_straight", ["straights"]),
        ("yahtzee - 11166 r1", "score full_house", ["kinds"]),
        ("yahtzee - 11166 r1", "keep 111", []),
        ("yahtzee - 11166 r0", "score ones", ["upper"]),
        ("yahtzee - 11166 r0", "score chance", []),
        ("yahtzee ones=3,twos=6,threes=9 11166 r2", "keep 66", ["bonus"]),
        ("yahtzee ones=0,twos=0,threes=0,fours=0 11166 r2", "keep 66", []),
        ("yahtzee yahtzee=50 66666 r0", "score sixes", ["upper", "joker"]),
    ],
)
def test_what_a_decision_is_about(line: str, action: str, subjects: list[str]) -> None:
    from fivedice.analysis.reviews.seat_review import DecisionReview

    position, best = parse_position(line), parse_action(action)
    assert isinstance(best, Keep | Score)
    decision = DecisionReview(0, position, best, 1.0, best, 1.0, is_unforced=True)
    assert subjects_of(decision) == subjects


def test_reviewed_games_have_kinds_subjects_and_examples() -> None:
    chance = random.Random(5)
    records_of = [game("yahtzee", [policies("yahtzee", chance)["random"]], chance) for _ in range(3)]
    [found] = player_figures(review_all(solution_of("yahtzee"), records_of))
    assert list(found.by_kind) == [*KINDS[:2], "box"]
    assert set(found.by_subject) <= set(SUBJECTS)
    assert {"upper", "kinds"} <= set(found.by_subject)
    assert found.by_kind["box"].half_width
    example = examples(found)["box"]
    position = parse_position(example.line)
    assert example.action in map(str, position.actions())
    assert example.loss == max(
        one.loss
        for review in review_all(solution_of("yahtzee"), records_of)
        for one in review.seats[0].decisions
        if not isinstance(one.action, Keep)
    )


def days(marks: str) -> list[date]:
    """The days of a text with one character a day, `x` for those that were played."""
    return [date(2026, 2, 20) + timedelta(place) for place, mark in enumerate(marks) if mark == "x"]


def test_days_after_today_and_repeated_ones_do_not_count() -> None:
    assert streak([*days("xxxx"), *days("xxxx")], days("xx")[-1]) == Streak(2, 2, is_today_played=True)


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
        found = streak(days(marks), date(2026, 2, 20) + timedelta(today))
        assert found == Streak(current - (marks[-1] == "."), longest, marks[-1] == "x"), marks
