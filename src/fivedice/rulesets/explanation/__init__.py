"""The rules of any ruleset in plain sentences in several languages, generated from its data alone.

The package is not called `explain`: importing a module of it would then hide the function `fivedice.explain`.
"""

from fivedice.rulesets.explanation.text import explain, rules_markdown

__all__ = ["explain", "rules_markdown"]
