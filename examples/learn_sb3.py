"""Trains MaskablePPO of sb3-contrib from points alone, and prints what it loses a game against the optimum.

    pip install "fivedice[research]" sb3-contrib
    python examples/learn_sb3.py crag

`MaskablePPO("MultiInputPolicy", gymnasium.make("fivedice/Solitaire-v0"))` works as it stands: the environment says by
`action_masks` what is legal. Here one `VecEnv` holds hundreds of compiled environments instead, which is ten times as
fast, and observations are flat and without the mask.
"""

import argparse
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from fivedice import evaluate
from fivedice.envs import VectorSolitaire, vector

NUM_ENVS, SCALE = 512, 0.05
"""Points are multiplied by the scale, so that values are of the order of 1."""


class Environments(VecEnv):
    """A vector of environments, as Stable-Baselines3 wants one."""

    def __init__(self, envs: VectorSolitaire) -> None:
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> np.ndarray:
        return self.envs.reset(seed=1)[0]

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple:
        observations, rewards, over, _, infos = self.envs.step(self.actions)
        found: list[dict[str, Any]] = [{} for _ in over]
        for env in np.flatnonzero(over):
            found[env]["terminal_observation"] = infos["final_obs"][env]
        return observations, (SCALE * rewards).astype(np.float32), over, found

    def env_method(self, name: str, *given: Any, indices: Any = None, **options: Any) -> list:
        return list(getattr(self.envs, name)(*given, **options))

    def get_attr(self, name: str, indices: Any = None) -> list:
        return [getattr(self.envs, name)] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper: type, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.envs.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", nargs="?", default="crag")
    parser.add_argument("--steps", type=int, default=3_000_000)
    parser.add_argument("--games", type=int, default=4_096, help="games of the evaluation")
    options = parser.parse_args()
    torch.set_num_threads(1)  # the matrices are small, and threads would wait for each other
    envs = vector(options.ruleset, NUM_ENVS, observation="flat", observe_mask=False, autoreset_mode="SameStep")
    settings = {"n_steps": 32, "batch_size": 1_024, "n_epochs": 4, "gamma": 1.0, "gae_lambda": 0.8, "ent_coef": 0.003}
    net = {"net_arch": [128, 128]}
    rate = {"learning_rate": lambda left: 1e-3 * left}
    model = MaskablePPO("MlpPolicy", Environments(envs), seed=1, device="cpu", policy_kwargs=net, **rate, **settings)
    began = time.perf_counter()
    model.learn(options.steps)
    print(f"{model.num_timesteps:,} steps in {time.perf_counter() - began:.0f} s")
    print(evaluate(model, options.ruleset, options.games, seed=2, name="MaskablePPO"))


if __name__ == "__main__":
    main()
