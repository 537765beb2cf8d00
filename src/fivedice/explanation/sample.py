"""`Sample`: for each box, a roll that shows what it needs, with the dice that match and the points.

>>> from fivedice.rulesets import load_ruleset
>>> found = samples(load_ruleset("yahtzee"))["full_house"]
>>> found.dice, found.points
((1, 1, 5, 5, 5), 25)
"""

from dataclasses import dataclass

from fivedice.box import Category
from fivedice.dice import Dice, rolls
from fivedice.ruleset import Ruleset
from fivedice.scoring import SCORERS


@dataclass(frozen=True)
class Sample:
    """A roll, those of its dice that the box needs, and what the roll scores there."""

    dice: Dice
    matched: Dice
    points: int


def samples(ruleset: Ruleset) -> dict[str, Sample]:
    """The most typical roll for each category, by its id.

    It fits few other lower boxes, shows many faces and has an ordinary total; for an upper box, half of it is the face.
    """
    categories = ruleset.categories
    lower = [index for index, category in enumerate(categories) if category.section == "lower"]
    typical: dict[str, tuple[tuple[int, int, int], Dice]] = {}
    for roll in rolls(ruleset.dice_per_box, ruleset.faces):
        scores = ruleset.face_scores(roll)
        num_lower = sum(scores[index] > 0 for index in lower)
        extreme = abs(2 * sum(roll) - ruleset.dice_per_box * (ruleset.faces + 1))
        for category, points in zip(categories, scores, strict=True):
            if not points:
                continue
            is_face = category.scorer == "sum_of_face"
            oddity = (
                abs(roll.count(category.arguments["face"]) - (ruleset.dice_per_box + 1) // 2) if is_face else num_lower
            )
            candidate = ((oddity, -len(set(roll)), extreme), roll)
            typical[category.id] = min(typical.get(category.id, candidate), candidate)
    return {category.id: _sample(category, typical[category.id][1]) for category in categories}


def _sample(category: Category, roll: Dice) -> Sample:
    return Sample(roll, SCORERS[category.scorer](roll, **category.arguments), category.score(roll))
