"""`Sample`: for each box, a roll that shows what it needs, with the dice that match and the points.

>>> from fivedice.rulesets import load_ruleset
>>> yahtzee = load_ruleset("yahtzee")
>>> [sample(category, yahtzee).points for category in yahtzee.categories[6:9]]
[18, 17, 25]
"""

from dataclasses import dataclass
from functools import lru_cache

from fivedice.dice import Dice, rolls
from fivedice.ruleset import Category, Ruleset
from fivedice.scoring import SCORERS


@dataclass(frozen=True)
class Sample:
    """A roll, those of its dice that the box needs, and what the roll scores there."""

    dice: Dice
    matched: Dice
    points: int


@lru_cache(maxsize=1024)
def sample(category: Category, ruleset: Ruleset) -> Sample:
    """The most typical roll for a category.

    It fits few other lower boxes, shows many faces and has an ordinary total; for an upper box, half of it is the face.
    """
    others = [other for other in ruleset.categories if other.section == "lower" and other is not category]

    def oddity(roll: Dice) -> tuple[int, int, int, Dice]:
        if category.scorer == "sum_of_face":
            fits = abs(roll.count(category.arguments["face"]) - (ruleset.dice + 1) // 2)
        else:
            fits = sum(other.score(roll) > 0 for other in others)
        return fits, -len(set(roll)), abs(2 * sum(roll) - ruleset.dice * (ruleset.faces + 1)), roll

    best = min((roll for roll in rolls(ruleset.dice, ruleset.faces) if category.score(roll)), key=oddity)
    return Sample(best, SCORERS[category.scorer](best, **category.arguments), category.score(best))
