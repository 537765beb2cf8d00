"""Evaluations: the exact loss of agents of every kind; and the guesses of planners. Sweeps find the exact figures of
all variants, and name those that cannot be solved."""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import msgspec
import numpy as np
import pytest

from fivedice import IllegalError, MalformedError, Optimal, UnknownError, advise, evaluate, load_ruleset, solve, to_dict
from fivedice.envs import ActionNumbers, Observations
from fivedice.players import Greedy
from fivedice.players.levels import Level, habits_of
from fivedice.simulation import sweep as module
from fivedice.simulation.judged import decision_of, judged
from fivedice.simulation.players import beliefs, guessing
from fivedice.simulation.simulate import Experiment, play_seat
from fivedice.simulation.sweep import SweepPart, Variant, solve_part, sweep, variant_figures, variants_in, variants_of
from fivedice.solver.play.distribution import forecast, result_distribution
from fivedice.solver.play.moments import find_moments, solve_with_figures
from fivedice.solver.play.policy_transitions import Start
from fivedice.solver.tables.states import TurnState
from fivedice.testing import TINY, TINY_TURNS, playthrough
from fivedice.views.evaluation import Evaluation, MeanView
from tests.amount import cases
from tests.solutions import ids_up_to, solution_of


def evaluated(policy: Any, games: int, **options: Any) -> Evaluation:
    return evaluate(policy, "crag", games, solution=solution_of("crag"), **options)


def errors_from(mean: MeanView, exact: float) -> float:
    assert mean.interval
    return abs(mean.mean - exact) / ((mean.interval[1] - mean.mean) / 1.96)


def exact_loss(kind: str) -> float:
    crag = solution_of("crag")
    return crag.expected_score - result_distribution(beliefs(crag, habits_of(kind, crag.ruleset)), 0).mean


def test_optimal_play_loses_nothing_at_all() -> None:
    crag = solution_of("crag")
    for policy, games in (("optimal", 500), (Optimal(crag), 20)):
        found = evaluated(policy, games)
        assert (found.loss.mean, found.loss_a_decision.interval, found.worst) == (0.0, (0.0, 0.0), ())
        assert errors_from(found.score, crag.expected_score) < 4


@pytest.mark.parametrize("kind", ["level_2", "level_7"])
def test_a_level_loses_what_its_exact_evaluation_says(kind: str) -> None:
    assert errors_from(evaluated(kind, 3_000).loss, exact_loss(kind)) < 4


def test_a_player_that_is_asked_position_by_position_loses_the_same() -> None:
    found = evaluated(Level("level_4", solution_of("crag")), 60)
    assert errors_from(found.loss, exact_loss("level_4")) < 4
    assert found.decisions == sum(one.decisions for one in found.kinds)
    assert found.loss.mean == pytest.approx(sum(one.loss_a_game for one in found.kinds))


@pytest.mark.parametrize("rules", [*TINY.values(), load_ruleset("crag")], ids=str)
def test_every_decision_is_worth_and_loses_what_advice_says(rules: Any) -> None:
    solution = solve(rules)
    games = play_seat(Experiment(rules, ("random",), 3, 5), 0, first=0, number=3, with_boxes=True, with_decisions=True)
    found = judged(solution, games)
    scores = np.zeros(3)
    for row in range(found.game.size):
        position, action = decision_of(games, found, row)
        advice = advise(solution, position)
        assert found.value[row] == pytest.approx(advice.value)
        assert found.loss[row] == pytest.approx(advice.of(action).loss, abs=1e-8)
        if (after := position.play(action) if not hasattr(action, "dice") else position).is_over:
            scores[found.game[row]] = after.card.total
    assert scores.tolist() == games.scores.tolist()


def test_functions_of_observations_and_models_choose_for_many_at_once() -> None:
    class Model:
        observation_space = Observations(ActionNumbers(load_ruleset("crag"))).space("flat", mask=False)

        def predict(self, seen: Any, deterministic: bool = False, action_masks: Any = None) -> Any:
            assert deterministic
            assert self.observation_space.contains(seen[0])
            return action_masks.argmax(axis=1), None

    first = evaluated(lambda seen: seen["action_mask"].argmax(axis=1), 40, observation="dict")
    same = [
        evaluated(lambda position: position.actions()[0], 40),
        evaluated(lambda seen: seen[:, -97:].argmax(axis=1), 40, observation="flat"),
        evaluated(Model(), 40),
    ]
    assert {one.loss for one in same} == {first.loss}
    assert 100 < first.loss.mean < 150
    assert first.worst[0].loss >= first.worst[-1].loss > 0
    assert evaluated(lambda seen: seen["action_mask"].argmax(axis=1), 40, observation="dict", batch=7).games == 40


def test_an_illegal_action_is_a_sentence_or_replaced_and_counted() -> None:
    with pytest.raises(IllegalError, match=r"^ones chose 'score ones' in crag ones=.* not legal: the box is filled"):
        evaluated(lambda position: "score ones", 5, name="ones")
    found = evaluated(lambda position: "score ones", 5, illegal="random")
    assert 0 < found.illegal < found.decisions
    assert found.loss.mean > 50


def test_what_cannot_be_evaluated_is_a_sentence() -> None:
    with pytest.raises(UnknownError, match="there is no player 'nobody'"):
        evaluated("nobody", 1)
    with pytest.raises(TypeError, match="want the name of a player, a function, or an object with choose or predict"):
        evaluated(3, 1)
    with pytest.raises(MalformedError, match="0 games: want 1 to"):
        evaluated("optimal", 0)
    with pytest.raises(MalformedError, match="seed -1: want a number from 0"):
        evaluated(lambda position: "score ones", 1, seed=-1)
    with pytest.raises(MalformedError, match="want 2 whole numbers from 0 to 96"):
        evaluated(lambda seen: [0.5, 1.0], 2, observation="flat")
    with pytest.raises(IllegalError, match="this is the solution of crag, not of yahtzee"):
        evaluate("optimal", "yahtzee", 1, solution=solution_of("crag"))
    line = TINY_TURNS["tiny_line"]
    with pytest.raises(IllegalError, match="no losses of many decisions"):
        evaluate("greedy", line, 1, solution=solve(line))
    with pytest.raises(MalformedError, match="is no observation of crag: pass a function"):
        evaluated(type("Model", (), {"observation_space": None, "predict": print})(), 1)


def test_an_evaluation_is_repeatable_and_has_a_text_and_json() -> None:
    found = evaluated("level_5", 50, seed=3)
    again = evaluated("level_5", 50, seed=np.int64(3))
    assert {**to_dict(found), "seconds": 0} == {**to_dict(again), "seconds": 0}
    assert "level_5 in crag: 50 games, " in str(found)
    assert "level_5 in crag: 1 game, " in str(msgspec.structs.replace(found, games=1))
    assert "better" in str(found)


UPPER = [3.0, 6.0, 9.0, 12.0, 15.0, 18.0, *[0.0] * 7]
EACH = [float(number) for number in range(1, 14)]


@pytest.mark.parametrize(
    ("pars", "is_bonus_planned", "filled", "total", "value"),
    [
        ([0.0] * 13, False, {3, 4, 5}, 62, 0),  # without pars, the bonus counts once it is earned
        ([0.0] * 13, False, {3, 4, 5}, 63, 35),
        (EACH, False, {}, 0, sum(EACH)),
        (EACH, False, {0, 12}, 3, sum(EACH) - 1 - 13),
        (UPPER, True, {}, 0, 63 + 35),  # a planned bonus grows with the total and the pars of open upper boxes
        (UPPER, True, {5}, 24, 45 + 35),
        (UPPER, True, {5}, 12, 45 + 35 * 57 / 63),
        (UPPER, True, range(6), 62, 0),
        (UPPER, True, range(6), 63, 35),
    ],
)
def test_a_planner_guesses_the_pars_of_open_boxes_and_the_bonus_that_is_earned_or_planned(
    pars: list[float], is_bonus_planned: bool, filled: Iterable[int], total: int, value: float
) -> None:
    guess = guessing(solution_of("yahtzee"), pars, is_bonus_planned=is_bonus_planned)
    assert guess.value(TurnState(frozenset(filled), totals=(total,))) == pytest.approx(value)


def test_pars_and_bonuses_are_multiplied_by_their_column() -> None:
    # Two columns of ones and chance, the second counts twice; from two ones on there are four points of bonus.
    solution = solve(TINY["tiny_columns"])
    guess = guessing(solution, [1.0, 4.0, 2.0, 8.0], is_bonus_planned=True)
    assert guess.value(TurnState(totals=(0, 0))) == 15 + 1 * 2 + 2 * 2
    assert guess.value(TurnState(frozenset({0, 3}), totals=(2, 0))) == 4 + 2 + 4 + 2 * 2
    everything = frozenset(range(4))
    assert guess.value(TurnState(everything, totals=(2, 1))) == 4


def test_after_the_last_round_a_guess_is_exact() -> None:
    solution = solution_of("yatzy_american[rounds=13]")
    guess = guessing(solution, [5.0] * len(solution.ruleset.boxes), is_bonus_planned=True)
    assert guess.value(TurnState(frozenset(range(13)), totals=(0,))) == 0
    assert guess.value(TurnState(frozenset(range(12)), totals=(0,))) > 0


@pytest.mark.parametrize("id", cases(ids_up_to("crag"), full=ids_up_to("yahtzee")))
def test_the_planner_without_a_guess_is_the_greedy_player(id: str) -> None:
    solution = solution_of(id)
    table = guessing(solution, [0.0] * len(solution.ruleset.boxes), is_bonus_planned=False)
    for seed in range(4):
        for position in playthrough(solution.ruleset, Random(seed)).positions:
            if position.dice:
                assert advise(table, position).of(Greedy().choose(position)).loss == pytest.approx(0, abs=1e-9)


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
