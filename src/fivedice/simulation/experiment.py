"""`Experiment`: what a simulation plays, and `play_part`: a part of its games, on whatever process or machine.

A game of an experiment depends on its number alone. So it does not matter which parts there are, or who plays them.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fivedice.errors import IllegalError, MalformedError
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.position import Position
from fivedice.players import Player, make_player
from fivedice.ruleset import Ruleset
from fivedice.simulation.games.engine_games import play_slowly
from fivedice.simulation.games.mass_games import ManyGames, play_many
from fivedice.simulation.games.tally import Tally
from fivedice.simulation.players.simulated_players import REACTING, check_player, is_by_table, solver_for, table_of
from fivedice.simulation.runs.data_set import part_path

MAX_GAMES = 2**40
MAX_SEED = 2**64 - 1

ROW_GAMES = 2**20
"""Games of a file of rows: enough to find the choices of each state once for many games."""
DECISION_GAMES = 2**17
"""Games of a file of rows with decisions, which take 40 times the space."""
ENGINE_GAMES = 512
"""Games of a part that the engine plays, within seconds."""
LEAST_GAMES, MOST_GAMES = 2**16, 2**22
"""Games of a part without rows: about a second's, and as many as take 130 MB."""


@dataclass(frozen=True)
class Experiment:
    """So many games of these players, one at each seat, with dice from a seed of 64 bits.

    Raises `MalformedError`, `UnknownError` or `IllegalError` if it cannot be played.
    """

    ruleset: Ruleset
    players: tuple[str, ...]
    games: int
    seed: int

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MAX_SEATS:
            raise IllegalError(f"{len(self.players)} players: a game has 1 to {MAX_SEATS}")
        if not 1 <= self.games <= MAX_GAMES:
            raise MalformedError(f"{self.games} games: want a number from 1 to {MAX_GAMES:,}")
        if not 0 <= self.seed <= MAX_SEED:
            raise MalformedError(f"seed {self.seed}: want a number from 0 to {MAX_SEED}")
        for kind in self.players:
            check_player(kind)

    @property
    def is_by_table(self) -> bool:
        """Whether all seats play on arrays."""
        return not self.is_together and all(is_by_table(kind, self.ruleset) for kind in self.players)

    @property
    def is_together(self) -> bool:
        """Whether the seats play turn after turn at one table, since some player looks at the other cards."""
        return REACTING in self.players

    @property
    def tables(self) -> tuple[str, ...]:
        """The players whose tables are needed on arrays."""
        if self.is_together:
            return ()
        return tuple(dict.fromkeys(kind for kind in self.players if is_by_table(kind, self.ruleset)))

    def identity(self) -> dict[str, Any]:
        """What an interrupted simulation has in common with its continuation."""
        return {
            "ruleset": str(self.ruleset),
            "digest": self.ruleset.digest,
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
        }

    def part_size(self, *, rows: bool, decisions: bool, workers: int) -> int:
        """The games of a part. With rows it does not depend on the workers, since each part is a file."""
        if not self.is_by_table:
            return ENGINE_GAMES
        if rows:
            return DECISION_GAMES if decisions else ROW_GAMES
        number = workers * -(-self.games // (workers * MOST_GAMES))  # as many for each worker
        return max(LEAST_GAMES, -(-self.games // number))

    def parts(self, size: int, rows: Path | None = None, decisions: Path | None = None) -> "Iterator[Part]":
        """All parts of so many games, with the folders of their files if rows are wanted."""
        for index, first in enumerate(range(0, self.games, size)):
            yield Part(self, index, first, min(size, self.games - first), rows, decisions)


@dataclass(frozen=True)
class Part:
    """A part of the games of an experiment, and the folders of the files that it writes."""

    experiment: Experiment
    index: int
    first: int
    number: int
    rows: Path | None = None
    decisions: Path | None = None


def never() -> bool:
    """Whether to stop: no."""
    return False


def play_part(part: Part, check: Callable[[], bool] = never) -> tuple[int, Tally]:
    """Play a part and write its files; its index, and what was counted.

    `check` is called from time to time; if it returns true, `StoppedError` is raised.
    """
    games = list(_seats(part, check))
    tally = Tally.of(
        [seat.tally for seat in games],
        np.stack([seat.scores for seat in games]),
        np.stack([seat.won_after for seat in games]),
    )
    if part.rows is not None:
        # Imported here, because this needs a library of an extra.
        from fivedice.simulation.games.game_rows import write_decisions, write_games

        write_games(part_path(part.rows, part.index), part.experiment.players, part.first, games)
        if part.decisions is not None:
            write_decisions(part_path(part.decisions, part.index), part.first, games)
    return part.index, tally


def prepare(experiment: Experiment) -> None:
    """Find all tables and compile all kernels that this process needs, so that playing takes no longer than it must."""
    for kind in experiment.tables:
        table = table_of(experiment.ruleset, kind)
        play_many(table, seed=experiment.seed, seat=0, first=0, number=1)


def _seats(part: Part, check: Callable[[], bool]) -> Iterator[ManyGames]:
    """The games of every seat."""
    experiment = part.experiment
    with_decisions = part.decisions is not None
    given: dict[str, Any] = {"seed": experiment.seed, "first": part.first, "number": part.number, "check": check}
    if experiment.is_together:
        make, seats = _maker(experiment), range(len(experiment.players))
        yield from play_slowly(experiment.ruleset, make, seats=seats, with_decisions=with_decisions, **given)
        return
    for seat, kind in enumerate(experiment.players):
        if is_by_table(kind, experiment.ruleset):
            table = table_of(experiment.ruleset, kind)
            with_boxes = part.rows is not None
            yield play_many(table, seat=seat, with_boxes=with_boxes, with_decisions=with_decisions, **given)
        else:
            make = _maker(experiment)
            yield from play_slowly(experiment.ruleset, make, seats=[seat], with_decisions=with_decisions, **given)


def _maker(experiment: Experiment) -> Callable[[int, random.Random], Player]:
    solve = solver_for(experiment.ruleset)

    def ask(position: Position) -> Any:
        raise IllegalError(f"no player can decide {position}: a simulation has no human players")

    return lambda seat, chance: make_player(experiment.players[seat], chance, ask, solve)
