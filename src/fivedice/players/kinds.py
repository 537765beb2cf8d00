"""`Player`, the protocol of what decides at a seat; the kinds of players by name, as commands and tables give them, and
`make_player`."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fivedice.errors import UnknownError, shown, suggest
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.language import marked
from fivedice.players.by_solution import Optimal, RiskTaking, Rival, Target
from fivedice.players.greedy import Greedy
from fivedice.solver.risk import BOLD, CAUTIOUS

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution


class Player(Protocol):
    """Decides at one seat. A player does not roll the dice."""

    def choose(self, position: Position) -> Action:
        """One legal action in a position that has dice and is not over."""
        ...


@dataclass(frozen=True)
class Human:
    """A person, asked for each action."""

    ask: Callable[[Position], Action]

    def choose(self, position: Position) -> Action:
        """The person's answer."""
        return self.ask(position)


@dataclass(frozen=True)
class Random:
    """Takes legal actions at random, each with the same chance."""

    chance: random.Random

    def choose(self, position: Position) -> Action:
        """A random legal action."""
        return self.chance.choice(position.actions())


KINDS: Mapping[str, str] = {
    "bold": marked("Seeks risk: gives up expected points for the chance of a very high score."),
    "cautious": marked("Avoids risk: gives up expected points to avoid low scores."),
    "human": marked("A person at this keyboard."),
    "greedy": marked("Takes the most points it can expect from each turn, and never plans ahead."),
    "optimal": marked("Plays perfectly for the highest expected score, from the exact solution."),
    "random": marked("Takes any legal action at random."),
    "rival": marked("Plays to win against the other cards, from six turns before the end; until then for points."),
    "target_300": marked("Plays to reach 300 points, whatever else it costs. Any other number works as well."),
}
"""Every kind of player, with a description in English, which is a message of `fivedice.language`.

A kind that ends with a number stands for those with any other number of up to five digits.
"""


class Solve(Protocol):
    """Finds the solution that a player needs, or with a `risk` parameter the table of certainty equivalents."""

    def __call__(self, *, risk: float | None = None) -> "Solution": ...


def make_player(kind: str, chance: random.Random, ask: Callable[[Position], Action], solve: Solve) -> Player:
    """A player of a kind. `ask` asks a human for an action; `solve` is called for kinds that need tables.

    Raises `UnknownError` for any other kind.
    """
    match kind:
        case "bold":
            return RiskTaking(solve(risk=BOLD))
        case "cautious":
            return RiskTaking(solve(risk=CAUTIOUS))
        case "human":
            return Human(ask)
        case "greedy":
            return Greedy()
        case "optimal":
            return Optimal(solve())
        case "random":
            return Random(chance)
        case "rival":
            return Rival(solve())
    if target := re.fullmatch(r"target_(\d{1,5})", kind, re.ASCII):
        return Target(int(target[1]), solve(), solve(risk=CAUTIOUS), solve(risk=BOLD))
    raise UnknownError(f"there is no player {shown(kind)}: {suggest(kind, KINDS)}")
