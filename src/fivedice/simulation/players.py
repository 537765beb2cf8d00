"""The players of mass simulations: those that play by a table, on arrays, and those that the engine asks.

A player by a table takes the best action by it, millions of times a second; that of a level holds what it believes.
`greedy`, `par` and `par_and_bonus` are planners of the reference population: each plays every turn perfectly for a
guess of the points to come. All other players are those of `fivedice.players`, which decide position by position in
Python.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from threading import RLock

import numpy as np

from fivedice.base.errors import IllegalError
from fivedice.players import Player, known_kind
from fivedice.players.agents import agent_source, load_agent
from fivedice.players.kinds import approximation_of
from fivedice.players.levels import LEVELS, habits_of
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.saved.saved_table import UnusableSolutionError, solutions_folder
from fivedice.solver.saved.store import BREAKDOWN, SOLUTION, Artefact, Of, T
from fivedice.solver.slips import Habits, Slips, believed, fraction, hash_of
from fivedice.solver.solution import Solution
from fivedice.solver.solve import ANY_COMPUTER
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.rule_tables import won_values
from fivedice.solver.tables.states import Array, States


def guessing(solution: Solution, pars: Sequence[float] | Array, *, is_bonus_planned: bool) -> Solution:
    """The table of a planner: its guess is the sum of `pars`, float64[boxes], over open boxes, plus the upper bonus.

    The bonus counts once it is earned; if planned, in proportion to the upper total expected with par scores.
    """
    states, rules = solution.states, solution.rules
    cards = np.arange(states.num_cards)
    open_points, open_upper = np.zeros(cards.size), np.zeros((len(solution.ruleset.columns), cards.size))
    for box, par in enumerate(pars):
        column = solution.ruleset.boxes[box].column
        is_open = cards // states.steps[box] % states.radices[box] <= states.turns[box]
        open_points += par * is_open
        if states.ruleset.boxes[box].category.section == "upper":
            open_upper[column] += par / solution.ruleset.columns[column].multiplier * is_open
    bonus = np.broadcast_to(rules.end_values, (cards.size, rules.end_values.size))
    if is_bonus_planned:
        bonus = _planned_bonus(solution, open_upper)
    guess = bonus + open_points[:, np.newaxis]
    guess[layers_of_cards(states)[-1]] = rules.end_values  # the game is over, even if boxes are open
    return replace(solution, values=np.concatenate([guess.ravel(), won_values(states)]))


def _planned_bonus(solution: Solution, open_upper: Array) -> Array:
    """float64[cards, planes · stride]: the guessed upper bonuses.

    `open_upper`, float64[columns, cards], has the sums of pars over open upper boxes.
    """
    ruleset, states = solution.ruleset, solution.states
    plane, lane = np.divmod(np.arange(states.num_planes * states.stride), states.stride)
    tiers = sorted((tier.at, tier.points) for tier in ruleset.upper_bonus)
    ats, points = [0, *(at for at, _ in tiers)], [0, *(points for _, points in tiers)]
    earned = np.array([ruleset.bonus_for(total) for total in range(states.num_lanes)], dtype=np.float64)
    guess = np.zeros((open_upper.shape[1], plane.size))
    for number, column in enumerate(ruleset.columns):
        total = np.minimum(lane, states.cap)
        if number:
            total = plane // (states.num_flags * states.num_lanes ** (number - 1)) % states.num_lanes
        open_par = open_upper[number][:, np.newaxis]
        planned = np.interp(total + open_par, ats, points)
        guess += column.multiplier * np.where(open_par > 0, np.maximum(earned[total], planned), earned[total])
    return guess


ROWS_AT_ONCE = 2**16
"""Rows that are found at a time, so that only the table itself takes much memory."""


def beliefs(solution: Solution, habits: Habits, seed: int = 0) -> Solution:
    """The values of `fivedice.players.levels.Believed`, all at once, with the slips of the player."""
    states = solution.states
    slips = Slips.of(habits, solution.expected_score / solution.ruleset.rounds, seed)
    values = solution.values.reshape(-1, states.stride)
    found, ends = np.array(values), _finished_rows(states)
    for first in range(0, len(values), ROWS_AT_ONCE):
        rows = np.flatnonzero(~ends[first : first + ROWS_AT_ONCE]) + first
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


PLANNERS = ("greedy", "par", "par_and_bonus")
BY_TABLE = (*LEVELS, "optimal", *PLANNERS)
BY_ENGINE = ("random", "rival", "target_300", "trained")
"""`target_300` stands for any other target, too."""

REACTING = "rival"
"""The player that looks at the cards of the others."""

_lock = RLock()  # the threads of a worker find each table once


def check_player(kind: str) -> None:
    """Raise `UnknownError` if there is no such player, `MalformedError` if an agent has no source, and `IllegalError`
    for a person."""
    if kind == "human":
        raise IllegalError("a simulation has no human players")
    if is_agent(kind):
        agent_source(kind)
    else:
        known_kind(kind, (*BY_TABLE, *BY_ENGINE))


def is_agent(kind: str) -> bool:
    """Whether a player is one from outside, as `NAME=module:function`."""
    return "=" in kind


@lru_cache(maxsize=12)
def agent_of(kind: str) -> Player:
    """The player from outside, of which each process has one."""
    return load_agent(kind)


def is_by_table(kind: str, ruleset: Ruleset) -> bool:
    """Whether a player plays on arrays. Under rules that cannot be solved, `greedy` and the levels do not; where there
    are no kernels, no level does."""
    if kind in LEVELS:
        return can_be_judged(ruleset)
    return kind in BY_TABLE and (kind != "greedy" or _is_solvable(States(ruleset)))


def can_be_judged(ruleset: Ruleset) -> bool:
    """Whether the decisions of many games are judged by an exact solution."""
    states = States(ruleset)
    return states.has_kernels and _is_solvable(states)


def _is_solvable(states: States) -> bool:
    return not states.obstacle and states.num_bytes <= ANY_COMPUTER


def table_of(ruleset: Ruleset, kind: str) -> Solution:
    """The table by which a player plays; raises `TooLargeError`."""
    with _lock:
        return _table_of(ruleset, kind)


@lru_cache(maxsize=16)
def _table_of(ruleset: Ruleset, kind: str) -> Solution:
    if kind in LEVELS:
        return beliefs(_table_of(ruleset, "optimal"), habits_of(kind, ruleset))
    if kind in PLANNERS:
        solution = _table_of(ruleset, "optimal")
        pars = np.zeros(len(ruleset.boxes)) if kind == "greedy" else _pars(solution)
        return guessing(solution, pars, is_bonus_planned=kind == "par_and_bonus")
    return _saved_or_found(SOLUTION, ruleset)


@lru_cache(maxsize=16)
def _pars(solution: Solution) -> np.ndarray:
    """float64[B]: the mean points of each box in optimal play."""
    return _saved_or_found(BREAKDOWN, solution).at(0)[: len(solution.ruleset.boxes)]


def _saved_or_found(artefact: Artefact[Of, T], of: Of) -> T:
    with suppress(UnusableSolutionError):  # a damaged file is not overwritten here; the command warns of it
        if saved := artefact.load(of, solutions_folder()):
            return saved
    return artefact.find(of)


def solver_for(ruleset: Ruleset) -> Callable[..., Solution | ApproximateSolution]:
    """What `make_player` calls for the tables of these rules, or for their approximate solution."""
    return lambda: approximation_of(ruleset) or table_of(ruleset, "optimal")
