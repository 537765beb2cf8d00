"""`Puzzle`: a position with the loss of every action; and `Candidate`, one that may be asked, of a game on given dice.

A position is asked only if no answer depends on less than `MIN_LOSS` points: every action loses nothing or at least so
much. Those that lose nothing are all best.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from fivedice.analysis.advice import Advice, advise
from fivedice.analysis.reviews.marks import SYMBOLS, Mark, mark_of
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.placed_turn import places_of
from fivedice.game.position import Position
from fivedice.game.proof import TableDice
from fivedice.players.greedy import Greedy
from fivedice.players.levels import LEVELS, Level
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset

GameDice: TypeAlias = TableDice
"""The dice of a game: `table` names it, as in `game-yahtzee`, and `secret` is that of the day."""


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """A position of a game of one seat on given dice: by turn, number of the roll and place, whatever was kept before.

    Unless it is over, its dice are rolled. `turn` counts the turns from 0; `places` are the dice in their places, and
    `kept` says which of them the last choice kept.

    >>> from fivedice.game.action import as_action
    >>> from fivedice.rulesets import load_ruleset
    >>> game = PlacedGame.start(load_ruleset("yahtzee"), GameDice(bytes(32), "game-yahtzee"))
    >>> game.places, game.kept
    ((5, 3, 3, 6, 6), (False, False, False, False, False))
    >>> game.after(as_action("keep 336")).places
    (1, 3, 3, 6, 2)
    """

    position: Position
    dice: GameDice
    turn: int = 0
    places: Dice = ()
    kept: tuple[bool, ...] = ()

    @classmethod
    def start(cls, ruleset: Ruleset, dice: GameDice) -> "PlacedGame":
        """The game after its first roll."""
        return cls(Position.start(ruleset), dice)._rolled()

    def after(self, action: Action) -> "PlacedGame":
        """The game after an action, and after the roll that follows it; raises `IllegalError` if it is not legal."""
        ruleset, number = self.position.ruleset, self.position.roll_number
        if not isinstance(action, Keep):
            position = self.position.play(action)
            if position.dice:  # an announcement, after which the same dice go on
                return PlacedGame(position, self.dice, self.turn, self.places, self.kept)
            return PlacedGame(position, self.dice, self.turn + 1)._rolled()
        kept = places_of(action, self.places, self.kept)
        rolled = self.dice.dice(self.turn, number + 1, ruleset.dice, ruleset.faces)
        places = tuple(old if stays else new for old, new, stays in zip(self.places, rolled, kept, strict=True))
        new = tuple(die for die, stays in zip(places, kept, strict=True) if not stays)
        return PlacedGame(self.position.play(action, new), self.dice, self.turn, places, kept)

    def _rolled(self) -> "PlacedGame":
        """The same after the first roll of its turn."""
        if self.position.is_over:
            return self
        ruleset = self.position.ruleset
        places = self.dice.dice(self.turn, 0, ruleset.dice, ruleset.faces)
        return PlacedGame(self.position.roll(places), self.dice, self.turn, places, (False,) * ruleset.dice)


if TYPE_CHECKING:
    from fivedice.solver.solution import Solution

MIN_LOSS = 0.3
"""The least points that an action loses unless it is one of the best."""

ROUNDING = 1e-6
"""Losses that differ by fewer points count as equal, so that every machine draws the same positions."""

PLAYERS = ("level_3", "level_4", "level_5", "level_6", "level_7", "level_9")
"""The players of the games from which positions come."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to decide, and the loss of every action in points, the best ones first.

    `levels` has the loss of what each level of `LEVELS` chooses; it is empty where that is not asked for. `rung` is its
    place on the ladder of difficulty.
    """

    position: Position
    losses: Mapping[Action, float]
    levels: tuple[float, ...] = ()
    rung: int | None = None

    @property
    def best(self) -> tuple[Action, ...]:
        """The actions that lose nothing."""
        return tuple(action for action, loss in self.losses.items() if is_best(loss))

    def loss(self, action: Action) -> float:
        """The loss of an action, 0 for each best one; raises `IllegalError` if it is not legal."""
        if action not in self.losses:
            raise IllegalError(self.position.why_illegal(action))
        found = self.losses[action]
        return 0.0 if is_best(found) else found

    def answered(self, action: Action) -> "Puzzle":
        """What the grade of an answer shows: the same with the best actions, the next best one and the answer alone."""
        found = dict(list(self.losses.items())[: len(self.best) + 1])
        return replace(self, losses=found | {action: self.losses[action]})


def is_best(loss: float) -> bool:
    """Whether an action with this loss counts as best."""
    return loss < ROUNDING


def symbol(loss: float) -> str:
    """The mark of an answer: "✓" if it is best, else at least that of an inaccuracy, since it loses `MIN_LOSS`."""
    return SYMBOLS[None if is_best(loss) else mark_of(loss) or Mark.INACCURACY]


def puzzle_of(advice: Advice) -> Puzzle:
    """The puzzle of a position with this advice."""
    return Puzzle(advice.position, {one.action: one.loss for one in advice.actions})


def perfect_play(solution: "Solution", dice: GameDice) -> list[Puzzle]:
    """The positions of perfect play on given dice, each with the action that is chosen there alone."""
    player = Level("level_9", solution)
    return [Puzzle(position, {player.choose(position): 0.0}) for position in positions_of(player, dice)]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A puzzle from a game that may be asked.

    `margin` is what the obvious choice, which is that of `Greedy`, loses; if it is best, it is negative, the least loss
    of another action. It is rounded. `game` is the player whose game it is from.
    """

    puzzle: Puzzle
    margin: float
    game: str

    @property
    def position(self) -> Position:
        """The position to decide."""
        return self.puzzle.position

    @property
    def missed(self) -> int:
        """How many levels miss it; 0 where that is not asked for."""
        return sum(not is_best(loss) for loss in self.puzzle.levels)


def candidates(solution: "Solution", dice: GameDice, kind: str, *, asks_levels: bool) -> list[Candidate]:
    """The positions of a game of one level, on given dice, that may be asked."""
    player, greedy = Level(kind, solution), Greedy()
    # Each another person: with the same seed, all of them misjudge the same boxes.
    judges = [Level(level, solution, seed) for seed, level in enumerate(LEVELS, 1)] if asks_levels else []
    found = []
    for position in positions_of(player, dice):
        puzzle = puzzle_of(advise(solution, position))
        losses = [loss for loss in puzzle.losses.values() if not is_best(loss)]
        if not losses or min(losses) < MIN_LOSS - ROUNDING:
            continue
        puzzle = replace(puzzle, levels=tuple(puzzle.loss(judge.choose(position)) for judge in judges))
        tempting = puzzle.loss(greedy.choose(position))
        found.append(Candidate(puzzle, round(tempting or -min(losses), 6), kind))
    return found


def positions_of(player: Level, dice: GameDice) -> Iterator[Position]:
    """The positions that a player decides in a game on given dice."""
    game = PlacedGame.start(player.solution.ruleset, dice)
    while not game.position.is_over:
        yield game.position
        game = game.after(player.choose(game.position))
