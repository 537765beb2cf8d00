"""What worker processes compute for the daily. They raise `SolutionGoneError`."""

from fivedice.daily.dice import GameDice
from fivedice.daily.puzzles import Candidate, Puzzle
from fivedice.game.position import Position
from fivedice.server.solving.worker import SavedSolution


def found_candidates(saved: SavedSolution, dice: GameDice, kind: str, asks_levels: bool) -> list[Candidate]:
    """The candidates of one game."""
    from fivedice.daily.puzzles import candidates
    from fivedice.server.solving.solved import kept_solution

    return candidates(kept_solution(saved), dice, kind, asks_levels=asks_levels)


def perfect_game(saved: SavedSolution, dice: GameDice) -> list[Puzzle]:
    """Perfect play on given dice."""
    from fivedice.daily.puzzles import perfect_play
    from fivedice.server.solving.solved import kept_solution

    return perfect_play(kept_solution(saved), dice)


def puzzle_at(saved: SavedSolution, position: Position) -> Puzzle:
    """The puzzle of a position."""
    from fivedice.analysis.advice import advise
    from fivedice.daily.puzzles import puzzle_of
    from fivedice.server.solving.solved import kept_solution

    return puzzle_of(advise(kept_solution(saved), position))
