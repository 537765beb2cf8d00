"""The names of boxes in other languages, as players know them: those of German Kniffel and Swedish Yatzy.

>>> from fivedice.rulesets import load_ruleset
>>> yatzy = load_ruleset("yatzy")
>>> [category_name(category, yatzy, language("sv")) for category in yatzy.categories[-5:]]
['Liten stege', 'Stor stege', 'Kåk', 'Chans', 'Yatzy']
"""

from functools import cache

from fivedice.base.language import LANGUAGES, Language, language, marked
from fivedice.rulesets.box import Category, Column
from fivedice.rulesets.ruleset import Ruleset

BOXES = {
    "ones": marked("Ones"),
    "twos": marked("Twos"),
    "threes": marked("Threes"),
    "fours": marked("Fours"),
    "fives": marked("Fives"),
    "sixes": marked("Sixes"),
    "one_pair": marked("One Pair"),
    "two_pairs": marked("Two Pairs"),
    "three_pairs": marked("Three Pairs"),
    "three_of_a_kind": marked("Three of a Kind"),
    "four_of_a_kind": marked("Four of a Kind"),
    "five_of_a_kind": marked("Five of a Kind"),
    "full_house": marked("Full House"),
    "house": marked("House"),
    "villa": marked("Villa"),
    "tower": marked("Tower"),
    "small_straight": marked("Small Straight"),
    "large_straight": marked("Large Straight"),
    "little_straight": marked("Little Straight"),
    "big_straight": marked("Big Straight"),
    "low_straight": marked("Low Straight"),
    "high_straight": marked("High Straight"),
    "odd_straight": marked("Odd Straight"),
    "even_straight": marked("Even Straight"),
    "full_straight": marked("Full Straight"),
    "straight": marked("Straight"),
    "chance": marked("Chance"),
    "choice": marked("Choice"),
    "thirteen": marked("Thirteen"),
    "flush": marked("Flush"),
    "two_pair_same_colour": marked("Two Pair Same Colour"),
    "full_house_same_colour": marked("Full House Same Colour"),
    "yahtzee": marked("Yahtzee"),
}
"""The usual boxes by the id of their category. `make catalogues` writes the page's names of boxes from these."""


_SYMBOLS = {"announced": marked("announced"), "free": marked("free"), "down": marked("down"), "up": marked("up")}
"""How the boxes of a column are filled, where its name is a symbol."""


def category_name(category: Category, ruleset: Ruleset, to: Language) -> str:
    """The name of a category in a language: that in the ruleset's file, the usual one, or else the English one."""
    own = ruleset.prose(category.name, to.card_tag)
    if own is not None:
        return own
    return to.say(BOXES[category.id]) if category.name in _usual_names(category.id) else category.name


def box_title(ruleset: Ruleset, id: str, to: Language) -> str:
    """The name of a box, with its column's multiplier; if boxes share it, with the column or the id in brackets.

    A column whose name is a symbol is called by the order of its boxes, or by that they are announced.
    """
    box = ruleset.boxes[ruleset.box_index[id]]
    column = ruleset.columns[box.column]
    name = category_name(box.category, ruleset, to)
    if column.multiplier != 1:
        name += f" ×{column.multiplier}"
    is_shared = sum(other.name == box.name for other in ruleset.boxes) > 1
    is_in_others = sum(other.multiplier == column.multiplier for other in ruleset.columns) > 1
    if is_shared or is_in_others:
        return f"{name} ({column_title(ruleset, column, to) or box.id})"
    return name


def column_title(ruleset: Ruleset, column: Column, to: Language) -> str:
    """What a column is called in a sentence; empty if it has no name and no id."""
    if not column.name or column.name.isalnum():
        return column.name or column.id
    alike = [other for other in ruleset.columns if (other.announced, other.order) == (column.announced, column.order)]
    return to.say(_SYMBOLS["announced" if column.announced else column.order]) if len(alike) == 1 else column.id


def joker_name(ruleset: Ruleset, to: Language) -> str:
    """The name of the box for equal dice, such as Kniffel; empty if the rules have no extra bonus and no joker."""
    found = (category for category in ruleset.categories if category.id == ruleset.joker_category)
    return next((category_name(category, ruleset, to) for category in found), "")


@cache
def _usual_names(id: str) -> frozenset[str]:
    """The usual name of a category in every language: only a file's own name is left as it is."""
    return frozenset(language(tag).say(BOXES[id]) for tag in LANGUAGES) if id in BOXES else frozenset()
