# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""The `score_transitions` kernel: where filling a box leads, and what it writes, in many positions at once."""

from fivedice.solver.kernels.action_values import holds
from fivedice.solver.kernels.jit import compiled
from fivedice.solver.kernels.turn_offers import list_turn_offers
from fivedice.solver.states import BLOCK


@compiled
def score_transitions(dice, rules, indices, rolls, rolls_left, boxes, is_zero, work, out_after, out_points):
    """The turn state and the points that a legal score comes to, in N positions; they are given as in `action_values`.

    `boxes`, int64[N]: the box that is filled; `is_zero`, bool[N]: whether it takes a zero. `out_after`, int64[N]: the
    turn state after it; `out_points`, float64[N]: the points that it writes, extra bonus and multiplier included, the
    upper bonus not. A score that the rules do not offer leaves -1 and NaN.
    """
    first_roll = dice.num_small * BLOCK
    for number in range(indices.size):
        row, lane = divmod(indices[number], rules.stride)
        card, plane = divmod(row, rules.base_planes * rules.num_saved)
        saved, plane = divmod(plane, rules.base_planes)
        n, roll, box = rolls_left[number], rolls[number], boxes[number]
        plan, offers = work.later, rules.later
        if rules.has_first and n == rules.num_turn_rolls + saved - 1:
            plan, offers = work.first, rules.first
        list_turn_offers(rules, offers, dice.num_rolls, dice.num_unequal, card, plane, plan)
        place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
        after = -1
        out_points[number] = float("nan")
        for index in range(plan.count[0] if is_zero[number] and roll < plan.count[2] else 0):
            if offers.list[plan.floor_offers[index]].box == box:
                after = plan.floors[index] + place
                out_points[number] = 0.0
        for index in range(plan.count[1]):
            opened = plan.entries[index]
            offer = offers.list[opened.offer]
            if offer.box != box or (offer.value == 0.0) != is_zero[number]:
                continue
            if holds(rules.offer_rolls, opened.begin, opened.end, first_roll + roll * BLOCK):
                after = opened.source + place
                out_points[number] = opened.value
        # Lanes beyond the cap are the cap.
        out_after[number] = after - max(0, after % rules.stride - rules.num_lanes + 1)
