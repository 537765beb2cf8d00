"""The rulesets that environments are compared under: every shipped and tiny one, and one for what these do not have."""

from fivedice import load_ruleset, ruleset_ids
from fivedice.rulesets import parse_ruleset
from fivedice.testing import TINY
from tests.amount import cases

ANNOUNCED = parse_ruleset(
    """
    id = "tiny_announced"
    dice = 2
    faces = 3
    upper_bonus = "4@3"
    voluntary_zero = true
    [categories]
    ones = { scorer = "sum_of_face", face = 1 }
    high = { scorer = "any_dice" }
    low = { scorer = "any_dice" }
    pair = { scorer = "n_of_a_kind", n = 2, pays = [9, 7, 5] }
    [lines.difference]
    name = "(High - Low) x Ones"
    plus = "high"
    minus = "low"
    times = "ones"
    [columns]
    down = { order = "down" }
    named = { announced = true, multiplier = 2 }
    """,
    ref="tiny_announced",
)
"""Announced boxes, lines, and points by the number of the roll."""

SOME_IDS = cases(["balut", "crag", "yamb"], full=ruleset_ids())
"""Shipped rulesets with all kinds of turns and results, of which tests of what hardly depends on rules take seconds."""

EVERY = [*map(load_ruleset, ruleset_ids()), *TINY.values(), ANNOUNCED]
