"""`Evaluation`: what `fivedice.evaluate` finds, as JSON and as text."""

from msgspec import Struct

from fivedice.players.rating import Rating
from fivedice.players.strength import OverallStrength, Strength

SHOWN = 5
"""The costliest decisions in the text of an `Evaluation`."""


class MeanView(Struct, frozen=True):
    """A mean with its 95 % interval, which is null for one game."""

    mean: float
    interval: tuple[float, float] | None

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.mean:.2f}"
        low, high = self.interval
        is_cut = low == 0 < self.mean  # a loss is never below 0
        return f"{self.mean:.2f}" + (f" (0 to {high:.2f})" if is_cut else f" ± {high - self.mean:.2f}")


class KindLossView(Struct, frozen=True):
    """The decisions of a kind: how many, and what they lost a decision and a game, in points."""

    kind: str
    decisions: int
    loss: float
    loss_a_game: float


class CostlyDecisionView(Struct, frozen=True):
    """A decision that lost points: the position and the actions in notation."""

    position: str
    action: str
    better: str
    loss: float


class Evaluation(Struct, frozen=True):
    """An agent's games of one card under a ruleset.

    `score` is that of a game; `loss` what its decisions lose a game against the best ones, and `loss_a_decision` the
    same for each, in points: exact values of the decisions, so that only the choice of positions is random. `optimum`
    is the expected result of optimal play; `optimum` − `loss` estimates that of the agent. `illegal` counts illegal
    actions, instead of which random ones were taken. `worst` are the costliest decisions, each position once.
    `seconds` is the time of the games.
    """

    agent: str
    ruleset: str
    digest: str
    seed: int
    games: int
    decisions: int
    optimum: float
    score: MeanView
    loss: MeanView
    loss_a_decision: MeanView
    kinds: tuple[KindLossView, ...]
    worst: tuple[CostlyDecisionView, ...]
    illegal: int
    seconds: float

    def __repr__(self) -> str:
        return f"<Evaluation {self._head}, score {self.score}, loss {self.loss}>"

    @property
    def _head(self) -> str:
        return f"{self.agent} in {self.ruleset}: {self.games:,} game{'s'[: self.games != 1]}"

    def __str__(self) -> str:
        loss = self.loss.mean
        lines = [
            f"{self._head}, {self.decisions:,} decisions, seed {self.seed}, {self.seconds:.1f} s",
            f"mean score       {self.score}",
            f"loss a game      {self.loss}, so about {self.optimum - loss:.2f} of {self.optimum:.2f} points",
            f"loss a decision  {self.loss_a_decision}",
        ]
        if self.illegal:
            lines.append(f"illegal actions  {self.illegal:,}")
        lines += ["", f"{'kind':<12}{'decisions':>12}{'loss each':>12}{'a game':>10}"]
        lines += [f"{one.kind:<12}{one.decisions:>12,}{one.loss:>12.2f}{one.loss_a_game:>10.2f}" for one in self.kinds]
        if self.worst:
            lines += ["", "The costliest decisions:"]
            lines += [
                f"{one.loss:8.2f}  {one.position}: {one.action}; better {one.better}" for one in self.worst[:SHOWN]
            ]
        return "\n".join(lines)


class RatingView(Struct, frozen=True):
    """A rating from the results of rated games, in points; the 95 % interval is points ± half_width."""

    points: float
    half_width: float
    games: int
    is_provisional: bool


class ProfileView(Struct, frozen=True):
    """What others at a table can see of a player: the strength under each of the shipped rulesets, most games first,
    and over them, and the rating, from rated games only."""

    name: str
    strengths: list[Strength]
    strength: OverallStrength | None
    rating: RatingView | None


def rating_view(one: Rating) -> RatingView:
    """A rating."""
    return RatingView(one.points, one.half_width, one.games, one.is_provisional)
