"""Sweeps find the exact figures of every variant, and name those that cannot be solved."""

from pathlib import Path

import duckdb
import pytest

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.rulesets import load_ruleset
from fivedice.simulation import sweep as module
from fivedice.simulation.sweep import SweepPart, Variant, solve_part, sweep, variant_figures, variants_in, variants_of
from fivedice.solver.play.distribution import forecast
from fivedice.solver.play.moments import find_moments, solve_with_figures
from fivedice.solver.play.policy_transitions import Start
from fivedice.solver.solve import solve
from fivedice.testing import TINY
from tests.solutions import solution_of

WITH_PACKED_BLOCKS = "crag[upper_bonus=10@30]"
"""It has more upper totals than lanes in a block, and many that lead to the same bonus."""

CRAG = variants_of("crag", {"rolls": ["1", "2"], "joker": ["none", "wrong"]})


@pytest.mark.parametrize("name", [*TINY, "crag", WITH_PACKED_BLOCKS])
def test_figures_are_those_of_the_moments_and_of_the_forecast(name: str) -> None:
    solution = solve(TINY[name]) if name in TINY else solution_of(name)
    ruleset, exact = solution.ruleset, find_moments(solution).at(0)
    _, found = variant_figures(ruleset)
    assert found["expected_score"] == pytest.approx(exact.mean)
    _, quick = variant_figures(ruleset, only_scores=True)
    assert quick["expected_score"] == pytest.approx(exact.mean)
    assert (quick["standard_deviation"] is None) == (not ruleset.can_be_won_outright)
    assert found["standard_deviation"] == pytest.approx(exact.standard_deviation, abs=1e-9)
    assert found["skewness"] == pytest.approx(exact.skewness, abs=1e-9)
    again, figures = solve_with_figures(ruleset)
    expected = forecast(solution, Start(0, -1, solution.rules.num_turn_rolls))
    assert again.values == pytest.approx(solution.values, abs=1e-9, nan_ok=True)
    assert figures.upper_bonus == pytest.approx(expected.upper_bonus.mean, abs=1e-9)
    assert figures.upper_bonus_rate == pytest.approx(expected.upper_bonus.at_least(1), abs=1e-9)
    assert figures.extra_bonus == pytest.approx(expected.num_extras.mean * ruleset.extra_bonus, abs=1e-9)
    assert figures.outright_rate == pytest.approx(expected.outright, abs=1e-9)


def test_a_variant_that_makes_no_sense_is_a_row_with_an_error() -> None:
    _, rows = solve_part(SweepPart(0, 0, tuple(CRAG)))
    assert [row["error"] is None for row in rows] == [True, False, True, False]
    assert "wrong" in rows[1]["error"]
    assert rows[2]["expected_score"] == pytest.approx(solution_of("crag").expected_score)
    assert rows[2]["digest"] == load_ruleset("crag").digest


def test_an_interrupted_sweep_continues_with_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # In this process, since starting others takes seconds.
    monkeypatch.setattr(module, "run_tasks", lambda work, tasks, **_: (work(task) for task in tasks))
    monkeypatch.setattr(module, "VARIANTS_PER_PART", 1)

    def stop(done: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    whole, again = tmp_path / "whole.parquet", tmp_path / "again.parquet"
    rows = sweep(CRAG, out=whole, openings=tmp_path / "openings.parquet")
    for openings in (tmp_path / "openings", tmp_path / "elsewhere"):
        assert sweep(CRAG, out=tmp_path / "rows", openings=openings) == rows
        assert len(list(openings.glob("*.parquet"))) == len(CRAG)
    with pytest.raises(KeyboardInterrupt):
        sweep(CRAG, out=again, report=stop)
    assert not again.exists()
    assert sweep(CRAG, out=again) == rows
    assert again.read_bytes() == whole.read_bytes()
    found = duckdb.read_parquet(str(whole)).project("rolls, expected_score").fetchall()
    assert found == [(row["rolls"], row["expected_score"]) for row in rows]


def test_a_folder_of_files_is_a_sweep(tmp_path: Path) -> None:
    with pytest.raises(IllegalError, match="has no ruleset files"):
        variants_in(tmp_path)
    (tmp_path / "b.toml").write_text('id = "b"\nlike = "crag"\nrolls = 1\n')
    (tmp_path / "a.toml").write_text('id = "a"\nlike = "crag"\n')
    variants = variants_in(tmp_path)
    assert [variant.ref for variant in variants] == ["a.toml", "b.toml"]
    assert isinstance(variants[0], Variant)
    _, rows = solve_part(SweepPart(0, 0, tuple(variants)))
    assert [row["error"] for row in rows] == [None, None]
    assert rows[0]["expected_score"] > rows[1]["expected_score"]


def test_an_option_with_the_name_of_a_figure_has_a_column_beside_it(tmp_path: Path) -> None:
    options = {"upper_bonus": ["none", "5@10"], "rolls": ["2"]}
    solve_part(SweepPart(0, 0, tuple(variants_of("crag", options)), tmp_path))
    found = duckdb.read_parquet(str(tmp_path / "*.parquet"))
    wanted = found.project("option_upper_bonus, rolls, round(upper_bonus, 3)")
    assert wanted.fetchall() == [("none", "2", 0.0), ("5@10", "2", 5.0)]


def test_variants_are_all_combinations_of_values() -> None:
    options = {"rolls": ["1", "2"], "joker": ["none", "wrong"]}
    assert [variant.ref for variant in variants_of("crag", options)] == [
        "crag[rolls=1,joker=none]",
        "crag[rolls=1,joker=wrong]",
        "crag[rolls=2,joker=none]",
        "crag[rolls=2,joker=wrong]",
    ]
    assert variants_of("crag[rolls=2]", {})[0].ref == "crag[rolls=2]"
    with pytest.raises(MalformedError, match="option rolls is given by"):
        variants_of("crag[rolls=2]", {"rolls": ["1"]})
