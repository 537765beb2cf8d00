"""Evaluations: the exact loss of agents of every kind; and the guesses of planners."""

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from fivedice import IllegalError, MalformedError, Optimal, UnknownError, advise, evaluate, load_ruleset, solve, to_dict
from fivedice.envs import ActionNumbers, Observations
from fivedice.players import Greedy
from fivedice.players.levels import Level, habits_of
from fivedice.simulation.games.judged import decision_of, judged
from fivedice.simulation.players import beliefs, guessing
from fivedice.simulation.simulate import Experiment, play_seat
from fivedice.solver.play.distribution import result_distribution
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
    again = evaluated("level_5", 50, seed=3)
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
