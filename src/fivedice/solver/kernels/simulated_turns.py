# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that play one turn of millions of games, sorted by turn state, so that each state's choices are found once.

The choices of eight neighbouring states are those of `optimal_turn`, and stay in the processor's cache while the games
in these states roll. Eight games roll at once; each of their dice has random bits of its own.

A *node* of a turn is a keep of fewer dice than all, a roll, or an ending of the turn, in the order of `Turn.chance`.
Dice lead from keeps to rolls, choices from rolls to keeps or endings; from a node that is not in question, both lead to
itself. So all games take the same steps, without a branch for each.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import FixedFloats, Integers, Ints
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.optimal_turn import Turn, choose, first_ending, num_endings, turn_workspace
from fivedice.solver.kernels.random_dice import faces_size, roll_faces
from fivedice.solver.kernels.simd import (
    add_integers,
    broadcast_integer,
    gather,
    high_half,
    load_integers,
    low_half,
    masked,
    shift_left,
    shift_right,
    store_integers,
    where_less,
)
from fivedice.solver.kernels.turn_offers import list_offers, listed_offer, most_offers, split_row
from fivedice.solver.slips import Slips
from fivedice.solver.tables.dice_tables import DiceTables
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK

BLOCK_BITS = (BLOCK - 1).bit_length()


class Play(NamedTuple):
    """The working arrays of one thread that plays. N nodes, F faces, L rolls in a turn."""

    turn: Turn
    pitch_bits: int
    """The places in `after_die` of a node are its number times BLOCK, shifted by so many bits."""
    after_die: Ints
    """int32[N · pitch]: by node and face, the number times BLOCK of the node after a die."""
    faces: Integers
    """int64[…]: those of the dice of a turn, as `roll_faces` writes them."""
    path: Integers
    """int64[2 L · BLOCK]: of eight games, the nodes before and after each choice."""
    next_state: Integers
    """int64[N]: after each ending, the turn state for lane 0 …"""
    last_state: Integers
    """int64[N]: … and that at the cap."""
    points: Integers
    """int64[N]: the points of each ending."""
    offer: Integers
    """int64[N]: its offer; -1 minus that of a first roll."""
    count: Integers
    """int64[N]: the games that took it since it was listed."""


class Games(NamedTuple):
    """N games, with room for BLOCK more."""

    states: Integers
    """int64[…]: their turn states."""
    tags: Integers
    """int64[…]: the points of each game times 2³², and the number of the game."""


class Noted(NamedTuple):
    """What is noted of each of N games, in arrays that are empty if it is not wanted, and sums over all. B boxes."""

    points: Ints
    """int32[N · B]: the points in each box, -1 in an open one."""
    extras: Ints
    """int32[N]: the points of extra bonuses."""
    decisions: Ints
    """int32[N · rounds · 2 L]: of each decision the index of the roll, then the row of the keep or -1 minus the box;
    -2**31 for a decision that was not needed."""
    counts: Integers
    """int64[B · width]: the games in which each box got so many points …"""
    num_extras: Integers
    """int64[B]: … and those in which it was filled with an extra bonus."""


class Dealt(NamedTuple):
    """What the dice of a turn depend on, beside the number of the game among those of an array."""

    seed: Integers
    """int64[2] with 32 bits each."""
    seat: int
    first_game: int
    """The number of the first game of an array."""
    round: int


def play_workspace(dice: DiceTables, rules: RuleTables, num_dice: int) -> Play:
    """The working arrays of one thread."""
    num_levels = rules.num_turn_rolls + rules.num_saved - 1
    first_ending = dice.num_small + dice.num_rolls
    num_nodes = first_ending + num_levels * most_offers(rules)
    pitch_bits = max(0, (dice.num_faces - 1).bit_length() - BLOCK_BITS)
    after = np.repeat(np.arange(num_nodes, dtype=np.int32) * BLOCK, BLOCK << pitch_bits).reshape(num_nodes, -1)
    children = dice.child.reshape(dice.num_small, dice.num_children)
    after[: dice.num_small, : dice.num_faces] = children[:, : dice.num_faces]
    numbers = [np.zeros(num_nodes, dtype=np.int64) for _ in range(5)]
    return Play(
        turn_workspace(dice, rules),
        pitch_bits,
        after.ravel(),
        np.zeros(faces_size(num_levels * num_dice), dtype=np.int64),
        np.zeros(2 * num_levels * BLOCK, dtype=np.int64),
        *numbers,
    )


@compiled(int, int, Games, Integers, Games)
def sort_games(shift, size, games, counts, out):
    """Sorts games by some bits of their states, and keeps the order of equal ones: one pass of a radix sort. `counts`,
    int64[2**bits], is working memory."""
    mask = counts.size - 1
    counts[:] = 0
    for number in range(size):
        counts[(games.states[number] >> shift) & mask] += 1
    place = np.int64(0)
    for digit in range(counts.size):
        place, counts[digit] = place + counts[digit], place
    for number in range(size):
        digit = (games.states[number] >> shift) & mask
        place = counts[digit]
        counts[digit] = place + 1
        out.states[place] = games.states[number]
        out.tags[place] = games.tags[number]


@compiled(DiceTables, RuleTables, int, Dealt, FixedFloats, Slips | None, int, Games, Play, Noted, Games)
def play_turns(dice, rules, num_dice, dealt, values, slips, size, games, play, noted, out):
    """Plays the same turn of so many games, in ascending order of turn states, the best by a table of values, which may
    be a guess."""
    states, tags = games.states, games.tags
    number, listed = np.int64(0), np.int64(-1)
    while number < size:
        block = states[number] // BLOCK
        row, lane = divmod(block * BLOCK, rules.stride)
        card, plane = split_row(rules, row)
        first_level = rules.num_turn_rolls + plane // rules.base_planes - 1
        if row != listed:
            if listed >= 0:
                _add_up(rules, dice.num_small + dice.num_rolls, play, noted)
            list_offers(dice, rules, card, plane % rules.base_planes, play.turn)
            _list_endings(dice, rules, first_level, play)
            listed = row
        choose(dice, rules, row, lane, first_level + 1, first_level, values, slips, play.turn)
        end = number
        while end < size and states[end] // BLOCK == block:
            end += 1
        for first in range(number, end, BLOCK):
            tag = load_integers(tags, first)
            game = add_integers(low_half(tag), broadcast_integer(dealt.first_game))
            num_thrown = (first_level + 1) * num_dice
            _roll_turn(dealt.seed, dealt.seat, game, dealt.round, num_thrown, dice.num_faces, play.faces)
            lanes = masked(load_integers(states, first), BLOCK - 1)
            is_noted = noted.decisions.size > 0
            node = _follow_dice(dice, num_dice, first_level, lanes, is_noted, play)
            after = add_integers(gather(play.next_state, node), add_integers(lanes, broadcast_integer(lane)))
            last = gather(play.last_state, node)
            store_integers(out.states, first, where_less(after, last, after, last))
            store_integers(out.tags, first, add_integers(tag, shift_left(gather(play.points, node), 32)))
            store_integers(play.faces, 0, node)
            for place in range(min(BLOCK, end - first)):
                play.count[play.faces[place]] += 1
            if noted.points.size > 0:
                for place in range(min(BLOCK, end - first)):
                    _note(rules, np.int64(tags[first + place] & 0xFFFFFFFF), play.faces[place], play, noted)
            if is_noted:
                for place in range(min(BLOCK, end - first)):
                    game_number = np.int64(tags[first + place] & 0xFFFFFFFF)
                    _note_decisions(dice, rules, game_number, dealt.round, first_level, place, play, noted)
        number = end
    _add_up(rules, dice.num_small + dice.num_rolls, play, noted)


@compiled(Integers, int, int, int, int, int, Integers)
def turn_faces(seed, seat, game, round, num_dice, num_faces, out_faces):
    """The faces, counted from 0, of all dice of a turn: int64[… · BLOCK], of which lane 0 is that of `game`."""
    _roll_turn(seed, seat, broadcast_integer(game), round, num_dice, num_faces, out_faces)


def _roll_turn(seed, seat, game, round, num_dice, num_faces, out_faces):
    """Writes the faces of so many dice of one turn of eight games."""
    roll_faces(seed, low_half(game), high_half(game), round << 16, seat, num_dice, num_faces, out_faces)


def _follow_dice(dice, num_dice, first_level, lanes, is_noted, play):
    """The endings of one turn of eight games, with these dice and the best choices."""
    first_end = broadcast_integer((dice.num_small + dice.num_rolls) * BLOCK)
    place, node, none = np.int64(0), broadcast_integer(0), broadcast_integer(0)  # nodes times BLOCK
    for n in range(first_level, -1, -1):
        for _ in range(num_dice):
            face = load_integers(play.faces, place)
            node = gather(play.after_die, add_integers(shift_left(node, play.pitch_bits), face))
            place += BLOCK
        if is_noted:
            store_integers(play.path, 2 * n * BLOCK, node)
        level = broadcast_integer((n * dice.num_rolls - dice.num_small) * BLOCK)
        where = where_less(node, first_end, add_integers(add_integers(node, level), lanes), none)
        node = where_less(node, first_end, gather(play.turn.choice, where), node)
        if is_noted:
            store_integers(play.path, (2 * n + 1) * BLOCK, node)
    return shift_right(node, BLOCK_BITS)


def _list_endings(dice, rules, first_level, play):
    """Notes where each ending of a turn leads and what it pays."""
    last_lane = rules.num_lanes - 1
    for n in range(first_level + 1):
        is_first = rules.has_first and n == first_level
        offers = play.turn.first if is_first else play.turn.later
        saved = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
        node = first_ending(dice, rules, n, first_level, play.turn) // BLOCK
        for index in range(num_endings(rules, n, first_level, play.turn)):
            state, points, offer = listed_offer(offers, index)
            play.next_state[node] = state + saved
            play.last_state[node] = (state + saved) // rules.stride * rules.stride + last_lane
            play.points[node] = np.int64(points)
            play.offer[node] = -1 - offer if is_first else offer
            play.count[node] = 0
            node += 1


def _offer(rules, play, node):
    """The offer of an ending."""
    number = play.offer[node]
    return rules.first.list[-1 - number] if number < 0 else rules.later.list[number]


def _add_up(rules, first_end, play, noted):
    """Adds the counts of all endings to the sums."""
    width = noted.counts.size // rules.boxes.size
    for node in range(first_end, play.count.size):
        count = play.count[node]
        if count > 0:
            offer = _offer(rules, play, node)
            points = np.int64(offer.value)
            noted.counts[offer.box * width + points] += count
            if play.points[node] != points:
                noted.num_extras[offer.box] += count
            play.count[node] = 0


def _note(rules, game, node, play, noted):
    """Notes what one game wrote in this turn."""
    offer = _offer(rules, play, node)
    points = np.int64(offer.value)
    noted.points[game * rules.boxes.size + offer.box] = points
    noted.extras[game] += play.points[node] - points


def _note_decisions(dice, rules, game, round, first_level, lane, play, noted):
    """Notes the decisions of one game in this turn, which follow those of its earlier turns."""
    num_levels = rules.num_turn_rolls + rules.num_saved - 1
    num_rounds = noted.decisions.size // noted.extras.size // (2 * num_levels)
    place = (game * num_rounds + round) * 2 * num_levels
    first_end = dice.num_small + dice.num_rolls
    for n in range(first_level, -1, -1):
        roll, choice = play.path[2 * n * BLOCK + lane] // BLOCK, play.path[(2 * n + 1) * BLOCK + lane] // BLOCK
        if roll >= first_end:
            break
        noted.decisions[place] = roll - dice.num_small
        noted.decisions[place + 1] = choice if choice < first_end else -1 - _offer(rules, play, choice).box
        place += 2
