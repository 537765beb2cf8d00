"""`Advice` on a position: every legal action with its value, best first.

A *value* is the expected final score of the seat to move under optimal play: the points and bonuses on its card plus
those to come. The *loss* of an action is the best value minus its own.

>>> from fivedice.solver.solve import solve
>>> crag = solve("crag")
>>> advice = advise(crag, "crag - 445 r0")
>>> advice.best.action, round(advice.value, 2)
(Score(box='crag', is_scratch=False), 161.77)
>>> print(advice)
score crag              161.77
score thirteen          151.10   10.67
score fours             144.65   17.12
score ones              140.73   21.04
score fives             139.98   21.79
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar, cast, overload

from fivedice.analysis.action_arrays import BatchAdvice as BatchAdvice
from fivedice.analysis.action_arrays import advise_arrays, checked_arrays
from fivedice.analysis.action_values import (
    Found,
    PlainSolution,
    action_values,
    approximate_action_values,
    cards_of,
    place_of_card,
    turn_state,
)
from fivedice.analysis.action_values import settled_points as settled_points
from fivedice.analysis.arguments import checked_solution, position_of, position_under
from fivedice.base.errors import IllegalError, at_line, wrong_type
from fivedice.game.action import Action, Keep, as_action, keeps_of
from fivedice.game.card import ScoreCard
from fivedice.game.notation import as_position, parse_position
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import END_BYTES, REST_BYTES, Array, States, TooLargeError, TurnState

if TYPE_CHECKING:
    from fivedice.solver.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution  # it loads NumPy, which `advise_without_kernels` does not need

T = TypeVar("T")

SHOWN = 5
"""Actions in the text of an `Advice`."""


@dataclass(frozen=True, slots=True)
class Advised:
    """A legal action with its value and its loss. `points` are those written in the box, None for a keep; `wins` means
    that the action wins the game at once.

    Where values are expected utilities, `score` is the expected final score if later actions maximise that.
    """

    action: Action
    value: float
    loss: float
    points: int | None
    wins: bool = False
    score: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Sequence[Advised]):
    """A position with its value and its legal actions, best first; none before the first roll or after the end.

    `print(advice)` shows the best actions with their values and losses; it is a sequence, so `advice[0]` is the best.
    """

    position: Position
    value: float
    actions: tuple[Advised, ...]
    error: float = 0.0
    """What the values are wrong by, about, in points; 0 if they are exact."""
    least_mistake: float = 0.0
    """An action that loses less is not called a mistake, because the values are not exact."""

    @property
    def best(self) -> Advised:
        """The best action; raises `IllegalError` if there is none."""
        if not self.actions:
            raise IllegalError(f"{self.position} has no legal action")
        return self.actions[0]

    def _repr_html_(self) -> str:
        """The position, its value and the ten best actions for notebooks."""
        from fivedice.rulesets.notebook import dice_svg, paragraph, table

        rows = [
            (
                dice_svg(entry.action.dice) if isinstance(entry.action, Keep) and entry.action.dice else "",
                str(entry.action),
                "" if entry.points is None else entry.points,
                entry.value,
                entry.loss,
            )
            for entry in self.actions[:10]
        ]
        text = f"Expected final score with best play: {self.value:.2f}"
        actions = table(["", "action", "points", "value", "loss"], rows) if rows else ""
        return self.position._repr_html_() + paragraph(text) + actions

    def __len__(self) -> int:
        return len(self.actions)

    def __bool__(self) -> bool:
        return True  # also without an action

    @overload
    def __getitem__(self, place: int) -> Advised: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Advised, ...]: ...

    def __getitem__(self, place: int | slice) -> Advised | tuple[Advised, ...]:
        return self.actions[place]

    def of(self, action: Action | str) -> Advised:
        """The entry of one action; raises `IllegalError` if it is not legal."""
        action = as_action(action)
        for advised in self.actions:
            if advised.action == action:
                return advised
        raise IllegalError(f"{action} is not legal in {self.position}")

    def __str__(self) -> str:
        """A table of the best actions, at most `SHOWN` lines: each with its value and what it loses."""
        if not self.actions:
            return f"{self.position}: no action, value {self.value:.2f}"
        shown = self.actions[:SHOWN]
        width = max(len(str(advised.action)) for advised in self.actions)
        losses = ["" if advised.loss < 0.005 else f"{advised.loss:8.2f}" for advised in shown]
        rows = zip(shown, losses, strict=True)
        sign = " ≈" if self.error else ""
        return "\n".join(f"{row.action!s:{width}}{sign} {row.value:8.2f}{loss}".rstrip() for row, loss in rows)

    def __repr__(self) -> str:
        best = f"{self.actions[0].action}, " if self.actions else ""
        return f"<Advice {self.position}: {best}{self.value:.2f}>"


def advise(solution: "Solution | PlainSolution | ApproximateSolution", position: Position | str) -> Advice:
    """Advice on one position, which may be a line of notation; approximate values have the `error` of their solution.
    Near the end of a game, where few states are left, values are exact also by an approximate solution.

    Raises `IllegalError` if the solution is that of other rules, or if no game leads to the position.

    >>> from fivedice import load_ruleset, parse_position
    >>> from fivedice.solver.saved.approximations import shipped_approximation
    >>> rules = load_ruleset("triple_yahtzee")
    >>> approximation = shipped_approximation(rules)
    >>> filled = ",".join(f"{box.id}=0" for box in rules.boxes if not box.id.startswith("chance"))
    >>> advise(approximation, parse_position(f"triple_yahtzee {filled} 12346 r0")).error
    0.0
    >>> advise(approximation, parse_position("triple_yahtzee - 12346 r0")).error > 9
    True
    """
    if isinstance(solution, PlainSolution):
        known = position_under(solution.ruleset, position)
        return advise_without_kernels(solution.states, solution.float_values, known)
    if getattr(solution, "is_exact", True) is False:
        return _advise_approximately(cast("ApproximateSolution", solution), position)
    solution = cast("Solution", solution)
    known = position_of(solution, position)
    if not known.dice or not is_compiled(solution.states):
        return advise_without_kernels(solution.states, solution.float_values, known)
    return _advise_positions(solution, [known], threads=1)[0]


def advise_without_kernels(states: States, values: Sequence[float], position: Position | str) -> Advice:
    """The same advice on one position of these rules, found without NumPy and without compiled kernels.

    `values` is the table of the solution, as in `Solution.float_values`. It takes some milliseconds; `advise` is
    several times faster, but first loads the kernels.
    """
    known = as_position(position, states.ruleset)
    found = _without_actions(values, known, _place(states, known))
    return found or _listed(known, action_values(states, values, known), settled_points(known.card))


def is_compiled(states: States) -> bool:
    """Whether there are kernels for advice: they know the rules, and were built."""
    from fivedice.solver.kernels.action_values import action_values

    return states.has_kernels and action_values.is_built


def _advise_approximately(solution: "ApproximateSolution", position: Position | str) -> Advice:
    """By exact values where what is left of the card is small enough: by `END_BYTES`, so everywhere in the same way."""
    known = position_under(solution.ruleset, position)
    rest = None if known.is_over else _exact_end(known.ruleset, turn_state(known.card))
    return advise_by_learned(solution, known) if rest is None else advise_without_kernels(*rest, known)


def advise_by_learned(solution: "ApproximateSolution", known: Position) -> Advice:
    """Advice by approximate values alone, also near the end."""
    card = known.card
    if known.is_over:
        return Advice(known, float(card.result), ())
    if not known.dice:
        return Advice(known, card.total + solution.value(cards_of(known)), (), solution.decision_error)
    found = approximate_action_values(solution, known)
    listed = _listed(known, found, card.total)
    return replace(listed, error=solution.decision_error, least_mistake=solution.least_mistake)


@lru_cache(maxsize=16)  # a turn has several decisions
def _exact_end(ruleset: Ruleset, start: TurnState) -> tuple[States, Sequence[float]] | None:
    from fivedice.solver.solve import solve_rest

    try:
        solution = solve_rest(ruleset, (start,), END_BYTES)
    except TooLargeError:
        return None
    return solution.states, solution.float_values


def rest_of(position: Position | str, *, all_seats: bool = False, memory_limit: int | None = None) -> "Solution":
    """The solution of what can follow the card of the seat to move, or all cards, under rules that are too large.

    It is as good as that of the whole rules for these cards and all that follow them. `memory_limit` is in bytes, by
    default 1 GiB. Raises `TooLargeError` if that is too little, because too much of the game is left.
    """
    from fivedice.solver.solve import solve_rest

    known = position if isinstance(position, Position) else parse_position(position)
    cards = known.cards if all_seats else (known.card,)
    starts = {turn_state(card): None for card in cards if not card.won}
    return solve_rest(known.ruleset, tuple(starts), memory_limit or REST_BYTES)


def advise_unsolved(position: Position | str, memory_limit: int | None = None) -> Advice:
    """Advice on a position of which little is left to play, without a solution of its rules.

    Raises the errors of `rest_of`.

    >>> from fivedice import load_ruleset, parse_position
    >>> ids = [box.id for box in load_ruleset("triple_yahtzee").boxes]
    >>> filled = ",".join(f"{id}=0" for id in ids if not id.startswith("chance"))
    >>> print(advise_unsolved(parse_position(f"triple_yahtzee {filled} 12346 r0")))
    score chance_x1   133.94
    score chance_x2   127.88    6.06
    score chance_x3   119.27   14.67
    """
    solution = rest_of(position, memory_limit=memory_limit)
    return advise_without_kernels(solution.states, solution.float_values, position)


@overload
def advise_batch(
    solution: "Solution", positions: Iterable[Position | str], *, threads: int | None = None
) -> list[Advice]: ...


@overload
def advise_batch(
    solution: "Solution", positions: Array, rolls: Array, rolls_left: Array, *, threads: int | None = None
) -> BatchAdvice: ...


def advise_batch(
    solution: "Solution",
    positions: Iterable[Position | str] | Array,
    rolls: Array | None = None,
    rolls_left: Array | None = None,
    *,
    threads: int | None = None,
) -> list[Advice] | BatchAdvice:
    """Advice on many positions at once: the same as `advise` of each, in order, with the errors of `advise`, which
    begin with the number of the line.

    The second form takes N positions as three arrays of whole numbers, each of the shape [N]: turn states, as
    `state_index` numbers them, rolls, by their place in `fivedice.rulesets.dice.rolls(dice, faces)`, and rolls left. It
    gives a `BatchAdvice`, whose arrays count the points to come; add `settled_points` of a card. `for_cards` converts
    it if the rules have interchangeable boxes. Raises `MalformedError` for arrays of other shapes or types, and
    `IllegalError` naming the first position that cannot arise.

    `threads` is the number of threads, by default one for each processor.
    """
    checked_solution(solution)
    if rolls is not None and rolls_left is not None:
        return advise_arrays(solution, *checked_arrays(solution, positions, rolls, rolls_left), threads)
    if rolls is not None or rolls_left is not None or hasattr(positions, "dtype"):
        raise wrong_type("positions, or three arrays: turn states, rolls and rolls left", positions)
    if isinstance(positions, str | Position) or not isinstance(positions, Iterable):
        raise wrong_type("a list of positions", positions)
    known = []
    for number, position in enumerate(positions, 1):
        with at_line(number):
            known.append(position_of(solution, position))
    if not is_compiled(solution.states):
        return [advise(solution, position) for position in known]
    return _advise_positions(solution, known, threads)


def for_cards(states: States, found: BatchAdvice, cards: Sequence[ScoreCard]) -> BatchAdvice:
    """Advice on turn states as advice on the cards of the N positions: interchangeable boxes share a place in the
    table, so that it has values for one of them only."""
    if not states.interchangeable or not cards:
        return found
    import numpy as np

    boxes = np.array([states.playable_stand_ins(card.filled) for card in cards], dtype=np.int64)
    scores, zeros, points = (
        np.take_along_axis(values, boxes, axis=1) for values in (found.scores, found.zeros, found.points)
    )
    return replace(found, scores=scores, zeros=zeros, points=points)


def state_index(solution: "Solution | PlainSolution", card: ScoreCard) -> int:
    """The index of a card in the solution's table; `fivedice.solver.tables.states` explains the arithmetic."""
    return place_of_card(solution.states, card)


def state_in_game(solution: "Solution", card: ScoreCard) -> int:
    """As `state_index`; raises `IllegalError` if no game leads to the card."""
    index = state_index(solution, card)
    if math.isnan(solution.values[index]):
        raise IllegalError(f"the card {card} cannot arise in a game of {card.ruleset}")
    return index


def _place(states: States, position: Position) -> int | None:
    """The place in the table of the card of the seat to move, None at the end of a game."""
    return None if position.is_over else place_of_card(states, position.card)


def _without_actions(values: "Sequence[float] | Array", position: Position, place: int | None) -> Advice | None:
    """Advice on a position before a roll or at the end of a game; None for any other that can arise."""
    if place is None:
        return Advice(position, float(position.card.result), ())
    to_come = float(values[place])
    if math.isnan(to_come):
        raise IllegalError(f"{position} cannot arise in a game of {position.ruleset}")
    return None if position.dice else Advice(position, settled_points(position.card) + to_come, ())


def _listed(position: Position, found: list[Found], written: int) -> Advice:
    """Advice from the points to come of each action, beyond those written."""
    found.sort(key=lambda one: -one[0])
    best = found[0][0]
    wins = {o.action for o in position.offers() if o.wins} if position.ruleset.can_be_won_outright else ()
    actions = tuple(
        Advised(action, written + value, best - value, points, action in wins) for value, action, points in found
    )
    return Advice(position, written + best, actions)


def found_actions(
    position: Position, by_box: list[T], by_zero: list[T], by_keep: list[T]
) -> list[tuple[T, Action, int | None]]:
    """The actions of a position with dice, with what lists by box, and by keep of the roll, say of each."""
    box_index = position.ruleset.box_index
    found: list[tuple[T, Action, int | None]] = [
        ((by_box if offer.points else by_zero)[box_index[offer.action.box]], offer.action, offer.points)
        for offer in position.offers()
    ]
    if position.rolls_left:
        found += [(value, keep, None) for value, keep in zip(by_keep, keeps_of(position.dice), strict=False)]
    return found


def _advise_positions(solution: "Solution", positions: list[Position], threads: int | None) -> list[Advice]:
    """Advice on each position, from one call of the kernels for all that have dice."""
    import numpy as np

    from fivedice.solver.tables.dice_tables import roll_indices

    ruleset, states = solution.ruleset, solution.states
    roll_place = roll_indices(ruleset.dice, ruleset.faces)
    places = [_place(states, position) for position in positions]
    advice = [_without_actions(solution.values, *one) for one in zip(positions, places, strict=True)]
    asked = [number for number, one in enumerate(advice) if one is None]
    indices = np.array([places[number] for number in asked], dtype=np.int64)
    rolls = np.array([roll_place[positions[number].dice] for number in asked], dtype=np.int64)
    left = np.array([positions[number].rolls_left for number in asked], dtype=np.int64)
    cards = [positions[number].card for number in asked]
    found = for_cards(states, advise_arrays(solution, indices, rolls, left, threads), cards)
    for row, number in enumerate(asked):
        position = positions[number]
        by_action = (array[row].tolist() for array in (found.scores, found.zeros, found.keeps))
        advice[number] = _listed(position, found_actions(position, *by_action), settled_points(position.card))
    return [one for one in advice if one]
