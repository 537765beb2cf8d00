"""The chance to win a game outright with each action, and the final score on average.

Under rules where a first roll can win at once, a value is the mean *result*: the final score, and beside it what an
outright win counts (`Ruleset.outright_points`). People are shown its two parts instead.

>>> from fivedice import load_ruleset, parse_position
>>> from fivedice.analysis.advice import advise
>>> from fivedice.solver.play.breakdown import find_breakdown
>>> from fivedice.solver.solve import solve
>>> generala = solve(load_ruleset("generala[first_roll_generala=wins]"))
>>> breakdown = find_breakdown(generala)
>>> position = parse_position("generala[first_roll_generala=wins] - 33333 r2")
>>> for advised in advise(generala, position).actions[:2]:
...     found = outright_of(breakdown, position, advised.action)
...     print(f"{advised.action}: {found.chance:.1%}, {advised.value - found.points:.1f} points")
score generala: 100.0%, 50.0 points
keep 33333: 0.0%, 184.4 points
"""

from typing import NamedTuple

from fivedice.analysis.advice import state_index
from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.solver.play.breakdown import OUTRIGHT_WIN, Breakdown
from fivedice.solver.tables.dice_tables import keep_rows
from fivedice.solver.tables.states import Array


class Outright(NamedTuple):
    """The chance of an outright win, and the points that it counts on average, which are part of a value."""

    chance: float
    points: float


def outright_of(breakdown: Breakdown, position: Position, action: Action) -> Outright:
    """The part of outright wins in the value of a legal action, under rules that have them."""
    ruleset = position.ruleset
    if isinstance(action, Keep):
        row = keep_rows(ruleset.dice, ruleset.faces)[action.dice]
        index = state_index(breakdown.solution, position.card)
        return _outright(breakdown, breakdown.columns_of_keep(index, row, position.rolls_left))
    assert isinstance(action, Score), "rules with announcements have no breakdown"
    card = position.take(position.offer_for(action)).cards[position.seat]
    if card.won:
        return Outright(1.0, float(card.outright_points))
    return _outright(breakdown, breakdown.columns_at(state_index(breakdown.solution, card)))


def outright_before(breakdown: Breakdown, position: Position) -> Outright:
    """The part of outright wins in the value of a position without dice that is not over."""
    return _outright(breakdown, breakdown.columns_at(state_index(breakdown.solution, position.card)))


def _outright(breakdown: Breakdown, columns: Array) -> Outright:
    return Outright(float(columns[-1]), float(columns[breakdown.names.index(OUTRIGHT_WIN)]))
