"""`Greedy`: the player that takes the most points it can expect from each turn.

>>> from fivedice.game.notation import parse_position
>>> Greedy().choose(parse_position("yahtzee - 33333 r2"))
Score(box='yahtzee', is_scratch=False)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from fivedice.game.action import LATER, Action, Keep, Offer, offers
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, keeps, rolls, sub_keeps, with_dice
from fivedice.rulesets.ruleset import Ruleset


@dataclass(frozen=True)
class Greedy:
    """Maximises the expected points of the current turn alone, as if it were the last.

    Points are all that the turn adds to the total: the box and earned bonuses, times the column's multiplier. A score
    that wins the game outright comes before all others. Ties go to scoring before rolling, then to the earlier box or
    the larger keep, then to a turn without an announcement. While a box of a line is open, the line is estimated: the
    box counts as the middle of what it can hold.
    """

    def choose(self, position: Position) -> Action:
        """The action with the highest expected points of this turn."""
        found = [] if position.card.must_announce else [_greedy_turn(position)]
        announcements = [(*_greedy_turn(position.announce(action)), action) for action in position.announcements()]
        found += [(points, scale, action) for points, scale, _, action in announcements]
        return max(found, key=lambda turn: turn[0] / turn[1])[2]


def _greedy_turn(position: Position) -> tuple[int, int, Action]:
    """The best score or keep, with the expected points of the turn times a scale, and the scale."""
    best, action = _best_now(position)
    if not position.keeps():
        return best, 1, action
    for rolls_left in range(1, position.rolls_left + 1):
        # Fills the cache bottom up: saved rolls can be so many that direct recursion would be too deep.
        expected, scale = _expected_points(position.card, rolls_left)
    options = sorted(sub_keeps(position.dice), key=lambda keep: (expected[keep], len(keep)))
    if best * scale >= expected[options[-1]]:
        return best, 1, action
    return expected[options[-1]], scale, Keep(options[-1])


def _best_now(position: Position) -> tuple[int, Action]:
    """The most points that the turn adds without another roll, and the first action that leads to them."""
    points, offer = _best_offer(position.card, position.dice, roll=position.roll_number)
    return points, offer.action


def greedy_work(ruleset: Ruleset) -> int:
    """The work of a greedy player for one choice: the number of keeps times the most rolls of a turn, once for each
    announcement after which dice are rolled and once without one."""
    rolls = ruleset.rolls + ((ruleset.rolls - 1) * ruleset.rounds if ruleset.saved_rolls else 0)
    return comb(ruleset.dice + ruleset.faces, ruleset.faces) * rolls * (1 + len(ruleset.announceable_boxes))


def _best_offer(card: ScoreCard, dice: Dice, *, roll: int) -> tuple[int, Offer]:
    """The most points that scoring a roll adds to the card's result, and the first offer with so many."""
    found = [(_gain(card, offer), offer) for offer in offers(card, dice, roll=roll)]
    return max(found, key=lambda pair: pair[0])


def _gain(card: ScoreCard, offer: Offer) -> int:
    index = card.ruleset.box_index[offer.action.box]
    box = card.ruleset.boxes[index]
    points = offer.points if index in card.ruleset.counted_boxes else 0
    points += _gain_of_lines(card, index, offer.points)
    if box.category.section == "upper" and card.ruleset.upper_bonus:
        upper = card.section_total("upper", box.column)
        points += card.ruleset.bonus_for(upper + offer.points) - card.ruleset.bonus_for(upper)
    outright = card.ruleset.outright_points(card.turns_left - 1) if offer.wins else 0
    return points * card.ruleset.columns[box.column].multiplier + offer.bonus + outright


def _gain_of_lines(card: ScoreCard, index: int, points: int) -> int:
    """What writing points in a box adds to the estimate of the line that has it; 0 if there is none."""
    for line in card.ruleset.line_boxes:
        if index in line:
            old = [card.boxes[box] if box != index else None for box in line]
            new = [card.boxes[box] if box != index else points for box in line]
            return _estimate(card.ruleset, line, new) - _estimate(card.ruleset, line, old)
    return 0


def _estimate(ruleset: Ruleset, line: tuple[int, ...], written: Sequence[int | None]) -> int:
    """The points of a line in which each open box holds the middle of what it can hold."""
    plus, minus, times = (
        (min(ruleset.attainable_by_box[box]) + max(ruleset.attainable_by_box[box])) // 2 if points is None else points
        for box, points in zip(line, written, strict=True)
    )
    return (plus - minus) * times


@lru_cache(maxsize=64)
def _expected_points(card: ScoreCard, rolls_left: int) -> tuple[Mapping[Dice, int], int]:
    """Keep → the expected points when the other dice are rolled, with `rolls_left` rolls left, as exact integers.

    They are multiplied by the returned scale: the number of ordered outcomes of all dice, to the power of the rolls.
    """
    ruleset = card.ruleset
    all_keeps = keeps(ruleset.dice, ruleset.faces)
    all_rolls = [keep for keep in all_keeps if len(keep) == ruleset.dice]
    early = card.rolls - rolls_left if card.ruleset.num_early else LATER
    stop = _stopping_points(card, early if early < card.ruleset.num_early and early > 0 else LATER)
    if rolls_left == 1:
        after, scale = stop, 1
    else:
        expected, scale = _expected_points(card, rolls_left - 1)
        # The best keep within each keep: the best of itself and of those with one die less, smaller ones first.
        best = dict(expected)
        for keep in all_keeps:
            for index in range(len(keep)):
                best[keep] = max(best[keep], best[keep[:index] + keep[index + 1 :]])
        after = {roll: max(best[roll], stop[roll] * scale) for roll in all_rolls}
    outcomes = ruleset.faces**ruleset.dice
    result = {roll: after[roll] * outcomes for roll in all_rolls}
    for keep in reversed(all_keeps):
        if len(keep) < ruleset.dice:
            # All faces are equally likely; the scale makes the division exact.
            result[keep] = sum(result[with_dice(keep, (f,))] for f in range(1, ruleset.faces + 1)) // ruleset.faces
    return result, scale * outcomes


@lru_cache(maxsize=64)
def _stopping_points(card: ScoreCard, number: int) -> Mapping[Dice, int]:
    """Roll → the most points that scoring it adds; `number` is that of the roll in its turn, from 0."""
    ruleset = card.ruleset
    return {roll: _best_offer(card, roll, roll=number)[0] for roll in rolls(ruleset.dice, ruleset.faces)}
