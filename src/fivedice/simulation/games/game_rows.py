"""Simulated games as Parquet: a row for each game and seat, and a row for each decision."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fivedice.dice import format_dice
from fivedice.ruleset import Ruleset
from fivedice.simulation.games.mass_games import NO_DECISION, ManyGames
from fivedice.simulation.runs.parquet import write_table
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import Array


def write_games(path: Path, players: Sequence[str], first: int, seats: Sequence[ManyGames]) -> None:
    """Write the games of all seats, from the game `first` on, by game and then by seat."""
    ruleset, number, num_seats = seats[0].ruleset, seats[0].scores.size, len(seats)

    def by_game(columns: Sequence[Array]) -> Array:
        return np.stack(columns, axis=1).reshape(number * num_seats, *columns[0].shape[1:])

    seat = np.tile(np.arange(num_seats, dtype=np.int8), number)
    columns: dict[str, Any] = {
        "game": np.repeat(np.arange(first, first + number), num_seats),
        "seat": seat,
        "player": pa.DictionaryArray.from_arrays(pa.array(seat), pa.array(players)),
        "score": by_game([games.scores for games in seats]),
    }
    points = by_game([_given(games.points) for games in seats])
    for index, box in enumerate(ruleset.boxes):
        columns[box.id] = pa.array(points[:, index], mask=points[:, index] < 0)
    columns["upper_bonus"] = by_game([_given(games.upper_bonus) for games in seats])
    columns["extra_bonus"] = by_game([_given(games.extra_bonus) for games in seats])
    if ruleset.can_be_won_outright:
        columns["outright_win"] = by_game([games.won_after >= 0 for games in seats])
    write_table(path, pa.table(columns))


def write_decisions(path: Path, first: int, seats: Sequence[ManyGames]) -> None:
    """Write the decisions of all seats, from the game `first` on, by game, seat and the order of play."""
    ruleset, number = seats[0].ruleset, seats[0].scores.size
    pairs = np.stack([_given(games.decisions).reshape(number, ruleset.rounds, -1, 2) for games in seats], axis=1)
    is_made = pairs[..., 0] != NO_DECISION
    game, seat, round, roll = (place.astype(np.int64) for place in np.nonzero(is_made))
    dice, choice = pairs[is_made].T
    rolls, actions = _rolls(ruleset), _actions(ruleset)
    box = -1 - choice
    points = np.stack([_given(games.points) for games in seats], axis=1)[game, seat, np.maximum(box, 0)]
    columns = {
        "game": first + game,
        "seat": seat.astype(np.int8),
        "round": (1 + round).astype(np.int8),
        "roll": (1 + roll).astype(np.int8),
        "dice": pa.DictionaryArray.from_arrays(pa.array(dice.astype(np.int32)), pa.array(rolls)),
        "action": pa.DictionaryArray.from_arrays(
            pa.array(np.where(box < 0, choice, len(actions) - 1 - box).astype(np.int32)), pa.array(actions)
        ),
        "points": pa.array(points, mask=box < 0),
    }
    write_table(path, pa.table(columns))


def _rolls(ruleset: Ruleset) -> list[str]:
    return [format_dice(roll) for roll in roll_indices(ruleset.dice, ruleset.faces)]


def _actions(ruleset: Ruleset) -> list[str]:
    """Keeps in the order of their rows, then scores, the last box first: -1 minus a box counts from the end."""
    keeps = [f"keep {format_dice(keep)}" for keep in keep_rows(ruleset.dice, ruleset.faces)]
    return keeps + [f"score {box.id}" for box in reversed(ruleset.boxes)]


def _given(array: Array | None) -> Array:
    assert array is not None
    return array
