"""`PolicyPlayer`: a policy for the Gymnasium environment as a player, for leagues and tables."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fivedice.envs.action_numbers import ActionNumbers, ruleset_of
from fivedice.envs.observations import Observations
from fivedice.envs.rewards import OBSERVATIONS, Observation, check_choice
from fivedice.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset


@dataclass(frozen=True)
class PolicyPlayer:
    """Asks a policy, a function of the observation that returns the number of an action.

    >>> from fivedice import parse_position
    >>> player = PolicyPlayer("crag", lambda observation: int(observation["action_mask"].argmax()))
    >>> str(player.choose(parse_position("crag ones=1 445 r0")))
    'score twos'
    """

    rules: str | Ruleset
    policy: Callable[[Any], int]
    observation: Observation = "dict"

    def __post_init__(self) -> None:
        check_choice("observation", self.observation, OBSERVATIONS)
        object.__setattr__(self, "rules", ruleset_of(self.rules))

    def choose(self, position: Position) -> Action:
        """Its answer; raises `IllegalError` if that is not legal."""
        assert isinstance(self.rules, Ruleset)
        observations = Observations(ActionNumbers(self.rules))
        parts = observations.of(position)
        seen = parts if self.observation == "dict" else observations.flat(parts)
        action = observations.numbers.action(int(self.policy(seen)))
        if why := position.why_illegal(action):
            raise IllegalError(f"the policy chose '{action}' in {position}, which is not legal: {why}")
        return action
