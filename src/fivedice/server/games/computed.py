"""What worker processes compute for a position or for the daily. Large libraries are imported where they are needed.
The functions raise `SolutionGoneError`."""

from fivedice.base.language import language
from fivedice.daily.puzzles import Candidate, GameDice, Puzzle
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.solving.worker import SavedSolution
from fivedice.views.odds import OddsView, ScoreChancesView, odds_view, score_chances_view
from fivedice.views.position import WhyView, why_view


def reason(saved: SavedSolution, position: Position, action: Action, instead_of: Action, lang: str) -> WhyView:
    """Why one action is worth more or less than another."""
    from fivedice.analysis.why import why
    from fivedice.server.solving.solved import kept, kept_solution
    from fivedice.solver.saved.kinds import BREAKDOWN

    found = why(kept_solution(saved), position, action, instead_of, breakdown=kept(BREAKDOWN, saved))
    return why_view(found, language(lang))


def odds(saved: SavedSolution, position: Position, turn: int) -> OddsView | None:
    """Every seat's chance to win before a turn; None if it cannot be estimated."""
    from fivedice.server.solving.solved import kept_estimator

    found = kept_estimator(saved).odds(position)
    return None if found is None else odds_view(turn, found)


def quick_chances(saved: SavedSolution, position: Position) -> ScoreChancesView | None:
    """The chances of the final scores from a position near the end of its game; None from an earlier one.

    Raises `IllegalError` if no game leads to the position.
    """
    from fivedice.analysis.advice import advise
    from fivedice.analysis.odds.estimated_odds import is_quick
    from fivedice.server.solving.solved import kept_solution

    solution = kept_solution(saved)
    advise(solution, position)  # raises the error
    return score_chances_view(solution, position) if is_quick(solution, position.card) else None


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
