"""The vectorised environment: it equals the single one step by step under the same dice."""

from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from fivedice import IllegalError, Keep, MalformedError, load_ruleset, solve
from fivedice.analysis.action_arrays import ActionNumbers
from fivedice.envs import vector
from fivedice.envs.batch_cards import BatchCards, BatchValues
from fivedice.envs.solitaire import SolitaireEnv
from fivedice.envs.vector_solitaire import VectorSolitaire
from fivedice.game.position import Position
from fivedice.rulesets.dice import beside
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import TINY, TINY_TURNS
from fivedice.testing.conformance import playthrough
from tests.envs.test_environments import EVERY, SOME_IDS
from tests.solutions import solution_of
from tests.solver.test_agreement import LIMITED, SEVERAL

VARIANTS = [load_ruleset(name) for name in ("yahtzee[voluntary_zero=true]", "yahtzee[saved_rolls=true]")]


def follow(single: SolitaireEnv, action: int, after: Position) -> Any:
    """The step of the single environment with the dice that the other has after it."""
    chosen = single.numbers.action(action)
    return single.play(action, beside(chosen.dice, after.dice) if isinstance(chosen, Keep) else after.dice)


def check_equal(envs: VectorSolitaire, env: int, single: SolitaireEnv, observation: Any, infos: Any) -> None:
    expected = single.observations.of(single.position)
    assert envs.position(env) == single.position
    assert {name: array[env].tolist() for name, array in observation.items()} == {
        name: array.tolist() for name, array in expected.items()
    }
    assert infos["score"][env] == single.position.card.total


@pytest.mark.parametrize("ruleset", [*EVERY, *VARIANTS], ids=str)
def test_every_step_equals_that_of_the_single_environment(ruleset: Ruleset) -> None:
    """From the positions of a game with many equal dice, a random step each, and one that scores each."""
    generator = Random(7)
    games = [playthrough(ruleset, generator) for _ in range(3)]
    positions = [position for game in games for position in game.positions if position.dice]
    if len(positions) > 120:
        positions = generator.sample(positions, 120)
    envs = vector(ruleset, len(positions))
    single = SolitaireEnv(ruleset)
    scores = [[offer.action for offer in p.offers()] or p.actions() for p in positions]
    scoring = np.array([single.numbers.number(generator.choice(actions)) for actions in scores])
    for number in range(2):
        _, infos = envs.reset(seed=3, options={"positions": positions if number else map(str, positions)})
        actions = envs.random_actions() if number else scoring
        masks = [np.flatnonzero(mask).tolist() for mask in infos["action_mask"]]
        assert [{single.numbers.action(n) for n in mask} for mask in masks] == [set(p.actions()) for p in positions]
        after, rewards, terminations, _, infos = envs.step(actions)
        for env, position in enumerate(positions):
            single.reset(options={"position": position})
            _, reward, is_over, _, _ = follow(single, int(actions[env]), envs.position(env))
            check_equal(envs, env, single, after, infos)
            assert (rewards[env], terminations[env]) == (reward, is_over)


@pytest.mark.parametrize(
    "rules", [*map(load_ruleset, sorted({*SOME_IDS})), *TINY.values(), *TINY_TURNS.values()], ids=str
)
def test_episodes_equal_those_of_single_environments(rules: Ruleset) -> None:
    envs = vector(rules, 3, threads=1)
    singles = [SolitaireEnv(rules) for _ in range(3)]
    envs.reset(seed=9)
    for env, single in enumerate(singles):
        single.reset(options={"position": envs.position(env)})
    ends = 0
    generator = np.random.default_rng(1)
    for _ in range(8 * rules.rounds + 20):
        is_over = [single.position.is_over for single in singles]
        any_action = generator.integers(envs.numbers.size, size=3)
        actions = np.where(generator.random(3) < 0.2, any_action, envs.random_actions())
        is_legal = envs.action_masks()[np.arange(3), actions]
        observation, rewards, terminations, truncations, infos = envs.step(actions)
        for env, single in enumerate(singles):
            if is_over[env]:
                single.reset(options={"position": envs.position(env)})
                assert (rewards[env], infos["is_illegal"][env]) == (0.0, False)
                continue
            assert infos["is_illegal"][env] == (not is_legal[env])
            if not is_legal[env]:  # a random action was taken instead
                single.reset(options={"position": envs.position(env)})
                continue
            _, reward, over, _, _ = follow(single, int(actions[env]), envs.position(env))
            assert (rewards[env], terminations[env]) == (reward, over)
            check_equal(envs, env, single, observation, infos)
            ends += over
        assert not truncations.any()
        assert observation in envs.observation_space
    assert ends


def test_illegal_actions_are_replaced_punished_or_refused() -> None:
    gained = {}
    for illegal in ("random", "penalty"):
        envs = vector("crag", 50, illegal=illegal, observe_mask=False)
        observation, _ = envs.reset(seed=1)
        assert "action_mask" not in observation
        over, gained[illegal] = np.zeros(50, dtype=bool), np.zeros(50)
        while not over.all():
            observation, rewards, ended, _, infos = envs.step(np.zeros(50, dtype=np.int64))
            gained[illegal] += np.where(over, 0, rewards + 10 * infos["is_illegal"] * (illegal == "penalty"))
            over |= ended
    assert gained["random"].tolist() == gained["penalty"].tolist()
    strict = vector("crag", 2, illegal="error")
    strict.reset(options={"positions": [Position.parse("crag - 445 r0"), Position.parse("crag ones=1 445 r0")]})
    with pytest.raises(IllegalError, match="environment 1: score ones is not legal in crag ones=1 445 r0"):
        strict.step([0, 0])
    with pytest.raises(MalformedError, match="actions: want 2 numbers from 0 to"):
        strict.step([0, 10_000])


def test_dice_do_not_depend_on_threads() -> None:
    def play(threads: int) -> Any:
        envs = vector("yahtzee", 4_096, threads=threads)
        envs.reset(seed=11)
        for _ in range(3):
            observation = envs.step(envs.random_actions())[0]
        envs.close()
        return observation

    one, two = play(1), play(2)
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_after_a_reset_random_actions_are_those_of_new_environments_and_observations_are_new_arrays() -> None:
    used, new = vector("yahtzee", 50), vector("yahtzee", 50)
    used.reset(seed=1)
    used.step(used.random_actions())
    masks = [envs.reset(seed=2)[1]["action_mask"] for envs in (used, new)]
    actions = [envs.random_actions() for envs in (used, new)]
    assert np.array_equal(masks[0], masks[1])
    assert np.array_equal(actions[0], actions[1])
    assert masks[0][np.arange(50), actions[0]].all()
    first = new.step(actions[1])[0]
    copies = {name: array.copy() for name, array in first.items()}
    second = new.step(new.random_actions())[0]
    assert all(np.array_equal(first[name], copies[name]) for name in first), "observations are new arrays"
    assert not any(np.shares_memory(first[name], second[name]) for name in first)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_every_autoreset_mode_ends_episodes_with_the_final_card(mode: AutoresetMode) -> None:
    envs = vector(TINY["tiny_plain"], 5, autoreset_mode=mode, observation="flat", reward="score")
    assert envs.metadata["autoreset_mode"] is mode
    envs.reset(seed=2)
    for _ in range(40):
        observation, rewards, over, _, infos = envs.step(envs.random_actions())
        if over.any():
            break
    done, rest = int(np.flatnonzero(over)[0]), envs.ruleset.rounds
    last = infos["final_obs"][done] if mode is AutoresetMode.SAME_STEP else observation[done]
    assert last[4 : 4 + rest].tolist() == [1.0] * rest  # after 3 counts and the rolls left: all boxes are filled
    if mode is AutoresetMode.SAME_STEP:
        assert infos["final_info"]["score"][done] == rewards[done]
        assert envs.position(done).card.num_filled == 0
    elif mode is AutoresetMode.DISABLED:
        with pytest.raises(Exception, match="reset_mask"):
            envs.step(envs.random_actions())
        envs.reset(options={"reset_mask": over})
        assert envs.position(done).card.num_filled == 0
        before = [envs.position(env) for env in range(5)]
        envs.reset(options={"reset_mask": np.arange(5) == done, "positions": [before[done]] * 5})
        assert [envs.position(env) for env in range(5)] == before
    else:
        envs.step(envs.random_actions())
        assert envs.position(done).card.num_filled == 0


@pytest.mark.parametrize("rules", [*TINY.values(), *LIMITED, *SEVERAL, load_ruleset("crag")], ids=str)
def test_values_and_regrets_equal_those_of_the_single_environment(rules: Ruleset) -> None:
    solution = solution_of("crag") if rules.id == "crag" else solve(rules)
    envs = vector(rules, 4, solution=solution, reward="regret")
    single = SolitaireEnv(rules, solution=solution)
    _, infos = envs.reset(seed=4)
    for _ in range(12):
        starts = [envs.position(env) for env in range(4)]
        actions = envs.random_actions()
        _, rewards, _, _, infos = envs.step(actions)
        for env, start in enumerate(starts):
            if start.is_over:
                assert rewards[env] == 0
                continue
            single.reset(options={"position": start})
            info = follow(single, int(actions[env]), envs.position(env))[4]
            assert infos["value"][env] == pytest.approx(info["value"], abs=1e-9)
            assert infos["regret"][env] == pytest.approx(info["regret"], abs=1e-9)
            assert rewards[env] == -infos["regret"][env]


@pytest.mark.parametrize("name", TINY)
def test_exactly_illegal_actions_have_no_regret(name: str) -> None:
    numbers = ActionNumbers(TINY[name])
    cards = BatchCards(numbers, 64)
    cards.seed(np.random.default_rng(1))
    cards.restart(np.ones(64, dtype=np.bool_))
    values = BatchValues(cards.tables, solve(TINY[name]))
    values.values(cards.cards)
    for action in range(numbers.size):
        actions = np.full(64, action)
        assert np.array_equal(np.isnan(values.regrets(cards.cards, actions)), cards.is_illegal(actions)), action
