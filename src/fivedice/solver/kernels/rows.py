# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Where the rows of a card are in the table: the arithmetic of `States` for kernels.

A *row* is one card and plane; its lanes begin at `row · stride` in the table.
"""

from fivedice.solver.kernels.jit import helper


@helper
def row_of(rules, card):
    """The first row of a card."""
    if rules.layers.card_rows.size == 0:
        return card * rules.num_saved * rules.base_planes
    return rules.layers.card_rows[card]


@helper
def split_row(rules, row):
    """The card and the plane of a row; the saved rolls are part of the plane."""
    layers = rules.layers
    if layers.card_rows.size == 0:
        return divmod(row, rules.base_planes * rules.num_saved)
    layer = 0
    while row >= layers.first_rows[layer + 1]:
        layer += 1
    number, plane = divmod(row - layers.first_rows[layer], layers.num_planes[layer])
    return layers.cards[layers.first_cards[layer] + number], plane


@helper
def split_index(rules, index):
    """The card, the plane without saved rolls, the saved rolls and the lane of a turn state."""
    row, lane = divmod(index, rules.stride)
    card, plane = split_row(rules, row)
    saved, plane = divmod(plane, rules.base_planes)
    return card, plane, saved, lane
