"""Agents from outside: `decider` makes a function from many positions at once to the numbers of actions of any of them,
and `play_outside` plays their games in many environments at once, with the exact loss of each decision.

An agent is an object with `choose`, which gets a position; an object with `predict`, as models of Stable-Baselines3
have it; or a function of a position or of observations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any, Literal, TypeAlias

import numpy as np

from fivedice.analysis.action_numbers import ActionNumbers
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError, MalformedError, wrong_type
from fivedice.envs.batch_cards import BatchCards, BatchValues
from fivedice.envs.observations import Observations, Parts
from fivedice.game.action import Action, as_action
from fivedice.game.position import Position
from fivedice.simulation.evaluation.losses import Losses
from fivedice.solver.solution import Solution
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


def play_outside(
    name: str,
    decide: Decider,
    solution: Solution,
    numbers: ActionNumbers,
    *,
    games: int,
    seed: int,
    batch: int,
    is_strict: bool,
    progress: Callable[[int, int], None],
) -> Losses:
    """So many games, at most `batch` at a time. An illegal action raises `IllegalError` if `is_strict`; else a random
    legal one is taken instead."""
    losses, chance = Losses(), np.random.default_rng(seed)
    size = min(batch, games)
    cards = BatchCards(numbers, size)
    state, values = cards.cards, BatchValues(cards.tables, solution)
    first_keep, first_announcement = numbers.first_keep, numbers.first_announcement
    for first in range(0, games, size):
        cards.seed(chance)
        cards.restart(np.ones(size, dtype=np.bool_))
        parts = cards.observe()
        running = np.arange(min(size, games - first))
        began = state.rolls_left[:, 0].copy()
        while running.size:
            values.values(state)
            asked = Asked(cards, running, {name: array[running] for name, array in parts.items()})
            actions = np.zeros(size, dtype=np.int64)
            actions[running] = decide(asked)
            loss = values.regrets(state, actions)
            wrong = running[np.isnan(loss[running])]
            if wrong.size:
                if is_strict:
                    position, action = cards.position(int(wrong[0])), numbers.action(int(actions[wrong[0]]))
                    why = position.why_illegal(action)
                    raise IllegalError(f"{name} chose '{action}' in {position}, which is not legal: {why}")
                actions[wrong] = cards.random_actions()[wrong]
                loss = values.regrets(state, actions)
            found, chosen = np.where(loss < EQUAL, 0.0, loss)[running], actions[running]
            number = (began - state.rolls_left[:, 0])[running]

            decision = partial(_decision, cards, running, chosen)
            losses.add(first + running, number, chosen >= first_keep, found, decision)
            losses.illegal += wrong.size
            _, over, _, shown = cards.step(actions, is_shown=True)
            parts = shown._asdict()
            is_scored = actions < first_announcement
            began[is_scored] = state.rolls_left[is_scored, 0]
            ended = running[over[running]]
            losses.add_scores(first + ended, state.card[ended, 4])
            running = running[~over[running]]
        progress(first + min(size, games - first), games)
    cards.close()
    return losses


def _decision(cards: BatchCards, envs: Array, actions: Array, row: int) -> tuple[Position, Action]:
    return cards.position(int(envs[row])), cards.numbers.action(int(actions[row]))
