"""`Losses`: what decisions of many games lost, as they are played, and the figures that follow."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.estimate import Estimate, estimate, ratio_half_width
from fivedice.analysis.reviews.player_figures import KINDS
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array
from fivedice.views.evaluation import CostlyDecisionView, KindLossView, MeanView

DecisionOf: TypeAlias = Callable[[int], tuple[Position, Action]]
"""The position and the action of one of N decisions, by its place."""

WORST = 10
"""The costliest decisions that are kept."""


@dataclass
class Losses:
    """The decisions and scores of many games. `illegal` counts illegal actions."""

    illegal: int = 0
    _decisions: list[tuple[Array, Array, Array]] = field(default_factory=list)
    _scores: list[tuple[Array, Array]] = field(default_factory=list)
    _worst: dict[str, tuple[float, Position, Action]] = field(default_factory=dict)

    def add(self, game: Array, number: Array, is_keep: Array, loss: Array, decision: DecisionOf) -> None:
        """Add N decisions: int64[N], the game and the rolls of the turn before; bool[N], whether dice are kept;
        float64[N], the loss."""
        kind = np.where(is_keep, np.minimum(number, len(KINDS) - 2), len(KINDS) - 1)
        self._decisions.append((game, kind, loss))
        least = min((one[0] for one in self._worst.values()), default=0.0) if len(self._worst) == WORST else 0.0
        for row in np.argsort(-loss, kind="stable")[: 2 * WORST].tolist():
            if loss[row] <= least:
                break
            position, action = decision(row)
            if loss[row] > self._worst.get(str(position), (0.0,))[0]:
                self._worst[str(position)] = (float(loss[row]), position, action)
        if len(self._worst) > WORST:
            kept = sorted(self._worst.items(), key=lambda item: (-item[1][0], item[0]))[:WORST]
            self._worst = dict(kept)

    def add_scores(self, game: Array, score: Array) -> None:
        """Add final scores of N games, each int64[N]."""
        self._scores.append((game, score))

    @property
    def num_decisions(self) -> int:
        """The number of decisions."""
        return sum(game.size for game, _, _ in self._decisions)

    def score(self) -> MeanView:
        """The mean score."""
        return _mean(estimate(self._joined(self._scores)[1].astype(np.float64).tolist()), -math.inf)

    def means(self) -> tuple[MeanView, MeanView]:
        """The mean loss of a game and of a decision."""
        num_games = self._joined(self._scores)[0].size
        game, _, loss = self._joined(self._decisions)
        a_game = np.bincount(game, loss, num_games).tolist()
        counts = np.bincount(game, minlength=num_games).astype(np.float64).tolist()
        mean = float(loss.sum()) / loss.size
        return _mean(estimate(a_game)), _mean(Estimate(mean, ratio_half_width(a_game, counts), num_games))

    def kinds(self) -> list[KindLossView]:
        """The losses by kind of decision."""
        num_games = self._joined(self._scores)[0].size
        _, kind, loss = self._joined(self._decisions)
        counts, sums = np.bincount(kind, minlength=len(KINDS)), np.bincount(kind, loss, len(KINDS))
        return [
            KindLossView(name, int(count), float(total / count), float(total / num_games))
            for name, count, total in zip(KINDS, counts, sums, strict=True)
            if count
        ]

    def worst(self, solution: Solution) -> list[CostlyDecisionView]:
        """The costliest decisions, the worst first, each position once."""
        return [
            CostlyDecisionView(text, str(action), str(advise(solution, position).best.action), loss)
            for text, (loss, position, action) in sorted(self._worst.items(), key=lambda item: (-item[1][0], item[0]))
        ]

    @staticmethod
    def _joined(parts: Sequence[tuple[Array, ...]]) -> tuple[Array, ...]:
        return tuple(np.concatenate(columns) for columns in zip(*parts, strict=True))


def _mean(found: Estimate, least: float = 0.0) -> MeanView:
    """The mean with its interval, which does not go below the least possible value: a loss is never below 0."""
    half = found.half_width
    return MeanView(found.mean, None if half is None else (max(least, found.mean - half), found.mean + half))
