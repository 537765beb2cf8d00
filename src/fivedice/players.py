"""`Player`: the protocol of what decides at a seat, and its implementations.

>>> from fivedice.game.notation import parse_position
>>> Greedy().choose(parse_position("yahtzee - 33333 r2"))
Score(box='yahtzee', is_scratch=False)
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Protocol

from fivedice.dice import Dice, keeps, rolls, sub_keeps, with_dice
from fivedice.errors import UnknownError, shown, suggest
from fivedice.game.action import LATER, Action, Keep, Offer, offers
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.language import marked
from fivedice.ruleset import Ruleset
from fivedice.solver.risk import BOLD, CAUTIOUS

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution


TARGET_TURNS = 6
"""The open boxes from which on a `Target` plays exactly; with more, each choice would take seconds."""


class Player(Protocol):
    """Decides at one seat. A player does not roll the dice."""

    def choose(self, position: Position) -> Action:
        """One legal action in a position that has dice and is not over."""
        ...


@dataclass(frozen=True)
class Human:
    """A person, asked for each action."""

    ask: Callable[[Position], Action]

    def choose(self, position: Position) -> Action:
        """The person's answer."""
        return self.ask(position)


@dataclass(frozen=True)
class Random:
    """Takes legal actions at random, each with the same chance."""

    chance: random.Random

    def choose(self, position: Position) -> Action:
        """A random legal action."""
        return self.chance.choice(position.actions())


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
        if position.ruleset.boxes_per_turn == 2:
            return _greedy_turn(position)[2]
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
    if position.ruleset.boxes_per_turn == 2 and not position.card.announced:
        found = [(_best_now(position.announce(action))[0], action) for action in position.announcements()]
        return max(found, key=lambda pair: pair[0])
    points, offer = _best_offer(position.card, position.dice, roll=position.roll_number)
    return points, offer.action


@dataclass(frozen=True)
class Optimal:
    """Maximises the expected final score, with the exact solution of the rules."""

    solution: "Solution"

    def choose(self, position: Position) -> Action:
        """The best action."""
        # Imported here because the solver's libraries are slow to import.
        from fivedice.analysis.advice import advise

        return advise(self.solution, position).best.action


@dataclass(frozen=True)
class Rival:
    """Maximises its chance to win against the other cards, where a tie counts half, with the exact solution.

    `fivedice.analysis.winning` says how, and how far it is exact. Alone at a table it plays for points.
    """

    solution: "Solution"

    def choose(self, position: Position) -> Action:
        """The action with the best chance to win; among equal ones, that with the highest expected score."""
        # Imported here because the solver's libraries are slow to import.
        from fivedice.analysis.winning import advise_rival

        return advise_rival(self.solution, position).best.action


@dataclass(frozen=True)
class RiskTaking:
    """Maximises the mean of an exponential utility of the final score, with the exact table for it.

    With a negative risk parameter it avoids risk, with a positive one it seeks it; see `fivedice.solver.risk`.
    """

    table: "Solution"

    def choose(self, position: Position) -> Action:
        """The action with the highest certainty equivalent."""
        return Optimal(self.table).choose(position)


@dataclass(frozen=True)
class Target:
    """Maximises the chance of a final score of at least `score`.

    That is exact from `TARGET_TURNS` open boxes on. Before, it plays by one of three tables: `bold` if the target is
    far above the expected final score, `cautious` if it is far below, else `optimal`. For a normally distributed score
    of mean μ and variance σ², a small change is worth most to the chance if it raises μ + θ/2 · σ² with
    θ = (score − μ) / σ²; the table with the nearest parameter is taken, and the difference of the certainty
    equivalents of `bold` and `cautious` tells σ².
    """

    score: int
    solution: "Solution"
    cautious: "Solution"
    bold: "Solution"

    def choose(self, position: Position) -> Action:
        """The action with the best chance, or the best by the table for now."""
        # Imported here for the same reason as in `Optimal`.
        from fivedice.analysis.advice import advise
        from fivedice.analysis.targets import advise_for_target
        from fivedice.solver.solve import TooLargeError

        if position.card.turns_left <= TARGET_TURNS:
            try:
                return advise_for_target(self.solution, position, self.score).best.action
            except TooLargeError:
                pass  # with many columns, even few boxes can be too many
        advice, careful, daring = (advise(table, position) for table in (self.solution, self.cautious, self.bold))
        missing = self.score - advice.value
        far = (daring.value - careful.value) / 2
        return (daring if missing > far else careful if missing < -far else advice).best.action


def greedy_work(ruleset: Ruleset) -> int:
    """The work of a greedy player for one choice: the number of keeps times the most rolls of a turn, once for each box
    that can be announced before a roll and once without an announcement."""
    rolls = ruleset.rolls + ((ruleset.rolls - 1) * ruleset.rounds if ruleset.saved_rolls else 0)
    num_announced = len(ruleset.announced_boxes) if ruleset.boxes_per_turn == 1 else 0
    return comb(ruleset.dice + ruleset.faces, ruleset.faces) * rolls * (1 + num_announced)


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
    if ruleset.boxes_per_turn == 2:
        # Imported here for the same reason as in `Optimal`.
        from fivedice.solver.pair_layers import best_pair_scores

        points = best_pair_scores(ruleset, card.announceable(), lambda first, second: 0)
        return dict(zip(rolls(ruleset.dice, ruleset.faces), map(int, points), strict=True))
    return {roll: _best_offer(card, roll, roll=number)[0] for roll in rolls(ruleset.dice, ruleset.faces)}


KINDS: Mapping[str, str] = {
    "bold": marked("Seeks risk: gives up expected points for the chance of a very high score."),
    "cautious": marked("Avoids risk: gives up expected points to avoid low scores."),
    "human": marked("A person at this keyboard."),
    "greedy": marked("Takes the most points it can expect from each turn, and never plans ahead."),
    "optimal": marked("Plays perfectly for the highest expected score, from the exact solution."),
    "random": marked("Takes any legal action at random."),
    "rival": marked("Plays to win against the other cards, from six turns before the end; until then for points."),
    "target_300": marked("Plays to reach 300 points, whatever else it costs. Any other number works as well."),
}
"""Every kind of player, with a description in English, which is a message of `fivedice.language`.

A kind that ends with a number stands for those with any other number of up to five digits.
"""


class Solve(Protocol):
    """Finds the solution that a player needs, or with a `risk` parameter the table of certainty equivalents."""

    def __call__(self, *, risk: float | None = None) -> "Solution": ...


def make_player(kind: str, chance: random.Random, ask: Callable[[Position], Action], solve: Solve) -> Player:
    """A player of a kind. `ask` asks a human for an action; `solve` is called for kinds that need tables.

    Raises `UnknownError` for any other kind.
    """
    match kind:
        case "bold":
            return RiskTaking(solve(risk=BOLD))
        case "cautious":
            return RiskTaking(solve(risk=CAUTIOUS))
        case "human":
            return Human(ask)
        case "greedy":
            return Greedy()
        case "optimal":
            return Optimal(solve())
        case "random":
            return Random(chance)
        case "rival":
            return Rival(solve())
    if target := re.fullmatch(r"target_(\d{1,5})", kind, re.ASCII):
        return Target(int(target[1]), solve(), solve(risk=CAUTIOUS), solve(risk=BOLD))
    raise UnknownError(f"there is no player {shown(kind)}: {suggest(kind, KINDS)}")
