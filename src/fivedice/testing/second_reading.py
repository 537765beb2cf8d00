"""A second reading of the rules: boxes, payments and totals from the data of a ruleset, independently of the engine."""

from math import comb

from fivedice.game.card import ScoreCard
from fivedice.rulesets.box import Category
from fivedice.rulesets.dice import Dice, sub_keeps


def playable_boxes(card: ScoreCard) -> set[str]:
    """The open boxes that a turn may fill: in an ordered column only the next one, and what was announced alone."""
    if card.announced:
        return {card.announced}
    found: set[str] = set()
    for number, column in enumerate(card.ruleset.columns):
        if column.announced:
            continue
        is_open = [box.id for box in card.ruleset.boxes if box.column == number and card.points(box.id) is None]
        found.update({"free": is_open, "down": is_open[:1], "up": is_open[-1:]}[column.order])
    return found


def in_joker_boxes(card: ScoreCard) -> list[int | None]:
    """The points in the boxes of the joker category, None for an open one."""
    category = card.ruleset.joker_category
    return [card.points(box.id) for box in card.ruleset.boxes if box.category.id == category]


def is_extra(card: ScoreCard, dice: Dice) -> bool:
    """Whether a roll may be scored as an extra Yahtzee."""
    jokers = in_joker_boxes(card)
    if (
        card.ruleset.wild_while_open
        and is_equal(dice)
        and (card.elsewhere or any(points is not None for points in jokers))
    ):
        return True
    return is_equal(dice) and bool(jokers) and None not in jokers


def is_equal(dice: Dice) -> bool:
    """Whether all dice show the same face."""
    return len(set(dice)) == 1


def payments(category: Category, dice: Dice, *, roll: int) -> set[int]:
    """The points that a match with these dice can pay: for `matched` the sum of any of the dice, for `rank` any."""
    if isinstance(category.pays, tuple):
        base = {category.pays[min(roll, len(category.pays) - 1)]}
    elif isinstance(category.pays, int):
        base = {category.pays}
    elif category.pays == "rank":
        sides = category.arguments["sides"]
        base = {*range(1, comb(len(dice) + sides - 1, len(dice)) + 1)}
    elif category.pays == "total":
        base = {sum(dice)}
    else:
        base = {sum(keep) for keep in sub_keeps(dice) if keep}
    plus = category.plus + (category.first_roll_bonus if roll == 0 else 0)
    return {points + plus for points in base}


def card_total(card: ScoreCard) -> int:
    """The card added up, column by column."""
    ruleset = card.ruleset
    total = card.extras * ruleset.extra_bonus
    for number, column in enumerate(ruleset.columns):
        points = {"upper": 0, "lower": 0}
        by_category: dict[str, int | None] = {}
        for box, written in zip(ruleset.boxes, card.boxes, strict=True):
            if box.column == number:
                by_category[box.category.id] = written
                points[box.category.section] += written or 0
        for line in ruleset.lines:
            plus, minus, times = (by_category[id] for id in (line.plus, line.minus, line.times))
            points["lower"] -= (plus or 0) + (minus or 0)
            if plus is not None and minus is not None and times is not None:
                points["lower"] += (plus - minus) * times
        reached = [tier.points for tier in ruleset.upper_bonus if tier.at <= points["upper"]]
        total += column.multiplier * (sum(points.values()) + max(reached, default=0))
    return _converted(card, total) if ruleset.conversion else total


def _converted(card: ScoreCard, total: int) -> int:
    """The awards for the sums of the categories and of the card."""
    result = 0
    for award in card.ruleset.conversion:
        written = [
            points or 0
            for box, points in zip(card.ruleset.boxes, card.boxes, strict=True)
            if not award.category or box.category.id == award.category
        ]
        reached = len([points for points in written if points])
        if award.of == "points":
            reached = sum(written) if award.category else total
        result += next((tier.points for tier in reversed(award.tiers) if tier.at <= reached), 0)
    return result
