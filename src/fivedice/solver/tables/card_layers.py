"""The cards of a ruleset as arrays, in layers of equally many filled boxes; and `bonus_classes`, the upper totals that
are equal for the rest of a game."""

from functools import lru_cache

import numpy as np

from fivedice.solver.tables.states import Array, States


def layers_of_cards(states: States) -> list[Array]:
    """The card numbers with 0, 1, … boxes filled, up to those of a finished game, as int64[…] for each layer."""
    cards = np.arange(states.num_cards)
    filled = np.full(states.num_cards, states.num_filled_before, dtype=np.int8)
    for step, radix in zip(states.cards.steps, states.cards.radices, strict=True):
        filled += (cards // step % radix).astype(np.int8)
    order = np.argsort(filled, kind="stable")
    ends = np.searchsorted(filled[order], np.arange(states.ruleset.rounds + 1), side="right")
    return np.split(order, ends)[:-1]


@lru_cache(maxsize=1024)
def cards_after(states: States, first: tuple[int, ...]) -> tuple[Array, ...]:
    """The numbers of these cards and of all that follow one of them, with 0, 1, … boxes filled, as int64[…] each.

    Many positions of a simulation ask for the same cards.
    """
    steps = np.array([states.steps, states.radices, states.turns]).T.tolist()
    layers, after = list[Array](), np.zeros(0, dtype=np.int64)
    for num_filled in range(states.ruleset.rounds + 1):
        own = [card for card in first if len(states.filled(card)) == num_filled]
        now = np.union1d(after, np.array(own, dtype=np.int64))
        layers.append(now)
        after = np.concatenate([now[now // step % radix == turn] + step for step, radix, turn in steps])
    return tuple(layers)


def bonus_classes(states: States, cards: Array) -> Array:
    """int64[cards or 1, lanes]: the lowest lane from which the open upper boxes of the first column lead to the same
    bonus, whatever they will hold. A class is a range of lanes."""
    ruleset = states.ruleset
    upper = [i for i, box in enumerate(ruleset.boxes) if box.category.section == "upper" and box.column == 0]
    if not upper:
        return np.zeros((1, states.num_lanes), dtype=np.int64)
    points = [tuple(sorted(ruleset.attainable(ruleset.boxes[i].category))) for i in upper]
    # Only the differences between bonuses matter, not how many points they are.
    _, tiers = np.unique([ruleset.bonus_for(total) for total in states.column_totals[0]], return_inverse=True)
    is_open = np.stack([cards // states.steps[i] % states.radices[i] <= states.turns[i] for i in upper], axis=1)
    codes, which = np.unique(is_open @ (1 << np.arange(len(upper))), return_inverse=True)
    kinds = (tuple(p for bit, p in enumerate(points) if code >> bit & 1) for code in codes.tolist())
    return np.stack([_classes(kind, tuple(tiers.tolist())) for kind in kinds])[which]


@lru_cache(maxsize=1024)
def _classes(points: tuple[tuple[int, ...], ...], tiers: tuple[int, ...]) -> Array:
    """int64[lanes]: the classes if these points are possible in each open box; `tiers` has the bonus of each lane."""
    cap = len(tiers) - 1
    sums = np.zeros(1, dtype=np.int64)
    for of_box in points:
        sums = np.unique(np.minimum(sums[:, np.newaxis] + of_box, cap))
    tier_after = np.array(tiers)[np.minimum(np.arange(cap + 1)[:, np.newaxis] + sums, cap)]
    _, begins, same = np.unique(tier_after, axis=0, return_index=True, return_inverse=True)
    found: Array = begins[same.ravel()]
    return found
