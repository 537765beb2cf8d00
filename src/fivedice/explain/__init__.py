"""The rules of any ruleset in plain sentences, generated from its data alone."""

from fivedice.explain.rules_page import explain, explain_data, rules_page

__all__ = ["explain", "explain_data", "rules_page"]
