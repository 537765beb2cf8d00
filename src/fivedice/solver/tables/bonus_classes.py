"""`bonus_classes`: which upper totals are equal for the rest of a game, since the same upper bonus will follow."""

from functools import lru_cache

import numpy as np

from fivedice.solver.tables.states import Array, States


def bonus_classes(states: States, cards: Array) -> Array:
    """int64[cards or 1, lanes]: the lowest lane from which the open upper boxes of the first column lead to the same
    bonus, whatever they will hold. A class is a range of lanes."""
    ruleset = states.ruleset
    upper = [i for i, box in enumerate(ruleset.boxes) if box.category.section == "upper" and box.column == 0]
    if not upper:
        return np.zeros((1, states.num_lanes), dtype=np.int64)
    points = [tuple(sorted(ruleset.attainable(ruleset.boxes[i].category))) for i in upper]
    # Only the differences between bonuses matter, not how many points they are.
    _, tiers = np.unique([ruleset.bonus_for(total) for total in range(states.num_lanes)], return_inverse=True)
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
