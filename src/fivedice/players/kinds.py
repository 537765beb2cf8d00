"""`Player`, the protocol of what decides at a seat: a person, chance, or an exact solution, for points, a win or
a target. `make_player` makes one of a kind, by the names that commands and tables give them."""

import random
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError, UnknownError, shown, suggest
from fivedice.base.language import ENGLISH, Language, marked
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players.greedy import Greedy
from fivedice.players.levels import LEVELS, Level
from fivedice.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.solver.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution

TARGET_TURNS = 6
"""The open boxes from which on a `Target` plays exactly; with more, each choice would take seconds."""


@dataclass(frozen=True)
class Optimal:
    """Maximises the expected final score, with the solution of the rules; if that is approximate, by exact values at
    the end of a game."""

    solution: "Solution | PlainSolution | ApproximateSolution"

    def choose(self, position: Position) -> Action:
        """The best action."""
        return advise(self.solution, position).best.action


@dataclass(frozen=True)
class Trained:
    """Maximises the expected final score by the approximate solution that comes with the program or has been learned
    here, and at the end of a game by exact values."""

    def choose(self, position: Position) -> Action:
        """The best action; raises `IllegalError` for rules without an approximate solution."""
        approximation = approximation_of(position.ruleset)
        if approximation is None:
            raise IllegalError(f"{position.ruleset} has no approximate solution, which the player 'trained' needs")
        return Optimal(approximation).choose(position)


@lru_cache(maxsize=4)
def approximation_of(ruleset: Ruleset) -> "ApproximateSolution | None":
    """The approximate solution that comes with the program or has been learned here; None if there is none."""
    from fivedice.solver.saved.approximations import known_approximation
    from fivedice.solver.saved.saved_table import solutions_folder

    return known_approximation(ruleset, solutions_folder())


@dataclass(frozen=True)
class Rival:
    """Maximises its chance to win against the other cards, where a tie counts half, with the exact solution.

    `fivedice.analysis.endgames` says how, and how far it is exact. Alone at a table it plays for points.
    """

    solution: "Solution"

    def choose(self, position: Position) -> Action:
        """The action with the best chance to win; among equal ones, that with the highest expected score."""
        # Imported here because the solver's libraries are slow to import.
        from fivedice.analysis.endgames import advise_rival
        from fivedice.solver.solve import TooLargeError

        try:
            return advise_rival(self.solution, position).best.action
        except TooLargeError:
            return Optimal(self.solution).choose(position)  # with many columns, even few boxes can be too many


@dataclass(frozen=True)
class Target:
    """Maximises the chance of a final score of at least `score`, exactly, from `TARGET_TURNS` open boxes on. Before, it
    plays for points."""

    score: int
    solution: "Solution"

    def choose(self, position: Position) -> Action:
        """The action with the best chance, or for now the most points."""
        # Imported here because the solver's libraries are slow to import.
        from fivedice.analysis.targets import advise_for_target
        from fivedice.solver.solve import TooLargeError

        if position.card.turns_left <= TARGET_TURNS:
            try:
                return advise_for_target(self.solution, position, self.score).best.action
            except TooLargeError:
                pass  # with many columns, even few boxes can be too many
        return Optimal(self.solution).choose(position)


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
    **{kind: text.about for kind, text in LEVELS.items()},
    "human": marked("A person at this keyboard."),
    "greedy": marked("Takes the most points it can expect from each turn, and never plans ahead."),
    "optimal": marked("Plays perfectly for the highest expected score, as level 9 does where rules can be solved."),
    "random": marked("Takes any legal action at random."),
    "rival": marked("Plays to win against the other cards, from six turns before the end; until then for points."),
    "target_300": marked(
        "Plays for 300 points in the last six turns, before that for the highest score. Any other number works too."
    ),
    "trained": marked("Plays for the highest score by values learned from games, where rules are too large to solve."),
}
"""Every kind of player, with a description in English, which is a message of `fivedice.base.language`.

The levels come first; `rival` and `target_300` are styles, which play perfectly for other aims than points.
`target_300` stands for targets of any other number of up to five digits.
"""

_NAMES: Mapping[str, str] = {
    **{kind: text.name for kind, text in LEVELS.items()},
    "greedy": marked("Greedy"),
    "optimal": marked("Optimal"),
    "random": marked("Random"),
    "rival": marked("Rival"),
    "trained": marked("Trained"),
}


def kind_name(kind: str, to: Language = ENGLISH) -> str:
    """The name of a kind of computer player in a language; a kind that is not known, as in old records, is its name."""
    if target := re.fullmatch(r"target_(\d{1,5})", kind, re.ASCII):
        return to.say("Target {n}", n=target[1])
    return to.say(_NAMES[kind]) if kind in _NAMES else kind


def known_kind(kind: str, kinds: Collection[str] = KINDS) -> str:
    """The one of these kinds that a kind is, which for any target is `target_300`; raises `UnknownError`."""
    if re.fullmatch(r"target_\d{1,5}", kind, re.ASCII) and "target_300" in kinds:
        return "target_300"
    if kind not in kinds:
        raise UnknownError(f"there is no player {shown(kind)}: {suggest(kind, kinds)}")
    return kind


def needs_solution(kind: str) -> bool:
    """Whether a player of a kind plays by the solution of the rules."""
    return known_kind(kind) not in ("greedy", "human", "random", "trained")


Solve: TypeAlias = "Callable[[], Solution | PlainSolution | ApproximateSolution]"
"""Finds the solution that a player needs, which may be approximate."""


def no_human(position: Position) -> Action:
    """Raises `IllegalError`: for games without humans."""
    raise IllegalError(f"no human plays here to decide {position}")


def make_player(kind: str, chance: random.Random, solve: Solve, ask: Callable[[Position], Action] = no_human) -> Player:
    """A player of a kind. `solve` is called for kinds that need a solution; `ask` asks a human for an action.

    Raises `UnknownError` for any other kind.
    """

    def exact() -> "Solution":
        found = solve()
        if not found.is_exact:
            raise IllegalError(f"{found.ruleset} has no exact solution, which the player {kind!r} needs")
        return cast("Solution", found)

    match known_kind(kind):
        case "human":
            return Human(ask)
        case "greedy":
            return Greedy()
        case "level_9":
            return Optimal(solve())
        case "optimal":
            return Optimal(exact())
        case "random":
            return Random(chance)
        case "rival":
            return Rival(exact())
        case "trained":
            return Trained()
    if kind in LEVELS:
        return Level(kind, solve())
    return Target(int(kind.removeprefix("target_")), exact())
