"""The rulesets that environments are compared under: every shipped and tiny one."""

from fivedice import load_ruleset, ruleset_ids
from fivedice.testing import TINY, TINY_TURNS
from tests.amount import cases

SOME_IDS = cases(["balut", "crag", "yamb"], full=ruleset_ids())
"""Shipped rulesets with all kinds of turns and results, of which tests of what hardly depends on rules take seconds."""

EVERY = [*map(load_ruleset, ruleset_ids()), *TINY.values(), *TINY_TURNS.values()]
