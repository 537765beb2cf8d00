# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Features of whole cards, of which an approximate value of the points to come is a weighted sum.

Most are 0 on a card, so they are lists of places and numbers. Those of the *structure* depend on which boxes are open
alone, the others also on the points in the filled ones.
"""

from typing import NamedTuple

from fivedice.solver.arrays import Flags, Floats, Ints, Ints2
from fivedice.solver.kernels.native import inlined
from fivedice.solver.kernels.whole_cards import fill, joker_state
from fivedice.solver.slips import fraction, hash_of, mixed

KNOTS = 8
"""Knots of the pace of an upper section, as far as it concerns single boxes …"""
KNOT_WIDTH = 4.0
"""… and the points between two of them."""
PACES = 40
"""Paces of an upper section that are told apart."""
LINE_TERMS = 6
AWARD_PACES = 41
SUM_WIDTH = 10.0
"""Points of the card between two knots."""


class Plan(NamedTuple):
    """Which features the cards of a ruleset have, and the place of the first of each kind. B boxes, C columns."""

    size: int
    """The number of features."""
    category: Ints
    """int32[B]."""
    num_categories: int
    alike: Ints
    """int32[C]: the first column that counts as each one does; they share their features."""
    is_paired: Flags
    """bool[C]: whether the boxes of a column are open in any order, so that pairs of them matter …"""
    has_lower_pairs: Flags
    """bool[C]: … and not only those of upper boxes, since the lower ones of columns alike are interchangeable."""
    par: Floats
    """float64[B]: what an upper box contributes to the bonus if all do alike; and the mean of a box in the sum of a
    card that is converted."""
    top: int
    """The upper total from which no more bonus is earned, 0 if there is none."""
    most_upper: int
    """One more than the upper boxes of a column."""
    has_uppers: bool
    """Whether the set of open upper boxes together with their pace is a feature."""
    has_jokers: bool
    windows: Ints2
    """int32[…, 2]: the first and the end of boxes whose set of open ones is a feature, in the order of the next …"""
    in_sections: Ints
    """… int32[B]: the upper boxes, then the lower ones."""
    award_top: Ints
    """int32[awards]: the last tier of each award."""
    award_size: Ints
    """int32[awards]: the boxes that each award counts."""
    exact: int
    """If not 0, the number of upper totals: then the only feature is an indicator of the turn state."""
    boxes: int
    pairs: int
    counts: int
    count_pairs: int
    any_pairs: int
    masks: int
    paces: int
    uppers: int
    box_paces: int
    jokers: int
    joker_counts: int
    lines: int
    awards: int
    sums: int
    saved: int


class Sparse(NamedTuple):
    """The features of a card that are not 0, and working memory."""

    place: Ints
    """int32[…]."""
    number: Floats
    """float64[…]."""
    open: Ints
    """int32[categories]: the open boxes of each category."""
    upper: Ints
    """int32[boxes]: open upper boxes of one column."""


@inlined
def _triangle(first, second, number):
    """The place of a pair, the first less than the second, among all pairs of so many."""
    return first * (2 * number - first - 1) // 2 + second - first - 1


@inlined
def _add(sparse, count, place, number):
    sparse.place[count] = place
    sparse.number[count] = number
    return count + 1


@inlined
def _add_between(sparse, count, place, at, last):
    """Adds the two knots around a number, so that weights of knots are points of a line of segments."""
    at = min(max(at, 0.0), last - 1e-9)
    knot = int(at)
    _add(sparse, count, place + knot, 1.0 - (at - knot))
    return _add(sparse, count + 1, place + knot + 1, at - knot)


@inlined
def list_structure(tables, plan, cards, env, sparse):
    """Writes the features of the structure, and returns how many."""
    num_boxes, num_columns, num_categories = tables.is_lower.size, tables.multiplier.size, plan.num_categories
    for category in range(num_categories):
        sparse.open[category] = 0
    for box in range(num_boxes):
        if cards.boxes[env, box] < 0:
            sparse.open[plan.category[box]] += 1
    if plan.exact > 0:
        return 0
    count = _add(sparse, 0, 0, 1.0)
    num_pairs = num_categories * (num_categories - 1) // 2
    for box in range(num_boxes):
        if cards.boxes[env, box] < 0:
            first, column = box % num_categories, tables.column[box]
            alike = plan.alike[column]
            count = _add(sparse, count, plan.boxes + alike * num_categories + first, 1.0)
            if plan.is_paired[column] and (plan.has_lower_pairs[column] or not tables.is_lower[box]):
                for other in range(first + 1, num_categories):
                    both = column * num_categories + other
                    if cards.boxes[env, both] < 0 and (plan.has_lower_pairs[column] or not tables.is_lower[both]):
                        pair = alike * num_pairs + _triangle(first, other, num_categories)
                        count = _add(sparse, count, plan.pairs + pair, 1.0)
    if num_columns > 1:
        for first in range(num_categories):
            number = sparse.open[first]
            count = _add(sparse, count, plan.counts + first * (num_columns + 1) + number, 1.0)
            for other in range(first + 1, num_categories if number > 0 else 0):
                if sparse.open[other] > 0:
                    pair, both = _triangle(first, other, num_categories), float(number * sparse.open[other])
                    count = _add(sparse, count, plan.count_pairs + pair, both / num_columns**2)
                    count = _add(sparse, count, plan.any_pairs + pair, 1.0)
    first = plan.masks
    for window in range(plan.windows.shape[0]):
        begin, end, mask = plan.windows[window, 0], plan.windows[window, 1], 0
        for place in range(begin, end):
            mask |= (cards.boxes[env, plan.in_sections[place]] < 0) << (place - begin)
        count = _add(sparse, count, first + mask, 1.0)
        first += 1 << (end - begin)
    return count


@inlined
def _pace(need):
    """The pace of an upper section, among those that are told apart, by the points that it is ahead."""
    return min(max(int(need + 0.5 + 1000.0) - 1000 + 24, 0), PACES - 1)


@inlined
def _list_paces(tables, plan, cards, env, chosen, is_rest, sparse, count):
    """The upper totals by what they are ahead of a pace that earns the whole bonus."""
    num_categories = plan.num_categories
    for column in range(tables.multiplier.size):
        if is_rest == (column == chosen):
            continue
        num_open, need, mask, bit = 0, float(cards.upper[env, column] - plan.top), 0, 1
        for box in range(column * num_categories, (column + 1) * num_categories):
            if tables.is_upper[box]:
                if cards.boxes[env, box] < 0:
                    sparse.upper[num_open] = box
                    num_open += 1
                    need += plan.par[box]
                    mask |= bit
                bit <<= 1
        if plan.has_uppers and num_open > 0:
            place = PACES - 1 if cards.upper[env, column] >= plan.top else _pace(need)
            count = _add(sparse, count, plan.uppers + mask * PACES + place, 1.0)
        if num_open > 0 and cards.upper[env, column] < plan.top:
            place = _pace(need)
            first = plan.paces + plan.alike[column] * plan.most_upper * PACES
            count = _add(sparse, count, first + num_open * PACES + place, 1.0)
            for number in range(num_open):
                box = plan.alike[column] * num_categories + sparse.upper[number] % num_categories
                first = plan.box_paces + box * KNOTS
                count = _add_between(sparse, count, first, need / KNOT_WIDTH + 4.0, KNOTS - 1.0)
        elif num_open > 0:
            first = plan.paces + plan.alike[column] * plan.most_upper * PACES
            count = _add(sparse, count, first + num_open, 1.0)
    return count


@inlined
def _list_lines(tables, plan, cards, env, chosen, is_rest, sparse, count):
    """What the filled boxes of each line make of the open ones."""
    for line in range(tables.lines.shape[0]):
        if is_rest == (tables.column[tables.lines[line, 0]] == chosen):
            continue
        plus, minus = cards.boxes[env, tables.lines[line, 0]], cards.boxes[env, tables.lines[line, 1]]
        times = cards.boxes[env, tables.lines[line, 2]]
        mask = (plus >= 0) + 2 * (minus >= 0) + 4 * (times >= 0)
        if mask < 7:
            place = plan.lines + (line * 8 + mask) * LINE_TERMS
            count = _add(sparse, count, place, 1.0)
            more, less, factor = max(plus, 0) / 30.0, max(minus, 0) / 30.0, max(times, 0) / 5.0
            for term, number in enumerate((more, less, factor, more * factor, less * factor)):
                if number > 0.0:
                    count = _add(sparse, count, place + 1 + term, number)
    return count


@inlined
def _list_awards(tables, plan, cards, env, sparse, count):
    """What each award of a conversion has counted, and lacks."""
    first = 0
    for award in range(tables.award_kind.size):
        if tables.award_kind[award] == 2:
            projected = float(cards.sum[env])
            for box in range(tables.is_lower.size):
                if cards.boxes[env, box] < 0:
                    projected += plan.par[box]
            count = _add_between(sparse, count, plan.sums, projected / SUM_WIDTH, 99.0)
            continue
        num_open, reached = 0, 0
        for box in range(tables.is_lower.size):
            if tables.award_boxes[award, box]:
                points = cards.boxes[env, box]
                num_open += points < 0
                reached += max(points, 0) if tables.award_kind[award] == 1 else points > 0
        place = reached
        if tables.award_kind[award] == 1:
            filled = plan.award_size[award] - num_open
            place = reached - plan.award_top[award] * filled // plan.award_size[award] + AWARD_PACES // 2
        place = min(max(place, 0), AWARD_PACES - 1)
        count = _add(sparse, count, plan.awards + (first + num_open) * AWARD_PACES + place, 1.0)
        first += plan.award_size[award] + 1
    return count


@inlined
def list_columns(tables, plan, cards, env, chosen, is_rest, sparse, count):
    """Adds the features of the points in single columns to the first `count`: of all columns but the chosen one, or of
    that alone. Returns how many there are."""
    if plan.exact > 0:
        return count
    if plan.top > 0:
        count = _list_paces(tables, plan, cards, env, chosen, is_rest, sparse, count)
    return _list_lines(tables, plan, cards, env, chosen, is_rest, sparse, count)


@inlined
def list_whole(tables, plan, cards, env, sparse, count):
    """Adds the features of points that concern all columns. `sparse` holds the open boxes, as `list_structure` leaves
    them."""
    if plan.exact > 0:
        place = joker_state(tables, cards, env)
        for box in range(tables.is_lower.size):
            place = 2 * place + (cards.boxes[env, box] < 0)
        for column in range(tables.multiplier.size):
            place = plan.exact * place + min(cards.upper[env, column], plan.exact - 1)
        return _add(sparse, count, place, 1.0)
    if plan.has_jokers:
        status = joker_state(tables, cards, env)
        count = _add(sparse, count, plan.jokers + status, 1.0)
        for category in range(plan.num_categories):
            if sparse.open[category] > 0:
                place = plan.joker_counts + status * plan.num_categories + category
                count = _add(sparse, count, place, float(sparse.open[category]))
    count = _list_awards(tables, plan, cards, env, sparse, count)
    if cards.card[env, 1] > 0:
        count = _add(sparse, count, plan.saved, float(cards.card[env, 1]))
        count = _add(sparse, count, plan.saved + 1, float(cards.card[env, 1]) ** 0.5)
    return count


@inlined
def list_all(tables, plan, cards, env, sparse):
    """Writes all features of a card, and returns how many."""
    count = list_structure(tables, plan, cards, env, sparse)
    count = list_columns(tables, plan, cards, env, -1, True, sparse, count)
    return list_whole(tables, plan, cards, env, sparse, count)


@inlined
def weighted(weights, layer, sparse, count):
    """The sum of the first features with the weights of a layer."""
    total = 0.0
    for place in range(count):
        total += weights[layer, sparse.place[place]] * sparse.number[place]
    return total


@inlined
def learned_beyond(tables, cards, env):
    """What an approximate value counts beside the points to come: the score so far where sums are converted, since much
    of that comes at once when a sum reaches a limit."""
    return float(cards.card[env, 4]) if tables.award_kind.size > 0 else 0.0


@inlined
def value_of_rest(tables, plan, weights, slips, cards, env, box, sparse):
    """The sum over the features that are the same after any score in a box, with what is misjudged in such a card."""
    points, layer = cards.boxes[env, box], cards.num_filled[env] + 1
    cards.boxes[env, box] = 0
    count = list_structure(tables, plan, cards, env, sparse)
    count = list_columns(tables, plan, cards, env, tables.column[box], True, sparse, count)
    rest = weighted(weights, layer, sparse, count)
    if slips.error > 0.0 and layer < tables.rounds:
        rest += fraction(hash_of(slips.seed, row_of(tables, cards, env), 0)) * slips.error
    cards.boxes[env, box] = points
    return rest


@inlined
def row_of(tables, cards, env):
    """A number of 32 bits of the filled boxes of a card, which plays the part of its row in a table."""
    row = 0
    for box in range(tables.is_lower.size):
        row = mixed(row ^ box) if cards.boxes[env, box] >= 0 else row
    return row


@inlined
def value_after(tables, plan, weights, cards, env, action, rest, sparse):
    """What a legal score adds, with the points to come after it; the card stays as it is. `rest` is `value_of_rest` of
    its box, for which `sparse` holds the open boxes."""
    box = action % tables.is_lower.size
    column = tables.column[box]
    extras, saved, elsewhere = cards.card[env, 0], cards.card[env, 1], cards.card[env, 2]
    called, score, upper = cards.card[env, 3], cards.card[env, 4], cards.upper[env, column]
    sum_before, roll, rolls_left = cards.sum[env], cards.roll[env], cards.rolls_left[env, 0]
    value = float(fill(tables, cards, env, action))
    if cards.roll[env] >= 0:
        count = list_columns(tables, plan, cards, env, column, False, sparse, 0)
        count = list_whole(tables, plan, cards, env, sparse, count)
        value += rest + weighted(weights, cards.num_filled[env], sparse, count) - learned_beyond(tables, cards, env)
    cards.card[env, 0], cards.card[env, 1], cards.card[env, 2] = extras, saved, elsewhere
    cards.card[env, 3], cards.card[env, 4], cards.upper[env, column] = called, score, upper
    cards.sum[env], cards.roll[env], cards.rolls_left[env, 0] = sum_before, roll, rolls_left
    cards.boxes[env, box] = -1
    cards.num_filled[env] -= 1
    cards.won[env] = False
    return value
