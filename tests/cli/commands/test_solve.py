"""`fivedice solve`: figures, JSON, and an unusable cache; and values that are learned."""

import json
from pathlib import Path

import pytest

from fivedice.cli.solutions import solution_of
from fivedice.rulesets import load_ruleset
from tests.cli.run_command import fivedice


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "cache"))
    solution_of.cache_clear()
    return tmp_path / "cache" / "solutions"


def test_solve_gives_the_expected_score_and_caches_it(cache: Path) -> None:
    first = json.loads(fivedice("solve", "crag", "--json").out)
    assert first["ruleset"] == "crag"
    assert first["digest"] == load_ruleset("crag").digest
    assert first["cached"] is False
    assert 0 < first["seconds"] < 60
    again = json.loads(fivedice("solve", "crag", "--json").out)
    assert (again["cached"], again["seconds"]) == (True, first["seconds"])
    assert again["expected_score"] == first["expected_score"]
    assert again["turn_states"] == first["turn_states"] > 1_000
    fresh = json.loads(fivedice("solve", "crag", "--fresh", "--json").out)
    assert fresh["cached"] is False
    assert len(list(cache.iterdir())) == 1


def test_the_text_of_solve_has_six_decimals() -> None:
    out = fivedice("solve", "crag").out
    assert "Crag (crag), solved in" in out
    assert "expected score        149.847593" in out
    assert "read from the cache" in fivedice("solve", "crag").out


def test_a_damaged_solution_is_reported_and_solved_again(cache: Path) -> None:
    before = json.loads(fivedice("solve", "crag", "--json").out)
    [file] = cache.iterdir()
    data = bytearray(file.read_bytes())
    data[-100] ^= 1
    file.write_bytes(data)
    result = fivedice("solve", "crag", "--json")
    assert result.err == f"fivedice: {file} is damaged: its checksum does not match; computing it again\n"
    assert json.loads(result.out)["expected_score"] == before["expected_score"]
    assert fivedice("solve", "crag", "--json").err == ""


def test_a_solution_that_cannot_be_saved_stays_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "file"))
    result = fivedice("advise", "crag - 445 r1", "--top", "1")
    assert result.status == 0
    assert "score Crag" in result.out
    assert "and stays in memory only" in result.err


def test_values_that_come_with_the_program_are_not_learned_again() -> None:
    found = json.loads(fivedice("solve", "triple_yahtzee", "--approximate", "--json").out)
    assert found["exact"] is False
    assert 1700 < found["mean_score"] < 1750
    assert 0 < found["standard_error"] < 3 < found["error"]
    assert f"≈ {found['mean_score']:,.2f}" in fivedice("solve", "triple_yahtzee", "--approximate").out
