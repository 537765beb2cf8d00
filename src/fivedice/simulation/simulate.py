"""`simulate`: plays an `Experiment` on all processors or on a cluster, and continues one that was interrupted.

A game of an experiment depends on its number alone. So it does not matter which parts there are, or who plays them.

>>> from fivedice import load_ruleset
>>> from fivedice.simulation.simulate import Experiment
>>> found = simulate(Experiment(load_ruleset("crag"), ("optimal", "greedy"), games=20_000, seed=1))
>>> found.num_games, found.firsts[0] > found.firsts[1]
(20000, np.True_)
"""

import random
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from fivedice.base.errors import IllegalError, MalformedError, wrong_type
from fivedice.base.processors import num_processors
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.players import Player, make_player
from fivedice.rulesets import as_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.data_set import create_sets, finish_sets, is_written, journal_identity, noted, part_path
from fivedice.simulation.mass_games import ManyGames, play_many, play_slowly
from fivedice.simulation.players import (
    REACTING,
    agent_of,
    can_be_judged,
    check_player,
    is_agent,
    is_by_table,
    solver_for,
    table_of,
)
from fivedice.simulation.run_tasks import run_in_threads, run_tasks
from fivedice.simulation.tally import Tally

GAMES, DECISIONS = "games", "decisions"
TABLES = {GAMES: "A row for each game and seat.", DECISIONS: "A row for each decision of a seat in a game."}
"""The tables of rows, and what a row of each is."""

MAX_GAMES = 2**40
MAX_SEED = 2**64 - 1

ROW_GAMES = 2**20
"""Games of a file of rows: enough to find the choices of each state once for many games."""
DECISION_GAMES = 2**15
"""Games of a file of rows with decisions: a million rows, whose exact values take 300 MB while they are found."""
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
        for name in ("games", "seed"):
            if not isinstance(number := getattr(self, name), Integral):
                raise wrong_type(f"a whole number as {name}", number)
            object.__setattr__(self, name, int(number))  # no integer of NumPy, which JSON cannot have
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

    def identity(self) -> dict[str, Any]:
        """What an interrupted simulation has in common with its continuation."""
        return {
            "ruleset": str(self.ruleset),
            "digest": self.ruleset.digest,
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
        }

    def origin(self, first: int, games: int) -> dict[str, Any]:
        """What files with so many of the games, from the game `first` on, say that they are of."""
        return self.identity() | {"games": games, "first_game": first}

    def part_size(self, *, rows: bool, decisions: bool, workers: int) -> int:
        """The games of a part. With rows it does not depend on the workers, since each part is a file."""
        if not self.is_by_table:
            return ENGINE_GAMES
        if rows:
            return DECISION_GAMES if decisions else ROW_GAMES
        number = workers * -(-self.games // (workers * MOST_GAMES))  # as many for each worker
        return max(LEAST_GAMES, -(-self.games // number))


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
    games = _seats(part, check)
    tally = Tally.of(
        [seat.tally for seat in games],
        np.stack([seat.scores for seat in games]),
        np.stack([seat.won_after for seat in games]),
        part.experiment.players,
    )
    if part.rows is not None:
        # Imported here, because this needs a library of an extra.
        from fivedice.simulation.described import described, write_table
        from fivedice.simulation.game_rows import decision_columns, game_columns

        experiment, given = part.experiment, (part.experiment.players, part.first, games)
        origin = {"table": GAMES, **experiment.origin(part.first, part.number)}
        write_table(part_path(part.rows, part.index), described(game_columns(*given), origin))
        if part.decisions is not None:
            judge = table_of(experiment.ruleset, "optimal") if can_be_judged(experiment.ruleset) else None
            found = described(decision_columns(*given, judge), origin | {"table": DECISIONS})
            write_table(part_path(part.decisions, part.index), found)
    return part.index, tally


def prepare(experiment: Experiment) -> None:
    """Find all tables and load all kernels that this process needs, so that playing takes no longer than it must."""
    for kind in () if experiment.is_together else dict.fromkeys(experiment.players):
        if is_by_table(kind, experiment.ruleset):
            play_many(table_of(experiment.ruleset, kind), seed=experiment.seed, seat=0, first=0, number=1)


def _seats(part: Part, check: Callable[[], bool]) -> list[ManyGames]:
    """The games of every seat."""
    experiment, seats = part.experiment, range(len(part.experiment.players))
    given: dict[str, Any] = {"first": part.first, "number": part.number, "check": check}
    given["with_decisions"] = part.decisions is not None
    if experiment.is_together:
        return play_slowly(experiment.ruleset, _maker(experiment), seats=seats, seed=experiment.seed, **given)
    return [play_seat(experiment, seat, with_boxes=part.rows is not None, **given) for seat in seats]


def play_seat(
    experiment: Experiment,
    seat: int,
    *,
    first: int,
    number: int,
    with_boxes: bool = False,
    with_decisions: bool = False,
    check: Callable[[], bool] = never,
) -> ManyGames:
    """So many games of a seat that ignores the others, from the game `first` on."""
    ruleset, kind = experiment.ruleset, experiment.players[seat]
    given: dict[str, Any] = {"seed": experiment.seed, "first": first, "number": number, "check": check}
    if is_by_table(kind, ruleset):
        given |= {"with_boxes": with_boxes, "with_decisions": with_decisions}
        return play_many(table_of(ruleset, kind), seat=seat, **given)
    (games,) = play_slowly(ruleset, _maker(experiment), seats=[seat], with_decisions=with_decisions, **given)
    return games


def _maker(experiment: Experiment) -> Callable[[int, random.Random], Player]:
    solve = solver_for(experiment.ruleset)

    def made(seat: int, chance: random.Random) -> Player:
        kind = experiment.players[seat]
        return agent_of(kind) if is_agent(kind) else make_player(kind, chance, solve)

    return made


Report = Callable[[Tally], None]
"""Called with what has been counted so far."""


def simulate(
    experiment: Experiment | Ruleset | str,
    *,
    players: Sequence[str] = ("optimal",),
    games: int = 100_000,
    seed: int = 1,
    out: Path | str | None = None,
    decisions: Path | str | None = None,
    checkpoint: Path | str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    part_size: int | None = None,
    date: date | None = None,
    resumed: Report = lambda tally: None,
    report: Report = lambda tally: None,
) -> Tally:
    """Play all games of an experiment, and return what was counted.

    Instead of an experiment, rules or their name are taken with `players`, `games` and `seed`: `simulate("crag")`.
    `out` and `decisions` are data sets of Parquet for games and their decisions; `date` is the day to write into their
    descriptions. An interrupted call with `out`, or
    with a file `checkpoint`, is continued by the next one; one with a folder `out` or a `checkpoint` that has finished
    is extended by one with more games. `workers` is the number of processors to use; `scheduler` is
    the address of a Dask scheduler, or `local`. `resumed` is called with the games of earlier calls, `report` with all
    so far, from time to time. The result does not depend on `workers`, `scheduler` or `part_size`.

    Raises `IllegalError` if `out` exists, or belongs to another experiment.
    """
    if isinstance(players, str):
        raise wrong_type("a list of players, as in ['optimal', 'greedy']", players)
    if not isinstance(experiment, Experiment):
        experiment = Experiment(as_ruleset(experiment), tuple(players), games, seed)
    workers = num_processors(workers)
    origin = experiment.origin(0, experiment.games)
    sets = create_sets((out, decisions), TABLES, origin)
    journal = sets[0].folder / "_journal.jsonl" if sets else Path(checkpoint) if checkpoint else None
    known = journal_identity(journal) or {}
    size = (
        part_size
        or known.get("part")
        or experiment.part_size(rows=bool(sets), decisions=decisions is not None, workers=workers)
    )
    identity = {**experiment.identity(), "part": size, "decisions": decisions is not None}
    folders = [one.folder.resolve() for one in sets]
    parts = [
        Part(experiment, index, first, min(size, experiment.games - first), *folders)
        for index, first in enumerate(range(0, experiment.games, size))
    ]
    with noted(journal, identity, growing="games") as (done, note):
        total: Tally | None = None
        left = []
        for part in parts:
            tally = Tally.from_data(done[part.index]) if part.index in done else None
            if tally and tally.num_games == part.number and is_written(part.index, (part.rows, part.decisions)):
                total = total.plus(tally) if total else tally
            else:
                left.append(part)  # also the last part of a run that had fewer games, and those with other files
        if total:
            resumed(total)
        with closing(_played(experiment, left, workers, scheduler)) as played:
            for index, tally in played:
                note(index, tally.to_data())
                total = total.plus(tally) if total else tally
                report(total)
    assert total is not None
    finish_sets(sets, len(parts), TABLES, origin, date)
    return total


def _played(
    experiment: Experiment, parts: list[Part], workers: int, scheduler: str | None
) -> Generator[tuple[int, Tally]]:
    if scheduler is None and experiment.is_by_table:
        prepare(experiment)
        yield from run_in_threads(play_part, parts, workers)
    else:
        yield from run_tasks(play_part, parts, workers=workers, scheduler=scheduler)
