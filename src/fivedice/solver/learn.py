"""`learn`: the weights of an approximate solution, layer by layer of filled boxes, from the last box back to the first.

A round plays games, so that each layer has a sample of cards. Going backwards, the cards of a layer are backed up by
whole turns, exactly, over the approximation of the next layer, and the weights of their layer fitted to that. The first
round plays for the mean points of each box alone. In a later one, half of the games are played so, and half with what
is known; the cards of earlier rounds are kept, since values of cards that no game has met are often too high.

The parts of all work and the order of all sums are fixed, so the same seed gives the same weights with any number of
threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from fivedice.base.data_folder import whole_file
from fivedice.base.processors import num_processors
from fivedice.solver.features import Game, single_means
from fivedice.solver.kernels import approximate_play as kernels
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.kernels.whole_turns import turn_values
from fivedice.solver.slips import NO_SLIPS, Slips
from fivedice.solver.solve import whole_blocks
from fivedice.solver.tables.states import BLOCK, Array

PARTS = 8
"""Parts of a layer, with sums of their own."""
EXPLORED = 0.1
"""The share of turns in which a game that is played for a sample tries a box at random."""
RIDGE = 1.0
"""What the squares of weights cost, against one card of the sample."""

Progress = Callable[[int, int], None]
"""Called with (done, all) from time to time."""


@dataclass(frozen=True)
class Learning:
    """How much is learned: rounds of so many games each."""

    seed: int = 1
    games: int = 32_768
    rounds: int = 3


def learn(
    game: Game, learning: Learning, progress: Progress = lambda done, number: None, *, unfinished: Path | None = None
) -> Array:
    """float64[rounds + 1, features]: weights by the number of filled boxes.

    The weights of each layer are kept in the file `unfinished` as soon as they are known, and taken from there.
    """
    rounds, weights = game.ruleset.rounds, prior_weights(game)
    kept = _kept(unfinished, game, learning)
    first = game.without_conversion() if game.ruleset.conversion else game  # at first, play for the sum
    prior, known = weights, list[Cards]()
    for number in range(learning.rounds):
        seed, half = learning.seed + number, whole_blocks(learning.games // 2) if number else learning.games
        samples: list[Cards] = []
        play(first, prior, first.new_cards(half), seed, explored=EXPLORED, out_samples=samples)
        if number:
            own: list[Cards] = []
            cards = game.new_cards(learning.games - half)
            play(game, weights, cards, seed, first=half, explored=EXPLORED, out_samples=own)
            parts = (zip(*all_of, strict=True) for all_of in zip(samples, own, known, strict=True))
            samples = [Cards(*map(np.concatenate, arrays)) for arrays in parts]
        known, weights = samples, np.zeros((rounds + 1, game.whole.plan.size))
        for layer in range(rounds - 1, 0, -1):
            if np.isnan(kept[number, layer, 0]):
                kept[number, layer] = fit(game, samples[layer], weights)
                _keep(unfinished, game, learning, kept)
            weights[layer] = kept[number, layer]
            progress(number * rounds + rounds - layer, learning.rounds * rounds)
    return weights


def _kept(file: Path | None, game: Game, learning: Learning) -> Array:
    """float64[rounds of learning, rounds + 1, features]: the weights that are known by now, NaN for others."""
    none: Array = np.full((learning.rounds, game.ruleset.rounds + 1, game.whole.plan.size), np.nan)
    if file is None or not file.exists():
        return none
    try:
        with np.load(file, allow_pickle=False) as found:
            is_same = str(found["of"]) == _of(game, learning) and found["weights"].shape == none.shape
            return found["weights"].astype(np.float64) if is_same else none
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):  # damaged: learning begins again
        return none


def _keep(file: Path | None, game: Game, learning: Learning, weights: Array) -> None:
    """Writes the weights that are known, completely or not at all."""
    if file is not None:
        with whole_file(file) as draft, draft.open("wb") as out:
            np.savez(out, of=_of(game, learning), weights=weights.astype(np.float32))


def _of(game: Game, learning: Learning) -> str:
    """What weights must have in common with those that are continued."""
    return f"{game.ruleset.digest} {learning} {[np.asarray(field).tolist() for field in game.whole.plan]}"


def prior_weights(game: Game) -> Array:
    """The weights that value a card by the mean points of its open boxes, each alone with all dice of one turn."""
    weights = np.zeros((game.ruleset.rounds + 1, game.whole.plan.size))
    if game.is_exact:
        return weights
    dice, tables, plan, outcomes = game.whole
    per_column = plan.num_categories
    for box, mean in enumerate(single_means(game.ruleset, dice, tables, outcomes)):
        weights[:, plan.boxes + plan.alike[box // per_column] * per_column + box % per_column] = mean
    return weights


def play(
    game: Game,
    weights: Array,
    cards: Cards,
    seed: int,
    *,
    first: int = 0,
    explored: float = 0.0,
    slips: Slips = NO_SLIPS,
    out_samples: list[Cards] | None = None,
    progress: Progress = lambda done, number: None,
) -> Array:
    """float64[N]: the scores of games from these cards on, the best by these weights, but for slips.

    The cards, a multiple of `BLOCK`, have equally many filled boxes, and become those at the end. `out_samples` gets
    the cards before each turn. The dice of a game depend on the seed and on its number alone, counted from `first`.
    """
    scores: Array = cards.card[:, 4].astype(np.float64)
    halves = np.array([seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF], dtype=np.int64)
    begun, rounds = int(cards.num_filled[0]), game.ruleset.rounds
    for turn in range(begun, rounds):
        progress(turn - begun, rounds - begun)
        if out_samples is not None:
            out_samples.append(Cards(*(array.copy() for array in cards)))

        def work(begin: int, end: int, turn: int = turn) -> None:
            given = halves, first, turn, int(explored * 2**16), begin, end
            kernels.play_turns(game.whole, weights, slips, cards, *given, game.turns, scores)

        in_parts(len(scores), work)
    return scores


def fit(game: Game, cards: Cards, weights: Array) -> Array:
    """float64[features]: the weights of the layer of these cards, given those of the next layer."""
    values = backed_up(game, cards, weights)
    if game.ruleset.conversion:
        values += cards.card[:, 4]  # as `learned_beyond` says
    size, number = game.whole.plan.size, values.size
    parts = [slice(*np.array([part, part + 1]) * number // PARTS) for part in range(PARTS)]

    def work(part: slice) -> tuple[Array, Array]:
        gram, moments = np.zeros((size, size)), np.zeros(size)
        kernels.add_moments(game.whole, cards, values, part.start, part.stop, game.turns, gram, moments)
        return gram, moments

    gram, moments = np.zeros((size, size)), np.zeros(size)
    with ThreadPoolExecutor(num_processors()) as pool:
        for part_gram, part_moments in pool.map(work, parts):
            gram += part_gram
            moments += part_moments
    used = np.flatnonzero(np.diagonal(gram) > 0)
    lower = gram[np.ix_(used, used)]
    whole = lower + np.tril(lower, -1).T
    whole[np.diag_indices_from(whole)] += 0.0 if game.is_exact else RIDGE
    found = np.zeros(size)
    found[used] = np.linalg.solve(whole, moments[used])
    rounded: Array = found.astype(np.float32).astype(np.float64)
    return rounded


def backed_up(game: Game, cards: Cards, weights: Array) -> Array:
    """float64[N]: the points to come of cards before a turn, by a whole turn over the weights."""
    values = np.zeros(cards.roll.size)

    def work(begin: int, end: int) -> None:
        turn_values(game.whole, weights, NO_SLIPS, cards, begin, end, game.turns, values)

    in_parts(values.size, work)
    return values


def in_parts(number: int, work: Callable[[int, int], None]) -> None:
    """Calls `work` in threads for parts of so many cards, a multiple of `BLOCK`."""
    size = max(BLOCK, whole_blocks(number // 64))
    with ThreadPoolExecutor(num_processors()) as pool:
        for _ in pool.map(lambda begin: work(begin, min(begin + size, number)), range(0, number, size)):
            pass
