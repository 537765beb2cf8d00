"""The rules of scoring in sentences: bonuses, lines, hands of poker, and the end of the game."""

from collections.abc import Sequence
from itertools import pairwise

from fivedice.base.language import Language, marked
from fivedice.rulesets.box import Tier
from fivedice.rulesets.explanation.boxes import category_name
from fivedice.rulesets.explanation.turn import is_multiplied
from fivedice.rulesets.ruleset import Ruleset
from fivedice.rulesets.scoring import hand_kinds


def bonus_sentences(ruleset: Ruleset, to: Language) -> list[str]:
    """What the upper total earns; nothing if there is no upper section."""
    tiers = ruleset.upper_bonus
    if not tiers:
        has_upper = any(category.section == "upper" for category in ruleset.categories)
        return [to.say("There is no upper bonus.")] if has_upper else []
    sentences = [to.say("The upper section earns a bonus: {ranges}.", ranges=to.listed(_ranges(tiers, to)))]
    sentences.append(to.say("The bonus is credited as soon as it is reached."))
    if len(ruleset.columns) > 1:
        sentences.append(to.say("Every column has its own upper section and its own bonus."))
    if is_multiplied(ruleset):
        sentences.append(to.say("The total for the bonus is taken before the points are multiplied."))
    return [" ".join(sentences)]


def _ranges(tiers: Sequence[Tier], to: Language) -> list[str]:
    """What each range of totals earns."""
    points = [f"{tier.points}".replace("-", "−") for tier in tiers]
    ranges = [
        to.say("{bonus} for a total of {low} to {high}", bonus=bonus, low=low.at, high=high.at - 1)
        for bonus, (low, high) in zip(points, pairwise(tiers), strict=False)
    ]
    return [*ranges, to.say("{bonus} for a total of {low} or more", bonus=points[-1], low=tiers[-1].at)]


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
            earned = _ranges(award.tiers, to)
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
    pair = [ruleset.boxes[box].category for box in ruleset.partners]
    if not pair:
        return []
    first, second = (category_name(category, ruleset, to) for category in pair)
    if pair[0].or_equal:
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
    spare = len(ruleset.boxes) - ruleset.rounds
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
