"""Simulated games as Parquet: a row for each game and seat, and a row for each decision."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from fivedice.game.action import Keep
from fivedice.rulesets.dice import format_dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.described import Column
from fivedice.simulation.judged import Judged, judged, legal_actions
from fivedice.simulation.mass_games import NO_DECISION, ManyGames
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import Array

GAME = "the number of the game, from 0"
SEAT = "the seat, from 0"
OWN = ("game", "seat", "player", "score")
"""Columns of games; one of a box with such an id begins with `box_`."""


def game_columns(players: Sequence[str], first: int, seats: Sequence[ManyGames]) -> Iterator[Column]:
    """The columns of the games of all seats, from the game `first` on, by game and then by seat."""
    ruleset, number, num_seats = seats[0].ruleset, seats[0].scores.size, len(seats)

    def by_game(columns: Sequence[Array]) -> Array:
        return np.stack(columns, axis=1).reshape(number * num_seats, *columns[0].shape[1:])

    seat = np.tile(np.arange(num_seats, dtype=np.int8), number)
    yield Column("game", np.repeat(np.arange(first, first + number), num_seats), GAME)
    yield Column("seat", seat, SEAT)
    yield Column("player", _words(seat, players), "the player")
    yield Column("score", by_game([games.scores for games in seats]), "the final score", "points")
    points = by_game([_given(games.points) for games in seats])
    for index, box in enumerate(ruleset.boxes):
        about = f"points in {box.id}, times the multiplier of its column; null if it stayed open"
        name = f"box_{box.id}" if box.id in OWN else box.id
        yield Column(name, pa.array(points[:, index], mask=points[:, index] < 0), about, "points")
    bonuses = by_game([_given(games.upper_bonus) for games in seats])
    yield Column("upper_bonus", bonuses, "the upper bonus of all columns", "points")
    extras = by_game([_given(games.extra_bonus) for games in seats])
    yield Column("extra_bonus", extras, "all extra bonuses", "points")
    if ruleset.can_be_won_outright:
        won = by_game([games.won_after >= 0 for games in seats])
        yield Column("outright_win", won, "whether the seat won outright")


def decision_columns(
    players: Sequence[str], first: int, seats: Sequence[ManyGames], solution: Solution | None
) -> Iterator[Column]:
    """The columns of the decisions of all seats, from the game `first` on, by game, seat and the order of play; with
    the exact solution of the rules, also their turn states, values and losses."""
    ruleset, number = seats[0].ruleset, seats[0].scores.size
    pairs = np.stack([_given(games.decisions).reshape(number, ruleset.rounds, -1, 2) for games in seats], axis=1)
    is_made = pairs[..., 0] != NO_DECISION
    game, seat, round, roll = (place.astype(np.int64) for place in np.nonzero(is_made))
    dice, choice = pairs[is_made].T
    box = -1 - choice
    points = np.stack([_given(games.points) for games in seats], axis=1)[game, seat, np.maximum(box, 0)]
    rolls, actions = map(format_dice, roll_indices(ruleset.dice, ruleset.faces)), _actions(ruleset)
    chosen = np.where(box < 0, choice, len(actions) - 1 - box)
    yield Column("game", first + game, GAME)
    yield Column("seat", seat.astype(np.int8), SEAT)
    yield Column("round", (1 + round).astype(np.int8), "the turn of the seat, from 1")
    yield Column("roll", (1 + roll).astype(np.int8), "the roll of the turn, from 1")
    yield Column("dice", _words(dice, [*rolls]), "the roll, in ascending order", "faces")
    yield Column("action", _words(chosen, actions), "keep DICE or score BOX; a voluntary zero is a score of 0 points")
    about = "points written, times the multiplier of the column; null for a keep"
    yield Column("points", pa.array(points, mask=box < 0), about, "points")
    yield Column("policy", _words(seat, players), "the player whose policy chose the action")
    if solution is not None:
        found = [judged(solution, games) for games in seats]
        yield from _judged_columns(ruleset, found, is_made.shape)


def _judged_columns(ruleset: Ruleset, seats: Sequence[Judged], shape: tuple[int, ...]) -> Iterator[Column]:
    """What the solution says of the decisions of all seats, in the order of rows.

    `shape` is that of all places of decisions: games, seats, rounds, rolls.
    """
    places = [
        np.ravel_multi_index((one.game, np.full_like(one.game, seat), one.round, one.number), shape)
        for seat, one in enumerate(seats)
    ]
    order = np.concatenate(places).argsort()

    def joined(name: str) -> Array:
        found: Array = np.concatenate([getattr(one, name) for one in seats])[order]
        return found

    rolls, left, scores = joined("rolls"), joined("rolls_left"), joined("scores")
    yield Column("rolls_left", left.astype(np.int8), "the rolls that may still follow in the turn", "rolls")
    about = "the index of the turn state before the turn, as in the table `solution` of fivedice export"
    yield Column("state", joined("states"), about)
    about = "whether each action is legal: a bit for each number, from the highest bit of the first byte on"
    legal = np.packbits(legal_actions(ruleset, rolls, left, scores), axis=1)
    begins = np.arange(len(legal) + 1, dtype=np.int32) * legal.shape[1]
    buffers = [None, pa.py_buffer(begins), pa.py_buffer(np.ascontiguousarray(legal))]
    yield Column("legal", pa.Array.from_buffers(pa.binary(), len(legal), buffers), about)
    yield Column("action_number", joined("action").astype(np.int16), "the number of the action in the environments")
    yield Column("best", joined("best").astype(np.int16), "the number of the first of the best actions")
    yield Column("value", joined("value"), "the expected final score after the best action", "points")
    yield Column("loss", joined("loss"), "the value minus that of the action", "points")


def _words(places: Array, words: Sequence[str]) -> Any:
    """Texts by their places, as a dictionary of Arrow."""
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), pa.array(words))


def _actions(ruleset: Ruleset) -> list[str]:
    """Keeps in the order of their rows, then scores, the last box first: -1 minus a box counts from the end."""
    keeps = [str(Keep(keep)) for keep in keep_rows(ruleset.dice, ruleset.faces)]
    return keeps + [f"score {box.id}" for box in reversed(ruleset.boxes)]


def _given(array: Array | None) -> Array:
    assert array is not None
    return array
