"""`fivedice solve`, `simulate`, `evaluate`, `sweep` and `export` on the command line."""

import json
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest

from fivedice.cli.commands.simulate import _rate
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.portable import read
from tests.cli.run_command import fivedice


def test_json_has_the_figures_of_every_player() -> None:
    result = fivedice("simulate", "crag", "--players", "optimal,greedy", "--games", "2000", "--seed", "3", "--json")
    assert result.status == 0, result.err
    found = json.loads(result.out)
    assert (found["games"], found["seed"], found["players"]) == (2000, 3, ["optimal", "greedy"])
    assert found["seconds"] > 0
    assert 140 < found["mean"] == found["seats"][0]["mean"] < 160
    assert found["standard_deviation"] == found["seats"][0]["standard_deviation"]
    (pair,) = found["pairs"]
    assert pair["wins"] + pair["ties"] + pair["losses"] == pytest.approx(1.0)
    low, high = pair["wins_interval"]
    assert low < pair["wins"] < high
    assert found["seats"][0]["won"] == pair["wins"]


def test_games_are_written_as_parquet(tmp_path: Path) -> None:
    games, decisions = tmp_path / "games.parquet", tmp_path / "decisions.parquet"
    result = fivedice("simulate", "crag", "--games", "500", "--out", str(games), "--decisions", str(decisions))
    assert result.status == 0, result.err
    assert f"The games are in {games}" in result.out
    assert duckdb.read_parquet(str(games)).shape[0] == 500
    again = fivedice("simulate", "crag", "--games", "500", "--out", str(games))
    assert (again.status, "already exists" in again.err) == (2, True)


def test_export_writes_a_table_and_its_description(tmp_path: Path) -> None:
    path = tmp_path / "boxes.parquet"
    result = fivedice("export", "boxes", "crag", "--parquet", str(path), "--json")
    assert result.status == 0, result.err
    assert json.loads(result.out) == json.loads((tmp_path / "boxes.parquet.json").read_text())


def test_export_writes_a_solution_as_one_file_for_browsers(tmp_path: Path) -> None:
    path = tmp_path / "crag.gz"
    about = json.loads(fivedice("export", "solution", "crag", "--portable", str(path), "--json").out)
    digest, _, scores = read(path.read_bytes())
    assert scores
    assert sum(scores.chances) == pytest.approx(1.0)
    assert (about["digest"], about["type"], about["bytes"]) == (digest, "float32", path.stat().st_size)
    assert about["sha256"] == sha256(path.read_bytes()).hexdigest()
    again = fivedice("export", "solution", "crag", "--portable", str(path), "--float64")
    assert (again.status, f"{path} already exists" in again.err) == (2, True)


def test_a_sweep_in_which_nothing_can_be_solved_fails() -> None:
    found = fivedice("sweep", "yamb", "--workers", "1")
    assert (found.status, found.err) == (2, "fivedice: no variant could be solved\n")
    assert "too large to solve" in found.out


def test_a_sweep_is_written_to_a_folder_named_like_its_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = fivedice("sweep", "crag", "--vary", "rolls=2", "--only-scores", "--workers", "1", "--out", "crag")
    assert "149.8476" in found.out, found.err


def test_trained_and_greedy_players_are_simulated_where_nothing_can_be_solved() -> None:
    result = fivedice("simulate", "balut", "--players", "trained,greedy,random", "--games", "2", "--json")
    assert result.status == 0, result.err
    trained, greedy, chance = (seat["mean"] for seat in json.loads(result.out)["seats"])
    assert trained > greedy > chance


def test_a_slow_simulation_says_so_before_it_begins_and_has_the_seconds_of_a_game() -> None:
    slow = fivedice("simulate", "crag", "--players", "random", "--games", "2")
    assert "crag" in slow.err.lower()
    assert "these players decide one position after another" in slow.err
    assert "decide one position" not in fivedice("simulate", "crag", "--games", "2").err
    assert (_rate(0.3356), _rate(1_234.5)) == ("3.0 seconds a game", "1,234 games a second")


def first_action(position: Position) -> Action:
    return position.actions()[0]


def test_a_function_is_evaluated_and_has_a_seat_like_a_player() -> None:
    arguments = ["evaluate", "crag", "--games", "20", "--json"]
    optimal = json.loads(fivedice(*arguments).out)
    assert (optimal["agent"], optimal["loss"]["mean"], optimal["worst"]) == ("optimal", 0, [])
    agent = f"mine={__name__}:first_action"
    function = json.loads(fivedice(*arguments, "--agent", agent).out)
    assert function["loss"]["mean"] > 100
    assert "loss a game      0.00 ± 0.00, so about 149.85 of 149.85 points" in fivedice("evaluate", "crag").out
    seated = ["simulate", "crag", "--players", "greedy", "--agent", agent, "--games", "3", "--json"]
    found = json.loads(fivedice(*seated).out)
    assert found["players"] == ["greedy", agent]
    assert found["seats"][1]["mean"] < found["seats"][0]["mean"]


def test_solve_gives_the_expected_score_and_caches_it(cache: Path) -> None:
    out = fivedice("solve", "crag").out
    assert "Crag (crag), solved in" in out
    assert "expected score        149.847593" in out
    assert "read from the cache" in fivedice("solve", "crag").out
    fresh = json.loads(fivedice("solve", "crag", "--fresh", "--json").out)
    assert (fresh["ruleset"], fresh["digest"]) == ("crag", load_ruleset("crag").digest)
    assert fresh["cached"] is False
    assert 0 < fresh["seconds"] < 60
    assert fresh["turn_states"] > 1_000
    again = json.loads(fivedice("solve", "crag", "--json").out)
    assert again | {"cached": False, "loading": fresh["loading"]} == fresh
    assert again["cached"] is True
    assert len(list(cache.iterdir())) == 1


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


@pytest.mark.usefixtures("cache")
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
