"""The rules of play in sentences: turns, columns, bonuses, scratching and the end of the game."""

from itertools import pairwise

from fivedice.explain.boxes import category_name
from fivedice.language import Language, marked
from fivedice.ruleset import Ruleset

_ORDERS = {
    "free": marked("The boxes may be filled in any order."),
    "down": marked("The boxes must be filled from the top of the card down."),
    "up": marked("The boxes must be filled from the bottom of the card up."),
}
_ORDERS_OF_EACH = {
    "free": marked("The boxes of each column may be filled in any order."),
    "down": marked("The boxes of each column must be filled from the top of the card down."),
    "up": marked("The boxes of each column must be filled from the bottom of the card up."),
}
_ORDERS_OF_ONE = {
    "free": marked("The boxes of column {column} may be filled in any order."),
    "down": marked("The boxes of column {column} must be filled from the top of the card down."),
    "up": marked("The boxes of column {column} must be filled from the bottom of the card up."),
}
_COLOURS = {"black": marked("black"), "red": marked("red"), "green": marked("green")}


def turn_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """How a turn goes, from the dice to the filled box; one to three sentences on each subject."""
    return [
        " ".join(_equipment(ruleset, to)),
        " ".join(_rolls(ruleset, to)),
        to.say("The roll is then scored in one open box. A filled box cannot be changed."),
        " ".join(_scratch(ruleset, to)),
        *([to.say("Unused rolls are saved: they are added to your next turn, without limit.")] * ruleset.saved_rolls),
        *_columns(ruleset, to),
    ]


def bonus_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """What the upper total earns; nothing if there is no upper section."""
    tiers = ruleset.upper_bonus
    if not tiers:
        has_upper = any(category.section == "upper" for category in ruleset.categories)
        return [to.say("There is no upper bonus.")] if has_upper else []
    ranges = [
        to.say("{bonus} for a total of {low} to {high}", bonus=low.points, low=low.at, high=high.at - 1)
        for low, high in pairwise(tiers)
    ]
    ranges.append(to.say("{bonus} for a total of {low} or more", bonus=tiers[-1].points, low=tiers[-1].at))
    sentences = [to.say("The upper section earns a bonus: {ranges}.", ranges=to.listed(ranges))]
    sentences.append(to.say("The bonus is credited as soon as it is reached."))
    if len(ruleset.columns) > 1:
        sentences.append(to.say("Every column has its own upper section and its own bonus."))
    if _is_multiplied(ruleset):
        sentences.append(to.say("The total for the bonus is taken before the points are multiplied."))
    return [" ".join(sentences)]


def matching_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """How dice that match in more than one way are scored, if that can make a difference."""
    if any(category.pays == "matched" and category.scorer != "sum_of_face" for category in ruleset.categories):
        return [to.say("If the dice match in more than one way, the highest sum counts.")]
    return []


def end_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """When the game ends and who wins."""
    sentences = [
        to.count(
            "The game ends when each player has taken one turn.",
            "The game ends when each player has taken {n} turns.",
            ruleset.rounds,
        )
    ]
    spare = len(ruleset.boxes) - ruleset.rounds
    if spare:
        sentences.append(
            to.count("Then one box of each card is still open.", "Then {n} boxes of each card are still open.", spare)
        )
    sentences = [" ".join(sentences)]
    sentences.append(to.say("The highest total of points and bonuses wins; tied players share the victory."))
    for category in ruleset.categories:
        if category.first_roll_wins:
            name = category_name(category, ruleset, to)
            sentences.append(to.say("{box} on the first roll of a turn wins the game at once.", box=name))
    return sentences


def _equipment(ruleset: Ruleset, to: Language) -> list[str]:
    if ruleset.faces == 6:
        dice = to.count("You play with one die.", "You play with {n} dice.", ruleset.dice)
    else:
        dice = to.count(
            "You play with one die that has the faces 1 to {faces}.",
            "You play with {n} dice that have the faces 1 to {faces}.",
            ruleset.dice,
            faces=ruleset.faces,
        )
    sentences = [
        dice,
        to.count("The game has one round.", "The game has {n} rounds.", ruleset.rounds),
        to.say("In each round every player takes one turn and fills one box of the card."),
    ]
    if ruleset.colours:
        shown = (
            to.say("{faces} {colour}", faces=to.listed(map(str, faces)), colour=to.say(_COLOURS.get(name, name)))
            for name, faces in ruleset.colours
        )
        sentences.append(to.say("The pips have colours: {colours}.", colours="; ".join(shown)))
    return sentences


def _rolls(ruleset: Ruleset, to: Language) -> list[str]:
    again = ruleset.rolls - 1
    first = to.count(
        "A turn has one roll, of all the dice.", "A turn has {n} rolls, the first of all the dice.", again + 1
    )
    if again:
        then = to.count(
            "Then you may keep any of the dice, or none, and roll the others once more.",
            "Then you may keep any of the dice, or none, and roll the others up to {n} more times.",
            again,
        )
    elif ruleset.saved_rolls:
        then = to.say("With saved rolls you may then keep any of the dice, or none, and roll the others.")
    else:
        return [first]
    stop = to.say("Dice that you kept may be rolled again later, and you may stop and score after any roll.")
    return [first, then, stop]


def _scratch(ruleset: Ruleset, to: Language) -> list[str]:
    zero = to.say("If the roll does not match the box, the box is scratched: it scores 0.")
    if ruleset.voluntary_zero:
        return [zero, to.say("You may also choose to scratch a box with a roll that would score there.")]
    return [zero, to.say("A roll that matches always scores its points; you cannot choose to scratch.")]


def _columns(ruleset: Ruleset, to: Language) -> list[str]:
    columns = ruleset.columns
    if len(columns) == 1:
        sentences = [to.say(_ORDERS[columns[0].order])]
        if columns[0].multiplier != 1:
            sentences.append(to.say("All points are multiplied by {factor}.", factor=columns[0].multiplier))
        return sentences
    sentences = [to.say("The card has {n} columns, and a turn fills a box in any of them.", n=to.number(len(columns)))]
    if _is_multiplied(ruleset):
        factors = to.listed(
            to.say("by {factor} in column {column}", factor=column.multiplier, column=column.id) for column in columns
        )
        sentences.append(to.say("Points and upper bonus are multiplied: {factors}.", factors=factors))
    if len({column.order for column in columns}) == 1:
        return [*sentences, to.say(_ORDERS_OF_EACH[columns[0].order])]
    return [*sentences, *(to.say(_ORDERS_OF_ONE[column.order], column=column.id) for column in columns)]


def _is_multiplied(ruleset: Ruleset) -> bool:
    return any(column.multiplier != 1 for column in ruleset.columns)
