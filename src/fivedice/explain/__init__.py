"""The rules of any ruleset in plain sentences, generated from its data alone."""

from fivedice.explain.rules_page import explain, rules_page

__all__ = ["explain", "rules_page"]
