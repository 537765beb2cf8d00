"""The published calibration agrees with the code and with a smaller run."""

from functools import cache

import numpy as np
import pytest

from benchmarks.solo_games import Policy, play_games
from benchmarks.tables.calibration import (
    BOUNDED_BY,
    MARKED_BY,
    NUM_GAMES,
    SEED,
    THRESHOLDS,
    MemberFigures,
    calibrate,
    figures_of,
    measured_bounds,
    measured_thresholds,
)
from fivedice.analysis.reviews.marks import LEVELS
from fivedice.simulation.players import guessing
from tests.repository import ROOT
from tests.solutions import breakdown_of, solution_of

PAGE = (ROOT / "docs/review.md").read_text(encoding="utf-8")
FEW = 2_000


def published(first: str) -> list[dict[str, str]]:
    """The rows of the table with this first heading."""
    lines = PAGE[PAGE.index(f"| {first} |") :].partition("\n\n")[0].splitlines()
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(head, row, strict=True)) for row in rows]


@cache
def crag_figures() -> list[MemberFigures]:
    return list(calibrate(solution_of("crag"), breakdown_of("crag"), FEW, SEED))


def test_the_page_names_the_command_the_games_and_the_seed() -> None:
    assert f"`make calibrate` makes all tables of this page: {NUM_GAMES:,} games of each player, seed {SEED}," in PAGE


def test_the_thresholds_are_the_published_ones_rounded_to_half_points() -> None:
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


@pytest.mark.parametrize(("name", "slips"), [("greedy", 0.0), ("optimal, 10 % slips", 0.1), ("random", 1.0)])
def test_a_smaller_run_agrees_with_the_published_figures(name: str, slips: float) -> None:
    solution = solution_of("yahtzee")
    table = solution if slips else guessing(solution, [0.0] * 13, is_bonus_planned=False)
    games = play_games(solution, Policy(name, table, slips), 500, np.random.default_rng(77))
    found = figures_of(name, games)
    [row] = [row for row in published("player") if row["player"] == name]
    assert found.error_rate == pytest.approx(float(row["error rate"]), abs=4 * found.spread / 500**0.5 + 0.001)
    assert found.score == pytest.approx(float(row["score"]), abs=4 * games.scores.std() / 500**0.5)
    for mark, count in found.marks.items():
        assert count == pytest.approx(float(row[mark]), abs=4 * (count / 500) ** 0.5 * 2)


def test_a_smaller_run_of_another_ruleset_agrees_with_the_published_figures() -> None:
    [row] = [row for row in published("ruleset") if row["ruleset"] == "`crag`"]
    spreads = {one.name: one.spread for one in crag_figures()}
    for name, rate in zip(BOUNDED_BY, measured_bounds(crag_figures()), strict=True):
        assert rate == pytest.approx(float(row[name]), abs=4 * spreads[name] / FEW**0.5 + 0.005)
    for mark, points in measured_thresholds(crag_figures()).items():
        assert points == pytest.approx(float(row[mark]), rel=0.25)
