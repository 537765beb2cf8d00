"""`Decider`: an agent of any kind as a function from many positions at once to the numbers of actions.

`decider` makes one of an object with `choose_many` or `choose`, which get positions; of an object with `predict`, as
models of Stable-Baselines3 have it; or of a function of a position or of observations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal, TypeAlias

import numpy as np

from fivedice.base.errors import MalformedError, wrong_type
from fivedice.envs.batch_cards import BatchCards
from fivedice.envs.observations import Observations, Parts
from fivedice.game.action import Action, as_action
from fivedice.game.position import Position
from fivedice.solver.tables.states import Array

Seen: TypeAlias = Literal["position", "dict", "flat"]
SEEN: Sequence[Seen] = ("position", "dict", "flat")
"""What a function is given: one `Position`, or observations of N environments."""


@dataclass(frozen=True)
class Asked:
    """N positions that wait for a decision: their environments, int64[N], and what is observed in these."""

    cards: BatchCards
    envs: Array
    parts: Parts

    @property
    def positions(self) -> list[Position]:
        """The positions, as the engine has them."""
        return [self.cards.position(env) for env in self.envs.tolist()]


Decider: TypeAlias = Callable[[Asked], Array]
"""int64[N]: the numbers of the actions, which need not be legal."""


def decider(name: str, policy: Any, observations: Observations, seen: Seen) -> Decider:
    """The decider of an agent; raises `TypeError` for what is none, `MalformedError` for unknown observations."""
    numbers = observations.numbers

    def of_actions(actions: Sequence[Action | str]) -> Array:
        return np.array([numbers.number(as_action(action)) for action in actions], dtype=np.int64)

    if hasattr(policy, "choose_many"):
        return lambda asked: of_actions(policy.choose_many(asked.positions))
    if hasattr(policy, "choose"):
        return lambda asked: of_actions([policy.choose(position) for position in asked.positions])
    if hasattr(policy, "predict"):
        return _predicting(name, policy, observations)
    if not callable(policy):
        raise wrong_type("the name of a player, a function, or an object with choose or predict", policy)
    if seen == "position":
        return lambda asked: of_actions([policy(position) for position in asked.positions])
    return lambda asked: _checked(name, policy(observations.returned(asked.parts, seen)), asked)


def _predicting(name: str, model: Any, observations: Observations) -> Decider:
    """The decider of a model with `predict`, which is given masks if it takes them."""
    space = getattr(model, "observation_space", None)
    forms = [(kind, mask) for kind in ("dict", "flat") for mask in (True, False)]
    form = next(((kind, mask) for kind, mask in forms if observations.space(kind, mask=mask) == space), None)
    if form is None:
        raise MalformedError(
            f"{name} observes {space}, which is no observation of {observations.numbers.ruleset}: pass a function"
        )
    takes_masks = "action_masks" in signature(model.predict).parameters

    def decide(asked: Asked) -> Array:
        shown = observations.returned(asked.parts, form[0], mask=form[1])
        masks = {"action_masks": asked.parts["action_mask"].astype(np.bool_)} if takes_masks else {}
        return _checked(name, model.predict(shown, deterministic=True, **masks)[0], asked)

    return decide


def _checked(name: str, actions: Any, asked: Asked) -> Array:
    """The actions as int64[N]; raises `MalformedError` for other arrays."""
    found, most = np.asarray(actions), asked.cards.numbers.size - 1
    if found.shape != asked.envs.shape or found.dtype.kind not in "iu" or found.min() < 0 or found.max() > most:
        wanted = f"{asked.envs.size} whole numbers from 0 to {most}"
        raise MalformedError(f"{name} answered {found.dtype} of the shape {found.shape}: want {wanted}")
    return found.astype(np.int64)
