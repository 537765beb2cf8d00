"""Exported tables agree with the solution and describe themselves; the scores of perfect games are a scale of luck; and
the open data set of decisions is the same with any number of processors, and its check finds what is wrong."""

import json
import re
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from fivedice.analysis.reviews.marks import LuckScale
from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.simulation import decision_set
from fivedice.simulation.decision_set import SPLITS, build_decision_set, check_decision_set, game_problems
from fivedice.simulation.exact_tables import KINDS, exact_table, write_exact
from fivedice.simulation.perfect_scores import NUM_GAMES, PERFECT_SCORES, perfect_scores
from fivedice.simulation.simulate import simulate
from fivedice.solver.components import EXTRA_BONUS, UPPER_BONUS
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.saved.saved_table import SHIPPED
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import TurnState
from fivedice.testing import TINY
from release.perfect_scores import rulesets
from tests.amount import cases
from tests.repository import ROOT
from tests.solutions import solution_of


@pytest.fixture(scope="module", params=["tiny_plain", "tiny_joker", "tiny_columns", "tiny_saved"])
def solution(request: pytest.FixtureRequest) -> Any:
    return solve(TINY[request.param])


def test_every_turn_state_has_its_value_and_the_sources_that_add_up_to_it(solution: Any) -> None:
    rows = exact_table("solution", solution).to_pylist()
    assert len(rows) == solution.num_turn_states
    for row in rows[:: max(1, len(rows) // 50)]:
        filled = frozenset(i for i, box in enumerate(solution.ruleset.boxes) if row[f"has_{box.id}"])
        totals = [row[name] for name in row if name.startswith("upper_total")]
        state = TurnState(filled, tuple(totals), row["spoiled"], row["saved_rolls"], row["pending"])
        assert solution.states.index(state) == row["state"]
        assert solution.value(state) == row["value"]
        assert row["filled"] == len(filled)

    for row in exact_table("sources", solution).to_pylist():
        assert sum(points for name, points in row.items() if name.startswith("from_")) == pytest.approx(row["value"])


def test_the_best_openings_give_the_expected_score() -> None:
    crag = solution_of("crag")
    best = {row["dice"]: row for row in exact_table("openings", crag).to_pylist() if row["loss"] == 0}
    assert sum(row["chance"] * row["value"] for row in best.values()) == pytest.approx(crag.expected_score)


def test_the_chances_of_scores_and_of_the_points_of_boxes_have_the_exact_means(solution: Any) -> None:
    table = exact_table("distribution", solution)
    scores, chances = np.array(table["score"]), np.array(table["chance"])
    assert (chances.sum(), table["at_least"][0].as_py()) == pytest.approx((1.0, 1.0))
    assert chances @ scores == pytest.approx(solution.expected_score)
    breakdown = find_breakdown(solution)
    exact = dict(zip(breakdown.names, breakdown.at(0).tolist(), strict=True))
    found = dict.fromkeys((box.id for box in solution.ruleset.boxes), 0.0)
    for row in exact_table("boxes", solution).to_pylist():
        found[row["box"]] += row["points"] * row["chance"]
    assert found == pytest.approx({name: exact[name] for name in exact if name not in (UPPER_BONUS, EXTRA_BONUS)})


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_has_a_description_of_every_column_and_a_checksum(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    about = write_exact(kind, solution_of("crag"), path, date(2026, 11, 26))
    assert json.loads((tmp_path / "table.parquet.json").read_text()) == about
    assert (about["created"], about["digest"]) == ("2026-11-26T00:00:00Z", solution_of("crag").ruleset.digest)
    (resource,) = about["resources"]
    assert resource["hash"] == f"sha256:{sha256(path.read_bytes()).hexdigest()}"
    fields = resource["schema"]["fields"]
    for field, column in zip(pq.read_schema(path), fields, strict=True):
        assert (field.metadata[b"about"].decode(), field.metadata[b"unit"].decode()) == (
            column["description"],
            column.get("unit", ""),
        )
    table = pq.read_table(path)
    assert [field["name"] for field in fields] == table.column_names
    assert all(field["description"] for field in fields)
    assert resource["rows"] == table.num_rows
    with pytest.raises(IllegalError, match="already exists"):
        write_exact(kind, solution_of("crag"), path)
    with pytest.raises(UnknownError, match="did you mean 'solution'"):
        exact_table("solutions", solution_of("crag"))


def test_the_scale_of_perfect_scores_has_the_exact_mean_and_separates_no_equal_luck() -> None:
    solution = solution_of("crag")
    scores = perfect_scores(solution)
    assert scores.mean == pytest.approx(solution.expected_score, abs=1e-9)
    scale = LuckScale(solution.expected_score, scores)
    luck = scores.scores - solution.expected_score
    assert scale.percentile(scores.percentile(0.5) - scores.mean) == pytest.approx(50, abs=2)
    assert scores.chances @ [scale.percentile(one) for one in luck.tolist()] == pytest.approx(50)
    assert (scale.percentile(-1_000), scale.percentile(1_000)) == (0, 100)
    scale = LuckScale(100.25, Distribution(109, np.array([0.25, 0.5, 0.25])))
    assert {scale.percentile(9.75 + rounding) for rounding in (-1e-12, 0.0, 1e-12)} == {50.0}


def test_scores_are_simulated_where_the_exact_ones_need_too_much_memory() -> None:
    solution = solution_of("crag")
    seen: list[tuple[int, int]] = []
    scores = perfect_scores(solution, memory_limit=2**16, progress=lambda done, games: seen.append((done, games)))
    assert seen[-1] == (NUM_GAMES, NUM_GAMES)
    exact = perfect_scores(solution)
    assert abs(scores.mean - exact.mean) < 4 * exact.standard_deviation / NUM_GAMES**0.5
    assert (scores.chances * NUM_GAMES).round(9).sum() == NUM_GAMES


def test_those_that_come_with_the_program_are_of_every_ruleset_but_the_largest_and_small(tmp_path: Path) -> None:
    files = {*SHIPPED.glob(f"*.{PERFECT_SCORES.name}")}
    assert files == {PERFECT_SCORES.path(ruleset, SHIPPED) for ruleset in rulesets()}, "see make perfect-scores"
    assert sum(file.stat().st_size for file in files) < 500_000
    crag = solution_of("crag")
    assert PERFECT_SCORES.is_saved(crag, tmp_path)
    PERFECT_SCORES.delete(crag, tmp_path)
    assert PERFECT_SCORES.path(crag, SHIPPED).exists()


@pytest.mark.parametrize("id", cases(("poker_dice", "cameroon", "generala"), full=ruleset_ids()))
def test_those_that_come_with_the_program_are_found_again_bit_for_bit(id: str, tmp_path: Path) -> None:
    ruleset = load_ruleset(id)
    if ruleset not in rulesets():
        pytest.skip("no scores of these rules come with the program")
    solution = solve(ruleset)
    shipped = PERFECT_SCORES.load(solution, tmp_path)
    assert shipped
    file = PERFECT_SCORES.save(solution, PERFECT_SCORES.find(solution), tmp_path)
    assert file.read_bytes() == PERFECT_SCORES.path(solution, SHIPPED).read_bytes(), "see make perfect-scores"


DOCS = (ROOT / "docs/data.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
def few() -> Any:
    """Two players under one ruleset."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision_set, "RULESETS", ("crag",))
        patch.setattr(decision_set, "PLAYERS", ("level_3", "level_9"))
        patch.setattr(decision_set, "DECISION_GAMES", 30)
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set") / "fivedice-decisions"
    build_decision_set(folder, games=80, seed=5, workers=1)
    return folder


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_set_is_the_same_with_one_and_two_workers_and_after_an_interruption(built: Path, tmp_path: Path) -> None:
    assert len(bytes_of(built)) == 2 * 2 * 3 + 1
    build_decision_set(tmp_path / "two", games=80, seed=5, workers=2)
    assert bytes_of(tmp_path / "two") == bytes_of(built)

    def interrupt(done: int, parts: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_decision_set(tmp_path / "again", games=80, seed=5, workers=1, report=interrupt)
    counts: list[int] = []
    build_decision_set(tmp_path / "again", games=80, seed=5, report=lambda done, parts: counts.append(done))
    assert counts[0] >= 1
    assert bytes_of(tmp_path / "again") == bytes_of(built)
    with pytest.raises(IllegalError, match="already exists: give a new folder"):
        build_decision_set(built, games=80, seed=5)
    with pytest.raises(MalformedError, match="10 games: want at least 20"):
        build_decision_set(tmp_path / "none", games=10, seed=5)


def test_a_set_is_split_by_game_and_says_what_it_is(built: Path, tmp_path: Path) -> None:
    for name in bytes_of(built):
        if name.endswith(".parquet"):
            split = name.partition("/")[0].removeprefix("split=")
            games = set(pq.read_table(built / name)["game"].to_pylist())
            assert {SPLITS[game % 10] for game in games} == {split}
    about = json.loads((built / "dataset.json").read_text())
    assert (about["name"], about["games"], about["seed"]) == ("fivedice-decisions", 80, 5)
    assert about["actions"]["crag"][12:14] == ["score crag", "keep -"]
    assert all(field["description"] for field in about["resources"][0]["schema"]["fields"])
    dated = build_decision_set(tmp_path / "dated", games=20, seed=5, created=date(2026, 11, 26))
    assert dated["created"] == "2026-11-26T00:00:00Z"


def test_a_check_compares_every_file_with_the_engine(built: Path) -> None:
    problems, compared = check_decision_set(built, replayed=1)
    assert problems == []
    assert compared > 100


@pytest.mark.parametrize("column", ["value", "best", "legal", "state"])
def test_a_check_finds_a_column_that_is_wrong(column: str, built: Path) -> None:
    rows = pq.read_table(built / "split=test/ruleset=crag/level_3-000.parquet").to_pylist()
    rows = [row for row in rows if row["game"] == rows[0]["game"]]
    assert list(game_problems(solution_of("crag"), rows)) == []
    wrong = {"value": 1.0, "best": (rows[0]["best"] + 1) % 90, "legal": bytes(len(rows[0]["legal"])), "state": 5}
    rows[0] = rows[0] | {column: wrong[column]}
    assert f"{column} is wrong in crag - " in next(game_problems(solution_of("crag"), rows))
    assert list(game_problems(solution_of("crag"), rows[:-1]))[-1] == "the game does not end"


def test_a_check_finds_a_changed_file_and_a_strange_one(built: Path, tmp_path: Path) -> None:
    for name, content in bytes_of(built).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    first, second = sorted(tmp_path.rglob("split=test/**/*.parquet"))[:2]
    first.write_bytes(second.read_bytes())
    (tmp_path / "own.parquet").write_bytes(b"")
    problems, _ = check_decision_set(tmp_path, replayed=0)
    assert problems == [
        "own.parquet is not of the set",
        "split=test/ruleset=crag/level_3-000.parquet has another SHA-256 than dataset.json says",
    ]
    with pytest.raises(MalformedError, match="cannot be read: No such file"):
        check_decision_set(tmp_path / "split=test")


def test_a_check_refuses_what_is_no_such_set(tmp_path: Path) -> None:
    simulate("crag", games=1, out=tmp_path / "games", decisions=tmp_path / "decisions")
    (tmp_path / "dataset.json").write_text("[]")
    for folder in (tmp_path / "games", tmp_path / "decisions", tmp_path):
        with pytest.raises(MalformedError, match="describes no fivedice-decisions"):
            check_decision_set(folder)


def test_the_queries_of_the_documentation_run(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built.parent)
    section = DOCS.partition("## The open data set")[2]
    (sql,) = re.findall(r"```sql\n(.*?)```", section, re.DOTALL)
    queries = [text for text in sql.split(";") if text.strip()]
    assert len(queries) == 2
    for text in queries:
        found = duckdb.sql(text)
        assert found is not None
        assert found.fetchall()
