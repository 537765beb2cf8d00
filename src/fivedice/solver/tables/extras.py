"""`Extras`: what the engine says of equal dice, asked once for a ruleset, so that kernels only look it up.

Three things decide it: the state of the joker boxes, the dice, and which other boxes are open. Boxes are asked for in
two groups: the upper boxes that collect the face of the dice, and the lower ones.
"""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np

from fivedice.game.card import ScoreCard
from fivedice.game.joker import rule_on_extra
from fivedice.rulesets.dice import Dice, rolls
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.solver.arrays import Flags, Flags2, Integers, Ints3, Tinies2
from fivedice.solver.tables.states import Array

ANY = 0
"""The ruling that lets a roll fill any box at face value: that on every roll but an extra Yahtzee."""
NONE, SOME, ALL = range(NUM_FILLED := 3)
"""How many joker boxes are filled."""
WITH_ZERO, ELSEWHERE_BEFORE = 2, 5
"""A state of the joker boxes is how many are filled, and these if one holds a zero, and if the first equal dice were
scored elsewhere."""
NUM_STATES = 2 * ELSEWHERE_BEFORE
MATCHING_OPEN, MATCHING_FILLED, LOWER_OPEN = 1, 2, 4
"""A situation: whether a turn may fill a box that collects the face, whether all of those are filled, and whether it
may fill a lower box."""
MATCHING, LOWER = 1, 2
"""The groups of boxes."""
OTHERS, ELSEWHERE, POINTS, ZERO = range(4)
"""What a score does: nothing here; equal dice in a box that is no joker box; points or a zero in a joker box."""


class Extras(NamedTuple):
    """B boxes, F faces, N rulings, P payments, S states of the joker boxes."""

    is_joker: Flags
    """bool[B]: whether it is a joker box."""
    group: Tinies2
    """int8[F, B]: the group of each box for each face, 0 for none."""
    ruling: Tinies2
    """int8[F, 8]: the ruling on an extra Yahtzee of each face in each situation."""
    payment: Integers
    """int64[S]: the row of `bonus`, divided by F, from which an extra Yahtzee is paid; 0 pays nothing."""
    bonus: Ints3
    """int32[P · F, B, 2]: the extra bonus in each box, without and with points."""
    of_flag: Tinies2
    """int8[2, 3]: a state of the joker boxes for each flag of turn states and number of filled boxes."""
    is_extra: Flags
    """bool[S]: whether equal dice are an extra Yahtzee."""
    is_spoiled: Flags
    """bool[S]: the flag of turn states."""
    is_spoiled_after: Flags2
    """bool[S, 4]: that flag after a score that does `OTHERS`, `ELSEWHERE`, `POINTS` or `ZERO`."""
    is_elsewhere_after: Flags
    """bool[S]: whether the first equal dice were scored elsewhere once equal dice are."""
    has_points: Flags
    """bool[S]: whether the joker boxes hold points, which some boxes require."""


def extra_tables(ruleset: Ruleset) -> tuple[Extras, Array]:
    """The tables, and int32[N, R, B]: what each of `fivedice.rulesets.dice.rolls`, in order, is worth in each box under
    each ruling, on any card; -1 where the ruling closes the box, as all but `ANY` do to dice that are not all equal."""
    faces, boxes = range(1, ruleset.faces + 1), range(len(ruleset.boxes))
    matches = [ruleset.matching_upper[face] for face in faces]
    lower = frozenset(box for box in boxes if ruleset.boxes[box].category.section == "lower")
    group = np.array([[MATCHING * (box in own) or LOWER * (box in lower) for box in boxes] for own in matches])
    ruling, points = _rulings(ruleset, lower)
    cards = _cards(ruleset)
    payment, bonus = _payments(ruleset, cards)
    is_spoiled = _flags(cards, lambda card: card.is_spoiled)
    of_flag = [[_state(is_spoiled, filled, flag) for filled in range(NUM_FILLED)] for flag in (False, True)]
    equal = (1,) * ruleset.dice
    has_extras = ruleset.joker is not Joker.NONE or ruleset.extra_bonus > 0
    after = [[_after(card, score).is_spoiled for score in (OTHERS, ELSEWHERE, POINTS, ZERO)] for card in cards.values()]
    is_spoiled_after = np.zeros((NUM_STATES, 4), dtype=np.bool_)
    is_spoiled_after[list(cards)] = after
    extras = Extras(
        is_joker=np.array([box in ruleset.joker_boxes for box in boxes]),
        group=group.astype(np.int8),
        ruling=ruling,
        payment=payment,
        bonus=bonus,
        of_flag=np.array(of_flag, dtype=np.int8),
        is_extra=_flags(cards, lambda card: has_extras and card.is_extra(equal)),
        is_spoiled=is_spoiled,
        is_spoiled_after=is_spoiled_after,
        is_elsewhere_after=_flags(cards, lambda card: _after(card, ELSEWHERE).elsewhere),
        has_points=_flags(cards, lambda card: all(card.boxes[box] for box in ruleset.joker_boxes)),
    )
    return extras, points


def _rulings(ruleset: Ruleset, lower: frozenset[int]) -> tuple[Array, Array]:
    """`Extras.ruling`, and the points under each ruling."""
    all_rolls, boxes = rolls(ruleset.dice, ruleset.faces), frozenset(range(len(ruleset.boxes)))
    face_points = np.array([ruleset.face_scores(roll) * len(ruleset.columns) for roll in all_rolls], dtype=np.int32)
    table, points = np.zeros((ruleset.faces, 8), dtype=np.int8), [face_points]
    # What a situation does not say of a box that it closes is open to others, so those that close fewest come first.
    situations = sorted(
        product((0, LOWER_OPEN), (0, MATCHING_OPEN, MATCHING_FILLED)), key=lambda each: -sum(map(bool, each))
    )
    for row, roll in enumerate(all_rolls):
        if len(set(roll)) > 1:
            continue
        face, found = roll[0], [(boxes, frozenset[int]())]
        matching = ruleset.matching_upper[face]
        for lower_open, of_matching in situations:
            playable = boxes - (frozenset() if lower_open else lower)
            playable -= frozenset() if of_matching == MATCHING_OPEN else matching
            is_filled = of_matching == MATCHING_FILLED
            ruling = rule_on_extra(ruleset, face, sorted(playable), matching if is_filled else ())
            wanted = frozenset(ruling.allowed), ruling.at_joker_value
            known = next((n for n, each in enumerate(found) if (each[0] & playable, each[1] & playable) == wanted), -1)
            if known < 0:
                known = len(found)
                found.append(wanted)
            table[face - 1, lower_open | of_matching] = known
        for number, (allowed, at_joker_value) in enumerate(found[1:], start=1):
            if number == len(points):
                points.append(np.full_like(face_points, -1))
            for box in allowed:
                joker_points = ruleset.boxes[box].category.joker_score(roll)
                points[number][row, box] = joker_points if box in at_joker_value else face_points[row, box]
    return table, np.array(points)


def _cards(ruleset: Ruleset) -> dict[int, ScoreCard]:
    """State of the joker boxes → a card in it, whose other boxes are open."""
    jokers, found = sorted(ruleset.joker_boxes), dict[int, ScoreCard]()
    for filled, has_zero, is_elsewhere in product(range(NUM_FILLED), (False, True), (False, True)):
        number = (0, 1, len(jokers))[filled]
        if (filled == SOME and len(jokers) < 2) or (filled == ALL and not jokers) or (has_zero and not number):
            continue
        boxes: list[int | None] = [None] * len(ruleset.boxes)
        for box in jokers[:number]:
            boxes[box] = 0 if has_zero and box == jokers[0] else 1
        state = filled + WITH_ZERO * has_zero + ELSEWHERE_BEFORE * is_elsewhere
        found[state] = ScoreCard(ruleset, tuple(boxes), elsewhere=is_elsewhere)
    return found


def _flags(cards: dict[int, ScoreCard], is_so: Callable[[ScoreCard], bool]) -> Array:
    """bool[S]: whether something holds for a card in each state."""
    return np.array([state in cards and is_so(cards[state]) for state in range(NUM_STATES)])


def _state(is_spoiled: Array, filled: int, flag: bool) -> int:
    """A state of the joker boxes with this flag; if no state has it, one without."""
    if not flag:
        return filled
    return filled + (WITH_ZERO if filled and is_spoiled[filled + WITH_ZERO] else ELSEWHERE_BEFORE)


def _after(card: ScoreCard, score: int) -> ScoreCard:
    """The card after a score of this kind; itself if no open box takes one."""
    jokers, equal = card.ruleset.joker_boxes, (1,) * card.ruleset.dice
    is_joker = score in (POINTS, ZERO)
    box = next((box for box in range(len(card.boxes)) if card.boxes[box] is None and (box in jokers) == is_joker), None)
    if box is None:
        return card
    return card.fill(box, () if score == OTHERS else equal, int(score == POINTS), bonus=0, saved=0, won=False)


def _payments(ruleset: Ruleset, cards: dict[int, ScoreCard]) -> tuple[Array, Array]:
    """`Extras.payment` and `Extras.bonus`."""
    equal: list[Dice] = [(face,) * ruleset.dice for face in range(1, ruleset.faces + 1)]
    payment, rows = np.zeros(NUM_STATES, dtype=np.int64), [[[(0, 0)] * len(ruleset.boxes)] * ruleset.faces]
    for state, card in cards.items():
        if card.pays_extra(equal[0]):
            row = [[_pair(card, box, dice) for box in range(len(ruleset.boxes))] for dice in equal]
            if row not in rows:
                rows.append(row)
            payment[state] = rows.index(row)
    return payment, np.array(rows, dtype=np.int32).reshape(-1, len(ruleset.boxes), 2)


def _pair(card: ScoreCard, box: int, dice: Dice) -> tuple[int, int]:
    return card.extra_points(box, dice, 0), card.extra_points(box, dice, 1)
