"""What worker processes compute of games: facts, texts, dice, figures, lessons, reviews, and answers about positions.

Functions of several games run in batches of `replayed.run_batch`. What they find of a game is kept with it, so that a
game that is added costs no more than one game. Large libraries are imported where they are needed.
"""

import pickle
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fivedice.analysis.dice_counts import DiceCounts, count, rolled_in
from fivedice.base.language import language
from fivedice.game.action import Action
from fivedice.game.chance import DiceSource
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.game.record_lines import began_at
from fivedice.server.games.comparison import Made
from fivedice.server.games.replayed import Key, ReplayedGame
from fivedice.server.share.preview import BestTurn, best_turn
from fivedice.server.solving.wire import Rules, SavedSolution, rules_of
from fivedice.server.table.state import LOCAL, State
from fivedice.server.table.to_record import TableLog
from fivedice.views.chances import ScoreChancesView, score_chances_view
from fivedice.views.figures import PlayerFiguresView, figures_view
from fivedice.views.odds import OddsView, odds_view
from fivedice.views.position import WhyView, why_view

if TYPE_CHECKING:
    from fivedice.analysis.learning.lessons import Grade, Lesson
    from fivedice.analysis.reviews.luck_scale import LuckScale
    from fivedice.analysis.reviews.player_figures import GameFigures
    from fivedice.analysis.reviews.review import Review

YOU = "you"
"""The name of the holder in figures, which replaces the names at the seats."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server itself needs of a game. `digest` is that of the rules; `ranks` are final, None before the end;
    `is_cut_short` says by seat whether a resignation left its card incomplete; `began` is in seconds since 1970."""

    state: State
    rules: Rules
    digest: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    ranks: tuple[int | None, ...]
    is_cut_short: tuple[bool, ...]
    began: float


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


def facts(games: Iterable[ReplayedGame]) -> dict[Key, Facts]:
    """The facts of the games that can be read."""
    found = {}
    for game in games:
        record = game.record
        found[game.key] = Facts(
            state=game.state,
            rules=rules_of(record.ruleset),
            digest=record.ruleset.digest,
            names=tuple(seat.name for seat in record.seats),
            totals=tuple(card.total for card in record.position.cards),
            ranks=tuple(record.position.ranks),
            is_cut_short=tuple(bool(record.resignations) and not card.is_complete for card in record.position.cards),
            began=began_at(record.date),
        )
    return found


def summaries(games: Iterable[ReplayedGame]) -> dict[Key, Summary]:
    """The summaries of the games that can be read."""
    return {game.key: game.once(_summary) for game in games}


def texts(games: Iterable[ReplayedGame]) -> list[tuple[str, int | None]]:
    """The records of finished and imported games, with the holder's first seat."""
    return [
        (game.once(_text), game.seats[0] if game.seats else None)
        for game in games
        if game.record.is_over or not isinstance(game.key[0], str)
    ]


def dice(games: Iterable[ReplayedGame]) -> DiceCounts:
    """The counts of all dice; the holder's seats count as seat 0 and all others as seat 1."""
    counts: DiceCounts = Counter()
    for game in games:
        counts.update(game.once(_dice))
    return counts


def figures(games: Iterable[ReplayedGame], saved: SavedSolution) -> bytes:
    """The `GameFigures` of the holder's seats, for `total_figures`; raises `SolutionGoneError`.

    Pickled, since the server only passes them on.
    """
    return pickle.dumps([one for game in games for one in game.once(_figures, saved)])


def total_figures(parts: Sequence[bytes], saved: SavedSolution, *, has_perfect: bool) -> list[PlayerFiguresView]:
    """The figures over all games in the results of `figures`, with the scores of perfect games if those are saved.

    Raises `SolutionGoneError`.
    """
    from fivedice.analysis.reviews.perfect_scores import PERFECT_SCORES
    from fivedice.analysis.reviews.player_figures import total_figures
    from fivedice.server.solving.solved import kept

    perfect = kept(PERFECT_SCORES, saved) if has_perfect else None
    games = (game for part in parts for game in pickle.loads(part))  # noqa: S301
    return [figures_view(one, perfect) for one in total_figures(games)]


def lessons(games: Iterable[ReplayedGame], saved: SavedSolution) -> "dict[Key, tuple[Lesson, ...]]":
    """The lessons of each game at the holder's seats; raises `SolutionGoneError`."""
    return {game.key: game.once(_lessons, saved) for game in games}


def reviewed(record: Record, saved: SavedSolution, luck: "LuckScale | None" = None) -> "Review":
    """The review of a game, by approximate values if there are no others; raises `SolutionGoneError`."""
    return next(_reviewed_all([record], saved, luck))


def _reviewed_all(
    records: Iterable[Record], saved: SavedSolution, luck: "LuckScale | None" = None
) -> "Iterator[Review]":
    from fivedice.analysis.reviews.review import review_all, review_approximately
    from fivedice.server.solving.solved import kept_values
    from fivedice.solver.solution import Solution

    values = kept_values(saved)
    if isinstance(values, Solution):
        return review_all(values, records, luck)
    return (review_approximately(values, record) for record in records)


def losses(games: Iterable[ReplayedGame], saved: SavedSolution) -> dict[Key, float]:
    """The points that all decisions of each game of one seat lost; raises `SolutionGoneError`."""
    return {game.key: game.once(_lost, saved) for game in games}


def made(log: TableLog, saved: SavedSolution) -> list[Made]:
    """The decisions of a game of one seat; raises `SolutionGoneError`."""
    record = log.replayed()[1]
    decisions = reviewed(record, saved).seats[0].decisions
    after = [*(one.position.card.total for one in decisions[1:]), record.position.cards[0].total]
    return [
        Made(one.turn, one.position, one.position.dice, one.action, one.loss, total)
        for one, total in zip(decisions, after, strict=True)
    ]


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


def graded(saved: SavedSolution, position: Position, action: Action) -> "Grade":
    """The grade of an answer to a lesson."""
    from fivedice.analysis.learning.lessons import grade
    from fivedice.server.solving.solved import kept_values

    return grade(kept_values(saved), position, action)


def as_you(record: Record, own: Collection[int]) -> Record:
    """The record with the holder's seats named `YOU`, and no other."""
    seats = [replace(seat, name=YOU if index in own else f"seat {index}") for index, seat in enumerate(record.seats)]
    return replace(record, seats=tuple(seats))


def _summary(game: ReplayedGame) -> Summary:
    record = game.record
    players = tuple(replace(seat, name=name) for seat, name in zip(record.seats, game.names, strict=True))
    table = record.proof.table if record.proof else record.table
    local = table if table.startswith(LOCAL) else ""
    return Summary(game.state, players, record.position, began_at(record.date), local, record.dice)


def _text(game: ReplayedGame) -> str:
    return str(game.record)


def _dice(game: ReplayedGame) -> DiceCounts:
    return count(replace(rolled, seat=int(rolled.seat not in game.seats)) for rolled in rolled_in(game.record))


def _figures(game: ReplayedGame, saved: SavedSolution) -> "list[GameFigures]":
    from fivedice.analysis.reviews.player_figures import game_figures

    # One record per seat of the holder: two such seats in one game count as two games.
    records = [as_you(game.record, (seat,)) for seat in game.seats]
    table = game.key[0] if isinstance(game.key[0], str) else ""
    # Of several people on one device, nobody knows who decided; and what an import says of its help is not proved.
    is_own = len(game.seats) == 1 and game.rated.issuperset(game.seats)
    return [
        replace(found, table=table, is_rated=found.is_rated and is_own)
        for reviewed in _reviewed_all(records, saved)
        for found in game_figures(reviewed)
        if found.name == YOU
    ]


def _lost(game: ReplayedGame, saved: SavedSolution) -> float:
    return reviewed(game.record, saved).seats[0].loss


def _lessons(game: ReplayedGame, saved: SavedSolution) -> "tuple[Lesson, ...]":
    from fivedice.analysis.learning.lessons import lessons

    return tuple(lessons([reviewed(as_you(game.record, game.seats), saved)], lambda seat: seat.name == YOU))
