"""What worker processes compute of one game or position. Large libraries are imported where they are needed."""

from dataclasses import dataclass, replace

from fivedice.analysis.dice_counts import DiceCounts, count, rolled_in
from fivedice.base.language import language
from fivedice.game.action import Action
from fivedice.game.chance import DiceSource
from fivedice.game.position import Position
from fivedice.game.record import Seat
from fivedice.game.record_lines import began_at
from fivedice.server.games.replayed import ReplayedGame
from fivedice.server.share.preview import BestTurn, best_turn
from fivedice.server.solving.worker import SavedSolution
from fivedice.server.table.state import LOCAL, State
from fivedice.server.table.to_record import TableLog
from fivedice.views.chances import ScoreChancesView, score_chances_view
from fivedice.views.odds import OddsView, odds_view
from fivedice.views.position import WhyView, why_view


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list shows of a game. `began` is in seconds since 1970; `local` is the id of its table if a browser
    played it without a server, else empty."""

    state: State
    players: tuple[Seat, ...]
    position: Position
    began: float
    local: str
    dice: DiceSource


def summary(game: ReplayedGame) -> Summary:
    """The summary of a game."""
    record = game.record
    players = tuple(replace(seat, name=name) for seat, name in zip(record.seats, game.names, strict=True))
    table = record.proof.table if record.proof else record.table
    local = table if table.startswith(LOCAL) else ""
    return Summary(game.state, players, record.position, began_at(record.date), local, record.dice)


def text(game: ReplayedGame) -> tuple[str, int | None] | None:
    """The record of a finished or imported game, with the holder's first seat."""
    if not (game.record.is_over or game.is_imported):
        return None
    return str(game.record), game.seats[0] if game.seats else None


def dice(game: ReplayedGame) -> DiceCounts:
    """The counts of all dice; the holder's seats count as seat 0 and all others as seat 1."""
    return count(replace(rolled, seat=int(rolled.seat not in game.seats)) for rolled in rolled_in(game.record))


def record_text(log: TableLog) -> str:
    """The record of a game."""
    return str(log.replayed()[1])


def best_turns(log: TableLog) -> list[BestTurn | None]:
    """The best turn of each seat; None before its first score."""
    record = log.replayed()[1]
    return [best_turn(record, seat) for seat in range(len(record.seats))]


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
