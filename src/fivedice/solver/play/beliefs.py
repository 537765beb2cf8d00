"""`beliefs`: the table by which a player with some habits plays, a `Solution` for all that plays by a table."""

from dataclasses import replace

import numpy as np

from fivedice.solver.slips import Habits, Slips, believed, fraction, hash_of
from fivedice.solver.solution import Solution
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.states import Array, States

CHUNK = 2**16
"""Rows that are found at a time, so that only the table itself takes much memory."""


def beliefs(solution: Solution, habits: Habits, seed: int = 0) -> Solution:
    """The values of `fivedice.players.levels.Believed`, all at once, with the slips of the player."""
    states = solution.states
    slips = Slips.of(habits, solution.expected_score / solution.ruleset.rounds, seed)
    values = solution.values.reshape(-1, states.stride)
    found, ends = np.array(values), _finished_rows(states)
    for first in range(0, len(values), CHUNK):
        rows = np.flatnonzero(~ends[first : first + CHUNK]) + first
        exact = values[rows]
        known = ~np.isnan(exact[:, : states.num_lanes])
        low = exact[np.arange(rows.size), known.argmax(axis=1)]
        high = exact[np.arange(rows.size), states.num_lanes - 1 - known[:, ::-1].argmax(axis=1)]
        error = fraction(hash_of(slips.seed, rows, 0)) * slips.error
        found[rows] = believed(habits, exact, ((low + high) * 0.5)[:, np.newaxis], error[:, np.newaxis])
    return replace(solution, values=found.ravel(), slips=slips)


def _finished_rows(states: States) -> Array:
    """bool[rows]: whether each row of the table is that of a finished game."""
    found = np.ones((states.num_cards + states.num_won_cards, states.num_planes), dtype=bool)
    for cards in layers_of_cards(states)[:-1]:
        found[cards] = False
    return found.ravel()
