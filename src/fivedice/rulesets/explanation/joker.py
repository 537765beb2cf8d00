"""The extra Yahtzee in sentences and as an order of choices: what it is, what it earns, and where it may go."""

from dataclasses import dataclass

from fivedice.base.language import ENGLISH, Language
from fivedice.rulesets.box import Category
from fivedice.rulesets.explanation.boxes import category_name, joker_name
from fivedice.rulesets.explanation.words import pays
from fivedice.rulesets.ruleset import Joker, Ruleset


@dataclass(frozen=True)
class JokerStep:
    """One choice of the joker order: a question, and what to do if the answer is yes. The last has no question."""

    question: str
    answer: str


def joker_sentences(ruleset: Ruleset, to: Language = ENGLISH) -> list[str]:
    """The rules for a roll of equal dice once the joker category is filled, one sentence for each step."""
    if not (ruleset.extra_bonus or ruleset.joker is not Joker.NONE):
        return [to.say("There is no bonus for a second roll of equal dice, and no joker.")]
    name = joker_name(ruleset, to)
    return [
        _definition(ruleset, name, to),
        " ".join(_bonus(ruleset, name, to)),
        *_order(ruleset, name, to),
        *_column_order(ruleset, to),
    ]


def joker_steps(ruleset: Ruleset, to: Language = ENGLISH) -> list[JokerStep]:
    """The joker order as questions to ask one after the other; empty without a joker."""
    if not ruleset.joker_category or ruleset.joker is Joker.NONE:
        return []
    is_upper_open = to.say("Is the upper box of this face open?")
    is_lower_open = to.say("Is a lower box open?")
    there = to.say("Score it there.")
    value = _joker_value(ruleset, to)
    below = " ".join([to.say("Score it in any open lower box, as a joker."), value])
    anywhere = " ".join([to.say("Score it in any open box. In a lower box it is a joker."), value])
    match ruleset.joker:
        case Joker.FREE:
            return [
                JokerStep(is_upper_open, to.say("Score it in any open box, like any other roll.")),
                JokerStep("", anywhere),
            ]
        case Joker.FORCED:
            return [
                JokerStep(is_upper_open, there),
                JokerStep(is_lower_open, below),
                JokerStep("", _upper_end(ruleset, to)),
            ]
        case Joker.WILD:
            return [JokerStep(is_upper_open, there), JokerStep("", anywhere)]
        case _:
            return [
                JokerStep(is_lower_open, below),
                JokerStep("", to.say("Score it in any open upper box, like any other roll.")),
            ]


def _upper_end(ruleset: Ruleset, to: Language) -> str:
    if _is_upper_by_face(ruleset):
        return to.say("Score 0 in any open upper box.")
    return to.say("Score it in any open upper box, like any other roll.")


def _definition(ruleset: Ruleset, name: str, to: Language) -> str:
    columns = len(ruleset.columns)
    if ruleset.wild_while_open:
        return to.say(
            "A roll of equal dice is an extra {box} once equal dice were scored in any box or a {box} box is filled.",
            box=name,
        )
    if columns == 1:
        return to.say(
            "A roll of equal dice is an extra {box} once the {box} box is filled, with points or with a zero.", box=name
        )
    return to.say(
        "A roll of equal dice is an extra {box} once the {box} boxes of all {n} columns are filled, with points or "
        "with a zero.",
        box=name,
        n=to.number(columns),
    )


def _bonus(ruleset: Ruleset, name: str, to: Language) -> list[str]:
    if not ruleset.extra_bonus:
        return [to.say("An extra {box} earns no bonus.", box=name)]
    if ruleset.bonus_in_upper:
        sentences = [
            to.say(
                "In the upper box of its face it earns a bonus of {points}, on top of what the box scores.",
                points=ruleset.extra_bonus,
            ),
            to.say("In any other box it earns no bonus."),
        ]
    else:
        sentences = [to.say("It earns a bonus of {points}, on top of what its box scores.", points=ruleset.extra_bonus)]
    if ruleset.bonus_after_zero:
        sentences.append(to.say("After a zero in the {box} box it earns the bonus, too.", box=name))
    elif len(ruleset.columns) == 1:
        sentences.append(to.say("After a zero in the {box} box it earns no bonus.", box=name))
    else:
        sentences.append(to.say("After a zero in one of the {box} boxes it earns no bonus.", box=name))
    if ruleset.wild_while_open:
        sentences.append(to.say("While a {box} box is open it earns no bonus.", box=name))
    if ruleset.first_in_box:
        sentences.append(
            to.say("If the first equal dice are scored in another box, no bonus is earned in the whole game.")
        )
    if ruleset.bonus_needs_points:
        sentences.append(to.say("Where it scores 0 it earns no bonus."))
    if ruleset.bonus_by_column:
        sentences.append(to.say("This bonus is multiplied like the points of its box."))
    elif len(ruleset.columns) > 1:
        sentences.append(to.say("This bonus is not multiplied."))
    return sentences


def _order(ruleset: Ruleset, name: str, to: Language) -> list[str]:
    must_match = to.say("If the upper box of its face is open, the roll must be scored there.")
    joker = _joker_value(ruleset, to)
    match ruleset.joker:
        case Joker.NONE:
            return [
                to.say(
                    "There is no joker: an extra {box} may go in any open box, where it scores like any other roll.",
                    box=name,
                )
            ]
        case Joker.FREE:
            return [
                to.say("It may be scored in any open box."),
                to.say("In a lower box it is a joker if the upper box of its face is filled."),
                joker,
                to.say("If the upper box of its face is open, it scores like any other roll."),
            ]
        case Joker.FORCED:
            return [
                must_match,
                to.say("Otherwise it must go in an open lower box, as a joker."),
                joker,
                _if_no_lower_is_open(ruleset, to),
            ]
        case Joker.WILD:
            return [
                must_match,
                to.say("Otherwise it may go in any open box. In a lower box it is a joker."),
                joker,
                to.say("In an upper box it then scores 0.")
                if _is_upper_by_face(ruleset)
                else to.say("In an upper box it then scores like any other roll."),
            ]
        case Joker.LOWER_FIRST:
            return [
                to.say("While a lower box is open, it must go in one, as a joker."),
                joker,
                to.say(
                    "If no lower box is open, it may go in any open upper box, where it scores like any other roll."
                ),
            ]


def _if_no_lower_is_open(ruleset: Ruleset, to: Language) -> str:
    if _is_upper_by_face(ruleset):
        return to.say("If no lower box is open, it may go in any open upper box, where it scores 0.")
    return to.say("If no lower box is open, it may go in any open upper box, where it scores like any other roll.")


def _is_upper_by_face(ruleset: Ruleset) -> bool:
    """Whether every upper box collects one face, so that equal dice of another face score 0 in it."""
    return all(category.scorer == "sum_of_face" for category in ruleset.categories if category.section == "upper")


def _joker_value(ruleset: Ruleset, to: Language) -> str:
    """What a joker scores, with the boxes where that differs from an ordinary score."""
    gains = [
        _gain(category, ruleset, to)
        for category in ruleset.categories
        if category.section == "lower" and category.id != ruleset.joker_category and _gains(category, ruleset)
    ]
    if gains:
        return to.say("A joker scores as if the roll matched: {boxes}.", boxes=to.listed(gains))
    return to.say("A joker scores as if the roll matched.")


def _gain(category: Category, ruleset: Ruleset, to: Language) -> str:
    name = category_name(category, ruleset, to)
    if isinstance(category.pays, int):
        return f"{name} {category.pays + category.plus}"
    return f"{name} ({pays(category, ruleset, to)})"


def _gains(category: Category, ruleset: Ruleset) -> bool:
    equal = [(face,) * ruleset.dice for face in range(1, ruleset.faces + 1)]
    return any(category.joker_score(dice) != category.score(dice) for dice in equal)


def _column_order(ruleset: Ruleset, to: Language) -> list[str]:
    if ruleset.joker is Joker.NONE or all(column.order == "free" for column in ruleset.columns):
        return []
    return [to.say("If a column must be filled in order, only its next box counts as open.")]
