# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that play many environments, one step at a time: whole cards, by `GameTables`.

Eight environments roll at once. The dice of a step depend on the seed, on the environment and on the number of the
step, so not on threads. Every thread calls the same kernel with the same arguments but its own `Lanes`. It takes the
next environments from `next_env`, int64[1], which is 0 before, until there are none: so a thread that starts late
delays no other.
"""

from fivedice.solver.arrays import Flags, Integers, Integers2
from fivedice.solver.kernels.game_tables import Cards, GameTables, Lanes, Observed, Stepped
from fivedice.solver.kernels.native import compiled, inlined
from fivedice.solver.kernels.random_dice import philox, roll_faces
from fivedice.solver.kernels.simd import (
    add_integers,
    broadcast_integer,
    copy_rows,
    gather,
    high_half,
    load_integers,
    multiply_low,
    shift_left,
    shift_right,
    store_integers,
    take,
)
from fivedice.solver.kernels.whole_cards import clear, fill, list_scores
from fivedice.solver.tables.states import BLOCK

_CALL_BITS = 4
"""A counter of calls of the generator has so many bits for those of one step …"""
_STEP_BITS = 32 - _CALL_BITS
"""… and so many for the low bits of the step's number."""
_STEPS = 2**_STEP_BITS - 1
_PART = 32 * BLOCK
"""Environments that a thread takes at once."""


@compiled(GameTables, Cards, Integers, int, Flags, bool, Integers, Lanes)
def restart(tables, cards, seed, step_number, which, is_placed, next_env, lanes):
    """Begins a new episode in the environments for which `which`, bool[N], is true; if `is_placed`, only lists the
    legal actions of positions that were written to `cards`.

    `seed`, int64[2] with 32 bits each, and the number of the step determine the dice.
    """
    begin = take(next_env, _PART)
    while begin < which.size:
        end = min(begin + _PART, which.size)
        for first in range(begin, end, BLOCK):
            last = min(first + BLOCK, end)
            if not is_placed:
                for env in range(first, last):
                    if which[env]:
                        clear(tables, cards, env)
                    lanes.node[env - first] = 0
                _roll_dice(tables, seed, step_number, first, lanes)
            for env in range(first, last):
                if which[env]:
                    if not is_placed:
                        cards.roll[env] = lanes.node[env - first] - tables.num_small
                    list_scores(tables, cards, env)
        begin = take(next_env, _PART)


@compiled(GameTables, Cards, Integers2, int, int, Integers, bool, Integers, Lanes, Stepped, Integers)
def step(tables, cards, seeds, step_number, choice_number, actions, is_shown, next_env, lanes, out, out_actions):
    """Takes an action, int64[N], in each environment; if `is_shown`, also observes them.

    An episode that is over begins again instead. `seeds`, int64[2, 2], are those of the dice and of `choose`, whose
    next actions `out_actions` gets unless it is empty: together they take less time.
    """
    begin = take(next_env, _PART)
    while begin < actions.size:
        end = min(begin + _PART, actions.size)
        for first in range(begin, end, BLOCK):
            last = min(first + BLOCK, end)
            for env in range(first, last):
                _act(tables, cards, env, actions[env], lanes, env - first, out)
            _roll_dice(tables, seeds[0], step_number, first, lanes)
            for env in range(first, last):
                is_new = lanes.is_new[env - first]
                if cards.roll[env] >= 0:
                    cards.roll[env] = lanes.node[env - first] - tables.num_small
                    is_new |= tables.equal_face[cards.roll[env]] >= 0
                if is_new:
                    list_scores(tables, cards, env)
                out.over[env] = cards.roll[env] < 0
            if is_shown:
                _show(tables, cards, first, last, out.shown)
            if out_actions.size > 0:
                _choose(tables, cards, seeds[1], choice_number, first, last, lanes, out_actions)
        begin = take(next_env, _PART)


@compiled(GameTables, Cards, Integers, Observed)
def observe(tables, cards, next_env, out_shown):
    """Observes all environments: `Observed`."""
    begin = take(next_env, _PART)
    while begin < cards.roll.size:
        end = min(begin + _PART, cards.roll.size)
        for first in range(begin, end, BLOCK):
            _show(tables, cards, first, min(first + BLOCK, end), out_shown)
        begin = take(next_env, _PART)


@compiled(GameTables, Cards, Integers, int, Integers, Lanes, Integers)
def choose(tables, cards, seed, choice_number, next_env, lanes, out_actions):
    """Draws a legal action, each with the same chance, for each environment; 0 at the end."""
    begin = take(next_env, _PART)
    while begin < out_actions.size:
        end = min(begin + _PART, out_actions.size)
        for first in range(begin, end, BLOCK):
            _choose(tables, cards, seed, choice_number, first, min(first + BLOCK, end), lanes, out_actions)
        begin = take(next_env, _PART)


@inlined
def _choose(tables, cards, seed, choice_number, first, last, lanes, out_actions):
    """Draws the actions of the environments from `first` to `last`."""
    for env in range(first, last):
        num_keeps = _num_keeps(tables, cards, env) if cards.may_keep[env] and cards.rolls_left[env, 0] > 0 else 0
        lanes.node[env - first] = cards.num_scores[env] + num_keeps
    stream, low, high = _counters(choice_number, first, lanes)
    word = philox(stream, broadcast_integer(0), broadcast_integer(low), broadcast_integer(high), seed[0], seed[1])[0]
    store_integers(lanes.node, 0, high_half(multiply_low(word, load_integers(lanes.node, 0))))
    for env in range(first, last):
        rank, num_scores = lanes.node[env - first], cards.num_scores[env]
        action = 0
        if rank >= num_scores:
            if cards.roll[env] >= 0:
                action = tables.first_keep + tables.keep_list[tables.keep_begin[cards.roll[env]] + rank - num_scores]
        else:
            before = 0
            for score in range(tables.first_keep):
                before += cards.legal[env, score]
                action += before <= rank
        out_actions[env] = action


@inlined
def _counters(step_number, first, lanes):
    """The counters of the generator: the environments, and the two words of a step."""
    environments = add_integers(broadcast_integer(first), load_integers(lanes.number, 0))
    return environments, (step_number & _STEPS) << _CALL_BITS, step_number >> _STEP_BITS


@inlined
def _roll_dice(tables, seed, step_number, first, lanes):
    """Adds dice to the nodes of eight environments until they are rolls; rolls stay as they are."""
    environments, low, high = _counters(step_number, first, lanes)
    none = broadcast_integer(0)
    roll_faces(seed, environments, none, low, high, tables.num_dice, tables.num_faces, lanes.faces)
    node = shift_left(load_integers(lanes.node, 0), tables.pitch_bits)
    for die in range(tables.num_dice):
        node = gather(tables.after_die, add_integers(node, load_integers(lanes.faces, die * BLOCK)))
    store_integers(lanes.node, 0, shift_right(node, tables.pitch_bits))


@inlined
def _num_keeps(tables, cards, env):
    roll = cards.roll[env]
    return tables.keep_begin[roll + 1] - tables.keep_begin[roll] if roll >= 0 else 0


@inlined
def _act(tables, cards, env, action, lanes, lane, out):
    """Takes an action, and notes the node that dice are added to."""
    roll = cards.roll[env]
    node = tables.num_small + max(roll, 0)
    points, is_new, is_illegal = 0, True, False
    if roll < 0:
        clear(tables, cards, env)
        node = 0
    elif action >= tables.first_keep:
        keep = action - tables.first_keep
        if cards.may_keep[env] and cards.rolls_left[env, 0] > 0 and tables.keep_mask[roll, keep]:
            cards.rolls_left[env, 0] -= 1
            node = keep
            is_new = not tables.is_free or tables.equal_face[roll] >= 0
        else:
            is_illegal = True
    elif not cards.legal[env, action]:
        is_illegal = True
    elif action >= tables.first_announcement:
        cards.card[env, 3] = tables.announceable[action - tables.first_announcement] + 1
    else:
        points = fill(tables, cards, env, action)
        node = 0
    lanes.node[lane] = node
    lanes.is_new[lane] = is_new and not is_illegal
    out.points[env] = points
    out.illegal[env] = is_illegal


@inlined
def _show(tables, cards, first, last, out):
    """Writes what is shown of the environments from `first` to `last`."""
    num_boxes, num_columns, num_scores = tables.is_lower.size, tables.multiplier.size, tables.first_keep
    num_keeps = tables.num_actions - num_scores
    copy_rows(cards.rolls_left, first, last - first, out.rolls_left, first)
    copy_rows(cards.boxes, first * num_boxes, (last - first) * num_boxes, out.boxes, first * num_boxes)
    copy_rows(cards.upper, first * num_columns, (last - first) * num_columns, out.upper, first * num_columns)
    copy_rows(cards.card, first * 5, (last - first) * 5, out.card, first * 5)
    for env in range(first, last):
        roll = cards.roll[env] if cards.roll[env] >= 0 else tables.num_rolls
        for face in range(tables.num_faces):
            out.dice[env, face] = tables.counts[roll, face]
        row = roll if cards.may_keep[env] and cards.rolls_left[env, 0] > 0 else tables.num_rolls
        place = env * tables.num_actions
        copy_rows(cards.legal, env * num_scores, num_scores, out.action_mask, place)
        copy_rows(tables.keep_mask, row * num_keeps, num_keeps, out.action_mask, place + num_scores)
