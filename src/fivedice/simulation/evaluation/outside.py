"""`play_outside`: games of an agent from outside in many environments at once, with the exact loss of each decision."""

from collections.abc import Callable
from functools import partial

import numpy as np

from fivedice.analysis.action_numbers import ActionNumbers
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError
from fivedice.envs.batch_cards import BatchCards, BatchValues
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.simulation.evaluation.losses import Losses
from fivedice.simulation.evaluation.policies import Asked, Decider
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array


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
            _, over, _, parts = cards.step(actions, is_shown=True)
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
