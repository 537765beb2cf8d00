"""`Tournament`: its players and rounds, as its events replay to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fivedice.tournament.settings import Settings

Score = int | None
"""The final score of a player at a table; None for one who gave up, and is last."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `is_in` is whether they are drawn in the next round."""

    name: str
    is_in: bool = True


@dataclass(frozen=True, slots=True)
class Game:
    """A table of a round and its players by seat. `scores` has one score for each once it is over, and is empty if the
    table was closed before that; `note` says why the organiser entered or corrected them."""

    table: str
    players: tuple[int, ...]
    scores: tuple[Score, ...] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its number from 1, the seed of its draw in hexadecimal digits, its games, and who has none."""

    number: int
    seed: str
    games: tuple[Game, ...]
    byes: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        """Whether every game has its result."""
        return all(game.scores is not None for game in self.games)


@dataclass(frozen=True)
class Tournament:
    """A tournament at one version. `order` is that of a round robin, set by the draw of its first round."""

    id: str
    club: str
    settings: Settings
    commitment: str
    version: int = 1
    players: Mapping[int, Player] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    order: tuple[int, ...] = ()
    is_paused: bool = False
    is_ended: bool = False

    def next(self, **changes: Any) -> "Tournament":
        """The next version."""
        return replace(self, version=self.version + 1, **changes)

    @property
    def present(self) -> list[int]:
        """The players of the next round, in the order of their numbers."""
        return sorted(number for number, player in self.players.items() if player.is_in)

    @property
    def num_rounds(self) -> int | None:
        """How many rounds there are; None in a round robin before its first draw."""
        if self.settings.format != "round_robin":
            return self.settings.rounds
        return len(self.order) - 1 + len(self.order) % 2 if self.order else None

    @property
    def is_between_rounds(self) -> bool:
        """Whether no game is being played."""
        return not self.rounds or self.rounds[-1].is_over

    @property
    def is_over(self) -> bool:
        """Whether no round follows, and all games have results."""
        return self.is_ended or (self.is_between_rounds and len(self.rounds) == self.num_rounds)

    def games(self) -> Iterator[Game]:
        """All games, in order."""
        return (game for round in self.rounds for game in round.games)

    def game(self, table: str) -> Game | None:
        """The game at a table."""
        return next((game for game in self.games() if game.table == table), None)

    def game_of(self, player: int) -> Game | None:
        """The game of a player in the last round."""
        games = self.rounds[-1].games if self.rounds else ()
        return next((game for game in games if player in game.players), None)

    def with_scores(self, table: str, scores: tuple[Score, ...], note: str = "") -> "Tournament":
        """The next version, with the scores of a game."""
        rounds = tuple(
            replace(
                round,
                games=tuple(
                    replace(game, scores=scores, note=note) if game.table == table else game for game in round.games
                ),
            )
            if any(game.table == table for game in round.games)
            else round
            for round in self.rounds
        )
        return self.next(rounds=rounds)
