"""Trains a player from scratch by proximal policy optimisation in plain NumPy, and prints what it loses a game.

    pip install "fivedice[research]"
    python examples/ppo.py crag

`learn.py` does the same with PyTorch, and explains more. The network is two layers that policy and value share; it sees
the position without the mask, and of each face whether at least 1, 2, … dice show it.
"""

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small, and threads would wait for each other

import numpy as np

from fivedice import evaluate, load_ruleset, solve
from fivedice.envs import vector

NUM_ENVS, LENGTH, WIDTH = 1_024, 32, 128
EPOCHS, PARTS, CLIP, LAMBDA, SCALE = 3, 16, 0.2, 0.8, 0.05


class Network:
    """Weights with the running means of Adam; `forward` keeps what `backward` needs."""

    def __init__(self, ruleset, num_seen: int, num_actions: int) -> None:
        self.faces, self.less = ruleset.faces, ((np.arange(ruleset.dice) + 0.5) / ruleset.dice).astype(np.float32)
        chance = np.random.default_rng(1)
        sizes = [(num_seen + ruleset.faces * ruleset.dice, WIDTH), (WIDTH, WIDTH), (WIDTH, num_actions + 1)]
        self.weights = [chance.normal(0, (2 / size[0]) ** 0.5, size).astype(np.float32) for size in sizes]
        self.weights[2] *= 0.1
        self.weights += [np.zeros(size[1], dtype=np.float32) for size in sizes]
        self.first, self.second = ([np.zeros_like(weight) for weight in self.weights] for _ in range(2))
        self.steps = 0

    def forward(self, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log-probabilities of the actions, float32[N, A], and values, float32[N]."""
        reached = (seen[:, : self.faces, None] > self.less).reshape(len(seen), -1)
        self.inputs = [np.concatenate([seen, reached], axis=1, dtype=np.float32)]
        for weight, bias in zip(self.weights[:2], self.weights[3:5], strict=True):
            self.inputs.append(np.maximum(self.inputs[-1] @ weight + bias, 0))
        found = self.inputs[-1] @ self.weights[2] + self.weights[5]
        scores = np.where(mask, found[:, :-1], -1e9)
        scores -= scores.max(axis=1, keepdims=True)
        return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)), found[:, -1]

    def backward(self, slope: np.ndarray, rate: float) -> None:
        """One step of Adam down the slope of the loss by the outputs, float32[N, A + 1]."""
        slopes: list[np.ndarray | None] = [None] * 6
        for layer in (2, 1, 0):
            slopes[layer], slopes[3 + layer] = self.inputs[layer].T @ slope, slope.sum(axis=0)
            slope = (slope @ self.weights[layer].T) * (self.inputs[layer] > 0)
        size = sum(float((one**2).sum()) for one in slopes) ** 0.5
        self.steps += 1
        for weight, one, mean, square in zip(self.weights, slopes, self.first, self.second, strict=True):
            one *= min(1.0, 0.5 / size)
            mean += 0.1 * (one - mean)
            square += 0.001 * (one**2 - square)
            unbiased = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weight -= rate / (1 - 0.9**self.steps) * mean / unbiased


def collect(envs, network: Network, chance, observation, over) -> tuple:
    """LENGTH steps of all environments, the value after them, and where they are then."""
    steps, num_actions = [], envs.single_action_space.n
    for _ in range(LENGTH):
        seen, mask = observation[:, :-num_actions], observation[:, -num_actions:] > 0
        mask[~mask.any(axis=1)] = True
        log_chances, value = network.forward(seen, mask)
        action = (log_chances + chance.gumbel(size=mask.shape).astype(np.float32)).argmax(axis=1)
        chosen, played = log_chances[np.arange(len(action)), action], ~over
        observation, reward, over, _, _ = envs.step(action)
        steps.append((seen, mask, action, chosen, value, reward.astype(np.float32) * SCALE, ~over, played))
    after = network.forward(observation[:, :-num_actions], np.ones_like(mask))[1]
    return [np.stack(one) for one in zip(*steps, strict=True)], after, observation, over


def improve(network: Network, batch: list, after: np.ndarray, chance, rate: float, entropy: float) -> None:
    """Some epochs of clipped policy gradients over what was collected."""
    seen, mask, action, before, value, reward, goes_on, played = batch
    gain, running = np.zeros_like(value), np.zeros_like(after)
    for step in reversed(range(LENGTH)):
        running = reward[step] + goes_on[step] * (after + LAMBDA * running) - value[step]
        gain[step], after = running, value[step]
    goal = gain + value
    kept = np.flatnonzero(played.ravel())
    gain = (gain - gain[played].mean()) / (gain[played].std() + 1e-8)
    seen, mask = (one.reshape(-1, one.shape[2]) for one in (seen, mask))
    action, before, gain, goal = (one.ravel() for one in (action, before, gain, goal))
    for _ in range(EPOCHS):
        for part in np.array_split(chance.permutation(kept), PARTS):
            log_chances, found = network.forward(seen[part], mask[part])
            rows, chances = np.arange(part.size), np.exp(log_chances)
            ratio = np.exp(log_chances[rows, action[part]] - before[part])
            is_free = np.where(gain[part] > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            pull = (-gain[part] * ratio * is_free)[:, None]
            logs = np.maximum(log_chances, -30)
            spread = -(chances * logs).sum(axis=1, keepdims=True)
            slope = np.empty((part.size, mask.shape[1] + 1), dtype=np.float32)
            slope[:, :-1] = -pull * chances + entropy * chances * (logs + spread)
            slope[rows, action[part]] += pull[:, 0]
            slope[:, -1] = found - goal[part]
            network.backward(slope / part.size, rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", nargs="?", default="crag")
    parser.add_argument("--steps", type=int, default=6_000_000)
    parser.add_argument("--games", type=int, default=4_096, help="games of each measurement")
    options = parser.parse_args()
    ruleset, chance = load_ruleset(options.ruleset), np.random.default_rng(1)
    solution, envs = solve(ruleset), vector(ruleset, NUM_ENVS, observation="flat")
    num_actions = int(envs.single_action_space.n)
    network = Network(ruleset, envs.single_observation_space.shape[0] - num_actions, num_actions)

    def likeliest(observation: np.ndarray) -> np.ndarray:
        return network.forward(observation[:, :-num_actions], observation[:, -num_actions:] > 0)[0].argmax(axis=1)

    observation, _ = envs.reset(seed=1)
    over, began, rounds = np.zeros(NUM_ENVS, dtype=bool), time.perf_counter(), options.steps // (NUM_ENVS * LENGTH)
    for number in range(rounds):
        left = 1 - number / rounds
        batch, after, observation, over = collect(envs, network, chance, observation, over)
        improve(network, batch, after, chance, rate=1e-3 * left, entropy=0.01 * left)
        if number % max(1, rounds // 5) == 0 or number == rounds - 1:
            given = {"observation": "flat", "solution": solution, "name": "ppo"}
            found = evaluate(likeliest, ruleset, options.games, seed=2, **given)
            steps, seconds = (number + 1) * NUM_ENVS * LENGTH, time.perf_counter() - began
            print(
                f"{steps:>10,} steps {seconds:>5.0f} s  loses {found.loss} points a game, scores {found.score}",
                flush=True,
            )


if __name__ == "__main__":
    main()
