"""`TINY`: rulesets small enough for brute force over all positions, one for each kind of rule."""

from fivedice.ruleset import Ruleset
from fivedice.rulesets import parse_ruleset

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
}

TINY: dict[str, Ruleset] = {
    id: parse_ruleset(f'id = "{id}"\ndice = 2\nfaces = 3\n{text}', ref=id) for id, text in _TEXTS.items()
}
"""Rulesets of two dice with three faces, by id: plain, with jokers, columns, saved rolls, and first-roll rules.

They are not shipped rulesets, so `parse_position` needs the ruleset as an argument.
"""
