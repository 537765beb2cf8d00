# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""The `score_transitions` kernel: the next turn state and the points of a score, in many positions at once."""

from fivedice.solver.kernels.action_values import contains
from fivedice.solver.kernels.jit import compiled
from fivedice.solver.kernels.rows import split_index
from fivedice.solver.kernels.turn_offers import list_turn_offers
from fivedice.solver.tables.states import BLOCK


@compiled
def score_transitions(dice, rules, indices, rolls, rolls_left, boxes, is_zero, work, out_after, out_points):
    """The next turn state and the points of one legal score in each of N positions, given as in `action_values`.

    `boxes`, int64[N]: the box to fill; `is_zero`, bool[N]: whether with a zero. `out_after`, int64[N]: the next turn
    state; `out_points`, float64[N]: the points written, with extra bonus and multiplier, but without the upper bonus.
    A score that the rules do not offer gives -1 and NaN.
    """
    first_roll = dice.num_small * BLOCK
    for number in range(indices.size):
        card, plane, saved, lane = split_index(rules, indices[number])
        n, roll, box = rolls_left[number], rolls[number], boxes[number]
        offers, box_offers = work.later, rules.later
        if rules.has_first and n == rules.num_turn_rolls + saved - 1:
            offers, box_offers = work.first, rules.first
        list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)
        place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
        after = -1
        out_points[number] = float("nan")
        for index in range(offers.count[0] if is_zero[number] and roll < offers.count[2] else 0):
            if box_offers.list[offers.floor_offers[index]].box == box:
                after = offers.floors[index] + place
                out_points[number] = 0.0
        for index in range(offers.count[1]):
            entry = offers.entries[index]
            offer = box_offers.list[entry.offer]
            if offer.box != box or (offer.value == 0.0) != is_zero[number]:
                continue
            if contains(offers.rolls, entry.begin, entry.end, first_roll + roll * BLOCK):
                after = entry.next + place
                out_points[number] = entry.value
        # Lanes beyond the cap stand for the cap.
        out_after[number] = after - max(0, after % rules.stride - rules.num_lanes + 1)
