"""Advice for a seat that plays to win against the other cards, in any position of a game of two or more seats.

In an *endgame*, the last turns of two seats or the last turn of a game of any number of seats, it is exact, with
opponents who play to win as well. Before, opponents are assumed to play for points: from `EXACT_TURNS` turns left on,
the advice is exact against the distributions of their final scores. With more turns left it is that for points,
because a lead that early is worth little more than its points.

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

import numpy as np

from fivedice.analysis.advice import Advice, Advised, advise, found_actions, settled_points, state_in_game, state_index
from fivedice.analysis.chances import Chances, chances
from fivedice.analysis.targets import advise_by_objective, objective_for, utility_against
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.endgame import MAX_TURNS, Endgame, Outcome, solve_endgame
from fivedice.solver.objective import Objective, Utility
from fivedice.solver.play.distribution import Distribution, result_distribution
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError
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
    return replace(position, cards=(position.card, max(position.rivals, key=lambda card: card.total)), seat=0)


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
    return Advice(position, best, tuple(sorted(found, key=lambda one: one.loss if one.loss > EQUAL else 0.0)))


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


_solved = lru_cache(maxsize=16)(solve_endgame)
"""A turn asks for the same endgame up to three times."""


def _outcomes(endgame: Endgame, difference: int, position: Position) -> dict[Action, Outcome]:
    """The outcome of every legal action."""
    ruleset = position.ruleset
    roll = roll_indices(ruleset.dice, ruleset.faces)[position.dice]
    values, ties = endgame.of_actions(difference, roll, position.rolls_left)
    scores, zeros, keeps = (np.stack(both, axis=1) for both in zip(values, ties, strict=True))
    boxes = endgame.solution.states.playable_stand_ins(position.card.filled)
    found = found_actions(position, scores[boxes].tolist(), zeros[boxes].tolist(), keeps.tolist())
    return {action: Outcome(value, tie, endgame.rivals) for (value, tie), action, _ in found}


EXACT_TURNS = 6
"""The turns left from which on advice weighs the distributions of the other seats; with more it would take long."""


def plays_to_win(position: Position) -> bool:
    """Whether `advise_rival` weighs the other cards in this position, so that its values are chances to win."""
    if len(position.cards) == 1 or position.is_over:
        return False
    is_late = position.card.turns_left <= EXACT_TURNS
    return is_late or endgame_position(position) is not None


def advise_rival(solution: Solution, position: Position) -> Advice:
    """Advice on the position for a seat that plays to win.

    Values are P(win) + ½ P(tie) with at most `EXACT_TURNS` turns left, and expected final scores with more or without
    opponents. Raises the errors of `advise`.
    """
    if not plays_to_win(position):
        return advise(solution, position)
    if endgame_position(position):
        try:
            return advise_to_win(solution, position)
        except TooLargeError:
            pass  # the way below takes less, because it has no choices of the other seat
    utility, objective = _objective_against(solution, position.card, position.rivals)
    return advise_by_objective(objective, position, utility)


@lru_cache(maxsize=4)
def _objective_against(solution: Solution, card: ScoreCard, others: tuple[ScoreCard, ...]) -> tuple[Utility, Objective]:
    """The utility against these cards, and the objective of a card for it; a turn asks for them up to three times."""
    utility = utility_against([final_scores(solution, other) for other in others])
    return utility, objective_for(solution, card, utility)


def final_scores(solution: Solution, card: ScoreCard) -> Distribution:
    """The distribution of the result of a card whose seat plays for points, before its next turn.

    The result is the final score, and what an outright win counts, which is more than any final score.
    """
    if card.is_complete:
        return card_chances(solution, card).results
    return _results_to_come(solution, state_in_game(solution, card)).shifted(settled_points(card))


_results_to_come = lru_cache(maxsize=2048)(result_distribution)
"""That of a turn state, without the points on the card; many cards of many games share one."""


@lru_cache(maxsize=64)
def card_chances(solution: Solution, card: ScoreCard) -> Chances:
    """The chances of a card whose seat plays for points, before its next turn."""
    return chances(solution, Position.at_turn(card.ruleset, (card,), 0))
