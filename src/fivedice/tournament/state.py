"""`Tournament`: its players and rounds, as its events replay to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from fivedice.tournament.settings import Settings

Score = int | None
"""The final score of a player at a table; None for one who gave up, and is last. In a duplicate, None for one who has
not finished the round."""

Loss = float | None
"""The points that the decisions of a player lost in a round of a duplicate; None for one who has not finished it."""

Move: TypeAlias = tuple[Literal["in", "out", "result"], int]
"""What changes the order of a ladder: a player comes in or goes out, by number, or a challenge has its result."""


def beats(own: Score, other: Score) -> bool:
    """Whether a score wins against another one."""
    return own is not None and (other is None or own > other)


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `is_in` is whether they are drawn in the next round."""

    name: str
    is_in: bool = True


@dataclass(frozen=True, slots=True)
class Game:
    """A table of a round and its players by seat. `scores` has one score for each once it is over, null for somebody
    who gave up, and is empty if the table was closed before that; `note` says why the organiser entered or corrected
    them.

    The game of a duplicate has all players of its round; `table` is then the id of the duplicate, and `losses` goes
    with `scores`.
    """

    table: str
    players: tuple[int, ...]
    scores: tuple[Score, ...] | None = None
    note: str = ""
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its number from 1, the seed of its draw in hexadecimal digits, its games, and who has none.

    `closes` is when a round of a duplicate ends, in seconds since 1970. A challenge of a ladder is a round of one game.
    """

    number: int
    seed: str
    games: tuple[Game, ...]
    byes: tuple[int, ...] = ()
    closes: float | None = None
    challenger: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether every game has its result."""
        return all(game.scores is not None for game in self.games)


@dataclass(frozen=True)
class Tournament:
    """A tournament at one version. `order` is that of a round robin, set by the draw of its first round; `moves` are
    those of a ladder."""

    id: str
    club: str
    settings: Settings
    commitment: str
    version: int = 1
    players: Mapping[int, Player] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    order: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()
    is_paused: bool = False
    is_ended: bool = False

    def next(self, *moves: Move, **changes: Any) -> "Tournament":
        """The next version; moves count in a ladder only."""
        added = moves if self.settings.format == "ladder" else ()
        return replace(self, version=self.version + 1, moves=(*self.moves, *added), **changes)

    @property
    def present(self) -> list[int]:
        """The players of the next round, in the order of their numbers."""
        return sorted(number for number, player in self.players.items() if player.is_in)

    @property
    def num_rounds(self) -> int | None:
        """How many rounds there are; None in a round robin before its first draw, and in a ladder."""
        if self.settings.format == "ladder":
            return None
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
        """The game of a player in the last round; in a ladder, their last one."""
        rounds = self.rounds if self.settings.format == "ladder" else self.rounds[-1:]
        return next((game for one in reversed(rounds) for game in one.games if player in game.players), None)

    def with_game(self, table: str, **changes: Any) -> tuple[Round, ...]:
        """The rounds, with changes of a game."""
        number = next(one.number for one in self.rounds if any(game.table == table for game in one.games))
        before = self.rounds[number - 1]
        games = tuple(replace(game, **changes) if game.table == table else game for game in before.games)
        return (*self.rounds[: number - 1], replace(before, games=games), *self.rounds[number:])

    def with_result(
        self, table: str, scores: tuple[Score, ...], losses: tuple[Loss, ...], note: str = ""
    ) -> "Tournament":
        """The next version, with the result of a game."""
        number, game = next((one.number, game) for one in self.rounds for game in one.games if game.table == table)
        moves: list[Move] = [("result", number)] if game.scores is None else []
        return self.next(*moves, rounds=self.with_game(table, scores=scores, losses=losses, note=note))


def order(tournament: Tournament) -> list[int]:
    """The players of a ladder, the highest first: a function of who came and went and of the results.

    Newcomers begin at the bottom. When a challenger wins, they take the place of the other, who goes down by one place
    with everybody between them. Otherwise, after a tie too, the order stays.
    """
    found: list[int] = []
    for kind, number in tournament.moves:
        if kind == "in":
            found.append(number)
        elif kind == "out":
            found.remove(number)
        else:
            _settle(found, tournament.rounds[number - 1])
    return found


def open_to(tournament: Tournament, challenger: int) -> list[int]:
    """Whom a player may challenge now: those up to `reach` places above them, unless one of the two is at a table."""
    found = order(tournament) if tournament.settings.format == "ladder" else []
    busy = {player for game in tournament.games() if game.scores is None for player in game.players}
    if tournament.is_over or tournament.is_paused or challenger not in found or challenger in busy:
        return []
    place = found.index(challenger)
    return [one for one in found[max(0, place - tournament.settings.reach) : place] if one not in busy]


def _settle(found: list[int], round: Round) -> None:
    """Let the challenger take the other's place if they have won, unless one has left or they are above already."""
    [game] = round.games
    scores = dict(zip(game.players, game.scores or (), strict=False))
    [other] = [player for player in game.players if player != round.challenger]
    challenger = round.challenger
    if challenger not in found or other not in found or not beats(scores.get(challenger), scores.get(other)):
        return
    place = found.index(other)
    if place < found.index(challenger):
        found.remove(challenger)
        found.insert(place, challenger)
