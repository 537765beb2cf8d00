"""The PettingZoo environment: its checkers accept it, and its rewards are those of the game."""

from typing import Any

import pytest

import fivedice.envs  # noqa: F401 # registers the environments
from fivedice import IllegalError
from fivedice.envs import table_v0
from tests.envs.test_solitaire import SOME_IDS
from tests.solutions import solution_of


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
