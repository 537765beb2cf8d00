"""The rules of any ruleset in plain sentences in several languages, generated from its data alone."""

from fivedice.explanation.text import explain, rules_markdown

__all__ = ["explain", "rules_markdown"]
