"""The open data set of decisions: the same bytes with any number of processors, and what its check finds."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.simulation import decision_set
from fivedice.simulation.decision_set import SPLITS, build_decision_set, check_decision_set
from tests.repository import ROOT

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
    from fivedice.simulation.decision_set import game_problems
    from tests.solutions import solution_of

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
