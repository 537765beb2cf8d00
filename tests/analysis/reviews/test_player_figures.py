"""Figures of players: means with confidence intervals, errors by kind of decision and by box, marks and levels, which
are those of the docs.

Final score = value at the start + Σ luck − Σ loss, in every game, under four policies and six rulesets: `make identity`
checks it on 10,000 games of each.
"""

import random
import re
from collections.abc import Sequence
from functools import cache
from itertools import islice, pairwise
from math import inf, nan
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.solo_games import Games, Policy, play_games, records_of
from benchmarks.tables.calibration import BOUNDED_BY, MARKED_BY, NUM_GAMES, SEED, THRESHOLDS
from fivedice.analysis.reviews.estimate import student_quantile
from fivedice.analysis.reviews.marks import BLUNDER, INACCURACY, LEVELS, MISTAKE, Mark, level_of, mark_of
from fivedice.analysis.reviews.player_figures import GameFigures, game_errors, kind_of, player_figures, total_figures
from fivedice.analysis.reviews.review import review, review_all
from fivedice.analysis.reviews.seat_review import DecisionReview
from fivedice.base.errors import MalformedError
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_position
from fivedice.game.record import Record, Seat
from fivedice.players.levels import LEVELS as COMPUTERS
from fivedice.players.levels import MEANS
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.players import guessing
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.testing import rulesets
from fivedice.views.figures import RecentView, figures_view
from tests.amount import amount, cases
from tests.analysis.reviews.test_review import DATE, game, policies
from tests.repository import ROOT
from tests.solutions import ids_up_to, solution_of


def test_figures_of_a_player_are_those_of_its_reviews() -> None:
    chance = random.Random(1)
    players = policies("crag", chance)
    records = [game("crag", [players["optimal"], players["random"]], chance) for _ in range(6)]
    reviews = list(review_all(solution_of("crag"), records))
    best, worst = player_figures(reviews)
    seats = [review.seats[1] for review in reviews]
    assert (worst.name, worst.ruleset, worst.score.num) == ("p1", load_ruleset("crag"), 6)
    assert worst.score.mean == pytest.approx(sum(seat.score for seat in seats) / 6)
    assert worst.luck.mean == pytest.approx(sum(seat.luck for seat in seats) / 6)
    assert worst.dice_neutral.mean == pytest.approx(sum(seat.dice_neutral for seat in seats) / 6)
    assert worst.errors.loss == pytest.approx(sum(seat.loss for seat in seats))
    assert worst.errors.unforced_decisions == sum(seat.num_unforced for seat in seats)
    assert sum(errors.loss for errors in worst.by_kind.values()) == pytest.approx(worst.errors.loss)
    assert list(worst.by_kind) == ["first keep", "box"]
    fourth = parse_position("maxi_yatzy[saved_rolls=true] ones=1,saved=2 111122 r1")
    assert kind_of(cast(DecisionReview, SimpleNamespace(position=fourth, action=Keep("11")))) == "later keep"
    assert sum(errors.loss for errors in worst.by_box.values()) == pytest.approx(worst.by_kind["box"].loss)
    assert best.errors.error_rate == pytest.approx(0, abs=1e-9)
    assert best.dice_neutral.half_width == pytest.approx(0, abs=1e-9)


def test_changed_rules_of_the_same_name_have_separate_figures() -> None:
    reviews = []
    for pays in (20, 26):
        text = f'like = "crag"\nid = "house"\n[categories.thirteen]\npays = {pays}\n'
        house = parse_ruleset(text, "house.toml")
        record = Record.start(house, (Seat("Ann", "human"),), DATE)
        for box in house.boxes:
            record = record.roll((1, 2, 3)).play(Score(box.id))
        reviews.append(review(solve(house), record))
    assert [(one.name, str(one.ruleset), one.score.num) for one in player_figures(reviews)] == [
        ("Ann", "house.toml", 1),
        ("Ann", "house.toml", 1),
    ]


def test_a_card_that_a_resignation_left_incomplete_does_not_count() -> None:
    chance = random.Random(2)
    player = policies("crag", chance)["random"]
    record = game("crag", [player, player, player], chance, max_steps=15).resign(2)
    assert player_figures(review_all(solution_of("crag"), [record.resign(1)])) == []
    while not record.position.is_over:
        if not record.position.dice:
            record = record.roll((1, 2, 3))
        record = record.play(record.position.offers()[0].action)
    assert [one.name for one in player_figures(review_all(solution_of("crag"), [record]))] == ["p0", "p1"]


def recent(ruleset: Ruleset, losses: Sequence[float]) -> RecentView:
    """What is said of a player who has lost these points in games under a ruleset."""
    date, errors = "2026-11-24T10:00:00+00:00", [game_errors(ruleset, {"box": (lost, 1)}) for lost in losses]
    games = [GameFigures("Ann", ruleset, 0, 0.0, 0.0, *one, date=date) for one in zip(losses, errors, strict=True)]
    (found,) = total_figures(games)
    recent = figures_view(found).recent
    assert recent
    return recent


@pytest.mark.parametrize("id", MEANS)
def test_a_player_who_loses_what_a_level_loses_is_compared_with_that_level(id: str) -> None:
    ruleset = load_ruleset(id)
    decisions = ruleset.rounds * ruleset.rolls
    for kind, mean in zip(COMPUTERS, MEANS[id], strict=True):
        lost = MEANS[id][-1] - mean
        found = recent(ruleset, [lost - 1.0, lost, lost + 1.0])
        assert (found.games, found.level) == (3, kind)
        assert (found.lost, found.level_lost) == pytest.approx((lost / decisions, lost / decisions))


def test_one_game_has_no_interval_and_rules_with_options_or_without_levels_have_no_level() -> None:
    one = recent(load_ruleset("yahtzee"), [10.0])
    assert (one.games, one.half_width, one.level) == (1, None, "level_8")
    for ref in ("yahtzee[joker=free]", "maxi_yatzy"):
        found = recent(load_ruleset(ref), [10.0] * 3)
        assert (found.games, found.level, found.level_lost) == (3, None, None)


def test_the_means_of_levels_are_those_of_the_documentation() -> None:
    text = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ((?:\d+ \| ){9})", text, re.MULTILINE)
    exact = {id: tuple(map(int, re.findall(r"\d+", means))) for id, means in rows}
    tables = re.findall(r"^In `(\w+)`:\n\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    measured = {id: tuple(round(float(one)) for one in re.findall(r"\| ([\d.]+) ± [\d.]+ \|", t)) for id, t in tables}
    assert exact | measured == MEANS
    assert not exact.keys() & measured.keys()
    for means in MEANS.values():
        assert list(means) == sorted(set(means))


def test_students_quantiles_are_scipys() -> None:
    from scipy.special import stdtrit

    for freedom in [1, 2, 3, 4, 5, 6, 7, 10, 35, 36, 199, 200, 201, 202, 1000, 20_001]:
        for confidence in (0.5, 0.9, 0.95, 0.99):
            expected = float(stdtrit(freedom, (1 + confidence) / 2))
            assert student_quantile(freedom, confidence) == pytest.approx(expected, rel=1e-10), freedom


def test_a_loss_has_the_mark_whose_threshold_it_reaches() -> None:
    before = None
    for threshold, mark in ((INACCURACY, Mark.INACCURACY), (MISTAKE, Mark.MISTAKE), (BLUNDER, Mark.BLUNDER)):
        assert (mark_of(threshold - 1e-9), mark_of(threshold)) == (before, mark)
        before = mark
    assert (mark_of(0.0), mark_of(100.0)) == (None, Mark.BLUNDER)


def test_levels_leave_no_gap_do_not_overlap_and_are_of_rates_from_0() -> None:
    assert (LEVELS[0].at_least, LEVELS[-1].below) == (0.0, inf)
    assert all(better.below == worse.at_least > better.at_least for better, worse in pairwise(LEVELS))
    assert [level_of(level.at_least) for level in LEVELS] == list(LEVELS)
    for rate in (-0.01, inf, nan):
        with pytest.raises(MalformedError, match="want points lost per decision, a number of at least 0"):
            level_of(rate)


PAGE = (ROOT / "docs/review.md").read_text(encoding="utf-8")


def published(first: str) -> list[dict[str, str]]:
    """The rows of the table with this first heading."""
    lines = PAGE[PAGE.index(f"| {first} |") :].partition("\n\n")[0].splitlines()
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_the_thresholds_are_the_published_ones_rounded_to_half_points() -> None:
    assert f"`make calibrate` makes all tables of this page: {NUM_GAMES:,} games of each player, seed {SEED}," in PAGE
    rows = published("mark")
    assert [(row["mark"], float(row["from"])) for row in rows] == list(THRESHOLDS.items())
    assert [(row["of the errors of"], float(row["quantile"])) for row in rows] == list(MARKED_BY.values())
    for row in rows:
        assert round(2 * float(row["measured"])) / 2 == float(row["from"])


def test_the_bounds_are_the_published_error_rates() -> None:
    rates = {row["player"]: row["error rate"] for row in published("player")}
    *bounded, last = published("level")
    assert [row["level"] for row in (*bounded, last)] == [level.name for level in LEVELS]
    assert [row["loses less than"] for row in bounded] == list(BOUNDED_BY)
    for row, level in zip(bounded, LEVELS, strict=False):
        assert row["measured"] == rates[row["loses less than"]]
        assert float(row["below"]) == level.below == round(float(row["measured"]), 2)


SEAT = Seat("simulated", "simulated")
RULESETS = (*cases([*ids_up_to("crag"), "yahtzee"], full=ids_up_to("yatzy")), "yatzy_american[rounds=13]")
POLICIES = ("optimal", "optimal with one slip in ten", "greedy", "random")
COMBINATIONS = [(ref, policy) for ref in RULESETS for policy in POLICIES]


@cache
def games_of(ref: str, policy: str, num_games: int) -> Games:
    solution = solution_of(ref)
    slips = {"optimal": 0.0, "optimal with one slip in ten": 0.1, "random": 1.0}
    greedy = guessing(solution, [0.0] * len(solution.ruleset.boxes), is_bonus_planned=False)
    table = greedy if policy == "greedy" else solution
    return play_games(solution, Policy(policy, table, slips.get(policy, 0.0)), num_games, np.random.default_rng(7))


@pytest.fixture
def num_games(request: pytest.FixtureRequest) -> int:
    found = request.config.getoption("--games")
    assert isinstance(found, int)
    return found


def check_reviews(solution: Solution, games: Games, number: int) -> None:
    """The first games are legal, and have the score, luck, loss and unforced decisions of the reviews of their records,
    which add up to the score."""
    reviews = list(review_all(solution, islice(records_of(games, SEAT, DATE), number)))
    assert len(reviews) == number
    for index, reviewed in enumerate(reviews):
        [seat], [card] = reviewed.seats, reviewed.record.position.cards
        luck = sum(roll.after - roll.before for roll in seat.rolls)
        loss = sum(decision.best_value - decision.value for decision in seat.decisions)
        assert card.result == pytest.approx(seat.start_value + luck - loss, abs=1e-9)
        assert reviewed.record.position.is_over
        assert games.scores[index] == seat.score == card.total
        assert (games.luck[index], games.losses[index]) == pytest.approx((seat.luck, seat.loss), abs=1e-9)
        assert (seat.luck, seat.loss) == pytest.approx((luck, loss), abs=1e-9)
        assert games.num_unforced[index] == seat.num_unforced


@pytest.mark.parametrize(("ref", "policy"), COMBINATIONS)
def test_luck_of_mean_zero_and_loss_add_up_in_simulated_games_that_are_those_of_their_records(
    ref: str, policy: str, num_games: int
) -> None:
    games = games_of(ref, policy, num_games)
    expected = solution_of(ref).expected_score + games.luck - games.losses
    assert np.abs(games.scores - expected).max() < 1e-9
    assert (games.loss >= -1e-9).all()
    assert abs(games.luck.mean()) < 4 * games.luck.std(ddof=1) / games.luck.size**0.5
    check_reviews(solution_of(ref), games, -(-num_games // len(COMBINATIONS)))


@pytest.mark.parametrize("ref", RULESETS)
def test_only_the_optimal_player_loses_nothing(ref: str, num_games: int) -> None:
    losses = {policy: games_of(ref, policy, num_games).losses for policy in POLICIES}
    assert losses["optimal"].max() < 1e-9
    # Where all boxes score alike, as in poker dice, there is nothing to plan, and greedy play is optimal.
    scorers = {category.scorer for category in solution_of(ref).ruleset.categories}
    also = {"greedy"} if len(scorers) == 1 else set()
    assert min(found.mean() for policy, found in losses.items() if policy not in {"optimal", *also}) > 0.5


def test_games_that_are_won_outright_are_those_of_their_records() -> None:
    solution = solution_of("generala[first_roll_generala=wins]")
    games = play_games(solution, Policy("slips", solution, 0.2), amount(16, full=40), np.random.default_rng(5))
    check_reviews(solution, games, games.scores.size)


@given(rulesets(), st.integers(0, 1_000), st.sampled_from((0.0, 0.5, 1.0)))
@settings(max_examples=amount(10, full=100), deadline=None, suppress_health_check=list(HealthCheck))
def test_games_of_random_tiny_rulesets_are_those_of_their_records(ruleset: Ruleset, seed: int, slips: float) -> None:
    solution = solve(ruleset, threads=1)
    games = play_games(solution, Policy("slips", solution, slips), 10, np.random.default_rng(seed))
    check_reviews(solution, games, 10)
