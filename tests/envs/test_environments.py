"""The environments equal the engine, pass the checks of Gymnasium and PettingZoo, and are documented."""

from itertools import pairwise
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import fivedice.envs  # registers the environments
from fivedice import IllegalError, Keep, MalformedError, Score, advise, load_ruleset
from fivedice.analysis.action_arrays import ActionNumbers
from fivedice.envs import table_v0
from fivedice.envs.solitaire import SolitaireEnv
from fivedice.game.action import Announce
from fivedice.rulesets import parse_ruleset, ruleset_ids
from fivedice.rulesets.dice import beside
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import TINY, TINY_TURNS
from fivedice.testing.conformance import playthrough
from tests.amount import cases
from tests.repository import ROOT
from tests.solutions import shipped, solution_of

SOME_IDS = cases(["balut", "crag", "yamb"], full=ruleset_ids())
"""Shipped rulesets with all kinds of turns and results, of which tests of what hardly depends on rules take seconds."""

EVERY = [*map(load_ruleset, ruleset_ids()), *TINY.values(), *TINY_TURNS.values()]
"""The rulesets that environments are compared under."""


@pytest.mark.parametrize("name", [fivedice.envs.SOLITAIRE, fivedice.envs.TABLE, *fivedice.envs.__all__])
def test_every_environment_and_public_name_is_documented(name: str) -> None:
    assert name in (ROOT / "docs/environments.md").read_text()


@pytest.mark.parametrize("ruleset", EVERY, ids=str)
def test_an_episode_equals_the_engine(ruleset: Ruleset) -> None:
    game = playthrough(ruleset, Random(5))
    env = SolitaireEnv(ruleset)
    steps = [(p, a, q) for (p, q), a in zip(pairwise(game.positions), game.actions, strict=True)]
    env.reset(seed=1, options={"position": steps[0][2]})
    total, ended = 0.0, False
    for place, (before, action, after) in enumerate(steps):
        if action is None:
            continue
        assert env.position == before
        dice = () if isinstance(action, Announce) else after.dice
        if isinstance(action, Score) and not after.is_over:
            after = steps[place + 1][2]
            dice = after.dice
        rolled = beside(action.dice, after.dice) if isinstance(action, Keep) else dice
        observation, reward, ended, truncated, info = env.play(env.numbers.number(action), rolled)
        total += reward
        assert env.position == after
        legal = {env.numbers.action(number) for number in np.flatnonzero(info["action_mask"]).tolist()}
        assert legal == set(after.actions())
        assert observation["boxes"].tolist() == [-1 if p is None else p for p in after.card.boxes]
        assert info["score"] == after.card.total == observation["card"][4]
        assert observation in env.observation_space
        assert not truncated
    assert ended
    assert env.position == game.positions[-1]
    assert total == env.position.card.result
    assert not info["action_mask"].any()


@pytest.mark.parametrize("observation", ["dict", "flat"])
@pytest.mark.parametrize("ruleset", [*ruleset_ids(), *TINY])
def test_gymnasiums_checker_accepts_it(ruleset: str, observation: Any) -> None:
    env = gymnasium.make("fivedice/Solitaire-v0", ruleset=TINY.get(ruleset, ruleset), observation=observation)
    check_env(env.unwrapped)


def test_the_score_of_a_card_full_of_bonuses_is_in_its_space() -> None:
    ruleset = load_ruleset("triple_yahtzee[extra_yahtzee=by_column]")
    points = {"yahtzee": 50, "chance": 30}
    filled = ",".join(f"{box.id}={points.get(box.category.id, 0)}" for box in ruleset.boxes)
    env = SolitaireEnv(ruleset)
    observation, info = env.reset(options={"position": f"{ruleset} {filled},+72 - r3"})
    assert info["score"] == 6 * (50 + 30) + 72 * 100
    assert env.observation_space.contains(observation)


def test_gymnasium_imports_the_module_that_its_id_names() -> None:
    env = gymnasium.make("fivedice.envs:fivedice/Solitaire-v0", ruleset="yahtzee[joker=free]", render_mode="ansi")
    env.reset(seed=1)
    assert str(env.render()).startswith("yahtzee[joker=free] - ")


def test_instead_of_an_illegal_action_a_random_one_is_taken_or_an_error_raised() -> None:
    rewards = []
    for illegal in ("random", "penalty"):
        env = SolitaireEnv("crag", illegal=illegal, observe_mask=False)
        env.reset(seed=1, options={"position": "crag crag=50 445 r0"})
        observation, reward, _, _, info = env.step(env.numbers.number(Score("crag")))
        assert (info["is_illegal"], env.position.card.num_filled) == (True, 2)
        assert env.action_masks().tolist() == info["action_mask"].tolist()
        assert "action_mask" not in observation
        assert observation in env.observation_space
        rewards.append(reward)
    assert rewards[1] == rewards[0] - 10
    strict = SolitaireEnv("crag", illegal="error")
    strict.reset(options={"position": "crag crag=50 445 r0"})
    for step in (strict.step, strict.play):
        with pytest.raises(IllegalError, match=r"score crag is not legal .*: the box is filled, with 50"):
            step(env.numbers.number(Score("crag")))


def test_it_is_shown_as_a_line_as_text_and_as_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "human", "rgb_array"):
        env = SolitaireEnv("crag", render_mode=mode)
        env.reset(options={"position": "crag twos=4,crag=50 445 r1"})
        shown = env.render()
        if mode == "ansi":
            assert shown == "crag twos=4,crag=50 445 r1"
        elif mode == "rgb_array":
            assert (shown.shape[1:], shown.dtype, len(np.unique(shown)) > 10) == ((360, 3), np.uint8, True)
    printed = capsys.readouterr().out
    assert "crag   dice 4 4 5   rolls left 1   score 54\n" in printed
    assert "  crag                   50\n" in printed
    envs = fivedice.envs.vector("crag", 2, render_mode="rgb_array")
    envs.reset(seed=1)
    assert [frame.shape for frame in envs.render()] == [shown.shape] * 2


def test_rewards_are_regrets_or_the_score_at_the_end() -> None:
    solution = solution_of("crag")
    totals = {}
    for reward in ("points", "score", "regret"):
        env = SolitaireEnv("crag", reward=reward, solution=solution)
        env.action_space.seed(3)
        _, info = env.reset(seed=3)
        assert info["value"] > 0
        rewards, regrets = [], []
        while info["action_mask"].any():
            action = env.action_space.sample(info["action_mask"])
            _, gained, _, _, info = env.step(action)
            rewards.append(gained)
            regrets.append(info["regret"])
        totals[reward] = sum(rewards)
        assert min(regrets) >= 0 < max(regrets)
        assert info["value"] == info["score"]
    assert totals["points"] == totals["score"] == rewards[-1] * 0 + info["score"]
    assert totals["regret"] == -sum(regrets)


def test_values_change_by_regret_and_luck_only() -> None:
    """Over all outcomes of an action, the mean of the values is the value before minus the regret."""
    solution = solution_of("crag")
    env = SolitaireEnv("crag", solution=solution)
    for action in ("keep 6", "score sixes", "keep -"):
        env.reset(options={"position": "crag - 466 r1"})
        value = env._info()["value"]
        number = next(n for n, a in enumerate(env.numbers.actions) if str(a) == action)
        mean = 0.0
        for outcome in env.outcomes(number):
            env.reset(options={"position": "crag - 466 r1"})
            info = env.play(number, outcome.rolled)[4]
            mean += float(outcome.probability) * info["value"]
        assert mean == pytest.approx(value - info["regret"], abs=1e-9)


def test_numbers_of_actions_stay_as_documented() -> None:
    numbers = SolitaireEnv("yahtzee").numbers
    assert numbers.size == 13 + 462
    assert str(numbers.action(0)) == "score ones"
    assert str(numbers.action(13)) == "keep -"
    assert str(numbers.action(474)) == "keep 66666"
    assert numbers.number("keep 66666") == 474
    tiny = SolitaireEnv(TINY["tiny_first_roll"]).numbers
    assert [str(tiny.action(n)) for n in (3, 4, 6)] == ["scratch twos", "scratch straight", "keep -"]
    with pytest.raises(MalformedError, match="action 475: want a number from 0 to 474"):
        numbers.action(475)


def test_wrong_options_are_one_sentence_each() -> None:
    with pytest.raises(MalformedError, match='reward "regret" needs a solution'):
        SolitaireEnv("crag", reward="regret")
    with pytest.raises(MalformedError, match="reward 'point'"):
        SolitaireEnv("crag", reward="point")  # type: ignore[arg-type]
    with pytest.raises(IllegalError, match="this is the solution of crag, not of yatzy"):
        SolitaireEnv("yatzy", solution=solution_of("crag"))
    with pytest.raises(IllegalError, match="is not a position of one card under crag"):
        SolitaireEnv("crag").reset(options={"position": "crag -/- 445 r0"})
    many = parse_ruleset('id = "many"\ndice = 10\nfaces = 9\n[categories]\nones = {scorer="any_dice"}', ref="many")
    with pytest.raises(MalformedError, match="92,378 keeps: an environment can number 10,000 at most"):
        SolitaireEnv(many)


def test_approximate_values_have_an_error_and_are_refused_in_vectors() -> None:
    triple = shipped("triple_yahtzee")
    env = gymnasium.make("fivedice/Solitaire-v0", ruleset=triple.ruleset, solution=triple, reward="regret")
    _, info = env.reset(options={"position": "triple_yahtzee - 12346 r0"})
    best = advise(triple, "triple_yahtzee - 12346 r0")
    assert (info["value"], info["error"]) == (best.value, triple.decision_error)
    worst = best.actions[-1]
    _, reward, *_, info = env.step(ActionNumbers(triple.ruleset).number(worst.action))
    assert -float(reward) == info["regret"] == worst.loss > 0
    with pytest.raises(IllegalError, match="vectors of environments need one"):
        gymnasium.make_vec("fivedice/Solitaire-v0", num_envs=2, ruleset=triple.ruleset, solution=triple)


def play(env: Any, seed: int) -> Any:
    """One game of random legal actions; the sum of rewards by agent."""
    env.reset(seed=seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        is_over = terminated or truncated
        env.step(None if is_over else env.action_space(agent).sample(observation["action_mask"]))
    return totals


@pytest.mark.filterwarnings("ignore:Observation space for each agent", "ignore:Observation is not a NumPy array")
@pytest.mark.parametrize(("ruleset", "num_seats"), [(id, 2 + number % 2) for number, id in enumerate(SOME_IDS)])
def test_pettingzoos_checkers_accept_it(ruleset: str, num_seats: int) -> None:
    import pettingzoo
    from pettingzoo.test import api_test, seed_test

    env = pettingzoo.make("aec", "fivedice/table_v0", ruleset=ruleset, num_seats=num_seats)
    api_test(env, num_cycles=100)
    seed_test(lambda: table_v0.env(ruleset=ruleset, num_seats=num_seats), num_cycles=50)


@pytest.mark.parametrize("seed", range(3))
def test_outcomes_sum_to_zero_and_favour_the_winners(seed: int) -> None:
    env = table_v0.raw_env("crag", num_seats=3)
    totals = play(env, seed)
    winners = {f"seat_{seat}" for seat in env.position.winners}
    assert sum(totals.values()) == pytest.approx(0)
    assert {agent for agent, total in totals.items() if total == max(totals.values())} == winners


def test_points_and_scores_sum_to_the_final_scores_and_regrets_are_losses() -> None:
    for reward in ("points", "score"):
        env = table_v0.raw_env("balut", num_seats=2, reward=reward)
        totals = play(env, 1)
        assert list(totals.values()) == [card.total for card in env.position.cards]
    env = table_v0.raw_env("crag", reward="regret", solution=solution_of("crag"))
    assert all(total < 0 for total in play(env, 2).values())


def test_an_illegal_action_is_refused_or_ends_the_game() -> None:
    env = table_v0.raw_env("crag")
    env.reset(seed=1, options={"position": "crag crag=50/- @1 445 r0", "first": 1})
    assert env.agent_selection == "seat_1"
    with pytest.raises(IllegalError, match="keep - is not legal"):
        env.step(env.numbers.first_keep)


def test_a_seat_sees_its_own_card_first() -> None:
    env = table_v0.raw_env("crag")
    env.reset(options={"position": "crag crag=50/ones=1 445 r0"})
    own, other = (env.observe(agent)["observation"] for agent in ("seat_0", "seat_1"))
    head = env.ruleset.faces + 1
    size = (own.size - head) // 2
    assert own[head : head + size].tolist() == other[head + size :].tolist()
    assert own[head + size :].tolist() == other[head : head + size].tolist()
    assert not env.observe("seat_1")["action_mask"].any()
