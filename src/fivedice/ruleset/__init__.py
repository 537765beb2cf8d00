"""Rules as frozen data: `Ruleset`, the boxes of its card, and the scorers of their categories.

Nothing here reads a file: `fivedice.rulesets` does.
"""

from fivedice.ruleset.ruleset import Choice as Choice
from fivedice.ruleset.ruleset import Example as Example
from fivedice.ruleset.ruleset import Family as Family
from fivedice.ruleset.ruleset import Joker as Joker
from fivedice.ruleset.ruleset import Ruleset as Ruleset
from fivedice.ruleset.ruleset import RuleSource as RuleSource
