"""The rules of play in sentences: turns, columns, bonuses, scratching and the end of the game."""

from itertools import pairwise

from fivedice.explanation.boxes import category_name
from fivedice.explanation.dice import colour_name
from fivedice.language import Language, marked
from fivedice.ruleset import Ruleset
from fivedice.scoring import hand_kinds

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
        (_division(ruleset, to) if ruleset.boxes_per_turn == 2 else to.say("The roll is then scored in one open box."))
        + " "
        + to.say("A filled box cannot be changed.")
        + " "
        + to.say("In this program a score can be taken back until the next person rolls."),
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


def conversion_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """How the result of a game is found, if it is not the sum of the card."""
    if not ruleset.conversion:
        return []
    sentences = [to.say("The result of a game is not the sum of the boxes. The sums are converted:")]
    for award in ruleset.conversion:
        if award.of == "boxes":
            earned = [
                to.count("{points} for one box with points", "{points} for {n} boxes with points", n, points=points)
                for points, n in ((tier.points, tier.at) for tier in award.tiers)
            ]
        else:
            earned = [
                to.say("{bonus} for a total of {low} to {high}", bonus=low.points, low=low.at, high=high.at - 1)
                for low, high in pairwise(award.tiers)
            ]
            last = award.tiers[-1]
            earned.append(to.say("{bonus} for a total of {low} or more", bonus=last.points, low=last.at))
        if award.category:
            category = next(category for category in ruleset.categories if category.id == award.category)
            name = category_name(category, ruleset, to)
            sentences.append(to.say("The boxes of {box} earn {ranges}.", box=name, ranges=to.listed(earned)))
        else:
            sentences.append(to.say("All boxes together earn {ranges}.", ranges=to.listed(earned)))
    return sentences


def matching_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """How dice that match in more than one way are scored, if that can make a difference."""
    if any(category.pays == "matched" and category.scorer != "sum_of_face" for category in ruleset.categories):
        return [to.say("If the dice match in more than one way, the highest sum counts.")]
    return []


def line_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """What each column earns by its lines."""
    names = {category.id: category_name(category, ruleset, to) for category in ruleset.categories}
    sentences = []
    for line in ruleset.lines:
        name = ruleset.prose(line.name, to.card_tag) or line.name
        boxes = {"plus": names[line.plus], "minus": names[line.minus], "times": names[line.times]}
        sentences.append(
            to.say(
                "The line {line} counts the points in {plus} minus those in {minus}, times those in {times}. It counts "
                "as soon as the three boxes are filled, and can be negative. {plus} and {minus} count only there.",
                line=name,
                **boxes,
            )
        )
    if sentences and len(ruleset.columns) > 1:
        sentences.append(to.say("Every column has its own lines."))
    return sentences


def pair_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """What happens if the points of two boxes that limit each other do not go together."""
    if not ruleset.limited_pair:
        return []
    first, second = (category_name(ruleset.boxes[box].category, ruleset, to) for box in ruleset.limited_pair)
    if ruleset.boxes[ruleset.limited_pair[0]].category.or_equal:
        rule = to.say("{first} must not be less than {second}.", first=first, second=second)
    else:
        rule = to.say("{first} must be more than {second}.", first=first, second=second)
    last = to.say("Otherwise the one of them that is filled last scores 0; after a zero in one, the other is free.")
    return [f"{rule} {last}"]


_HANDS = {
    (5,): marked("five equal dice"),
    (4, 1): marked("four equal dice"),
    (3, 2): marked("a full house"),
    (): marked("a straight"),
    (3, 1, 1): marked("three equal dice"),
    (2, 2, 1): marked("two pairs"),
    (2, 1, 1, 1): marked("one pair"),
    (1, 1, 1, 1, 1): marked("none of these"),
}
"""The kinds of hands of five dice."""


def hand_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """How hands of poker are ranked."""
    found = next((category for category in ruleset.categories if category.scorer == "poker_hand"), None)
    if found is None:
        return []
    kinds = hand_kinds(ruleset.dice, ruleset.faces, straight_first=found.arguments.get("straight_first", False))
    names = (to.say(_HANDS[kind]) if kind in _HANDS else _sizes(kind, to) for kind, _, _ in kinds)
    ranges = (
        to.say("{kind} {low} to {high}", kind=name, low=low, high=high)
        for name, (_, low, high) in zip(names, kinds, strict=True)
    )
    return [
        to.say("The rank of a roll is its place among all {n}, counted from the lowest:", n=kinds[0][2])
        + f" {to.listed(ranges)}.",
        to.say("Rolls of one kind are compared by their equal dice, the larger group first, and then by the others.")
        + " "
        + to.say(
            "The highest face is {face}, and the lowest {low}.",
            face=ruleset.face_name(ruleset.faces),
            low=ruleset.face_name(1),
        ),
    ]


def _sizes(kind: tuple[int, ...], to: Language) -> str:
    return to.say("groups of {sizes} equal dice", sizes=to.listed(map(str, kind))) if kind else to.say("a straight")


def end_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """When the game ends and who wins."""
    sentences = [
        to.count(
            "The game ends when each player has taken one turn.",
            "The game ends when each player has taken {n} turns.",
            ruleset.rounds,
        )
    ]
    spare = len(ruleset.boxes) - ruleset.boxes_to_fill
    if spare:
        sentences.append(
            to.count("Then one box of each card is still open.", "Then {n} boxes of each card are still open.", spare)
        )
    sentences = [" ".join(sentences)]
    sentences += conversion_sentences(ruleset, to)
    sentences.append(
        to.say("The highest result wins; tied players share the victory.")
        if ruleset.conversion
        else to.say("The highest total of points and bonuses wins; tied players share the victory.")
    )
    for category in ruleset.categories:
        if category.first_roll_wins:
            name = category_name(category, ruleset, to)
            sentences.append(to.say("{box} on the first roll of a turn wins the game at once.", box=name))
    if ruleset.can_be_won_outright:
        points = ruleset.outright_points(0)
        sentences.append(
            to.say(
                "Advice and reviews count such a win as {points} points more, and {each} for each turn left: that is "
                "more than all points that could still be scored.",
                points=points,
                each=ruleset.outright_points(1) - points,
            )
        )
    return sentences


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
        to.say("In each round every player takes one turn and fills two boxes of the card.")
        if ruleset.boxes_per_turn == 2
        else to.say("In each round every player takes one turn and fills one box of the card."),
    ]
    if ruleset.colours:
        shown = (
            to.say("{faces} {colour}", faces=to.listed(map(ruleset.face_name, faces)), colour=colour_name(name, to))
            for name, faces in ruleset.colours
        )
        sentences.append(to.say("The pips have colours: {colours}.", colours="; ".join(shown)))
    return sentences


def _division(ruleset: Ruleset, to: Language) -> str:
    """How two boxes are filled."""
    return to.say(
        "The dice are then divided: {n} of them score in one open box, and the other {n} in another one. You choose "
        "the first box, then the second, and the program divides the dice so that both together score most.",
        n=to.number(ruleset.dice_per_box),
    )


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
    if _is_multiplied(ruleset):
        factors = to.listed(
            to.say("by {factor} in column {column}", factor=column.multiplier, column=column.id) for column in columns
        )
        sentences.append(to.say("Points and upper bonus are multiplied: {factors}.", factors=factors))
    if len({column.order for column in columns}) == 1:
        sentences.append(to.say(_ORDERS_OF_EACH[columns[0].order]))
    else:
        sentences += [to.say(_ORDERS_OF_ONE[column.order], column=column.id) for column in columns]
    return [*sentences, *_announcements(ruleset, to)]


def _announcements(ruleset: Ruleset, to: Language) -> list[str]:
    """How boxes are announced."""
    announced = [column for column in ruleset.columns if column.announced]  # none if a turn fills two boxes
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
            column=column.id,
        )
        for column in announced
    ]
    sentences.append(to.say("When no other box is open, you must announce a box."))
    sentences.append(to.say("In this program an announcement can be taken back until the next roll."))
    return sentences


def _is_multiplied(ruleset: Ruleset) -> bool:
    return any(column.multiplier != 1 for column in ruleset.columns)
