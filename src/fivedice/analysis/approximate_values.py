"""The values of all actions of one position by an approximate solution."""

from typing import TYPE_CHECKING

from fivedice.analysis.action_values import Found
from fivedice.game.position import Position
from fivedice.rulesets.dice import keeps, rolls

if TYPE_CHECKING:
    from fivedice.solver.approximate.approximate_solution import ApproximateSolution  # it loads NumPy
    from fivedice.solver.kernels.game_tables import Cards


def write_position(cards: "Cards", which: int | slice, position: Position) -> None:
    """Write the card to move of a position to some of the cards for kernels, with its dice and rolls left."""
    card, ruleset = position.card, position.ruleset
    cards.boxes[which] = [-1 if points is None else points for points in card.boxes]
    cards.upper[which] = [card.section_total("upper", column) for column in range(len(ruleset.columns))]
    cards.card[which] = card.figures
    cards.sum[which], cards.num_filled[which], cards.won[which] = card.sum, card.num_filled, card.won
    cards.roll[which] = rolls(ruleset.dice, ruleset.faces).index(position.dice) if position.dice else -1
    cards.rolls_left[which] = position.rolls_left


def cards_of(position: Position) -> "Cards":
    """One block of equal cards for kernels, from the card to move of a position."""
    from fivedice.solver.kernels.game_tables import empty_cards
    from fivedice.solver.tables.states import BLOCK

    found = empty_cards(position.ruleset, BLOCK)
    write_position(found, slice(None), position)
    return found


def approximate_action_values(solution: "ApproximateSolution", position: Position) -> list[Found]:
    """The approximate values of all legal actions in a position with dice: scores, announcements, then keeps."""
    ruleset = position.ruleset
    scores, announcements, keep_values = solution.values_of_actions(cards_of(position))
    box, num_boxes = ruleset.box_index, len(ruleset.boxes)
    found: list[Found] = []
    for offer in position.offers():
        place = box[offer.action.box] + (num_boxes if offer.action.is_scratch else 0)
        found.append((float(scores[place]), offer.action, offer.points))
    called = sorted(ruleset.announceable_boxes)
    for action in position.announcements():
        found.append((float(announcements[called.index(box[action.box])]), action, None))
    if possible := position.keeps():
        place_of = {keep: place for place, keep in enumerate(keeps(ruleset.dice, ruleset.faces))}
        found += [(float(keep_values[place_of[keep.dice]]), keep, None) for keep in possible]
    return found
