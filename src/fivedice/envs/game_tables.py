"""`game_tables`: the `GameTables` of a ruleset."""

import numpy as np

from fivedice.dice import keeps, rolls, sub_keeps, with_dice
from fivedice.envs.action_numbers import ActionNumbers
from fivedice.errors import MalformedError
from fivedice.solver.kernels.game_tables import GameTables
from fivedice.solver.tables.offers import offer_points
from fivedice.solver.tables.rule_tables import JOKERS


def game_tables(numbers: ActionNumbers) -> GameTables:
    """The tables of a ruleset; raises `MalformedError` for rules that the kernels do not play."""
    ruleset = numbers.ruleset
    if ruleset.divides_dice:
        raise MalformedError(f"{ruleset} fills two boxes a turn: only single environments play it, not vectors of them")
    num_dice, num_faces, faces = ruleset.dice, ruleset.faces, range(1, ruleset.faces + 1)
    all_rolls, all_keeps = rolls(num_dice, num_faces), keeps(num_dice, num_faces)
    place = {keep: index for index, keep in enumerate(all_keeps)}
    lists = [[place[keep] for keep in sub_keeps(roll)] for roll in all_rolls]
    mask = np.zeros((len(all_rolls) + 1, len(all_keeps)), dtype=np.int8)
    for row, found in zip(mask[:-1], lists, strict=True):
        row[found] = 1
    boxes, per_column = ruleset.boxes, len(ruleset.categories)
    upper = {box for column in range(len(ruleset.columns)) for box in ruleset.section_boxes["upper", column]}
    pair = ruleset.limited_pair
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
        first_announcement=numbers.first_announcement,
        first_keep=numbers.first_keep,
        num_actions=numbers.size,
        counts=np.array([[roll.count(face) for face in faces] for roll in (*all_rolls, ())], dtype=np.int8),
        pitch_bits=pitch_bits,
        after_die=after_die.ravel(),
        keep_begin=np.cumsum([0, *map(len, lists)]).astype(np.int32),
        keep_list=np.array([keep for found in lists for keep in found], dtype=np.int32),
        keep_mask=mask,
        equal_face=np.array([roll[0] - 1 if len(set(roll)) == 1 else -1 for roll in all_rolls], dtype=np.int32),
        points=offer_points(ruleset),
        matching=np.array([[box in ruleset.matching_upper[face] for box in range(len(boxes))] for face in faces]),
        is_lower=np.array([box.category.section == "lower" for box in boxes]),
        is_joker=np.array([box in ruleset.joker_boxes for box in range(len(boxes))]),
        before=np.array([_before(numbers, box, per_column) for box in range(len(boxes))], dtype=np.int32),
        requires=np.array(
            [ruleset.box_index[box.category.requires] if box.category.requires else -1 for box in boxes], dtype=np.int32
        ),
        early_bonus=np.array(
            [[box.category.early_bonus(roll) for box in boxes] for roll in range(ruleset.num_early)], dtype=np.int32
        ).reshape(-1, len(boxes)),
        first_wins=np.array([box.category.first_roll_wins for box in boxes]),
        bonus_points=np.array(
            [
                ruleset.extra_bonus * (ruleset.columns[box.column].multiplier if ruleset.bonus_by_column else 1)
                for box in boxes
            ],
            dtype=np.int32,
        ),
        column=np.array([box.column for box in boxes], dtype=np.int32),
        is_counted=np.array([box in ruleset.counted_boxes for box in range(len(boxes))]),
        is_upper=np.array([box in upper for box in range(len(boxes))]),
        announceable=np.array(sorted(ruleset.announced_boxes), dtype=np.int32),
        is_announced=np.array([box in ruleset.announced_boxes for box in range(len(boxes))]),
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
        joker=JOKERS.index(ruleset.joker),
        has_joker_boxes=bool(ruleset.joker_boxes),
        extra_bonus=ruleset.extra_bonus,
        first_in_box=ruleset.first_in_box,
        wild_while_open=ruleset.wild_while_open,
        tracks_first=ruleset.tracks_first,
        bonus_needs_points=ruleset.bonus_needs_points,
        forced_score=ruleset.forced_score,
        is_free=not ruleset.forced_score
        and not ruleset.announced_boxes
        and numbers.first_announcement == len(boxes)
        and all(column.order == "free" for column in ruleset.columns),
        saved_rolls=ruleset.saved_rolls,
        turn_rolls=ruleset.rolls,
        rounds=ruleset.rounds,
    )


def _before(numbers: ActionNumbers, box: int, per_column: int) -> int:
    """The box that the order of its column fills before a box, -1 if there is none."""
    ruleset = numbers.ruleset
    order, place = ruleset.columns[ruleset.boxes[box].column].order, box % per_column
    if order == "down":
        return box - 1 if place else -1
    if order == "up":
        return box + 1 if place < per_column - 1 else -1
    return -1
