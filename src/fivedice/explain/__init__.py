"""The rules of any ruleset in sentences that a family can play from; generated from the data, never by its id."""

from fivedice.explain.rules_page import explain, rules_page

__all__ = ["explain", "rules_page"]
