"""Steps a second of the vectorised environment under random legal actions: part of `make bench-research`.

Beside it, in the same run: a loop over the engine in plain Python, the Gymnasium environment, and OpenSpiel's `yacht`
from Python, which is installed into its own environment. A step is one decision with its dice; masks are computed.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from solve import machine

from fivedice.envs import vector
from fivedice.envs.solitaire import SolitaireEnv
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.solver.solve import solve

BAR = 10e6
"""Steps a second on two cores."""
NUM_ENVS = 4_096
"""Their masks and those of the step before fit into the processors' caches."""
STEPS = 480
RUNS = 9
PEER = "open-spiel==2.0.2"

PEER_SCRIPT = """
import json, random, time, pyspiel
game, chance, steps = pyspiel.load_game("yacht"), random.Random(1), 0
began = time.perf_counter()
while time.perf_counter() - began < 3:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
print(json.dumps(steps / (time.perf_counter() - began)))
"""


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; one solve of yahtzee takes {solve_seconds():.2f} s\n")
    print(f"{'environment':<44}{'steps/s':>14}{'bar':>14}{'ratio':>8}")
    rate, by_processor = vector_rate("yahtzee")
    show(f"fivedice.envs.vector('yahtzee', {NUM_ENVS:,})", rate, BAR)
    show("  for each second of a processor", by_processor)
    for name in ("yatzy", "maxi_yatzy", "triple_yahtzee"):
        show(f"fivedice.envs.vector({name!r}, {NUM_ENVS:,})", vector_rate(name)[0])
    show("fivedice/Solitaire-v0, one processor", single_rate())
    show("engine in plain Python, one processor", loop_rate())
    show(f"{PEER} yacht from Python, one processor", peer_rate())


def solve_seconds() -> float:
    """Seconds of a solve with compiled kernels: what the figures compare with on a busy or slow machine."""
    solve("crag")
    return solve("yahtzee").seconds


def show(name: str, rate: float, bar: float | None = None) -> None:
    """A line of the table; a ratio above 1 is better than the bar."""
    print(f"{name:<44}{rate:>14,.0f}" + (f"{bar:>14,.0f}{rate / bar:>8.2f}" if bar else ""))


def vector_rate(ruleset: str) -> tuple[float, float]:
    """Steps a second, and for each second of a processor; steps that only restart an episode do not count."""
    envs = vector(ruleset, NUM_ENVS)
    _, infos = envs.reset(seed=1)
    over, rates, by_processor = envs.step(envs.random_actions())[2], [], []
    for _ in range(RUNS):
        played, began, used = 0, perf_counter(), process_time()
        for _ in range(STEPS):
            played += NUM_ENVS - int(over.sum())
            _, _, over, _, infos = envs.step(envs.random_actions())
            if infos["is_illegal"].any():
                sys.exit("an action was illegal")
        rates.append(played / (perf_counter() - began))
        by_processor.append(played / (process_time() - used))
    envs.close()
    return median(rates), median(by_processor)


def single_rate() -> float:
    """Steps a second of the Gymnasium environment."""
    env = SolitaireEnv("yahtzee")
    _, info = env.reset(seed=1)
    steps, began = 0, perf_counter()
    while perf_counter() - began < 3:
        over = env.step(env.action_space.sample(info["action_mask"]))
        steps, info = steps + 1, over[4]
        if over[2]:
            _, info = env.reset()
    return steps / (perf_counter() - began)


def loop_rate() -> float:
    """Steps a second of a loop over positions."""
    ruleset, chance = load_ruleset("yahtzee"), random.Random(1)

    def rolled(number: int) -> tuple[int, ...]:
        return tuple(chance.randint(1, ruleset.faces) for _ in range(number))

    steps, began = 0, perf_counter()
    while perf_counter() - began < 3:
        position = Position.start(ruleset)
        while not position.is_over:
            if not position.dice:
                position = position.roll(rolled(ruleset.dice))
            action = chance.choice(position.actions())
            dice = rolled(ruleset.dice - len(action.dice)) if isinstance(action, Keep) else ()
            position = position.play(action, dice)
            steps += 1
    return steps / (perf_counter() - began)


def peer_rate() -> float:
    """Steps a second of OpenSpiel; dice and decisions are separate actions there, and only decisions count."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PEER]
        subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
        return float(json.loads(subprocess.run([python, "-c", PEER_SCRIPT], check=True, capture_output=True).stdout))


if __name__ == "__main__":
    main()
