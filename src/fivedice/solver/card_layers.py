"""The cards of a ruleset as arrays, in layers of equally many filled boxes."""

import numpy as np

from fivedice.solver.states import Array, States


def layers_of_cards(states: States) -> list[Array]:
    """The card numbers with 0, 1, … boxes filled, up to those of a finished game, as int64[…] for each layer."""
    cards = np.arange(states.num_cards)
    filled = np.zeros(states.num_cards, dtype=np.int8)
    for step, radix in zip(states.cards.steps, states.cards.radices, strict=True):
        filled += (cards // step % radix).astype(np.int8)
    order = np.argsort(filled, kind="stable")
    ends = np.searchsorted(filled[order], np.arange(states.ruleset.boxes_to_fill + 1), side="right")
    return np.split(order, ends)[:-1]
