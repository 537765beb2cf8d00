"""Playing to win in an endgame: the last turns of two seats, or the last turn of a game of any number of seats.

The worth of an action is P(win) + ½ P(tie), where both seats go on to play to win. In the last turn, a tie with k seats
that share the best of the other cards counts 1/(k + 1). `docs/endgames.md` shows how often that differs from playing
for points.

>>> from fivedice import load_ruleset, parse_position
>>> from fivedice.solver.solve import solve
>>> done = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,full_house=25,small_straight=30,large_straight=40"
>>> own, other = f"{done},yahtzee=0,three_of_a_kind=25,four_of_a_kind=20", f"{done},yahtzee=0,three_of_a_kind=23"
>>> needs_25 = parse_position(f"yahtzee {own}/{other},four_of_a_kind=22,chance=24 44455 r1")
>>> yahtzee = solve(load_ruleset("yahtzee"))
>>> str(advise(yahtzee, needs_25).best.action), str(advise_to_win(yahtzee, needs_25).best.action)
('score chance', 'keep 55')
"""

from dataclasses import replace
from functools import lru_cache

from fivedice.analysis.advice import Advice, Advised, advise, playable_stand_ins, settled_points, state_index
from fivedice.dice import sub_keeps
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.objectives.endgame import MAX_TURNS, Endgame, Outcome, solve_endgame
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import roll_indices

EQUAL = 1e-9
"""Chances that differ by no more are equal: that is above rounding errors and far below anything that matters."""


def endgame_position(position: Position) -> Position | None:
    """The position of two cards, the first of them to move, that decides this game; None if there is none yet.

    Seats that resigned do not count. It has at most two turns left on each card. In the last turn of a game of more
    seats, the other card is the best of those that are complete.
    """
    if position.is_over or len(position.cards) < 2:
        return None
    is_last = all(card.is_complete for card in position.rivals)
    if not is_last and (len(position.rivals) > 1 or position.card.turns_left > MAX_TURNS):
        return None
    return replace(position, cards=(position.card, max(position.rivals, key=_total)), seat=0)


def endgame_outcome(solution: Solution, position: Position) -> Outcome:
    """The outcome for the seat to move if both seats play to win; raises the errors of `advise_to_win`."""
    endgame, difference = _endgame(solution, position)
    if not position.dice:
        return endgame.before_roll(difference)
    outcomes = _outcomes(endgame, difference, position)
    return outcomes[advise_to_win(solution, position).best.action]


def advise_to_win(solution: Solution, position: Position) -> Advice:
    """Advice in which values are the worth of actions for the seat to move; equal actions are in the order of `advise`.

    Raises `IllegalError` if the position has no `endgame_position` or the solution is that of other rules, and
    `TooLargeError` for an endgame that would take too long.
    """
    for_points = advise(solution, position)
    endgame, difference = _endgame(solution, position)
    if not position.dice:
        return Advice(position, worth(endgame.before_roll(difference)), ())
    outcomes = _outcomes(endgame, difference, position)
    worths = [worth(outcomes[advised.action]) for advised in for_points.actions]
    best = max(worths)
    found = [
        Advised(advised.action, value, best - value, advised.points)
        for advised, value in zip(for_points.actions, worths, strict=True)
    ]
    return Advice(position, best, tuple(sorted(found, key=_loss)))


def worth(outcome: Outcome) -> float:
    """P(win) + ½ P(tie), or with several rivals P(win) + P(tie)/(rivals + 1)."""
    return (1.0 + outcome.value) / 2.0


def _endgame(solution: Solution, position: Position) -> tuple[Endgame, int]:
    """The endgame of a position, and the points by which the seat to move is ahead, without upper bonuses."""
    found = endgame_position(position)
    if found is None:
        raise IllegalError(f"{position} is not an endgame: want two cards with at most {MAX_TURNS} turns left each")
    card, other = found.cards
    rivals = sum(it.total == other.total for it in position.rivals)
    endgame = _solved(
        solution, state_index(solution, card), state_index(solution, other), rivals if other.is_complete else 1
    )
    return endgame, settled_points(card) - settled_points(other)


@lru_cache(maxsize=16)
def _solved(solution: Solution, index: int, other_index: int, rivals: int) -> Endgame:
    """A turn asks for the same endgame up to three times."""
    return solve_endgame(solution, index, other_index, rivals)


def _outcomes(endgame: Endgame, difference: int, position: Position) -> dict[Action, Outcome]:
    """The outcome of every legal action."""
    ruleset = position.ruleset
    roll = roll_indices(ruleset.dice, ruleset.faces)[position.dice]
    found = endgame.of_actions(difference, roll, position.rolls_left)
    outcomes: dict[Action, Outcome] = {}
    boxes = playable_stand_ins(endgame.solution.states, position.card)
    for offer in position.offers():
        by_box = found.scores if offer.points else found.zeros
        value, tie = by_box[:, boxes[ruleset.box_index[offer.action.box]]].tolist()
        outcomes[offer.action] = Outcome(value, tie, endgame.rivals)
    if position.rolls_left:
        for number, keep in enumerate(sub_keeps(position.dice)):
            value, tie = found.keeps[:, number].tolist()
            outcomes[Keep(keep)] = Outcome(value, tie, endgame.rivals)
    return outcomes


def _loss(advised: Advised) -> float:
    return advised.loss if advised.loss > EQUAL else 0.0


def _total(card: ScoreCard) -> int:
    return card.total
