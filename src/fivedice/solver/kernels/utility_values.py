# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""`utility_values`: the best expected utilities of all actions of one position, as `action_values` for points."""

from fivedice.solver.kernels.action_values import contains
from fivedice.solver.kernels.jit import compiled
from fivedice.solver.kernels.layers import average, mean
from fivedice.solver.kernels.objective_layers import find_places, utility_place, value_turn
from fivedice.solver.kernels.objective_workspace import list_offers
from fivedice.solver.kernels.rows import split_index
from fivedice.solver.kernels.simd import broadcast, store
from fivedice.solver.tables.states import BLOCK


@compiled
def utility_values(
    dice,
    rules,
    lists,
    index,
    deficit,
    roll,
    rolls_left,
    rows,
    row_of,
    values,
    work,
    out_scores,
    out_zeros,
    out_keeps,
):
    """The best expected utility of every action in the turn state with this index, at one deficit.

    `rows`, `row_of` and `values` are those of an `Objective`. `out_scores` and `out_zeros`, float64[B], and
    `out_keeps`, float64[…], are as in `action_values`. Before the first roll, for which `roll` is negative, the utility
    of the turn is written to `out_keeps[0]`.
    """
    x = work.x
    first_roll = dice.num_small * BLOCK
    spare = first_roll + 2 * dice.num_rolls * BLOCK
    store(x, spare + BLOCK, broadcast(0.0))
    card, plane, saved, lane = split_index(rules, index)
    num_levels = rules.num_turn_rolls + saved
    list_offers(dice, rules, card, plane, work)
    find_places(rules, num_levels, lane, row_of, work, rows)
    n = num_levels if roll < 0 else rolls_left
    for number in range(BLOCK):
        work.deficits[number] = deficit + number
    value_turn(dice, rules, n, num_levels, values, work)
    if roll < 0:
        mean(dice.chance, first_roll, spare, x)
        out_keeps[0] = x[spare]
        return
    if n > 0:
        average(dice.child, dice.num_children, dice.num_small, 1.0 / dice.num_faces, x)
        for place in range(lists.begin[roll], lists.begin[roll + 1]):
            out_keeps[place - lists.begin[roll]] = x[lists.row[place]]

    is_first = rules.has_first and n == num_levels - 1
    offers = work.first if is_first else work.later
    box_offers = rules.first if is_first or rules.num_turn_rolls == 1 else rules.later
    level = n if is_first or rules.saved_rolls else 0
    num_floors = offers.count[0]
    if roll < offers.count[2]:
        for number in range(num_floors):
            offer = box_offers.list[offers.floor_offers[number]]
            out_zeros[offer.box] = values[utility_place(work, level, number, deficit)]
    for number in range(offers.count[1]):
        entry = offers.entries[number]
        if contains(offers.rolls, entry.begin, entry.end, first_roll + roll * BLOCK):
            offer = box_offers.list[entry.offer]
            value = values[utility_place(work, level, num_floors + number, deficit)]
            if offer.value == 0.0:
                out_zeros[offer.box] = value
            else:
                out_scores[offer.box] = value
