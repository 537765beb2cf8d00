"""Makes a Minari data set of games in `fivedice-decisions`, with the flat observations of `fivedice/Solitaire-v0`.

    pip install "fivedice[research]" "minari[hdf5,create]"
    fivedice dataset fivedice-decisions --games 10000
    python examples/minari_dataset.py fivedice-decisions crag 100

Rewards are points; the infos of each step have its exact value and loss. If there is no such folder, a set of 420 games
is built.
"""

import sys
from itertools import groupby, islice
from pathlib import Path

import gymnasium
import minari
import numpy as np
import pyarrow.parquet as pq
from minari.data_collector import EpisodeBuffer

import fivedice.envs as envs  # registers the environment
from fivedice import Keep
from fivedice.rulesets.dice import parse_dice
from fivedice.simulation.decision_set import build_decision_set


def episode(env: "envs.SolitaireEnv", number: int, rows: list[dict]) -> EpisodeBuffer:
    """The steps of one game, played again in the environment from its rows."""
    first = f"{env.ruleset} - {rows[0]['dice']} r{rows[0]['rolls_left']}"
    observations, rewards = [env.reset(options={"position": first})[0]], []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        rolled = list(parse_dice(after["dice"])) if after else []
        action = env.numbers.action(row["action_number"])
        for die in action.dice if isinstance(action, Keep) else ():
            rolled.remove(die)
        observation, reward, *_ = env.play(row["action_number"], tuple(rolled))
        observations.append(observation)
        rewards.append(reward)
    after_reset = [np.nan]  # Minari has infos of the first observation, too
    return EpisodeBuffer(
        id=number,
        observations=np.array(observations),
        actions=np.array([row["action_number"] for row in rows]),
        rewards=rewards,
        terminations=[row is rows[-1] for row in rows],
        truncations=[False] * len(rows),
        infos={name: np.array(after_reset + [row[name] for row in rows]) for name in ("value", "loss")},
    )


def main() -> None:
    folder, ruleset, games = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    if not folder.exists():
        build_decision_set(folder, games=420, seed=1)
    env = gymnasium.make("fivedice/Solitaire-v0", ruleset=ruleset, observation="flat").unwrapped
    buffers: list[EpisodeBuffer] = []
    for path in sorted(folder.glob(f"split=train/ruleset={ruleset}/*.parquet")):
        rows = pq.ParquetFile(path).read().to_pylist()
        by_game = groupby(rows, key=lambda row: row["game"])
        for _, own in islice(by_game, games - len(buffers)):
            buffers.append(episode(env, len(buffers), list(own)))
    name = f"fivedice/{ruleset}-v0"
    found = minari.create_dataset_from_buffers(
        name,
        buffers,
        env=env,
        eval_env=env,
        algorithm_name="levels of fivedice",
        data_format="arrow",
        description=f"Decisions of computer players in games of {ruleset}, with the exact loss of each",
    )
    print(f"{name}: {found.total_episodes} episodes, {found.total_steps} steps")


if __name__ == "__main__":
    main()
