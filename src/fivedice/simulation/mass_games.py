"""`play_many`: plays millions of solo games of one player, whose table says what to do, turn by turn all together;
`play_slowly` plays them in the engine, position by position, for players that have no table.

The dice of a game depend only on the seed, the seat and the number of the game.

>>> from fivedice import load_ruleset
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> games = play_many(crag, seed=1, seat=0, first=0, number=100_000)
>>> abs(float(games.scores.mean()) - crag.expected_score) < 4 * float(games.scores.std()) / 100_000**0.5
True
>>> again = play_many(crag, seed=1, seat=0, first=99_000, number=1_000)
>>> (again.scores == games.scores[99_000:]).all()
np.True_
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fivedice.game.action import Announce, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.players import Player
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.tally import SeatTally
from fivedice.solver.kernels.random_dice import DICE_PER_CALL
from fivedice.solver.kernels.simulated_turns import (
    Dealt,
    Games,
    Noted,
    Play,
    play_turns,
    play_workspace,
    sort_games,
    turn_faces,
)
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import BLOCK, Array

SORTED_BITS = 10
"""Bits of a turn state by which games are sorted at a time: so many places to write to stay in the cache."""

NO_DECISION = -(2**31)


class StoppedError(Exception):
    """The caller asked to stop."""


@dataclass(frozen=True, eq=False)
class ManyGames:
    """N solo games of one seat. B boxes.

    `scores`, int32[N]; `won_after`, int32[N]: the boxes filled before an outright win, -1 without one; `tally`: their
    sums. Only if they are wanted: `points`, int32[N, B]: the points in each box, times the multiplier of its column,
    -1 in an open one; `upper_bonus` and `extra_bonus`, int32[N], in points; and `decisions`, int32[N, rounds, 2 L],
    which are as in `fivedice.solver.kernels.simulated_turns`.
    """

    ruleset: Ruleset
    scores: Array
    won_after: Array
    tally: SeatTally
    points: Array | None = None
    upper_bonus: Array | None = None
    extra_bonus: Array | None = None
    decisions: Array | None = None


def play_many(
    table: Solution,
    *,
    seed: int,
    seat: int,
    first: int,
    number: int,
    with_boxes: bool = False,
    with_decisions: bool = False,
    check: Callable[[], bool] = lambda: False,
) -> ManyGames:
    """So many games from the game `first` on, the best by a table of values, which may be a guess.

    `seed` is an integer of 64 bits. `check` is called before every round; if it returns true, `StoppedError` is raised.
    """
    ruleset, rules = table.ruleset, table.rules
    with_boxes |= with_decisions
    num_boxes, num_levels = len(ruleset.boxes), rules.num_turn_rolls + rules.num_saved - 1
    most_points = int(max(offers.list["value"].max() for offers in (rules.first, rules.later)))
    noted = Noted(
        points=np.full(number * num_boxes if with_boxes else 0, -1, dtype=np.int32),
        extras=np.zeros(number if with_boxes else 0, dtype=np.int32),
        decisions=np.full(
            number * ruleset.rounds * 2 * num_levels if with_decisions else 0, NO_DECISION, dtype=np.int32
        ),
        counts=np.zeros(num_boxes * (most_points + 1), dtype=np.int64),
        num_extras=np.zeros(num_boxes, dtype=np.int64),
    )
    states, tags = _played(table, seed, seat, first, number, noted, check)

    game, written = tags & 0xFFFFFFFF, tags >> 32
    bonus, won = np.zeros(number, dtype=np.int32), np.full(number, -1, dtype=np.int32)
    places, won_after = _places_at_end(table, states)
    bonus[game] = rules.end_values.astype(np.int32)[places]
    won[game] = won_after
    scores = bonus.copy()
    scores[game] += written.astype(np.int32)
    boxes, extra_points = noted.counts.reshape(num_boxes, -1), int(noted.num_extras @ rules.extra_bonus)
    tally = SeatTally.of(scores, bonus, won, boxes, extra_points)
    return ManyGames(
        ruleset,
        scores,
        won,
        tally,
        points=noted.points.reshape(number, num_boxes) if with_boxes else None,
        upper_bonus=bonus if with_boxes else None,
        extra_bonus=noted.extras if with_boxes else None,
        decisions=noted.decisions.reshape(number, ruleset.rounds, 2 * num_levels) if with_decisions else None,
    )


def _played(
    table: Solution, seed: int, seat: int, first: int, number: int, noted: Noted, check: Callable[[], bool]
) -> tuple[Array, Array]:
    """The last states, and tags, of all games, in no particular order."""
    rules, num_dice = table.rules, table.ruleset.dice
    games = Games(np.zeros(number + BLOCK, dtype=np.int64), np.arange(number + BLOCK))
    others = Games(*map(np.zeros_like, games))
    passes = -(-(table.states.num_entries // BLOCK).bit_length() // SORTED_BITS)
    counts = np.zeros(2**SORTED_BITS, dtype=np.int64)
    halves = np.array([seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF], dtype=np.int64)
    play: Play = play_workspace(table.dice, rules, num_dice)
    size = number
    for turn in range(table.ruleset.rounds):
        if check():
            raise StoppedError
        if turn:
            for shift in range(3, 3 + SORTED_BITS * passes, SORTED_BITS):
                sort_games(shift, size, games, counts, others)
                games, others = others, games
            size = _num_unfinished(table, size, games, others)
        dealt = Dealt(halves, seat, first, turn)
        play_turns(table.dice, rules, num_dice, dealt, table.values, table.slips, size, games, play, noted, others)
        for out, kept in zip(others, games, strict=True):
            out[size : size + BLOCK] = kept[size : size + BLOCK]  # finished games, which the last block overwrote
        games, others = others, games
    return games.states[:number], games.tags[:number]


def _num_unfinished(table: Solution, size: int, games: Games, others: Games) -> int:
    """How many of the sorted games were not won outright. The others come last, and are copied, since no turn of them
    will be played."""
    if not table.ruleset.can_be_won_outright:
        return size
    left = int(np.searchsorted(games.states[:size], table.states.num_rows * table.states.stride))
    for out, kept in zip(others, games, strict=True):
        out[left:size] = kept[left:size]
    return left


def _places_at_end(table: Solution, states: Array) -> tuple[Array, Array]:
    """The places of finished games in `RuleTables.end_values`, and the boxes filled before an outright win or -1."""
    size = table.rules.end_values.size
    won = states // size - table.states.num_cards
    return states % size, np.where(won < 0, -1, won)


def faces_of_turn(ruleset: Ruleset, seed: int, seat: int, game: int, round: int, num_rolls: int) -> Array:
    """int64[num_rolls, D]: the faces of D dice for every roll of a turn, of which a roll uses the first."""
    num_dice = num_rolls * ruleset.dice
    faces = np.zeros(-(-num_dice // DICE_PER_CALL) * DICE_PER_CALL * BLOCK, dtype=np.int64)
    halves = np.array([seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF], dtype=np.int64)
    turn_faces(halves, seat, game, round, num_dice, ruleset.faces, faces)
    return 1 + faces[: num_dice * BLOCK : BLOCK].reshape(num_rolls, ruleset.dice)


def play_slowly(
    ruleset: Ruleset,
    make_player: Callable[[int, random.Random], Player],
    *,
    seats: Sequence[int],
    seed: int,
    first: int,
    number: int,
    with_decisions: bool = False,
    check: Callable[[], bool] = lambda: False,
) -> list[ManyGames]:
    """So many games from the game `first` on, in which these seats play against each other; the games of each seat.

    `make_player` makes the player of a seat, with its own random numbers. `check` is called before every game; if it
    returns true, `StoppedError` is raised.
    """
    num_levels = ruleset.rolls + ((ruleset.rolls - 1) * ruleset.rounds if ruleset.saved_rolls else 0)
    shape = (number, ruleset.rounds, 2 * num_levels)
    decisions = [np.full(shape if with_decisions else (0,), NO_DECISION, dtype=np.int32) for _ in seats]
    ends = []
    for game in range(number):
        if check():
            raise StoppedError
        players = [make_player(seat, random.Random(f"{seed} {first + game} {seat}")) for seat in seats]
        position = Position.start(ruleset, len(seats))
        while not position.is_over:
            seat, card = position.seat, position.card
            faces = faces_of_turn(ruleset, seed, seats[seat], first + game, card.num_filled, card.rolls)
            position, path = _play_turn(position, players[seat], faces)
            if with_decisions:
                decisions[seat][game, card.num_filled, : len(path)] = path
        ends.append(position.cards)
    return [
        _gathered(ruleset, [cards[place] for cards in ends], decisions[place] if with_decisions else None)
        for place in range(len(seats))
    ]


def _play_turn(position: Position, player: Player, faces: Array) -> tuple[Position, list[int]]:
    """The position after a turn, and its decisions, as in `fivedice.solver.kernels.simulated_turns`."""
    ruleset, path = position.ruleset, list[int]()
    rolls, keeps = roll_indices(ruleset.dice, ruleset.faces), keep_rows(ruleset.dice, ruleset.faces)
    position = position.roll(_dice(faces[0], ruleset.dice))
    for number in range(1, len(faces) + 1):
        action = player.choose(position)
        while isinstance(action, Announce):  # which is not noted: the score tells it
            position = position.announce(action)
            action = player.choose(position)
        if not isinstance(action, Keep):
            return position.play(action), [*path, rolls[position.dice], -1 - ruleset.box_index[action.box]]
        path += [rolls[position.dice], keeps[action.dice]]
        position = position.play(action, _dice(faces[number], ruleset.dice - len(action.dice)))
    raise AssertionError("a turn ends with a score")


def _dice(faces: Array, number: int) -> Dice:
    return tuple(faces[:number].tolist())


def _gathered(ruleset: Ruleset, cards: Sequence[ScoreCard], decisions: Array | None) -> ManyGames:
    """The games that ended with these cards."""
    multipliers = [ruleset.columns[box.column].multiplier for box in ruleset.boxes]
    points = np.array([[-1 if p is None else p for p in card.boxes] for card in cards], dtype=np.int32)
    points = np.where(points < 0, points, points * np.array(multipliers, dtype=np.int32)).astype(np.int32)
    upper = [sum(column.multiplier * card.upper_bonus(i) for i, column in enumerate(ruleset.columns)) for card in cards]
    scores = np.array([card.total for card in cards], dtype=np.int32)
    bonus, extra = np.array(upper, dtype=np.int32), np.array([card.extra_bonus for card in cards], dtype=np.int32)
    won = np.array([card.num_filled - 1 if card.won else -1 for card in cards])
    boxes = np.array([np.bincount(column[column >= 0], minlength=int(points.max()) + 1) for column in points.T])
    tally = SeatTally.of(scores, bonus, won, boxes, int(extra.sum()))
    return ManyGames(ruleset, scores, won, tally, points, bonus, extra, decisions)
