"""The rules of any ruleset in sentences that a family can play from; generated from the data, never by its id."""

from fivedice.explain.rules_page import explain, explain_data, rules_page

__all__ = ["explain", "explain_data", "rules_page"]
