"""`simulated_chances` and `simulated_odds`: as `chances` and `odds`, from games that an approximate solution plays.

>>> from fivedice import load_ruleset, parse_position
>>> from fivedice.solver.saved.approximations import shipped_approximation
>>> triple = shipped_approximation(load_ruleset("triple_yahtzee"))
>>> found = simulated_chances(triple, parse_position("triple_yahtzee - 55556 r2"), games=256)
>>> found.games, 1700 < found.distribution.mean < 1900
(256, True)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from fivedice.analysis.action_values import cards_of
from fivedice.analysis.advice import advise
from fivedice.analysis.arguments import position_under
from fivedice.analysis.chances import Chances
from fivedice.analysis.odds import Odds, SeatOdds, independent_chances, require_opponents
from fivedice.game.action import Action
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.learn import Progress, play
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.solve import whole_blocks

GAMES = 4_096
"""Simulated games: a new game of Yamb takes ten seconds on two cores, and its mean is wrong by about two points."""


def simulated_chances(
    solution: ApproximateSolution,
    position: Position | str,
    games: int = GAMES,
    *,
    seed: int = 1,
    progress: Progress = lambda done, number: None,
) -> Chances:
    """The chances of the seat to move if it plays by an approximate solution, from at least so many games.

    The same seed gives the same chances. `progress` is called with (done, all) from time to time. Raises `IllegalError`
    if the solution is that of other rules.
    """
    position = position_under(solution.ruleset, position)
    number, ruleset = whole_blocks(games), position.ruleset
    cards = _stacked(_after_turn(solution, position, number, seed))
    scores = play(solution.game, solution.weights, cards, seed, progress=progress).astype(np.int64)
    multipliers = [column.multiplier for column in ruleset.columns]
    bonuses = np.array(
        [
            sum(m * ruleset.bonus_for(total) for m, total in zip(multipliers, row, strict=True))
            for row in cards.upper.tolist()
        ]
    )
    return Chances(
        position,
        Distribution.of(scores),
        Distribution.of(bonuses),
        Distribution.of(cards.card[:, 0]),
        dict(zip(ruleset.box_index, (cards.boxes > 0).mean(axis=0).tolist(), strict=True)),
        outright=0.0,
        results=Distribution.of(scores),
        games=number,
    )


def simulated_odds(
    solution: ApproximateSolution,
    position: Position | str,
    games: int = GAMES,
    *,
    seed: int = 1,
    progress: Progress = lambda done, number: None,
) -> Odds:
    """The odds of a position with two or more cards, if each seat plays by an approximate solution for points.

    A seat that resigned has no chance. Raises `IllegalError` for one card, and if the solution is that of other rules.
    """
    position = position_under(solution.ruleset, position)
    require_opponents(position)
    found = []
    for seat, card in enumerate(position.cards):
        own = Position.at_turn(position.ruleset, (card,), 0)
        if seat == position.seat:
            own = replace(position, cards=(card,), seat=0)
        if card.resigned:
            found.append(Distribution(card.total, np.ones(1)))
        else:
            found.append(simulated_chances(solution, own, games, seed=seed + seat).distribution)
        progress(seat + 1, len(position.cards))
    shares = dict(
        zip(position.remaining, independent_chances([found[seat] for seat in position.remaining]), strict=True)
    )
    seats = tuple(
        SeatOdds(*shares.get(seat, (0.0, 0.0)), one.mean, one.standard_deviation) for seat, one in enumerate(found)
    )
    return Odds(position, "simulated", seats, whole_blocks(games))


def _after_turn(solution: ApproximateSolution, position: Position, number: int, seed: int) -> list[ScoreCard]:
    """The cards at the end of the present turn, in so many games; the same card where it has not begun."""
    if not position.dice or position.is_over:
        return [position.card] * number
    chance, known = Random(f"{seed} turn"), dict[Position, Action]()

    def played() -> ScoreCard:
        here = position
        while here.dice:
            if here not in known:
                known[here] = advise(solution, here).best.action
            here = here.play(known[here], chance)
        return here.cards[position.seat]

    return [played() for _ in range(number)]


def _stacked(cards: Sequence[ScoreCard]) -> Cards:
    """The cards as arrays, equal ones together."""
    numbers = Counter(cards)
    blocks = [cards_of(Position.at_turn(card.ruleset, (card,), 0)) for card in numbers]
    counts = list(numbers.values())
    return Cards(
        *(np.repeat(np.concatenate([one[:1] for one in each]), counts, axis=0) for each in zip(*blocks, strict=True))
    )
