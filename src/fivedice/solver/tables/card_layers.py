"""The cards of a ruleset as arrays, in layers of equally many filled boxes."""

from functools import lru_cache

import numpy as np

from fivedice.solver.tables.states import Array, States


def layers_of_cards(states: States) -> list[Array]:
    """The card numbers with 0, 1, … boxes filled, up to those of a finished game, as int64[…] for each layer."""
    cards = np.arange(states.num_cards)
    filled = np.zeros(states.num_cards, dtype=np.int8)
    for step, radix in zip(states.cards.steps, states.cards.radices, strict=True):
        filled += (cards // step % radix).astype(np.int8)
    order = np.argsort(filled, kind="stable")
    ends = np.searchsorted(filled[order], np.arange(states.ruleset.boxes_to_fill + 1), side="right")
    return np.split(order, ends)[:-1]


@lru_cache(maxsize=1024)
def cards_after(states: States, first: tuple[int, ...]) -> tuple[Array, ...]:
    """The numbers of these cards and of all that follow one of them, with 0, 1, … boxes filled, as int64[…] each.

    Many positions of a simulation ask for the same cards.
    """
    steps = np.array([states.steps, states.radices, states.turns]).T.tolist()
    layers, after = list[Array](), np.zeros(0, dtype=np.int64)
    for num_filled in range(states.ruleset.boxes_to_fill + 1):
        own = [card for card in first if len(states.filled(card)) == num_filled]
        now = np.union1d(after, np.array(own, dtype=np.int64))
        layers.append(now)
        after = np.concatenate([now[now // step % radix == turn] + step for step, radix, turn in steps])
    return tuple(layers)
