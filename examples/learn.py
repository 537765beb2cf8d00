"""Trains a player from scratch by proximal policy optimisation, and measures its regret against the optimum.

    pip install "fivedice[research]" torch
    python examples/learn.py crag

It learns from points alone, on the CPU, in the vectorised environment. The solution of the rules is only used at the
points of the curve, to say how many points a game the player loses. Schulman et al., "Proximal policy
optimization algorithms" (2017), describe the method.
"""

import argparse
import time
from dataclasses import dataclass
from math import sqrt

import numpy as np
import torch
from torch import Tensor, nn

from fivedice import Ruleset, load_ruleset, solve
from fivedice.envs import VectorSolitaire, vector

NUM_ENVS, LENGTH = 2_048, 32
EPOCHS, PARTS = 4, 32
LAMBDA, CLIP = 0.8, 0.2
SCALE = 0.05
"""Points are multiplied by this, so that values are of the order of 1."""


class Player(nn.Module):
    """Two layers that all share, then a score for each action and a value of the position.

    In the observation, how many dice show a face is one number. The player also sees whether it is at least 1, at least
    2 and so on: with these features, it loses a quarter of what it loses without them.
    """

    def __init__(self, ruleset: Ruleset, num_features: int, num_actions: int, width: int = 256) -> None:
        super().__init__()
        self.num_faces, seen = ruleset.faces, num_features + ruleset.faces * ruleset.dice
        self.register_buffer("less", (torch.arange(ruleset.dice) + 0.5) / ruleset.dice)
        self.body = nn.Sequential(nn.Linear(seen, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, num_actions), nn.Linear(width, 1)

    def forward(self, features: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities of the actions, and the value."""
        reached = features[:, : self.num_faces, None] > self.less
        hidden = self.body(torch.cat([features, reached.flatten(1).float()], dim=1))
        scores = self.policy(hidden).masked_fill(~mask, -1e9)
        return torch.log_softmax(scores, dim=-1), self.value(hidden).squeeze(-1)


@dataclass
class Batch:
    """What one collection saw: tensors of shape [LENGTH, NUM_ENVS, …]."""

    features: Tensor
    mask: Tensor
    action: Tensor
    log_chance: Tensor
    value: Tensor
    reward: Tensor
    is_last: Tensor
    is_played: Tensor


def seen(observation: np.ndarray, num_actions: int) -> tuple[Tensor, Tensor]:
    """The features and the mask in a flat observation. Where the game is over, all actions count as legal."""
    features, mask = observation[:, :-num_actions], observation[:, -num_actions:] > 0
    mask[~mask.any(axis=1)] = True
    return torch.from_numpy(np.ascontiguousarray(features)), torch.from_numpy(mask)


@torch.no_grad()
def collect(envs: VectorSolitaire, player: Player, observation: np.ndarray, over: np.ndarray) -> tuple:
    """Plays LENGTH steps; the step after the end of a game only begins the next one, so it is not played."""
    steps = []
    for _ in range(LENGTH):
        features, mask = seen(observation, envs.single_action_space.n)
        log_chances, value = player(features, mask)
        action = torch.multinomial(log_chances.exp(), 1).squeeze(1)
        played = torch.from_numpy(~over)
        observation, reward, over, _, _ = envs.step(action.numpy())
        chosen = log_chances.gather(1, action[:, None]).squeeze(1)
        gained = torch.from_numpy(reward).float() * SCALE
        steps.append((features, mask, action, chosen, value, gained, torch.from_numpy(over), played))
    _, value = player(*seen(observation, envs.single_action_space.n))
    return Batch(*map(torch.stack, zip(*steps, strict=True))), value, observation, over


def advantages(batch: Batch, next_value: Tensor) -> Tensor:
    """Generalised advantage estimates, without a discount; games end within a hundred steps."""
    result, running = torch.zeros_like(batch.reward), torch.zeros(NUM_ENVS)
    for step in reversed(range(LENGTH)):
        goes_on = (~batch.is_last[step]).float()
        error = batch.reward[step] + goes_on * next_value - batch.value[step]
        running = error + LAMBDA * goes_on * running
        result[step] = running
        next_value = batch.value[step]
    return result


def improve(player: Player, optimiser: torch.optim.Optimizer, batch: Batch, next_value: Tensor, entropy: float) -> None:
    """Some epochs of clipped policy gradients over one batch."""
    gain = advantages(batch, next_value)
    kept = batch.is_played.flatten().nonzero().squeeze(1)
    goal = (gain + batch.value).flatten()
    gain = gain.flatten()
    gain = (gain - gain[kept].mean()) / (gain[kept].std() + 1e-8)
    features, mask = batch.features.flatten(0, 1), batch.mask.flatten(0, 1)
    action, before = batch.action.flatten(), batch.log_chance.flatten()
    for _ in range(EPOCHS):
        for part in kept[torch.randperm(len(kept))].chunk(PARTS):
            log_chances, value = player(features[part], mask[part])
            ratio = (log_chances.gather(1, action[part, None]).squeeze(1) - before[part]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            surrogate = torch.minimum(ratio * gain[part], clipped * gain[part]).mean()
            spread = -(log_chances.exp() * log_chances.clamp(min=-30)).sum(-1).mean()
            loss = -surrogate + 0.5 * (value - goal[part]).square().mean() - entropy * spread
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimiser.step()


@torch.no_grad()
def measure(player: Player, envs: VectorSolitaire) -> tuple[float, float, float, float]:
    """One game in each environment of the player's likeliest actions: means of score and regret, and their errors."""
    observation, infos = envs.reset(seed=2)
    regret, over = np.zeros(envs.num_envs), np.zeros(envs.num_envs, dtype=bool)
    score = np.zeros(envs.num_envs)
    while not over.all():
        action = player(*seen(observation, envs.single_action_space.n))[0].argmax(dim=1)
        observation, _, ended, _, infos = envs.step(action.numpy())
        regret += np.where(over, 0.0, infos["regret"])
        score[ended & ~over] = infos["score"][ended & ~over]
        over |= ended
    errors = [1.96 * array.std() / sqrt(array.size) for array in (score, regret)]
    return score.mean(), errors[0], regret.mean(), errors[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", nargs="?", default="crag")
    parser.add_argument("--steps", type=int, default=10_000_000)
    parser.add_argument("--games", type=int, default=16_384, help="games of each measurement")
    parser.add_argument("--points", type=int, default=10, help="points of the curve")
    options = parser.parse_args()
    torch.manual_seed(1)
    ruleset = load_ruleset(options.ruleset)
    solution = solve(ruleset)
    envs = vector(ruleset, NUM_ENVS, observation="flat")
    judge = vector(ruleset, options.games, observation="flat", solution=solution)
    num_actions = int(envs.single_action_space.n)
    player = Player(ruleset, envs.single_observation_space.shape[0] - num_actions, num_actions)
    optimiser = torch.optim.Adam(player.parameters(), lr=1e-3)
    observation, _ = envs.reset(seed=1)
    over, rounds, began = np.zeros(NUM_ENVS, dtype=bool), options.steps // (NUM_ENVS * LENGTH), time.perf_counter()
    print(f"{ruleset}: the optimum is {solution.expected_score:.2f} points a game")
    print(f"{'steps':>12}{'seconds':>9}{'score':>16}{'regret':>16}")
    for number in range(rounds + 1):
        if number % max(1, rounds // options.points) == 0 or number == rounds:
            score, score_error, regret, regret_error = measure(player, judge)
            figures = f"{score:>9.2f} ± {score_error:<4.2f}{regret:>9.2f} ± {regret_error:<4.2f}"
            print(f"{number * NUM_ENVS * LENGTH:>12,}{time.perf_counter() - began:>9.0f}{figures}", flush=True)
        left = 1 - number / (rounds + 1)
        optimiser.param_groups[0]["lr"] = 1e-3 * left
        batch, next_value, observation, over = collect(envs, player, observation, over)
        improve(player, optimiser, batch, next_value, entropy=0.01 * left)


if __name__ == "__main__":
    main()
