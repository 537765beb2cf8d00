"""The extra Yahtzee in sentences: what it is, what it earns, and where the joker order lets it go."""

from fivedice.explain.words import listed, number, pays
from fivedice.ruleset import Category, Joker, Ruleset


def joker_sentences(ruleset: Ruleset) -> list[str]:
    """The rules for a roll of equal dice once the joker category is filled, one sentence for each step."""
    if not ruleset.joker_category:
        return [f"There is no bonus for a second roll of {number(ruleset.dice)} equal dice, and no joker."]
    name = next(category.name for category in ruleset.categories if category.id == ruleset.joker_category)
    return [_definition(ruleset, name), _bonus(ruleset, name), *_order(ruleset, name), *_column_order(ruleset)]


def _definition(ruleset: Ruleset, name: str) -> str:
    columns = len(ruleset.columns)
    boxes = f"the {name} box is" if columns == 1 else f"the {name} boxes of all {number(columns)} columns are"
    dice = f"{number(ruleset.dice)} equal dice"
    return f"A roll of {dice} is an extra {name} once {boxes} filled, with points or with a zero."


def _bonus(ruleset: Ruleset, name: str) -> str:
    if not ruleset.extra_bonus:
        return f"An extra {name} earns no bonus."
    if len(ruleset.columns) == 1:
        holds = f"if the {name} box holds points; after a zero there it earns no bonus"
    else:
        holds = f"if none of the {name} boxes holds a zero; the bonus is not multiplied"
    return f"It earns a bonus of {ruleset.extra_bonus} points, on top of what its box scores, {holds}."


def _order(ruleset: Ruleset, name: str) -> list[str]:
    upper_score = "0"
    if not all(category.scorer == "sum_of_face" for category in ruleset.categories if category.section == "upper"):
        upper_score = "like any other roll"
    must_match = "If the upper box of its face is open, the roll must be scored there."
    joker = _joker_value(ruleset)
    match ruleset.joker:
        case Joker.NONE:
            return [f"There is no joker: an extra {name} may go in any open box, where it scores like any other roll."]
        case Joker.FREE:
            return [
                "It may be scored in any open box.",
                f"In a lower box it is a joker if the upper box of its face is filled. {joker}",
                "If the upper box of its face is open, it scores like any other roll.",
            ]
        case Joker.FORCED:
            return [
                must_match,
                f"Otherwise it must go in an open lower box, as a joker. {joker}",
                f"If no lower box is open, it may go in any open upper box, where it scores {upper_score}.",
            ]
        case Joker.WILD:
            return [
                must_match,
                f"Otherwise it may go in any open box. In a lower box it is a joker. {joker}",
                f"In an upper box it then scores {upper_score}.",
            ]
        case Joker.LOWER_FIRST:
            return [
                f"While a lower box is open, it must go in one, as a joker. {joker}",
                "If no lower box is open, it may go in any open upper box, where it scores like any other roll.",
            ]


def _joker_value(ruleset: Ruleset) -> str:
    """What a joker scores, with the boxes where that differs from an ordinary score."""
    gains = [
        f"{category.name} {_points(category, ruleset)}"
        for category in ruleset.categories
        if category.section == "lower" and category.id != ruleset.joker_category and _gains(category, ruleset)
    ]
    what = "A joker scores as if the roll matched"
    return f"{what}: {listed(gains)}." if gains else f"{what}."


def _gains(category: Category, ruleset: Ruleset) -> bool:
    equal = [(face,) * ruleset.dice for face in range(1, ruleset.faces + 1)]
    return any(category.joker_score(dice) != category.score(dice) for dice in equal)


def _points(category: Category, ruleset: Ruleset) -> str:
    if isinstance(category.pays, int):
        return str(category.pays + category.plus)
    return f"the {pays(category)}"


def _column_order(ruleset: Ruleset) -> list[str]:
    if ruleset.joker is Joker.NONE or all(column.order == "free" for column in ruleset.columns):
        return []
    return ["If a column must be filled in order, only its next box counts as open."]
