"""The rules of play in sentences: turns, columns, bonuses, scratching and the end of the game."""

from itertools import pairwise

from fivedice.explain.words import listed, number, plural
from fivedice.ruleset import Column, Ruleset

_ORDERS = {
    "free": "may be filled in any order",
    "down": "must be filled from the top of the card down",
    "up": "must be filled from the bottom of the card up",
}


def turn_sentences(ruleset: Ruleset) -> list[str]:
    """How a turn goes, from the dice to the filled box."""
    return [
        _equipment(ruleset),
        _rolls(ruleset),
        "The roll is then scored in one open box. A filled box cannot be changed.",
        _scratch(ruleset),
        *_saved(ruleset),
        *_columns(ruleset),
    ]


def bonus_sentences(ruleset: Ruleset) -> list[str]:
    """What the upper total earns; nothing if there is no upper section."""
    tiers = ruleset.upper_bonus
    if not tiers:
        has_upper = any(category.section == "upper" for category in ruleset.categories)
        return ["There is no upper bonus."] if has_upper else []
    ranges = [f"{low.at} to {high.at - 1} points earn {low.points}" for low, high in pairwise(tiers)]
    ranges.append(f"{tiers[-1].at} points or more earn {tiers[-1].points}")
    each = "" if len(ruleset.columns) == 1 else ", separately in each column"
    each += " and before multiplication" if each and _is_multiplied(ruleset) else ""
    return [f"Upper bonus: {listed(ranges)}{each}. It is credited as soon as it is reached."]


def matching_sentences(ruleset: Ruleset) -> list[str]:
    """How dice that match in more than one way are scored, if that can make a difference."""
    if any(category.pays == "matched" and category.scorer != "sum_of_face" for category in ruleset.categories):
        return ["If the dice match in more than one way, the highest sum counts."]
    return []


def end_sentences(ruleset: Ruleset) -> list[str]:
    """When the game ends and who wins."""
    spare = len(ruleset.boxes) - ruleset.rounds
    left = f"; {plural(spare, 'box stays', 'boxes stay')} open"
    winners = [category.name for category in ruleset.categories if category.first_roll_wins]
    return [
        f"The game ends when each player has taken {plural(ruleset.rounds, 'turn')}{left if spare else ''}.",
        "The highest total of points and bonuses wins; tied players share the victory.",
        *(f"{name} on the first roll of a turn wins the game at once." for name in winners),
    ]


def _equipment(ruleset: Ruleset) -> str:
    faces = "" if ruleset.faces == 6 else f" with faces 1 to {ruleset.faces}"
    text = f"{plural(ruleset.dice, 'die', 'dice')}{faces}, {plural(ruleset.rounds, 'round')}."
    text = f"{text.capitalize()} In each round every player takes one turn and fills one box of the card."
    if ruleset.colours:
        shown = [f"{listed(map(str, faces))} {name}" for name, faces in ruleset.colours]
        text += f" The pips have colours: {'; '.join(shown)}."
    return text


def _rolls(ruleset: Ruleset) -> str:
    more = ruleset.rolls - 1
    text = f"A turn has {plural(ruleset.rolls, 'roll')}. Roll all the dice."
    if more or ruleset.saved_rolls:
        times = {1: "once more", 2: "up to twice more"}.get(more, f"up to {number(more)} times more")
        text += f" Then, {times if more else 'with saved rolls'}, keep any of the dice, or none, and roll the others; "
        text += "dice kept before may be rolled again. You may stop and score after any roll."
    return text


def _scratch(ruleset: Ruleset) -> str:
    text = "If the roll does not match the box, the box is scratched: it scores 0."
    if ruleset.voluntary_zero:
        return f"{text} You may also choose to scratch a box with a roll that would score there."
    return f"{text} A roll that matches always scores its points; you cannot choose to scratch."


def _saved(ruleset: Ruleset) -> list[str]:
    if not ruleset.saved_rolls:
        return []
    return ["Unused rolls are saved: they are added to your next turn, without limit."]


def _columns(ruleset: Ruleset) -> list[str]:
    columns = ruleset.columns
    if len(columns) == 1:
        factor = "" if columns[0].multiplier == 1 else f" All its points count {_times(columns[0])}."
        return [f"The boxes {_ORDERS[columns[0].order]}.{factor}"]
    sentences = [f"The card has {number(len(columns))} columns, and a turn fills a box in any of them."]
    if _is_multiplied(ruleset):
        counted = listed(f"{column.id} counts {_times(column)}" for column in columns)
        sentences.append(f"Points and upper bonus are multiplied: {counted}.")
    if len({column.order for column in columns}) == 1:
        return [*sentences, f"The boxes of each column {_ORDERS[columns[0].order]}."]
    return [*sentences, f"The boxes of {listed(f'{column.id} {_ORDERS[column.order]}' for column in columns)}."]


def _is_multiplied(ruleset: Ruleset) -> bool:
    return any(column.multiplier != 1 for column in ruleset.columns)


def _times(column: Column) -> str:
    return {1: "once", 2: "twice"}.get(column.multiplier, f"{number(column.multiplier)} times")
