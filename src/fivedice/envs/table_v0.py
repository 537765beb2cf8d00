"""`TableEnv`: several seats at a table as a PettingZoo AEC environment, `fivedice/table_v0`."""

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from fivedice.analysis.action_arrays import ActionNumbers, ruleset_of
from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError
from fivedice.envs.episodes import Values, begun, check_choices, valued
from fivedice.envs.observations import CARD_PARTS, Observations
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import Array

_CHOICES = {"reward": ("outcome", "points", "score", "regret"), "render_mode": ("ansi",)}


def env(**options: Any) -> Any:
    """A table with the usual wrappers: an illegal action ends the game with the reward -1 for its seat."""
    found: Any = TableEnv(**options)
    found = wrappers.TerminateIllegalWrapper(found, illegal_reward=-1)
    found = wrappers.AssertOutOfBoundsWrapper(found)
    return wrappers.OrderEnforcingWrapper(found)


class TableEnv(AECEnv):  # type: ignore[misc] # PettingZoo has no type hints
    """
    ## Description

    Two to twelve seats play a game of any ruleset in turn, each on its own card. The first roll of a turn happens on
    its own, so that every step is a decision of the seat whose turn it is.

    ## Action Space

    That of `fivedice/Solitaire-v0`: `Discrete(n)`, boxes first, then keeps. The mask of the legal actions is in the
    observation and in the info of the agent that is to act; those of the other agents are all 0. `env` ends the game
    after an illegal action, with the reward -1 for its seat; the unwrapped table raises `IllegalError`.

    ## Observation Space

    A `Dict` of `observation`, a float32 vector, and `action_mask`, int8[n]. The vector has the dice and rolls left of
    the seat whose turn it is, then the agent's own card, then the cards of the others in the order in which they play
    after it. `fivedice.envs.observations` describes the parts of a card.

    ## Rewards

    - `reward="outcome"`: at the end, n · s − 1 for each of n seats, where s is its share of the first place: with two
      seats 1 for a win, −1 for a loss and 0 for a tie. The sum over the seats is 0.
    - `reward="points"`: what the action adds to its seat's result; `reward="score"`: each seat's result at the end.
    - `reward="regret"`: minus the exact loss of the action, in points; it needs a solution.

    ## Starting State

    Empty cards and a first roll. Seat 0 begins; the option `first` of `reset` names another seat, and the option
    `position` has a `Position` or its line of notation in which the game begins instead.

    ## Episode End

    The game terminates for all agents when every card is full, or at once after an outright win.

    ## Information

    For each agent: `action_mask`, `position` and `score`; with a `solution` also `value`, the expected result of the
    seat to act, and `regret`, the loss of the agent's last action; with an approximate one `error`, too.

    ## Version History

    - v0: Initial version.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "table_v0",
        "render_modes": list(_CHOICES["render_mode"]),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        ruleset: str | Ruleset = "yahtzee",
        *,
        num_seats: int = 2,
        reward: str = "outcome",
        solution: Values | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Raises `MalformedError` for an unknown choice, `IllegalError` for too many seats or the wrong solution."""
        super().__init__()
        self.ruleset = ruleset_of(ruleset)
        check_choices(self.ruleset, solution, _CHOICES, reward=reward, render_mode=render_mode)
        self.reward, self.solution, self.render_mode = reward, solution, render_mode
        self.numbers = ActionNumbers(self.ruleset)
        self.observations = Observations(self.numbers)
        self._position = Position.start(self.ruleset, num_seats)
        self._results = [0] * num_seats
        self._np_random, _ = gymnasium.utils.seeding.np_random()
        self.possible_agents = [f"seat_{seat}" for seat in range(num_seats)]
        self.agents: list[str] = []
        names = ("dice", "rolls_left", *CARD_PARTS * num_seats)
        space = spaces.Dict(
            {
                "observation": self.observations.flat_space(names),
                "action_mask": spaces.Box(0, 1, (self.numbers.size,), dtype=np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(self.numbers.size) for agent in self.possible_agents}

    @property
    def position(self) -> Position:
        """The position now."""
        return self._position

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the options `first` and `position` say where. Raises `IllegalError` if that is not possible."""
        if seed is not None:
            self._np_random, _ = gymnasium.utils.seeding.np_random(seed)
        options, num_seats = options or {}, len(self.possible_agents)
        start = options.get("position") or Position.start(self.ruleset, num_seats, options.get("first", 0))
        self._position = position = begun(start, self.ruleset, num_seats, self._np_random)
        self._results = [card.result if card.num_filled else 0 for card in position.cards]
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, position.is_over)
        self.truncations = dict.fromkeys(self.agents, False)
        self._regrets = dict.fromkeys(self.agents, 0.0)
        self._select()

    def step(self, action: Any) -> None:
        """One decision of the selected agent; raises `IllegalError` if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        position, seat = self._position, self._position.seat
        chosen = self.numbers.action(int(action))
        if position.why_illegal(chosen):
            raise IllegalError(f"{chosen} is not legal in {position}: {position.why_illegal(chosen)}")
        if self.solution is not None:
            self._regrets[agent] = advise(self.solution, position).of(chosen).loss
        if isinstance(chosen, Keep):
            self._position = position.play(chosen, self._np_random)
        else:
            self._position = begun(position.play(chosen), self.ruleset, len(position.cards), self._np_random)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._reward(agent, seat)
        if self._position.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()

    def observe(self, agent: str) -> Any:
        """What an agent sees, as new arrays."""
        position, seat = self._position, self.possible_agents.index(agent)
        parts = self.observations.of(position)
        cards = [*position.cards[seat:], *position.cards[:seat]]
        found = [self.observations.flat(parts, ("dice", "rolls_left"))]
        found += [self.observations.flat(self.observations.of_card(card), CARD_PARTS) for card in cards]
        return {"observation": np.concatenate(found), "action_mask": self._mask(agent)}

    def render(self) -> Any:
        """The position in notation."""
        return str(self._position) if self.render_mode == "ansi" else None

    def _reward(self, agent: str, seat: int) -> None:
        after = self._position
        if self.reward == "points":
            self.rewards[agent] = float(after.cards[seat].result - self._results[seat])
            self._results[seat] = after.cards[seat].result
        elif self.reward == "regret":
            self.rewards[agent] = -self._regrets[agent]
        elif after.is_over:
            share = len(after.cards) / len(after.winners)
            for number, name in enumerate(self.agents):
                result, outcome = after.cards[number].result, share * (number in after.winners) - 1.0
                self.rewards[name] = float(result) if self.reward == "score" else outcome

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self._position.seat]
        self.infos = {}
        for agent, card in zip(self.agents, self._position.cards, strict=True):
            self.infos[agent] = {
                "action_mask": self._mask(agent),
                "position": str(self._position),
                "score": card.total,
                **valued(self.solution, self._position, self._regrets[agent]),
            }

    def _mask(self, agent: str) -> Array:
        if agent == self.agent_selection and not self._position.is_over:
            return self.numbers.mask(self._position)
        return np.zeros(self.numbers.size, dtype=np.int8)


raw_env = TableEnv
