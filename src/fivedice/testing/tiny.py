"""`TINY` and `TINY_TURNS`: rulesets small enough for brute force over all positions, one for each kind of rule."""

from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.ruleset import Ruleset

_TEXTS = {
    "tiny_plain": """
        upper_bonus = "4@5"
        [categories]
        ones = { scorer = "sum_of_face", face = 1 }
        threes = { scorer = "sum_of_face", face = 3 }
        pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
    """,
    "tiny_joker": """
        upper_bonus = "3@2"
        joker = "forced"
        joker_category = "pair"
        extra_bonus = 10
        [categories]
        ones = { scorer = "sum_of_face", face = 1 }
        straight = { scorer = "straight", length = 2, pays = 7 }
        pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
    """,
    "tiny_columns": """
        upper_bonus = "4@2"
        [categories]
        ones = { scorer = "sum_of_face", face = 1 }
        chance = { scorer = "any_dice" }
        [columns]
        down = { order = "down" }
        double = { multiplier = 2, order = "up" }
    """,
    "tiny_saved": """
        rolls = 2
        saved_rolls = true
        [categories]
        ones = { scorer = "sum_of_face", face = 1 }
        twos = { scorer = "sum_of_face", face = 2 }
        straight = { scorer = "straight", faces = ["13"], pays = 6 }
    """,
    "tiny_first_roll": """
        rounds = 2
        voluntary_zero = true
        [categories]
        twos = { scorer = "sum_of_face", face = 2 }
        straight = { scorer = "straight", length = 2, pays = 4, first_roll_bonus = 3 }
        pair = { scorer = "n_of_a_kind", n = 2, pays = "matched", plus = 2, first_roll_wins = true }
    """,
    "tiny_requires": """
        joker_category = "pair"
        [categories]
        twos = { scorer = "sum_of_face", face = 2 }
        pair = { scorer = "n_of_a_kind", n = 2, pays = 3 }
        second_pair = { scorer = "n_of_a_kind", n = 2, pays = 9, requires = "pair" }
    """,
    "tiny_above": """
        upper_bonus = "4@3"
        [categories]
        ones = { scorer = "sum_of_face", face = 1 }
        more = { scorer = "any_dice", above = "fewer" }
        fewer = { scorer = "any_dice" }
    """,
}

_TURN_TEXTS = {
    "tiny_announced": """
        dice = 2
        faces = 3
        rolls = 2
        upper_bonus = "4@2"
        [categories]
        ones = { scorer = "sum_of_face", face = 1 }
        pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
        [columns]
        free = {}
        called = { announced = true, multiplier = 2 }
    """,
    "tiny_all_announced": """
        dice = 2
        faces = 3
        rolls = 3
        voluntary_zero = true
        [categories]
        twos = { scorer = "sum_of_face", face = 2 }
        pair = { scorer = "n_of_a_kind", n = 2, pays = [9, 4] }
        [columns]
        called = { announced = true }
    """,
    "tiny_by_roll": """
        dice = 2
        faces = 3
        rounds = 2
        [categories]
        twos = { scorer = "sum_of_face", face = 2, first_roll_bonus = 1 }
        straight = { scorer = "straight", length = 2, pays = [7, 5, 2], plus = 1 }
        pair = { scorer = "n_of_a_kind", n = 2, pays = [2, 6, 3] }
    """,
    "tiny_line": """
        dice = 2
        faces = 3
        rolls = 2
        upper_bonus = "3@2"
        [categories]
        ones = { scorer = "sum_of_face", face = 1 }
        high = { scorer = "any_dice" }
        low = { scorer = "n_of_a_kind", n = 2, plus = 1 }
        [lines.range]
        plus = "high"
        minus = "low"
        times = "ones"
    """,
    "tiny_lines": """
        dice = 2
        faces = 2
        rolls = 1
        [categories]
        twos = { scorer = "sum_of_face", face = 2 }
        high = { scorer = "any_dice" }
        low = { scorer = "any_dice" }
        [lines.range]
        plus = "high"
        minus = "low"
        times = "twos"
        [columns]
        down = { order = "down" }
        called = { order = "up", announced = true, multiplier = 3 }
    """,
    "tiny_conversion": """
        dice = 2
        faces = 3
        rolls = 2
        voluntary_zero = true
        upper_bonus = "3@4"
        [categories]
        twos = { scorer = "sum_of_face", face = 2 }
        high = { scorer = "any_dice" }
        pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
        [conversion]
        pair = { boxes = "4@1" }
        high = "1@3/2@5"
        total = "-2@4/1@6/6@10"
    """,
    "tiny_conversion_of_columns": """
        dice = 2
        faces = 2
        rolls = 2
        [categories]
        high = { scorer = "any_dice" }
        pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
        [columns]
        a = {}
        b = {}
        c = { multiplier = 2 }
        [conversion]
        pair = { boxes = "1@1/4@3" }
        high = "3@8/4@10"
        total = "2@20/3@26"
    """,
}


def _tiny(texts: dict[str, str]) -> dict[str, Ruleset]:
    return {id: parse_ruleset(f'id = "{id}"\n{text}', ref=id) for id, text in texts.items()}


TINY_TURNS = _tiny(_TURN_TEXTS)
"""Rulesets with rules for turns that the compiled kernels do not know, by id: announcements, points by the number of
the roll, lines, and conversions. They have values and advice, but no chances and no breakdown.
"""

TINY = _tiny({id: f"dice = 2\nfaces = 3\n{text}" for id, text in _TEXTS.items()})
"""Rulesets of two dice with three faces, by id: plain, with jokers, columns, saved rolls, first-roll rules, a box
that requires another, and a pair of boxes that limit each other.

They are not shipped rulesets, so `parse_position` needs the ruleset as an argument.
"""
