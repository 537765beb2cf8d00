"""`play_league`: every two players play each other; means, deviations, bonus rates and wins with intervals.

>>> from fivedice import Greedy, Random, load_ruleset
>>> players = {"greedy": Greedy(), "random": Random(random.Random(1))}
>>> league = play_league(load_ruleset("crag"), players, num_games=4, seed=1)
>>> league.matches["greedy"]["random"].num_games
4
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import fsum, sqrt
from typing import TypeAlias

import numpy as np

from fivedice.analysis.advice import advise_batch
from fivedice.analysis.reviews.estimate import Estimate, estimate
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.game.action import Action, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.players import Player
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.games.tally import Z95, share_interval
from fivedice.solver.solution import Solution


@dataclass(frozen=True)
class Match:
    """The games of the first player against the second: `share` is that of the first places, where a tie counts half,
    with half its 95 % interval."""

    num_games: int
    wins: int
    ties: int
    share: float
    half_width: float


@dataclass(frozen=True)
class Standing:
    """A player's figures over all games: the mean of the score with half its 95 % interval, the deviation, and the
    share of cards with an upper bonus, None if the rules have none. `loss` is what its decisions lost a game, in
    expected points; None without a solution."""

    num_games: int
    mean: float
    half_width: float
    standard_deviation: float
    bonus_rate: float | None
    loss: Estimate | None


@dataclass(frozen=True)
class League:
    """The players with their standings, best mean first, and the matches by player and opponent."""

    ruleset: str
    players: dict[str, Standing]
    matches: dict[str, dict[str, Match]]


def play_league(
    ruleset: Ruleset,
    players: Mapping[str, Player],
    *,
    num_games: int,
    seed: int,
    solution: Solution | None = None,
    progress: Callable[[int, int], None] = lambda done, games: None,
) -> League:
    """A league of two players or more. Each pair plays `num_games` games and takes turns to begin.

    With the exact `solution` of the rules, standings have losses. The dice depend on the seed and the pair only.
    `progress` is called with (games done, games).
    """
    cards: dict[str, list[ScoreCard]] = {name: [] for name in players}
    losses: dict[str, list[float]] = {name: [] for name in players}
    matches: dict[str, dict[str, Match]] = {name: {} for name in players}
    pairs = list(combinations(players, 2))
    for number, (first, second) in enumerate(pairs):
        shares = np.zeros(num_games)
        for game in range(num_games):
            dice = random.Random(f"{seed} {first} {second} {game}")
            end, decisions = _play(ruleset, (players[first], players[second]), game % 2, dice)
            for name, card, made in zip((first, second), end.cards, decisions, strict=True):
                cards[name].append(card)
                if solution is not None:
                    advice = advise_batch(solution, [position for position, _ in made])
                    lost = (one.of(action).loss for one, (_, action) in zip(advice, made, strict=True))
                    losses[name].append(fsum(loss for loss in lost if loss >= EQUAL))
            shares[game] = (0 in end.winners) / len(end.winners)
            progress(number * num_games + game + 1, len(pairs) * num_games)
        matches[first][second] = _match(shares)
        matches[second][first] = _match(1 - shares)
    standings = {name: _standing(ruleset, found, losses[name]) for name, found in cards.items()}
    return League(str(ruleset), dict(sorted(standings.items(), key=lambda item: -item[1].mean)), matches)


Decisions: TypeAlias = list[tuple[Position, Action]]


def _play(
    ruleset: Ruleset, players: tuple[Player, Player], first: int, dice: random.Random
) -> tuple[Position, tuple[Decisions, Decisions]]:
    """The end of one game, and the decisions of each seat."""
    position, decisions = Position.start(ruleset, 2, first), (Decisions(), Decisions())
    while not position.is_over:
        action: Action = Keep(())
        if position.dice:
            action = players[position.seat].choose(position)
            decisions[position.seat].append((position, action))
        number = ruleset.dice - len(action.dice) if isinstance(action, Keep) else 0
        rolled = tuple(dice.randint(1, ruleset.faces) for _ in range(number))
        position = position.play(action, rolled) if position.dice else position.roll(rolled)
    return position, decisions


def _match(shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Match:
    wins, ties = int((shares == 1).sum()), int((shares == 0.5).sum())
    share, size = float(shares.mean()), shares.size
    low, high = share_interval(float(shares.sum()), size)
    return Match(size, wins, ties, share, max(high - share, share - low))


def _standing(ruleset: Ruleset, cards: list[ScoreCard], losses: list[float]) -> Standing:
    scores = np.array([card.total for card in cards], dtype=np.float64)
    deviation = float(scores.std(ddof=1)) if scores.size > 1 else 0.0
    columns = range(len(ruleset.columns))
    with_bonus = [any(card.upper_bonus(column) for column in columns) for card in cards]
    return Standing(
        num_games=scores.size,
        mean=float(scores.mean()),
        half_width=Z95 * deviation / sqrt(scores.size),
        standard_deviation=deviation,
        bonus_rate=float(np.mean(with_bonus)) if ruleset.upper_bonus else None,
        loss=estimate(losses) if losses else None,
    )
