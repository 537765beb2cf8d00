"""`Greedy`: the player that takes the most points it can expect from each turn.

>>> from fivedice.game.notation import parse_position
>>> Greedy().choose(parse_position("yahtzee - 33333 r2"))
Score(box='yahtzee', is_scratch=False)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from fivedice.analysis.action_values import Turn, tables_of
from fivedice.game.action import Action, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, sub_keeps
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import EQUAL, States


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
        found = [] if position.card.must_announce else [_best(position)]
        found += [(_best(position.announce(action))[0], action) for action in position.announcements()]
        most = max(points for points, _ in found)
        return next(action for points, action in found if points > most - EQUAL)


def _best(position: Position) -> tuple[float, Action]:
    """The best score or keep, with the expected points of the turn."""
    card, ruleset = position.card, position.ruleset
    turn = _GreedyTurn(card)
    scores = [(turn.offered(offer, position.dice, position.rolls_left), offer.action) for offer in position.offers()]
    most, action = max(scores, key=lambda pair: pair[0])
    if not position.keeps():
        return most, action
    values, row = _keep_values(card, position.rolls_left), tables_of(ruleset.dice, ruleset.faces).row
    keeps = [(values[row[dice]], dice) for dice in sub_keeps(position.dice)]
    expected = max(points for points, _ in keeps)
    if most > expected - EQUAL:
        return most, action
    equal = [dice for points, dice in reversed(keeps) if points > expected - EQUAL]
    # What one of very many rolls is worth is lost in rounding: so all dice are kept only where nothing else is as good.
    return expected, Keep(max(equal, key=lambda dice: len(dice) if len(dice) < ruleset.dice else -1))


class _GreedyTurn(Turn):
    """One turn of a card, whose values are the points that it adds to the result."""

    def __init__(self, card: ScoreCard) -> None:
        super().__init__(States(card.ruleset), lambda index: 0.0, card, None)

    def _score(
        self, box: int, dice: Dice, points: int, rolls_left: int, *, bonus: int = 0, wins: bool = False
    ) -> float:
        return float(_gain(self._card, box, points, bonus=bonus, wins=wins))


@lru_cache(maxsize=64)
def _keep_values(card: ScoreCard, rolls_left: int) -> list[float]:
    """The expected points of every keep, by row."""
    return _GreedyTurn(card).keep_values(rolls_left)


def greedy_work(ruleset: Ruleset) -> int:
    """The work of a greedy player for one choice: the number of keeps times the most rolls of a turn, once for each
    announcement after which dice are rolled and once without one."""
    rolls = ruleset.rolls + ((ruleset.rolls - 1) * ruleset.rounds if ruleset.saved_rolls else 0)
    return comb(ruleset.dice + ruleset.faces, ruleset.faces) * rolls * (1 + len(ruleset.announceable_boxes))


def _gain(card: ScoreCard, index: int, written: int, *, bonus: int, wins: bool) -> int:
    """The points that writing so many in a box adds to the card's result."""
    box = card.ruleset.boxes[index]
    points = written if index in card.ruleset.counted_boxes else 0
    points += _gain_of_lines(card, index, written)
    if box.category.section == "upper" and card.ruleset.upper_bonus:
        upper = card.section_total("upper", box.column)
        points += card.ruleset.bonus_for(upper + written) - card.ruleset.bonus_for(upper)
    outright = card.ruleset.outright_points(card.turns_left - 1) if wins else 0
    return points * card.ruleset.columns[box.column].multiplier + bonus + outright


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
