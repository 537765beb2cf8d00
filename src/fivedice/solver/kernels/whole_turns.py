# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""One turn of whole cards over any value of the cards after it, exactly: all rolls, keeps, offers and announcements.

Eight cards are solved at once. An *outcome* of a box is a set of rolls for which it is filled alike; its value is that
of the card after it. `whole_cards` knows the rules, so that the recursion here is the same under all of them.
"""

from typing import NamedTuple

import numpy as np

from fivedice.rulesets.dice import keeps, rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.arrays import Flags, Floats, Floats2, Integers, Ints
from fivedice.solver.kernels.card_features import Plan, Sparse, row_of, value_after, value_of_rest
from fivedice.solver.kernels.game_tables import Cards, GameTables
from fivedice.solver.kernels.layers import average, best_keeps
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.random_dice import faces_size
from fivedice.solver.kernels.simd import (
    add,
    aligned_zeros,
    broadcast,
    load,
    load_int,
    maximum,
    multiply,
    store,
    where_greater,
)
from fivedice.solver.kernels.whole_cards import is_allowed, is_playable, joker_state, points_of, ruling_on_roll
from fivedice.solver.slips import Slips, error_of_keep
from fivedice.solver.tables.dice_tables import DiceTables, keep_rows, roll_indices
from fivedice.solver.tables.states import BLOCK, States

CLOSED = -1e30
"""The value of a score that is not legal."""
AVOIDED = 1e6
"""What a box seems worse that a player who tries another one avoids."""
EQUAL = 1e-11


class Outcomes(NamedTuple):
    """The outcomes of every box. B boxes, R rolls in the order of `DiceTables`."""

    begin: Ints
    """int32[B + 1]: where those of each box begin."""
    roll: Ints
    """int32[…]: a roll of each, in the order of `fivedice.rulesets.dice.rolls`."""
    same: Ints
    """int32[…]: the outcome of other dice with as many points, which fills the box alike unless equal dice are an extra
    Yahtzee; -1 if there is none."""
    of_roll: Ints
    """int32[B · R]: the place of each roll's outcome in `Turns.after`."""
    keep_row: Ints
    """int32[K]: of a keep in the order of `fivedice.rulesets.dice.keeps`, the place in that of `DiceTables`."""
    row: Ints
    """int32[R]: of a roll in the order of `fivedice.rulesets.dice.rolls`, the place in that of `DiceTables`."""
    group: Ints
    """int32[B]: the first of the boxes that are interchangeable with each one; only the first open one is tried."""
    changes: Flags
    """bool[B]: whether the value also depends on the number of the roll."""
    most_rolls: int
    """The most rolls of a turn."""


class WholeGame(NamedTuple):
    """What whole turns depend on: the dice, the rules, the features of cards, and the outcomes of boxes."""

    dice: DiceTables
    tables: GameTables
    plan: Plan
    outcomes: Outcomes


class Turns(NamedTuple):
    """The working arrays of one thread. S keeps of fewer dice than all, R rolls, L rolls of a turn."""

    x: Floats
    """float64[…]: values of keeps, then rolls, as in `layers`."""
    best: Floats
    """float64[L · R · BLOCK]: the best score of each roll, by rolls left; only the first if it never changes."""
    keeps: Floats
    """float64[L · (S + R) · BLOCK]: the value of keeping less than a roll, then of each roll, by rolls left."""
    first: Floats
    """float64[R · BLOCK]: the value of each first roll without an announcement …"""
    of_called: Floats
    """float64[R · BLOCK]: … and with the best one."""
    after: Floats
    """float64[2 · outcomes · BLOCK]: of each outcome the value; those that write no points come last if scores are
    forced."""
    boxes: Integers
    """int64[B + 1]: the boxes that are open on any card of the block, and last how many."""
    only: Integers
    """int64[BLOCK]: the box that a player tries, -1 for none."""
    called: Integers
    """int64[BLOCK]: the best announcement, as a box, -1 for none."""
    faces: Integers
    """int64[…]: dice, as `roll_faces` writes them."""
    lane: Integers
    """int64[BLOCK]: 0, 1, 2 and so on."""
    sparse: Sparse


def turn_outcomes(ruleset: Ruleset, tables: GameTables) -> Outcomes:
    """The outcomes of a ruleset."""
    place, keep_place = roll_indices(ruleset.dice, ruleset.faces), keep_rows(ruleset.dice, ruleset.faces)
    row = np.array([place[roll] for roll in rolls(ruleset.dice, ruleset.faces)], dtype=np.int32)
    num_boxes, num_rolls = len(ruleset.boxes), row.size
    tells_equal = bool(ruleset.joker_boxes) or ruleset.tracks_first
    begins, reps, same, of_roll = [0], [], [], np.zeros((num_boxes, num_rolls), dtype=np.int32)
    for box in range(num_boxes):
        keys = tables.points[0, :, box].astype(np.int64)
        if tells_equal:
            keys = np.where(tables.equal_face >= 0, -1 - tables.equal_face, keys)
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        of_roll[box, row] = (begins[-1] + which) * BLOCK
        reps += first.tolist()
        for roll in first.tolist():
            alike = np.flatnonzero(
                (tables.points[0, first, box] == tables.points[0, roll, box]) & (tables.equal_face[first] < 0)
            )
            is_own = tables.equal_face[roll] < 0 or not tells_equal or ruleset.tracks_first or not alike.size
            same.append(-1 if is_own else begins[-1] + int(alike[0]))
        begins.append(len(reps))
    group, early = np.arange(num_boxes, dtype=np.int32), np.zeros(num_boxes, dtype=np.bool_)
    for boxes in States(ruleset).interchangeable:
        group[list(boxes)] = boxes[0]
    if tables.early_bonus.size:
        early = tables.early_bonus.any(axis=0)
    return Outcomes(
        begin=np.array(begins, dtype=np.int32),
        roll=np.array(reps, dtype=np.int32),
        same=np.array(same, dtype=np.int32),
        of_roll=of_roll.ravel(),
        keep_row=np.array([keep_place[keep] for keep in keeps(ruleset.dice, ruleset.faces)], dtype=np.int32),
        row=row,
        group=group,
        changes=early | tables.first_wins | ruleset.saved_rolls,
        most_rolls=ruleset.rolls + ((ruleset.rolls - 1) * (ruleset.rounds - 1) if ruleset.saved_rolls else 0),
    )


def empty_turns(game: WholeGame) -> Turns:
    """The working arrays of one thread."""
    dice, tables, plan, outcomes = game
    num_boxes, levels, rolls = tables.is_lower.size, outcomes.most_rolls, dice.num_rolls
    most = 64 + 2 * plan.num_categories**2 + num_boxes * (plan.num_categories + 4) + 16 * tables.award_kind.size
    return Turns(
        x=aligned_zeros(dice.empty_row + BLOCK),
        best=aligned_zeros(levels * rolls * BLOCK),
        keeps=aligned_zeros(levels * (dice.num_small + rolls) * BLOCK),
        first=aligned_zeros(rolls * BLOCK),
        of_called=aligned_zeros(rolls * BLOCK),
        after=aligned_zeros(2 * outcomes.roll.size * BLOCK),
        boxes=np.zeros(num_boxes + 1, dtype=np.int64),
        only=np.full(BLOCK, -1),
        called=np.full(BLOCK, -1),
        faces=np.zeros(faces_size(levels * tables.num_dice), dtype=np.int64),
        lane=np.arange(BLOCK),
        sparse=Sparse(
            place=np.zeros(most, dtype=np.int32),
            number=np.zeros(most),
            open=np.zeros(plan.num_categories, dtype=np.int32),
            upper=np.zeros(num_boxes, dtype=np.int32),
        ),
    )


def _list_after(game, weights, slips, cards, env, box, rolls_left, lane, turns):
    """Writes the values of the outcomes of a box on one card."""
    tables, plan, outcomes = game.tables, game.plan, game.outcomes
    begin, end, num_outcomes = outcomes.begin[box], outcomes.begin[box + 1], outcomes.roll.size
    for outcome in range(begin, end):
        turns.after[outcome * BLOCK + lane] = CLOSED
        turns.after[(num_outcomes + outcome) * BLOCK + lane] = CLOSED
    if cards.num_filled[env] == tables.rounds or cards.won[env] or not is_playable(tables, cards, env, box):
        return
    for other in range(outcomes.group[box], box):
        if outcomes.group[other] == outcomes.group[box] and cards.boxes[env, other] < 0:
            return
    cards.rolls_left[env, 0] = rolls_left
    has_scratches = tables.first_announcement > tables.is_lower.size
    rest = value_of_rest(tables, plan, weights, slips, cards, env, box, turns.sparse)
    is_extra = tables.extras.is_extra[joker_state(tables, cards, env)]
    for outcome in range(end - 1, begin - 1, -1):  # unequal dice have higher numbers
        same = outcomes.same[outcome]
        if same >= 0 and not is_extra:
            for half in range(0, 2 * num_outcomes, num_outcomes):
                turns.after[(half + outcome) * BLOCK + lane] = turns.after[(half + same) * BLOCK + lane]
            continue
        cards.roll[env] = outcomes.roll[outcome]
        ruling = ruling_on_roll(tables, cards, env)
        if not is_allowed(tables, cards, env, box, ruling):
            continue
        has_points, value = points_of(tables, cards, env, box, ruling) > 0, CLOSED
        for action in range(
            box, tables.first_announcement if has_scratches and has_points else box + 1, turns.boxes.size - 1
        ):
            value = max(value, value_after(tables, plan, weights, cards, env, action, rest, turns.sparse))
        if turns.only[lane] >= 0 and outcomes.group[turns.only[lane]] != outcomes.group[box]:
            value -= AVOIDED
        is_last = tables.forced_score and not has_points
        turns.after[((num_outcomes if is_last else 0) + outcome) * BLOCK + lane] = value


def _list_block(game, weights, slips, cards, env, box, rolls_left, turns):
    """Writes the values of the outcomes of a box on eight cards; returns whether it is playable on any."""
    found = False
    for lane in range(BLOCK):
        roll, left = cards.roll[env + lane], cards.rolls_left[env + lane, 0]
        _list_after(game, weights, slips, cards, env + lane, box, rolls_left, lane, turns)
        cards.roll[env + lane], cards.rolls_left[env + lane, 0] = roll, left
        found |= is_playable(game.tables, cards, env + lane, box)
    return found


def _score_rolls(game, level, turns):
    """Writes the best score of every roll."""
    dice, outcomes = game.dice, game.outcomes
    number, second = turns.boxes[turns.boxes.size - 1], outcomes.roll.size * BLOCK
    for row in range(dice.num_rolls):
        best = broadcast(CLOSED)
        for index in range(number):
            place = load_int(outcomes.of_roll, turns.boxes[index] * dice.num_rolls + row)
            best = maximum(best, load(turns.after, place))
        if game.tables.forced_score:
            other = broadcast(CLOSED)
            for index in range(number):
                place = load_int(outcomes.of_roll, turns.boxes[index] * dice.num_rolls + row)
                other = maximum(other, load(turns.after, place + second))
            best = where_greater(best, broadcast(CLOSED / 2), best, other)
        store(turns.best, (level * dice.num_rolls + row) * BLOCK, best)


def solve_turn(game, weights, slips, cards, env, begin, end, turns, out_first):
    """Solves the turn of eight cards in which the boxes from `begin` to `end` may be filled. `out_first`, float64[R ·
    BLOCK], gets the value of each first roll."""
    dice, tables, outcomes = game.dice, game.tables, game.outcomes
    x, size, num_small = turns.x, dice.num_rolls * BLOCK, dice.num_small * BLOCK
    store(x, (dice.num_small + 2 * dice.num_rolls + 1) * BLOCK, broadcast(0.0))
    last, changes, number = 0, False, 0
    for lane in range(BLOCK):
        last = max(last, tables.turn_rolls + cards.card[env + lane, 1] - 1)
    for box in range(begin, end):
        if _list_block(game, weights, slips, cards, env, box, 0, turns):
            turns.boxes[number] = box
            changes |= outcomes.changes[box]
            number += 1
    turns.boxes[turns.boxes.size - 1] = number
    for n in range(last + 1):
        level = n if changes else 0
        if n > 0 and changes:
            for index in range(number):
                if outcomes.changes[turns.boxes[index]]:
                    _list_block(game, weights, slips, cards, env, turns.boxes[index], n, turns)
        if level == n:
            _score_rolls(game, level, turns)
        keeps = n * (num_small + size)
        if n > 0:
            average(dice, x)
            if slips.error > 0.0 or slips.overlooked > 0:
                for lane in range(BLOCK):
                    _misjudge(game, slips, cards, env + lane, lane, x)
            for row in range(0, num_small, BLOCK):
                store(turns.keeps, keeps + row, load(x, row))
            best_keeps(dice.run, dice.parent, x)
            for row in range(0, size, BLOCK):
                store(x, num_small + row, maximum(load(x, num_small + row), load(turns.best, level * size + row)))
        else:
            for row in range(0, size, BLOCK):
                store(x, num_small + row, load(turns.best, row))
        for row in range(0, size, BLOCK):
            store(turns.keeps, keeps + num_small + row, load(x, num_small + row))
        if n == last and not tables.saved_rolls:
            for row in range(0, size, BLOCK):
                store(out_first, row, load(x, num_small + row))
        elif tables.saved_rolls:
            for lane in range(BLOCK):
                if n == tables.turn_rolls + cards.card[env + lane, 1] - 1:
                    for row in range(0, size, BLOCK):
                        out_first[row + lane] = x[num_small + row + lane]
    return changes


def _misjudge(game, slips, cards, env, lane, x):
    """Changes the values of the keeps of fewer dice than all to what a player believes who makes these slips."""
    row = row_of(game.tables, cards, env)
    for keep in range(game.dice.num_small):
        x[keep * BLOCK + lane] += error_of_keep(slips, row, game.dice.faces[keep], game.dice.rolled[keep])


def announce(game, weights, slips, cards, env, turns):
    """Writes the best value of each first roll with an announcement; and if the cards have a roll, the best one."""
    dice, tables, outcomes = game.dice, game.tables, game.outcomes
    for row in range(0, dice.num_rolls * BLOCK, BLOCK):
        store(turns.of_called, row, broadcast(CLOSED))
    for lane in range(BLOCK):
        turns.called[lane] = -1
    if tables.announceable.size == 0:
        return
    for number in range(tables.announceable.size):
        box, could = tables.announceable[number], 0
        for lane in range(BLOCK):
            # With an announcement, `is_playable` asks for its box alone: -1 closes all.
            is_next = cards.boxes[env + lane, box] < 0 and cards.card[env + lane, 3] == 0
            could |= is_next << lane
            if cards.card[env + lane, 3] == 0:
                cards.card[env + lane, 3] = box + 1 if is_next else num_none(tables)
        if could:
            solve_turn(game, weights, slips, cards, env, box, box + 1, turns, turns.first)
        for lane in range(BLOCK):
            if could >> lane & 1:
                roll = cards.roll[env + lane]
                if roll >= 0:
                    place = outcomes.row[roll] * BLOCK + lane
                    if turns.first[place] > turns.of_called[place] + EQUAL:
                        turns.called[lane] = box
                for row in range(0, dice.num_rolls * BLOCK, BLOCK):
                    turns.of_called[row + lane] = max(turns.of_called[row + lane], turns.first[row + lane])
        for lane in range(BLOCK):
            of_called = cards.card[env + lane, 3]
            if could >> lane & 1 or of_called == num_none(tables):
                cards.card[env + lane, 3] = 0


def num_none(tables):
    """The number of an announcement of no box."""
    return tables.is_lower.size + 1


@compiled(WholeGame, Floats2, Slips, Cards, int, int, Turns, Floats)
def turn_values(game, weights, slips, cards, begin, end, turns, out_values):
    """Writes the points to come before the first roll of a turn, float64[N], for the cards from `begin` to `end`, which
    are multiples of BLOCK. `weights`, float64[layers, features], are by the number of filled boxes; `slips` are those
    of the player."""
    for env in range(begin, end, BLOCK):
        for lane in range(BLOCK):
            cards.roll[env + lane], turns.only[lane] = -1, -1
        announce(game, weights, slips, cards, env, turns)
        solve_turn(game, weights, slips, cards, env, 0, game.tables.is_lower.size, turns, turns.first)
        total = broadcast(0.0)
        for row in range(game.dice.num_rolls):
            best = maximum(load(turns.first, row * BLOCK), load(turns.of_called, row * BLOCK))
            total = add(total, multiply(best, broadcast(game.dice.chance[row])))
        store(turns.x, 0, total)
        for lane in range(BLOCK):
            out_values[env + lane] = turns.x[lane]


@compiled(WholeGame, Floats2, Slips, Cards, Turns, Floats, Floats, Floats)
def action_values(game, weights, slips, cards, turns, out_scores, out_announcements, out_keeps):
    """Writes the points to come of all actions on the first of eight cards, which have the same roll and rolls left.

    `out_scores`, float64[score actions], and `out_announcements`, float64[announceable], with CLOSED where an action is
    not legal; `out_keeps`, float64[K], by keep in the order of `DiceTables`.
    """
    dice, tables, outcomes = game.dice, game.tables, game.outcomes
    num_boxes, roll, left = tables.is_lower.size, cards.roll[0], cards.rolls_left[0, 0]
    row, size = outcomes.row[roll] * BLOCK, (dice.num_small + dice.num_rolls) * BLOCK
    out_announcements[:] = CLOSED
    for lane in range(BLOCK):
        turns.only[lane] = -1
    of_called = cards.card[0, 3]
    if left == tables.turn_rolls + cards.card[0, 1] - 1 and of_called == 0:
        for number in range(tables.announceable.size):
            box = tables.announceable[number]
            if cards.boxes[0, box] < 0:
                for lane in range(BLOCK):
                    cards.card[lane, 3] = box + 1
                solve_turn(game, weights, slips, cards, 0, box, box + 1, turns, turns.first)
                out_announcements[number] = turns.first[row]
        for lane in range(BLOCK):
            cards.card[lane, 3] = of_called
    solve_turn(game, weights, slips, cards, 0, 0, num_boxes, turns, turns.first)
    if left > 0:
        for keep in range(dice.num_small):
            out_keeps[keep] = turns.keeps[left * size + keep * BLOCK]
        for whole in range(dice.num_small, dice.num_small + dice.num_rolls):
            out_keeps[whole] = turns.keeps[(left - 1) * size + whole * BLOCK]
    for action in range(tables.first_announcement):
        out_scores[action] = score_value(game, weights, slips, cards, 0, action, turns)


def score_value(game, weights, slips, cards, env, action, turns):
    """The value of a score of the roll; CLOSED if it is not legal."""
    tables, plan = game.tables, game.plan
    num_boxes = tables.is_lower.size
    box = action % num_boxes
    ruling = ruling_on_roll(tables, cards, env)
    if not is_allowed(tables, cards, env, box, ruling):
        return CLOSED
    points = points_of(tables, cards, env, box, ruling)
    if action >= num_boxes and points <= 0:
        return CLOSED
    if tables.forced_score and points <= 0:
        for other in range(num_boxes):
            if is_allowed(tables, cards, env, other, ruling) and points_of(tables, cards, env, other, ruling) > 0:
                return CLOSED
    rest = value_of_rest(tables, plan, weights, slips, cards, env, box, turns.sparse)
    return value_after(tables, plan, weights, cards, env, action, rest, turns.sparse)
