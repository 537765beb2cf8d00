"""The players that decide by exact solutions: for points, for the win, with or against risk, or for a target."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.game.action import Action
from fivedice.game.position import Position

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution

TARGET_TURNS = 6
"""The open boxes from which on a `Target` plays exactly; with more, each choice would take seconds."""


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

    `fivedice.analysis.odds.endgames` says how, and how far it is exact. Alone at a table it plays for points.
    """

    solution: "Solution"

    def choose(self, position: Position) -> Action:
        """The action with the best chance to win; among equal ones, that with the highest expected score."""
        # Imported here because the solver's libraries are slow to import.
        from fivedice.analysis.odds.endgames import advise_rival

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
        from fivedice.analysis.odds.targets import advise_for_target
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
