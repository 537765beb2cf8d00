"""Simulations in parts: on any number of processors, on a cluster whose workers die, and after an interruption."""

import importlib.metadata
import json
import os
import signal
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.players import Random
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.simulation.decision_set import game_problems
from fivedice.simulation.described import join_parts
from fivedice.simulation.mass_games import play_slowly
from fivedice.simulation.players import is_by_table
from fivedice.simulation.simulate import Experiment, simulate
from fivedice.simulation.tally import Tally, share_interval
from tests.solutions import solution_of

CRAG = Experiment(load_ruleset("crag"), ("optimal", "greedy"), games=3_000, seed=7)


def files_of(folder: Path) -> dict[str, bytes]:
    endings = (".parquet", ".json")
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name.endswith(endings)}


def query(text: str, **folders: Path) -> list[tuple[Any, ...]]:
    """The rows of a query in which `{name}` stands for the path of a folder."""
    found = duckdb.sql(text.format(**folders))
    assert found is not None
    return found.fetchall()


def run(experiment: Experiment, folder: Path, part_size: int = 1_000, **options: object) -> Tally:
    folder.mkdir(exist_ok=True)
    games, decisions = folder / "games.parquet", folder / "decisions.parquet"
    return simulate(experiment, out=games, decisions=decisions, part_size=part_size, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of one processor."""
    folder = tmp_path_factory.mktemp("alone")
    run(CRAG, folder, workers=1)
    return folder


def test_the_same_seed_gives_the_same_bytes_with_one_and_two_workers_and_writes_over_no_file(
    alone: Path, tmp_path: Path
) -> None:
    run(CRAG, tmp_path, workers=2)
    assert len(files_of(tmp_path)) == 4
    assert files_of(tmp_path) == files_of(alone)
    with pytest.raises(IllegalError, match=r"games\.parquet already exists"):
        run(CRAG, alone)
    with pytest.raises(IllegalError, match="rows is given for two tables"):
        simulate(CRAG, out=tmp_path / "rows", decisions=tmp_path / "sub" / ".." / "rows")


def test_counts_do_not_depend_on_the_size_of_parts() -> None:
    whole, parts = simulate(CRAG, part_size=3_000), simulate(CRAG, part_size=7_00, workers=3)
    assert whole.to_data() == parts.to_data()
    assert Tally.from_data(whole.to_data()).to_data() == whole.to_data()


def test_rows_add_up_to_what_was_counted(alone: Path) -> None:
    tally = simulate(CRAG)
    rows = query(
        "select player, count(*), avg(score), stddev(score), avg(sixes), avg(crag) from '{alone}/games.parquet'"
        " group by seat, player order by seat",
        alone=alone,
    )
    for seat, (player, number, mean, deviation, sixes, crag) in enumerate(rows):
        own = tally.seats[seat]
        assert (player, number) == (CRAG.players[seat], 3_000)
        assert (mean, deviation) == (pytest.approx(own.mean), pytest.approx(own.standard_deviation))
        means = dict(zip(CRAG.ruleset.box_index, own.box_means.tolist(), strict=True))
        assert (sixes, crag) == (pytest.approx(means["sixes"]), pytest.approx(means["crag"]))
    wins = query(
        "select count(*) from '{alone}/games.parquet' a join '{alone}/games.parquet' b using (game)"
        " where a.seat = 0 and b.seat = 1 and a.score > b.score",
        alone=alone,
    )
    assert wins == [(int(tally.firsts[0]),)]
    points = query("select sum(points) from '{alone}/decisions.parquet'", alone=alone)
    scores = query("select sum(score) from '{alone}/games.parquet'", alone=alone)
    assert points == scores  # crag has no bonuses


def test_a_box_with_the_name_of_a_column_has_one_of_its_own(tmp_path: Path) -> None:
    boxes = 'score = { scorer = "any_dice" }\ngame = { scorer = "any_dice", pays = 9 }'
    rules = parse_ruleset(f'id = "odd"\ndice = 1\nfaces = 2\n[categories]\n{boxes}', "odd")
    simulate(rules, games=3, out=str(tmp_path / "games.parquet"))
    rows = query("select game, score - box_score, box_game from '{folder}/games.parquet'", folder=tmp_path)
    assert rows == [(0, 9, 9), (1, 9, 9), (2, 9, 9)]


def interrupt(tally: Tally) -> None:
    """Stop a simulation after the first part."""
    raise KeyboardInterrupt


def test_an_interrupted_simulation_continues_with_the_same_bytes(alone: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(CRAG, tmp_path, workers=1, report=interrupt)
    assert files_of(tmp_path) == {}
    resumed: list[int] = []
    run(CRAG, tmp_path, workers=1, resumed=lambda tally: resumed.append(tally.num_games))
    assert resumed[0] >= 1_000
    assert files_of(tmp_path) == files_of(alone)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_simulation_that_is_interrupted_while_its_files_are_joined_continues(
    alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def join_only_games(parts: list[Path], path: Path, origin: dict[str, Any]) -> None:
        if path.name == "decisions.parquet":
            raise KeyboardInterrupt
        join_parts(parts, path, origin)

    with monkeypatch.context() as patch:
        patch.setattr("fivedice.simulation.described.join_parts", join_only_games)
        with pytest.raises(KeyboardInterrupt):
            run(CRAG, tmp_path)
    assert set(files_of(tmp_path)) == {"games.parquet", "games.parquet.json"}
    run(CRAG, tmp_path, workers=1)
    assert files_of(tmp_path) == files_of(alone)


def test_a_checkpoint_continues_a_simulation_without_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt):
        simulate(CRAG, checkpoint=checkpoint, part_size=1_000, workers=1, report=interrupt)
    with checkpoint.open("a") as file:
        file.write('{"part": 1, "res')  # as after a crash
    whole = simulate(CRAG).to_data()
    assert simulate(CRAG, checkpoint=str(checkpoint), part_size=1_000).to_data() == whole
    with pytest.raises(IllegalError, match="is the journal of another run: give another place, or remove it"):
        simulate(Experiment(CRAG.ruleset, ("greedy",), 100, 2), checkpoint=checkpoint)
    # Nothing is left to play.
    monkeypatch.setattr("fivedice.simulation.simulate.run_in_threads", lambda *given: iter(()))
    assert simulate(CRAG, checkpoint=checkpoint, part_size=1_000).to_data() == whole


def test_a_finished_run_is_extended_by_more_games(tmp_path: Path) -> None:
    few, many = (Experiment(CRAG.ruleset, ("optimal",), games, 1) for games in (2_500, 4_200))
    whole = simulate(many, out=tmp_path / "at_once", part_size=1_000)
    simulate(few, out=tmp_path / "extended", part_size=1_000)
    resumed: list[int] = []
    extended = simulate(many, out=tmp_path / "extended", resumed=lambda tally: resumed.append(tally.num_games))
    assert (extended.to_data(), resumed) == (whole.to_data(), [2_000])
    assert files_of(tmp_path / "extended") == files_of(tmp_path / "at_once")
    with pytest.raises(IllegalError, match="is the journal of 4,200 games: want as many or more"):
        simulate(few, out=tmp_path / "extended")


@pytest.mark.parametrize("name", ["decisions", "decisions.parquet"])
def test_rows_that_are_gone_or_wanted_elsewhere_are_written_again(name: str, tmp_path: Path) -> None:
    games, decisions, elsewhere = tmp_path / "games", tmp_path / "first" / name, tmp_path / "second" / name
    experiment = Experiment(CRAG.ruleset, ("optimal",), 200, 1)
    whole = simulate(experiment, out=games, decisions=decisions, part_size=100)
    assert simulate(experiment, out=games, decisions=elsewhere).to_data() == whole.to_data()
    first, second = (files_of(path if path.is_dir() else path.parent) for path in (decisions, elsewhere))
    assert first == second


def test_no_run_writes_into_the_folder_of_other_rows(tmp_path: Path) -> None:
    games, decisions = tmp_path / "games", tmp_path / "decisions"
    simulate("crag", games=20, out=games, decisions=decisions)
    before = files_of(decisions)
    for out, others in ((decisions, None), (tmp_path / "other", decisions)):
        with pytest.raises(IllegalError, match="decisions has other rows: give a new name, or remove it"):
            simulate("crag", games=20, seed=2, out=out, decisions=others)
    assert files_of(decisions) == before
    simulate("crag", games=30, out=games, decisions=decisions)


def test_files_say_what_made_them(alone: Path, tmp_path: Path) -> None:
    made = {"ruleset": "crag", "digest": CRAG.ruleset.digest, "players": ["optimal", "greedy"], "seed": 7}
    program = importlib.metadata.version("fivedice")
    for table, rows in (("games", 6_000), ("decisions", None)):
        schema = pq.read_schema(alone / f"{table}.parquet")
        origin = {"table": table, **made, "games": 3_000, "first_game": 0}
        assert json.loads(schema.metadata[b"fivedice"]) == {"version": program, **origin}
        about = json.loads((alone / f"{table}.parquet.json").read_text())
        assert {key: about[key] for key in origin} == origin
        assert (about["fivedice"], "created" in about) == (program, False)
        (resource,) = about["resources"]
        assert resource["rows"] == (rows or pq.read_metadata(alone / f"{table}.parquet").num_rows)
        assert [field["name"] for field in resource["schema"]["fields"]] == schema.names
        assert all(field["description"] for field in resource["schema"]["fields"])
    simulate(CRAG, out=tmp_path / "games", part_size=2_000, date=date(2026, 11, 26))
    about = json.loads((tmp_path / "games/dataset.json").read_text())
    assert (about["created"], about["games"]) == ("2026-11-26T00:00:00Z", 3_000)
    assert about["resources"][0]["path"] == ["part-000000.parquet", "part-000001.parquet"]
    part = pq.read_schema(tmp_path / "games/part-000001.parquet").metadata[b"fivedice"]
    assert (json.loads(part)["first_game"], json.loads(part)["games"]) == (2_000, 1_000)


@pytest.mark.parametrize(
    ("rules", "players"), [("crag", ("level_4", "random")), ("yatzy_american", ("level_2",)), ("yahtzee", ("level_1",))]
)
def test_decisions_can_be_checked_without_a_replay(rules: str, players: tuple[str, ...], tmp_path: Path) -> None:
    games, decisions = tmp_path / "games.parquet", tmp_path / "decisions.parquet"
    simulate(Experiment(load_ruleset(rules), players, games=2, seed=3), out=games, decisions=decisions)
    rows = pq.read_table(decisions).to_pylist()
    for game, (seat, player) in product(range(2), enumerate(players)):
        own = [row for row in rows if (row["game"], row["seat"]) == (game, seat)]
        assert {row["policy"] for row in own} == {player}
        assert list(game_problems(solution_of(rules), own)) == []


def test_players_of_the_engine_play_in_processes_and_together(tmp_path: Path) -> None:
    experiment = Experiment(CRAG.ruleset, ("random", "greedy", "random"), 20, 1)
    tally = simulate(experiment, out=tmp_path / "games.parquet")
    assert tally.firsts[1] + tally.shared[1] == 20
    assert tally.seats[0].scores.tolist() != tally.seats[2].scores.tolist()
    assert tally.seats[0].boxes.sum(axis=1).tolist() == [20] * 13, "a box that held nothing was filled, too"
    assert simulate(experiment, workers=1, part_size=11).to_data() == tally.to_data()
    assert not is_by_table("greedy", load_ruleset("triple_yahtzee"))  # no computer holds its values


def test_a_conversion_may_give_fewer_points_than_none() -> None:
    (games,) = play_slowly(
        load_ruleset("balut"), lambda seat, chance: Random(chance), seats=[0], seed=1, first=0, number=6
    )
    assert games.scores.min() < 0
    low, high = games.tally, simulate(CRAG).seats[0]
    assert low.mean == pytest.approx(games.scores.mean())
    assert low.plus(low).mean == pytest.approx(low.mean)
    assert low.lowest < high.lowest == 0


def test_a_killed_worker_of_a_cluster_changes_no_byte(alone: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from dask import config

    reported: list[int] = []

    def kill(tally: Tally) -> None:
        if not reported:
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        reported.append(tally.num_games)

    size = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "worker_dashboard_address": None}
    with (
        config.set({"distributed.admin.tick.limit": "1h"}),
        distributed.LocalCluster(silence_logs=50, **size) as cluster,
    ):
        run(CRAG, tmp_path, scheduler=cluster.scheduler_address, report=kill)
    assert reported[-1] == CRAG.games
    assert files_of(tmp_path) == files_of(alone)


def test_no_workers_and_a_scheduler_that_cannot_be_reached_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IllegalError, match="want at least one thread or worker, not 0"):
        simulate(CRAG, workers=0)
    monkeypatch.setattr("fivedice.simulation.run_tasks.PATIENCE", 0.1)
    with pytest.raises(UnknownError, match="cannot be reached"):
        simulate(CRAG, scheduler="tcp://127.0.0.1:9")
    monkeypatch.setattr("distributed.Client", None)
    with pytest.raises(UnknownError, match="--scheduler 'foo' cannot be reached: missing port number"):
        simulate(CRAG, scheduler="foo")


def test_the_interval_of_a_share_is_that_of_wilson() -> None:
    assert share_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert share_interval(0, 10)[0] == 0.0
    assert share_interval(0, 0) == (0.0, 1.0)
