"""Trains an actor and a critic by PPO of torchrl from points alone, and prints what the actor loses a game.

    pip install "fivedice[research]" torchrl
    python examples/learn_torchrl.py crag

`GymWrapper` makes the compiled vector one of torchrl's environments; `MaskedCategorical` draws legal actions only. The
mask is the end of the flat observation.
"""

import argparse
import time

import numpy as np
import torch
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.envs import GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from fivedice import evaluate, load_ruleset
from fivedice.envs import vector

NUM_ENVS, PARTS, EPOCHS, WIDTH, SCALE = 512, 16, 4, 128, 0.05
"""Points are multiplied by the scale, so that values are of the order of 1."""


class Layers(nn.Module):
    """Two layers that see all of a flat observation but the mask."""

    def __init__(self, num_seen: int, num_actions: int, num_out: int) -> None:
        super().__init__()
        self.num_actions = num_actions
        sizes = [(num_seen, WIDTH), (WIDTH, WIDTH)]
        self.body = nn.Sequential(*(part for size in sizes for part in (nn.Linear(*size), nn.ReLU())))
        self.head = nn.Linear(WIDTH, num_out)

    def forward(self, observation: Tensor) -> Tensor:
        return self.head(self.body(observation[..., : -self.num_actions]))


class Scores(Layers):
    """A score for each action, and the mask. Where a game is over, all actions count as legal."""

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        mask = observation[..., -self.num_actions :] > 0
        return super().forward(observation), mask | ~mask.any(dim=-1, keepdim=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", nargs="?", default="crag")
    parser.add_argument("--steps", type=int, default=2_400_000)
    parser.add_argument("--games", type=int, default=4_096, help="games of the evaluation")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)  # the matrices are small, and threads would wait for each other
    ruleset = load_ruleset(options.ruleset)
    length = ruleset.rounds * ruleset.rolls  # steps of the longest game
    envs = vector(ruleset, NUM_ENVS, observation="flat", autoreset_mode="SameStep")
    num_actions = int(envs.single_action_space.n)
    num_seen = envs.single_observation_space.shape[0] - num_actions
    scores = Scores(num_seen, num_actions, num_actions)
    env = GymWrapper(envs, categorical_action_encoding=True)
    actor = ProbabilisticActor(
        TensorDictModule(scores, in_keys=["observation"], out_keys=["logits", "mask"]),
        in_keys=["logits", "mask"],
        distribution_class=MaskedCategorical,
        spec=env.action_spec,
        return_log_prob=True,
    )
    critic = ValueOperator(Layers(num_seen, num_actions, 1), in_keys=["observation"])
    gains = GAE(gamma=1.0, lmbda=0.8, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.003, critic_coeff=0.5, normalize_advantage=True)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    rounds, began = max(1, options.steps // (NUM_ENVS * length)), time.perf_counter()
    for number in range(rounds):
        optimiser.param_groups[0]["lr"] = 1e-3 * (1 - number / rounds)
        with torch.no_grad():
            played = env.rollout(length, actor, break_when_any_done=False)
            played["next", "reward"] *= SCALE
            gains(played)
        steps = played.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.randperm(len(steps)).chunk(PARTS):
                found = loss(steps[part])
                optimiser.zero_grad()
                (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
    print(f"{rounds * NUM_ENVS * length:,} steps in {time.perf_counter() - began:.0f} s")

    @torch.no_grad()
    def likeliest(observation: np.ndarray) -> np.ndarray:
        logits, mask = scores(torch.from_numpy(observation))
        return logits.masked_fill(~mask, -torch.inf).argmax(dim=-1).numpy()

    print(evaluate(likeliest, ruleset, options.games, seed=2, observation="flat", name="torchrl"))


if __name__ == "__main__":
    main()
