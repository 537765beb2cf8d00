"""`VectorSolitaire`: many cards of one ruleset at once as a Gymnasium vector environment.

Its cards are rows of arrays that compiled kernels play on all processors. Step by step it equals `SolitaireEnv` under
the same dice.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from fivedice.analysis.action_arrays import ActionNumbers, ruleset_of
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.envs.batch_cards import BatchCards, BatchValues
from fivedice.envs.episodes import (
    CHOICES,
    PENALTY,
    Illegal,
    Observation,
    Reward,
    Values,
    check_choices,
    outcomes,
    rendered,
)
from fivedice.envs.observations import Observations, Parts
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array

_CHOICES = CHOICES | {"render_mode": ("ansi", "rgb_array")}


class VectorSolitaire(VectorEnv[Any, Any, Any]):
    """`num_envs` copies of `fivedice/Solitaire-v0`, with its spaces, rewards and information as arrays.

    Observations are new arrays at every step; `infos["action_mask"]` is the same array as that of the observation.
    Episodes restart as `autoreset_mode` says: by default at the next step, whose action counts for nothing. In the mode
    `SAME_STEP`, `infos["final_obs"]` and `infos["final_info"]` have the end of each finished episode. In the mode
    `DISABLED`, `reset(options={"reset_mask": …})` restarts those of a mask, bool[num_envs].

    The seed of `reset` determines all dice, whatever the number of threads.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "yahtzee",
        num_envs: int = 1,
        *,
        reward: Reward = "points",
        observation: Observation = "dict",
        solution: Values | None = None,
        illegal: Illegal = "random",
        observe_mask: bool = True,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
    ) -> None:
        """Raises `MalformedError` for an unknown choice, and `IllegalError` for the solution of other rules."""
        self.ruleset = ruleset_of(ruleset)
        chosen = {"reward": reward, "observation": observation, "illegal": illegal, "render_mode": render_mode}
        check_choices(self.ruleset, solution, _CHOICES, **chosen)
        if solution is not None and not isinstance(solution, Solution):
            raise IllegalError(f"{solution.ruleset} has no exact solution: vectors of environments need one")
        if num_envs < 1:
            raise MalformedError(f"{num_envs} environments: want at least 1")
        self.num_envs, self.reward, self.kind = num_envs, reward, observation
        self.illegal, self.observe_mask, self.render_mode = illegal, observe_mask, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": list(_CHOICES["render_mode"])}
        self.numbers = ActionNumbers(self.ruleset)
        self.observations = Observations(self.numbers)
        self.single_observation_space = self.observations.space(observation, mask=observe_mask)
        self.single_action_space = gymnasium.spaces.Discrete(self.numbers.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = BatchCards(self.numbers, num_envs, threads)
        self._tables, self._cards = self._batch.tables, self._batch.cards
        self._values = BatchValues(self._tables, solution) if solution is not None else None
        self._over = np.ones(num_envs, dtype=np.bool_)
        self._is_begun = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes in all environments, or in those of the option `reset_mask`. With the option `positions`,
        a `Position` or its line of notation for each environment, they begin there.

        Raises `MalformedError` for a list of seeds: one seed determines the dice of all environments.
        """
        if isinstance(seed, list):
            raise MalformedError("a list of seeds: want one number, which determines the dice of all environments")
        super().reset(seed=seed)
        if seed is not None or not self._is_begun:
            self._batch.seed(self.np_random)
        which = np.ones(self.num_envs, dtype=np.bool_)
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            which = np.asarray(mask)
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise MalformedError(f"reset_mask: want an array of {self.num_envs} booleans, not all false")
            if not self._is_begun:
                raise gymnasium.error.ResetNeeded("call reset without a mask first")
        self._is_begun = True
        self._over[which] = False
        positions = (options or {}).get("positions")
        if positions is not None:
            self._batch.place(list(positions), which, self.np_random)
            self._over[:] = self._cards.roll < 0
        self._batch.restart(which, is_placed=positions is not None)
        parts = self._batch.observe()
        return self._returned(parts), self._infos(parts, np.zeros(self.num_envs, dtype=np.bool_))

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """One decision in each environment: actions, int[num_envs]. Raises `MalformedError` for impossible ones."""
        if not self._is_begun:
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        actions = np.ascontiguousarray(actions, dtype=np.int64)
        if actions.shape != (self.num_envs,) or actions.min() < 0 or actions.max() >= self.numbers.size:
            raise MalformedError(f"actions: want {self.num_envs} numbers from 0 to {self.numbers.size - 1}")
        mode = self.autoreset_mode
        if mode is AutoresetMode.DISABLED and self._over.any():
            raise gymnasium.error.ResetNeeded("episodes are over: call reset with the option reset_mask")
        was_over = self._over
        illegal = self._batch.is_illegal(actions)
        if illegal.any():
            actions = self._replaced(actions, illegal)
        regret = self._values.regrets(self._cards, actions) if self._values is not None else None
        points, over, _, shown = self._batch.step(actions, is_shown=mode is not AutoresetMode.SAME_STEP)
        parts = shown._asdict()
        self._over = over
        rewards = self._rewards(points, over, regret, was_over)
        if self.illegal == "penalty":
            rewards[illegal] -= PENALTY
        infos: dict[str, Any] = {}
        if mode is AutoresetMode.SAME_STEP:
            if over.any():
                infos = self._finals(over, illegal, regret)
                self._batch.restart(over)
            parts = self._batch.observe()
            self._over = np.zeros_like(over)
        if regret is not None:
            regret[was_over] = 0.0
        infos |= self._infos(parts, illegal, regret)
        return self._returned(parts), rewards, over.copy(), np.zeros_like(over), infos

    def _replaced(self, actions: Array, illegal: Array) -> Array:
        """The actions, with random legal ones in place of those that are illegal, bool[N]."""
        if self.illegal == "error":
            env = int(illegal.argmax())
            position, action = self.position(env), self.numbers.action(int(actions[env]))
            raise IllegalError(
                f"environment {env}: {action} is not legal in {position}: {position.why_illegal(action)}"
            )
        return np.where(illegal, self._batch.random_actions(), actions)

    def action_masks(self) -> Array:
        """bool[num_envs, n]: whether each action is legal; all false where an episode is over."""
        if not self._is_begun:
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        return self._batch.observe()["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """A tuple with what `SolitaireEnv.render` returns for each environment."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.position(env), self.render_mode) for env in range(self.num_envs))

    def random_actions(self) -> Array:
        """int64[num_envs]: legal actions, each with the same chance, drawn from a stream of their own."""
        if not self._is_begun:
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        return self._batch.random_actions()

    def outcomes(self, keep: int) -> tuple[Array, Array]:
        """The rolls that can follow a keep, given by its action: int8[…, F], the dice that show each face; and their
        probabilities, float64[…]. `fivedice.envs.outcomes` has the exact fractions."""
        action = self.numbers.action(keep)
        if not isinstance(action, Keep):
            raise IllegalError(f"'{action}' is not a keep")
        found = outcomes(self.ruleset, action.dice)
        faces = range(1, self.ruleset.faces + 1)
        counts = np.array([[outcome.dice.count(face) for face in faces] for outcome in found], dtype=np.int8)
        return counts, np.array([float(outcome.probability) for outcome in found])

    def position(self, env: int) -> Position:
        """The position of one environment, as the engine has it."""
        return self._batch.position(env)

    def close_extras(self, **_: Any) -> None:
        """Ends the threads."""
        self._batch.close()

    def _returned(self, parts: Parts) -> Any:
        return self.observations.returned(parts, self.kind, mask=self.observe_mask)

    def _rewards(self, points: Array, over: Array, regret: Array | None, counts_not: Array) -> Array:
        if self.reward == "points":
            return points
        if self.reward == "regret":
            assert regret is not None
            return np.where(counts_not, 0.0, -regret)
        cards = self._cards
        outright = np.where(cards.won, self._tables.outright[self.ruleset.rounds - cards.num_filled], 0)
        return np.where(over & ~counts_not, cards.card[:, 4] + outright, 0).astype(np.float64)

    def _infos(self, parts: Parts, illegal: Array, regret: Array | None = None) -> dict[str, Any]:
        infos = {"action_mask": parts["action_mask"], "score": parts["card"][:, 4].copy(), "is_illegal": illegal}
        if self._values is not None:
            infos["value"] = self._values.values(self._cards)
            infos["regret"] = np.zeros(self.num_envs) if regret is None else regret
        return infos | {f"_{name}": np.ones(self.num_envs, dtype=np.bool_) for name in infos}

    def _finals(self, over: Array, illegal: Array, regret: Array | None) -> dict[str, Any]:
        """The last observations and infos of the episodes that are over, one object each, as Gymnasium has them."""
        parts = self._batch.observe()
        returned, infos = self._returned(parts), self._infos(parts, illegal, regret)
        finals: dict[str, Any] = {}
        for env in np.flatnonzero(over).tolist():
            if self.kind == "dict":
                final: Any = {name: array[env].copy() for name, array in returned.items()}
            else:
                final = returned[env].copy()
            info = {name: array[env] for name, array in infos.items() if not name.startswith("_")}
            info["action_mask"] = info["action_mask"].copy()
            finals = self._add_info(finals, {"final_obs": final, "final_info": info}, env)
        return finals


def vector(ruleset: str | Ruleset, num_envs: int, **options: Any) -> VectorSolitaire:
    """`num_envs` environments of a ruleset as one, as `VectorSolitaire` describes.

    >>> envs = vector("yahtzee", 3)
    >>> observation, infos = envs.reset(seed=1)
    >>> observation["action_mask"].shape
    (3, 475)
    >>> observation, rewards, terminations, truncations, infos = envs.step(envs.random_actions())
    >>> rewards.shape
    (3,)
    """
    return VectorSolitaire(ruleset, num_envs, **options)
