"""The values of all actions of one position by an approximate solution."""

from typing import TYPE_CHECKING

from fivedice.analysis.action_values import Found
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import keeps, rolls

if TYPE_CHECKING:
    from fivedice.solver.approximate.approximate_solution import ApproximateSolution  # it loads NumPy
    from fivedice.solver.kernels.game_tables import Cards


def cards_of(card: ScoreCard, position: Position | None = None) -> "Cards":
    """One block of equal cards for kernels; with a position, they have its dice and rolls left."""
    from fivedice.solver.kernels.game_tables import empty_cards
    from fivedice.solver.tables.states import BLOCK

    ruleset = card.ruleset
    found = empty_cards(ruleset, BLOCK)
    found.boxes[:] = [-1 if points is None else points for points in card.boxes]
    found.upper[:] = [card.section_total("upper", column) for column in range(len(ruleset.columns))]
    found.card[:] = card.figures
    found.sum[:], found.num_filled[:], found.won[:] = card.sum, card.num_filled, card.won
    if position is not None:
        found.roll[:] = rolls(ruleset.dice, ruleset.faces).index(position.dice)
        found.rolls_left[:] = position.rolls_left
    return found


def approximate_to_come(solution: "ApproximateSolution", card: ScoreCard) -> float:
    """The approximate points to come before the next turn, beyond the total of a card."""
    return solution.value(cards_of(card))


def approximate_action_values(solution: "ApproximateSolution", position: Position) -> list[Found]:
    """The approximate values of all legal actions in a position with dice: scores, announcements, then keeps."""
    ruleset = position.ruleset
    scores, announcements, keep_values = solution.values_of_actions(cards_of(position.card, position))
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
