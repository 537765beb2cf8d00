"""`play_slowly`: plays games in the engine, position by position, for players that have no table.

The dice of a seat are the same as in `fivedice.simulation.games.mass_games`.
"""

import random
from collections.abc import Callable, Sequence

import numpy as np

from fivedice.game.action import Announce, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.players import Player
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.games.mass_games import NO_DECISION, ManyGames, StoppedError
from fivedice.simulation.games.tally import SeatTally
from fivedice.solver.kernels.random_dice import DICE_PER_CALL
from fivedice.solver.kernels.simulated_turns import turn_faces
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import BLOCK, Array


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
