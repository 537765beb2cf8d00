"""`GameTables` and `Cards`: a ruleset and many whole cards as flat arrays, for kernels that play box by box.

R rolls and K keeps in the orders of `fivedice.rulesets.dice` (so that rolls come last), F faces,
B boxes, C columns. Unlike the solver's tables they tell every card apart, because an observation shows it.
"""

from typing import NamedTuple

import numpy as np

from fivedice.rulesets.dice import keeps, rolls, sub_keeps, with_dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.arrays import Flags, Flags2, Floats, Integers, Ints, Ints2, Ints3, Tinies2
from fivedice.solver.tables.extras import Extras, extra_tables


class GameTables(NamedTuple):
    """Everything that legal actions and scores depend on."""

    num_dice: int
    num_faces: int
    num_rolls: int
    num_small: int
    """Keeps of fewer dice than all."""
    first_announcement: int
    """The number of the first action that is an announcement, after the scores and scratches of all boxes …"""
    first_keep: int
    """… and of the first that is a keep."""
    num_actions: int
    counts: Tinies2
    """int8[R + 1, F]: the dice that show each face; the last row has none."""
    pitch_bits: int
    """2**pitch_bits, at least F, is the *pitch* of `after_die`."""
    after_die: Ints
    """int32[K · pitch]: by keep and face, the number times the pitch of the keep with that die; a roll stays."""
    keep_begin: Ints
    """int32[R + 1]: where the keeps of each roll begin in `keep_list`."""
    keep_list: Ints
    """int32[…]: keeps, roll by roll, in the order of `sub_keeps`."""
    keep_mask: Tinies2
    """int8[R + 1, K]: whether each keep is one of each roll; the last row has none."""
    equal_face: Ints
    """int32[R]: the face of a roll of equal dice, from 0; -1 for any other roll."""
    points: Ints3
    """int32[N, R, B]: what a roll is worth in each box under each ruling, as in `extra_tables`."""
    extras: Extras
    is_lower: Flags
    """bool[B]."""
    before: Ints
    """int32[B]: the box that must be filled first; -1 if there is none."""
    requires: Ints
    """int32[B]: the box that must hold points for this one to score; -1 if there is none."""
    early_bonus: Ints2
    """int32[rolls, B]: points added on each of the first rolls of a turn, as far as they differ from later ones."""
    first_wins: Flags
    """bool[B]: whether points on the first roll of a turn win at once."""
    column: Ints
    """int32[B]."""
    is_counted: Flags
    """bool[B]: whether its points count in the sum, and not only in a line."""
    is_upper: Flags
    """bool[B]: whether its points count towards the upper total."""
    announceable: Ints
    """int32[A]: the boxes of the announcements, in the order of their actions."""
    is_announceable: Flags
    """bool[B]: whether it is among `announceable`."""
    lines: Ints2
    """int32[…, 4]: the boxes that each line adds, subtracts and multiplies, and its column's multiplier."""
    pair: Ints
    """int32[2]: the boxes of which the first must hold more points than the second; -1 if there are none."""
    pair_or_equal: bool
    multiplier: Ints
    """int32[C]."""
    tiers: Ints2
    """int32[…, 2]: upper total and points of each tier of the upper bonus."""
    award_boxes: Flags2
    """bool[awards, B]: the boxes of each award of the conversion."""
    award_kind: Ints
    """int32[awards]: 0 if the award counts boxes with points, 1 if it adds the points of boxes, 2 for the sum."""
    award_tiers: Ints2
    """int32[…, 3]: award, figure to reach and points of every tier."""
    outright: Ints
    """int32[rounds + 1]: what an outright win counts beside the score, by turns left."""
    extra_bonus: int
    forced_score: bool
    is_free: bool
    """Whether every open box may be filled with any roll that is no extra Yahtzee, and only with its points."""
    saved_rolls: bool
    turn_rolls: int
    rounds: int


class Cards(NamedTuple):
    """The state of N environments. B boxes, S score actions."""

    boxes: Ints2
    """int32[N, B]: points, -1 while open."""
    upper: Ints2
    """int32[N, C]: the upper total of each column."""
    card: Ints2
    """int32[N, 5]: extra bonuses, saved rolls, whether the first equal dice went elsewhere, the box of the last
    announcement, counted from 1, or 0, and the score so far."""
    roll: Ints
    """int32[N]: the roll, -1 at the end of an episode."""
    rolls_left: Ints2
    """int32[N, 1]."""
    sum: Ints
    """int32[N]: the points on the card, before any conversion."""
    num_filled: Ints
    """int32[N]."""
    won: Flags
    """bool[N]: whether the episode ended with an outright win."""
    legal: Tinies2
    """int8[N, S]: which scores and announcements are legal."""
    num_scores: Ints
    """int32[N]: how many of them."""
    may_keep: Flags
    """bool[N]: whether any keep is legal."""


class Observed(NamedTuple):
    """What is shown of N environments. A actions."""

    dice: Tinies2
    """int8[N, F]: the dice that show each face."""
    rolls_left: Ints2
    """int32[N, 1] …"""
    boxes: Ints2
    """int32[N, B] …"""
    upper: Ints2
    """int32[N, C] …"""
    card: Ints2
    """int32[N, 5]: as in `Cards`."""
    action_mask: Tinies2
    """int8[N, A]: 1 for each legal action."""


class Stepped(NamedTuple):
    """What a step of N environments gives."""

    points: Floats
    """float64[N]: what the action adds to the result."""
    over: Flags
    """bool[N]: whether the episode is over."""
    illegal: Flags
    """bool[N]: whether the action was illegal, and so changed nothing."""
    shown: Observed


class Lanes(NamedTuple):
    """The working arrays of one thread for eight environments."""

    number: Integers
    """int64[BLOCK]: 0, 1, 2 and so on."""
    node: Integers
    """int64[BLOCK]: the keep, or the roll as a keep of all dice, that dice are added to."""
    is_new: Flags
    """bool[BLOCK]: whether the legal scores must be listed again."""
    faces: Integers
    """int64[…]: dice, as `roll_faces` writes them."""


def game_tables(ruleset: Ruleset) -> GameTables:
    """The tables of a ruleset."""
    num_dice, num_faces, faces = ruleset.dice, ruleset.faces, range(1, ruleset.faces + 1)
    all_rolls, all_keeps = rolls(num_dice, num_faces), keeps(num_dice, num_faces)
    place = {keep: index for index, keep in enumerate(all_keeps)}
    lists = [[place[keep] for keep in sub_keeps(roll)] for roll in all_rolls]
    mask = np.zeros((len(all_rolls) + 1, len(all_keeps)), dtype=np.int8)
    for row, found in zip(mask[:-1], lists, strict=True):
        row[found] = 1
    boxes, per_column = ruleset.boxes, len(ruleset.categories)
    upper = {box for column in range(len(ruleset.columns)) for box in ruleset.section_boxes["upper", column]}
    extras, points = extra_tables(ruleset)
    pair, first_announcement = ruleset.limited_pair, len(boxes) * len(ruleset.writable(1))
    small = all_keeps[: len(all_keeps) - len(all_rolls)]
    pitch_bits = (num_faces - 1).bit_length()
    after_die = np.repeat(np.arange(len(all_keeps), dtype=np.int32) << pitch_bits, 1 << pitch_bits)
    after_die = after_die.reshape(-1, 1 << pitch_bits)
    for keep in small:
        after_die[place[keep], :num_faces] = [place[with_dice(keep, (face,))] << pitch_bits for face in faces]
    return GameTables(
        num_dice=num_dice,
        num_faces=num_faces,
        num_rolls=len(all_rolls),
        num_small=len(small),
        first_announcement=first_announcement,
        first_keep=first_announcement + len(ruleset.announceable_boxes),
        num_actions=first_announcement + len(ruleset.announceable_boxes) + len(all_keeps),
        counts=np.array([[roll.count(face) for face in faces] for roll in (*all_rolls, ())], dtype=np.int8),
        pitch_bits=pitch_bits,
        after_die=after_die.ravel(),
        keep_begin=np.cumsum([0, *map(len, lists)]).astype(np.int32),
        keep_list=np.array([keep for found in lists for keep in found], dtype=np.int32),
        keep_mask=mask,
        equal_face=np.array([roll[0] - 1 if len(set(roll)) == 1 else -1 for roll in all_rolls], dtype=np.int32),
        points=points,
        extras=extras,
        is_lower=np.array([box.category.section == "lower" for box in boxes]),
        before=np.array([_before(ruleset, box, per_column) for box in range(len(boxes))], dtype=np.int32),
        requires=np.array(
            [ruleset.box_index[box.category.requires] if box.category.requires else -1 for box in boxes], dtype=np.int32
        ),
        early_bonus=np.array(
            [[box.category.early_bonus(roll) for box in boxes] for roll in range(ruleset.num_early)], dtype=np.int32
        ).reshape(-1, len(boxes)),
        first_wins=np.array([box.category.first_roll_wins for box in boxes]),
        column=np.array([box.column for box in boxes], dtype=np.int32),
        is_counted=np.array([box in ruleset.counted_boxes for box in range(len(boxes))]),
        is_upper=np.array([box in upper for box in range(len(boxes))]),
        announceable=np.array(sorted(ruleset.announceable_boxes), dtype=np.int32),
        is_announceable=np.array([box in ruleset.announceable_boxes for box in range(len(boxes))]),
        lines=np.array(
            [(*line, ruleset.columns[boxes[line[0]].column].multiplier) for line in ruleset.line_boxes], dtype=np.int32
        ).reshape(-1, 4),
        pair=np.array(pair or (-1, -1), dtype=np.int32),
        pair_or_equal=pair is not None and boxes[pair[0]].category.or_equal,
        multiplier=np.array([column.multiplier for column in ruleset.columns], dtype=np.int32),
        tiers=np.array([(tier.at, tier.points) for tier in ruleset.upper_bonus], dtype=np.int32).reshape(-1, 2),
        award_boxes=np.array(
            [[award.category in ("", box.category.id) for box in boxes] for award in ruleset.conversion], dtype=np.bool_
        ).reshape(-1, len(boxes)),
        award_kind=np.array(
            [0 if award.of == "boxes" else 1 if award.category else 2 for award in ruleset.conversion], dtype=np.int32
        ),
        award_tiers=np.array(
            [(number, tier.at, tier.points) for number, award in enumerate(ruleset.conversion) for tier in award.tiers],
            dtype=np.int32,
        ).reshape(-1, 3),
        outright=np.array(
            [ruleset.outright_points(left) if ruleset.can_be_won_outright else 0 for left in range(ruleset.rounds + 1)],
            dtype=np.int32,
        ),
        extra_bonus=ruleset.extra_bonus,
        forced_score=ruleset.forced_score,
        is_free=not ruleset.forced_score
        and not ruleset.announceable_boxes
        and first_announcement == len(boxes)
        and all(column.order == "free" for column in ruleset.columns),
        saved_rolls=ruleset.saved_rolls,
        turn_rolls=ruleset.rolls,
        rounds=ruleset.rounds,
    )


def _before(ruleset: Ruleset, box: int, per_column: int) -> int:
    """The box that the order of its column fills before a box, -1 if there is none."""
    order, place = ruleset.columns[ruleset.boxes[box].column].order, box % per_column
    if order == "down":
        return box - 1 if place else -1
    if order == "up":
        return box + 1 if place < per_column - 1 else -1
    return -1


def empty_cards(ruleset: Ruleset, num_envs: int) -> Cards:
    """So many empty cards, without a roll."""
    num_scores = len(ruleset.boxes) * len(ruleset.writable(1)) + len(ruleset.announceable_boxes)
    return Cards(
        boxes=np.full((num_envs, len(ruleset.boxes)), -1, dtype=np.int32),
        upper=np.zeros((num_envs, len(ruleset.columns)), dtype=np.int32),
        card=np.zeros((num_envs, 5), dtype=np.int32),
        roll=np.full(num_envs, -1, dtype=np.int32),
        rolls_left=np.zeros((num_envs, 1), dtype=np.int32),
        sum=np.zeros(num_envs, dtype=np.int32),
        num_filled=np.zeros(num_envs, dtype=np.int32),
        won=np.zeros(num_envs, dtype=np.bool_),
        legal=np.zeros((num_envs, num_scores), dtype=np.int8),
        num_scores=np.zeros(num_envs, dtype=np.int32),
        may_keep=np.zeros(num_envs, dtype=np.bool_),
    )
