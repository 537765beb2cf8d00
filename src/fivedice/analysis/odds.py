"""`odds`: every seat's chance to win a game and to tie for the first place.

How far that is exact depends on the position (`Method`). Early in a game, the seats are modelled as independent players
for the highest expected score, whose final scores have known distributions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from fivedice.analysis.arguments import position_of
from fivedice.analysis.chances import Chances, chances
from fivedice.analysis.endgames import card_chances, endgame_outcome, endgame_position
from fivedice.base.errors import IllegalError
from fivedice.game.position import Position
from fivedice.solver.endgame import Outcome
from fivedice.solver.play.distribution import Distribution, side_by_side
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError

Method: TypeAlias = Literal["exact", "endgame", "independent", "simulated"]
"""`exact`: the game is over, or only the seat to move has choices left and plays to win. `endgame`: two seats play
their last turns to win, which is solved exactly. `independent`: every seat plays for the highest expected score,
whatever the others have; the chances are exact for such seats. `simulated`: the same by an approximate solution, in
simulated games."""


@dataclass(frozen=True, slots=True)
class SeatOdds:
    """A seat's chances to be alone in the first place and to share it.

    `mean` and `standard_deviation` are those of its final score if it plays for the highest expected score.
    """

    win: float
    tie: float
    mean: float
    standard_deviation: float


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a position, by seat."""

    position: Position
    method: Method
    seats: tuple[SeatOdds, ...]
    games: int = 0
    """How many simulated games of each seat these are from; 0 if they are computed."""

    def __str__(self) -> str:
        """A line for each seat: its chances to win and to tie, and its mean score."""
        lines = [
            f"seat {number}: wins {seat.win:.1%}, ties {seat.tie:.1%}, mean score {seat.mean:.2f}"
            for number, seat in enumerate(self.seats)
        ]
        return "\n".join([f"{self.position} ({self.method})", *lines])


def odds(solution: Solution, position: Position | str, *, progress: Callable[[int, int], None] | None = None) -> Odds:
    """The odds of a position with two or more cards. A seat that resigned has no chance.

    `progress` is called with (seats done, seats). A first roll that wins at once counts as a win. In the independent
    model, the first of two seats that win so is the one with fewer turns played. Raises `IllegalError` for one card,
    and the errors of `advise`.
    """
    position = position_of(solution, position)
    require_opponents(position)
    found = []
    for seat in range(len(position.cards)):
        found.append(_chances_of(solution, position, seat))
        if progress:
            progress(seat + 1, len(position.cards))
    method, shares = _chances(solution, position, [each.results for each in found])
    scores = [each.distribution for each in found]
    seats = [
        SeatOdds(win, tie, each.mean, each.standard_deviation) for (win, tie), each in zip(shares, scores, strict=True)
    ]
    for seat, card in enumerate(position.cards):
        if card.resigned:
            seats[seat] = SeatOdds(0.0, 0.0, float(card.total), 0.0)
    return Odds(position, method, tuple(seats))


def require_opponents(position: Position) -> None:
    """Raise `IllegalError` if a position has one card only."""
    if len(position.cards) < 2:
        raise IllegalError(f"{position} has one card: odds need the cards of two or more seats, separated by /")


def independent_chances(scores: Sequence[Distribution]) -> list[tuple[float, float]]:
    """For each of several independent final scores, the chances to be the only highest and to share that."""
    equal = side_by_side(scores)
    at_most = equal.cumsum(axis=1)
    below = at_most - equal
    result = []
    for seat, row in enumerate(equal):
        alone, shared = (np.delete(table, seat, axis=0).prod(axis=0) for table in (below, at_most))
        result.append((float(row @ alone), float(row @ (shared - alone))))
    return result


def _chances_of(solution: Solution, position: Position, seat: int) -> Chances:
    """What a seat can expect if it plays for points."""
    card = position.cards[seat]
    if seat != position.seat or not position.dice or position.is_over:
        return card_chances(solution, card)
    return chances(solution, replace(position, cards=(card,), seat=0))


def _chances(
    solution: Solution, position: Position, scores: Sequence[Distribution]
) -> tuple[Method, list[tuple[float, float]]]:
    """The method, and the chances of every seat to win and to tie; `scores` are the results of all seats."""
    if position.is_over:
        is_tie = len(position.winners) > 1
        won = [seat in position.winners for seat in range(len(position.cards))]
        return "exact", [(float(it and not is_tie), float(it and is_tie)) for it in won]
    if endgame_position(position):
        try:
            outcome = endgame_outcome(solution, position)
        except TooLargeError:
            pass  # the independent model takes less
        else:
            num_open = sum(not position.cards[seat].is_complete for seat in position.remaining)
            return "exact" if num_open == 1 else "endgame", _endgame_chances(position, outcome)
    chances = [(0.0, 0.0)] * len(position.cards)
    found = independent_chances([scores[seat] for seat in position.remaining])
    for seat, chance in zip(position.remaining, found, strict=True):
        chances[seat] = chance
    return "independent", chances


def _endgame_chances(position: Position, outcome: Outcome) -> list[tuple[float, float]]:
    """The chances of every seat, from those of the seat to move. Of several complete cards only the best count."""
    best = max(card.total for card in position.rivals)
    others = (seat for seat in position.remaining if seat != position.seat)
    leaders = [seat for seat in others if position.cards[seat].total == best]
    lost = 1.0 - outcome.win - outcome.tie
    chances = [(0.0, 0.0)] * len(position.cards)
    chances[position.seat] = (outcome.win, outcome.tie)
    for seat in leaders:
        chances[seat] = (lost, outcome.tie) if len(leaders) == 1 else (0.0, lost + outcome.tie)
    return chances
