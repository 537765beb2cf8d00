"""What worker processes compute for the daily: candidates of a day, the losses in its positions, and reviews of its
games."""

from collections.abc import Sequence

from fivedice.daily.dice import GameDice
from fivedice.daily.puzzles import Candidate, Decided, Puzzle
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.solving.worker import SavedSolution


def found_candidates(saved: SavedSolution, dice: GameDice, kind: str, asks_levels: bool) -> list[Candidate]:
    """The candidates of one game; raises `SolutionGoneError`."""
    from fivedice.daily.puzzles import candidates
    from fivedice.server.solving.solved import kept_solution

    return candidates(kept_solution(saved), dice, kind, asks_levels=asks_levels)


def found_puzzles(
    saved: SavedSolution, positions: Sequence[tuple[int | None, Position]], with_levels: bool
) -> list[Puzzle]:
    """The puzzles of some positions with their rungs; raises `SolutionGoneError`."""
    from fivedice.daily.puzzles import puzzles
    from fivedice.server.solving.solved import kept_solution

    return puzzles(kept_solution(saved), positions, with_levels=with_levels)


def decided(saved: SavedSolution, dice: GameDice, actions: Sequence[Action] | None) -> list[Decided]:
    """The decisions of a game on given dice, or with None those of perfect play; raises `SolutionGoneError`."""
    from fivedice.daily.puzzles import decisions, perfect_decisions
    from fivedice.server.solving.solved import kept_solution

    solution = kept_solution(saved)
    return perfect_decisions(solution, dice) if actions is None else decisions(solution, dice, actions)
