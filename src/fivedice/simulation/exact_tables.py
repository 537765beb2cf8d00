"""`exact_table`: an exact result as a table for research, with a description and a unit for every column.

The kinds are in `KINDS`. `write_exact` writes one as Parquet, and beside it their description and a checksum.
"""

from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fivedice.base.errors import IllegalError, UnknownError, shown, suggest
from fivedice.rulesets.dice import format_dice, ways
from fivedice.simulation.described import Column, describe, described, write_table
from fivedice.simulation.sweep import opening_values
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.play.distribution import distributions
from fivedice.solver.play.policy_transitions import PolicyTransitions, Start, list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array


def solution_columns(solution: Solution) -> Iterator[Column]:
    """A row for each turn state that play can reach."""
    indices = solution.indices()
    yield from _state_columns(solution, indices)


def sources_columns(solution: Solution) -> Iterator[Column]:
    """A row for each turn state of an unfinished game, with the sources of its value."""
    breakdown: Breakdown = find_breakdown(solution)
    indices = np.flatnonzero(breakdown.row_of >= 0)
    yield from _state_columns(solution, indices)
    parts = breakdown.parts[breakdown.row_of[indices]]
    for number, name in enumerate(breakdown.names):
        yield Column(f"from_{name}", np.ascontiguousarray(parts[:, number]), f"those of them from {name}", "points")


def distribution_columns(solution: Solution) -> Iterator[Column]:
    """A row for each final score of a new game."""
    start = Start(0, -1, solution.rules.num_turn_rolls)
    (found,) = distributions(_play(solution), [start])
    yield Column("score", found.scores, "the final score of optimal play from a new game", "points")
    yield Column("chance", found.chances, "the chance of this score", "probability")
    at_least = found.chances[::-1].cumsum()[::-1]
    yield Column("at_least", at_least, "the chance of this score or more", "probability")


def openings_columns(solution: Solution) -> Iterator[Column]:
    """A row for each first roll of a new game and each action in it."""
    ruleset = solution.ruleset
    number = ruleset.faces**ruleset.dice
    rows = [
        (format_dice(dice), ways(dice) / number, str(one.action), one.value, one.loss)
        for dice, values in opening_values(solution)
        for one in values
    ]
    dice, chance, action, value, loss = (list(column) for column in zip(*rows, strict=True))
    yield Column("dice", dice, "the first roll of a new game, in ascending order", "faces")
    yield Column("chance", np.array(chance), "the chance of this roll", "probability")
    yield Column("action", action, "a legal action, in notation")
    yield Column("value", np.array(value), "the expected final score after it", "points")
    yield Column("loss", np.array(loss), "the value of the best action minus this one", "points")


def boxes_columns(solution: Solution) -> Iterator[Column]:
    """A row for each box and each number of points in it at the end of optimal play from a new game."""
    chances = box_chances(solution)
    rows = [(box, points, found[points]) for box, found in chances.items() for points in sorted(found)]
    box, points, chance = (list(column) for column in zip(*rows, strict=True))
    yield Column("box", box, "the box, by id")
    yield Column("points", np.array(points), "points in the box, times the multiplier of its column", "points")
    yield Column(
        "chance", np.array(chance), "the chance of so many points; without an entry, the box stays open", "probability"
    )


def box_chances(solution: Solution) -> dict[str, dict[int, float]]:
    """For each box, the chances of all numbers of points in it under optimal play from a new game."""
    transitions = _play(solution)
    start = Start(0, -1, solution.rules.num_turn_rolls)
    roots = transitions.from_starts([start])
    reach, boxes = transitions.chances(roots).reach, solution.ruleset.boxes
    most = 1 + max(int(part.points.max()) for part in _parts(transitions, roots))
    found = np.zeros(len(boxes) * most)
    for part in _parts(transitions, roots):
        weights = np.repeat(reach[part.rows], np.diff(part.begin)) * part.chance
        box = np.where(part.box < 0, -1 - part.box, part.box).astype(np.int64)
        extra = np.where(part.box < 0, solution.rules.extra_bonus[box], 0.0).astype(np.int64)
        found += np.bincount(box * most + part.points - extra, weights, found.size)
    by_box = found.reshape(len(boxes), most)
    return {
        box.id: {points: float(row[points]) for points in np.flatnonzero(row).tolist()}
        for box, row in zip(boxes, by_box, strict=True)
    }


KINDS: dict[str, Callable[[Solution], Iterator[Column]]] = {
    "solution": solution_columns,
    "sources": sources_columns,
    "distribution": distribution_columns,
    "openings": openings_columns,
    "boxes": boxes_columns,
}


def check_kind(kind: str) -> None:
    """Raise `UnknownError` if there is no such table."""
    if kind not in KINDS:
        raise UnknownError(f"there is no table {shown(kind)}: {suggest(kind, KINDS)}")


def exact_table(kind: str, solution: Solution) -> pa.Table:
    """A table of one of the `KINDS`; its fields have the description and the unit of each column as metadata."""
    check_kind(kind)
    return described(KINDS[kind](solution), _origin(kind, solution))


def write_exact(kind: str, solution: Solution, path: Path, created: date | None = None) -> dict[str, Any]:
    """Write a table as Parquet, and beside it `NAME.json`: its rules, its columns, and its SHA-256. Returns those.

    Raises `IllegalError` if the file exists.
    """
    if path.exists():
        raise IllegalError(f"{path} already exists: give a new name, or remove it")
    write_table(path, exact_table(kind, solution))
    about = (KINDS[kind].__doc__ or "").split("\n")[0]
    description = path.with_name(f"{path.name}.json")
    return describe(description, f"fivedice-{kind}", _origin(kind, solution), about, [path], created)


def _origin(kind: str, solution: Solution) -> dict[str, Any]:
    return {"table": kind, "ruleset": str(solution.ruleset), "digest": solution.ruleset.digest}


def _state_columns(solution: Solution, indices: Array) -> Iterator[Column]:
    """The turn state of each row, from its index in the solver's table, and its value."""
    states, ruleset = solution.states, solution.ruleset
    row, lane = np.divmod(indices, states.stride)
    card, plane = np.divmod(row, states.num_planes)
    yield Column("state", indices, "the index of the turn state in the solver's table")
    turns = zip(states.steps, states.radices, states.turns, strict=True)
    filled = np.zeros(indices.size, dtype=np.int16)
    is_filled = [card // step % radix > turn for step, radix, turn in turns]
    for flags in is_filled:
        filled += flags
    yield Column("filled", filled, "the number of filled boxes", "boxes")
    for box, flags in zip(ruleset.boxes, is_filled, strict=True):
        yield Column(f"has_{box.id}", flags, f"whether {box.id} is filled; interchangeable boxes are filled in order")
    plane, spoiled = np.divmod(plane, states.num_flags)
    totals = [lane]
    for _ in ruleset.columns[1:]:
        plane, total = np.divmod(plane, states.num_lanes)
        totals.append(total)
    for number, total in enumerate(totals):
        name = "upper_total" if number == 0 else f"upper_total_{number + 1}"
        yield Column(name, total, f"the upper total of column {number + 1}, at most {states.cap}", "points")
    yield Column("spoiled", spoiled.astype(bool), "whether no extra bonus can be earned any more")
    saved, pending = np.divmod(plane, len(states.pending_points))
    yield Column("saved_rolls", saved, "the rolls saved from earlier turns", "rolls")
    limits = np.array(states.pending_points)[pending]
    yield Column("pending", limits, "the points in one box of a pair that limit the open one, else 0", "points")
    yield Column("value", solution.values[indices], "the expected points to come under optimal play", "points")


@lru_cache(maxsize=1)
def _play(solution: Solution) -> PolicyTransitions:
    return list_policy(solution, [Start(0, -1, solution.rules.num_turn_rolls)])


def _parts(transitions: PolicyTransitions, roots: dict[int, Any]) -> Iterator[Any]:
    yield from roots.values()
    for layer in transitions.layers:
        yield from layer
