"""A turn in sentences: the dice, the rolls, scratching, and the columns in which a box may be filled."""

from fivedice.base.language import Language, marked
from fivedice.rulesets.explanation.boxes import column_title
from fivedice.rulesets.explanation.dice import colour_name
from fivedice.rulesets.ruleset import Ruleset

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


def turn_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """How a turn goes, from the dice to the filled box; one to three sentences on each subject."""
    return [
        " ".join(_equipment(ruleset, to)),
        " ".join(_rolls(ruleset, to)),
        to.say("The roll is then scored in one open box.")
        + " "
        + to.say("A filled box cannot be changed.")
        + " "
        + to.say("In this program a score can be taken back until the next person rolls."),
        " ".join(_scratch(ruleset, to)),
        *([to.say("Unused rolls are saved: they are added to your next turn, without limit.")] * ruleset.saved_rolls),
        *_columns(ruleset, to),
    ]


def _equipment(ruleset: Ruleset, to: Language) -> list[str]:
    if ruleset.face_names:
        dice = to.count(
            "You play with one die that has the faces {faces}.",
            "You play with {n} dice that have the faces {faces}.",
            ruleset.dice,
            faces=to.listed(ruleset.face_names),
        )
    elif ruleset.faces == 6:
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
            to.say("{faces} {colour}", faces=to.listed(map(ruleset.face_name, faces)), colour=colour_name(name, to))
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
    if ruleset.forced_score:
        return [zero, to.say("That is allowed only with a roll that scores in none of the boxes it may fill.")]
    if ruleset.voluntary_zero:
        return [zero, to.say("You may also choose to scratch a box with a roll that would score there.")]
    return [zero, to.say("A roll that matches always scores its points; you cannot choose to scratch.")]


def _columns(ruleset: Ruleset, to: Language) -> list[str]:
    columns = ruleset.columns
    if len(columns) == 1:
        sentences = [to.say(_ORDERS[columns[0].order])]
        if columns[0].multiplier != 1:
            sentences.append(to.say("All points are multiplied by {factor}.", factor=columns[0].multiplier))
        return [*sentences, *_announcements(ruleset, to)]
    sentences = [to.say("The card has {n} columns, and a turn fills a box in any of them.", n=to.number(len(columns)))]
    if is_multiplied(ruleset):
        factors = to.listed(
            to.say("by {factor} in column {column}", factor=column.multiplier, column=column_title(ruleset, column, to))
            for column in columns
        )
        sentences.append(to.say("Points and upper bonus are multiplied: {factors}.", factors=factors))
    if len({column.order for column in columns}) == 1:
        sentences.append(to.say(_ORDERS_OF_EACH[columns[0].order]))
    else:
        sentences += [
            to.say(_ORDERS_OF_ONE[column.order], column=column_title(ruleset, column, to)) for column in columns
        ]
    return [*sentences, *_announcements(ruleset, to)]


def announcement(box: str, to: Language) -> str:
    """That a box, with this title, was announced before an example."""
    return to.say("{box} was announced.", box=box)


def _announcements(ruleset: Ruleset, to: Language) -> list[str]:
    """How boxes are announced."""
    announced = [column for column in ruleset.columns if column.announced]
    if not announced:
        return []
    if len(announced) == len(ruleset.columns):
        return [
            to.say(
                "After the first roll of every turn you announce the box that you will fill. The turn ends in that box."
            )
        ]
    sentences = [
        to.say(
            "A box of column {column} can be filled only if you announce it after the first roll. The turn then ends "
            "in that box, with the same dice or after further rolls.",
            column=column_title(ruleset, column, to),
        )
        for column in announced
    ]
    sentences.append(to.say("When no other box is open, you must announce a box."))
    sentences.append(to.say("In this program an announcement can be taken back until the next roll."))
    return sentences


def is_multiplied(ruleset: Ruleset) -> bool:
    """Whether the points of a column are multiplied."""
    return any(column.multiplier != 1 for column in ruleset.columns)
