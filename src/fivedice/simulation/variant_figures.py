"""`VariantFigures`: what a sweep finds about optimal play under one variant of the rules, exactly.

>>> from fivedice import load_ruleset
>>> found = variant_figures(load_ruleset("crag"))
>>> round(found.expected_score, 2), round(found.standard_deviation, 2), found.upper_bonus_rate
(149.85, 33.62, 0.0)
>>> found.openings[-1].dice, found.openings[-1].action
('666', 'score three_of_a_kind')
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fivedice.analysis.advice import advise_batch
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.outside_text import read_text
from fivedice.rulesets import load_ruleset, parse_ruleset, split_ref
from fivedice.rulesets.dice import Dice, format_dice, sub_keeps
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.play.moments import solve_with_figures
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import Array

MOST_VARIANTS = 1_000_000


@dataclass(frozen=True)
class Variant:
    """A variant of the rules: its name, the options that are varied, and the text of its file, if it has its own."""

    ref: str
    varied: tuple[tuple[str, str], ...] = ()
    text: str | None = None


def variants_of(ref: str, options: Mapping[str, Sequence[str]]) -> list[Variant]:
    """All combinations of these values of options, for a ruleset that may have options already.

    Raises `MalformedError` if there are too many, or an option is given twice.
    """
    name, given = split_ref(ref)
    number = prod(len(values) for values in options.values())
    if number > MOST_VARIANTS:
        raise MalformedError(f"{number:,} variants are too many: {MOST_VARIANTS:,} at most")
    if twice := [key for key in options if key in given]:
        raise MalformedError(f"option {twice[0]} is given by {ref}, and varied: want one of both")
    text = read_text(Path(name)) if name.endswith(".toml") else None
    found = []
    for values in product(*options.values()):
        varied = tuple(zip(options, values, strict=True))
        parts = ",".join(f"{key}={value}" for key, value in (*given.items(), *varied))
        found.append(Variant(f"{name}[{parts}]" if parts else name, varied, text))
    return found


def variants_in(folder: Path) -> list[Variant]:
    """The ruleset files of a folder, by name; raises `IllegalError` if there are none."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise IllegalError(f"{folder} has no ruleset files: want names that end in .toml")
    return [Variant(file.name, (), read_text(file)) for file in files]


def ruleset_of(variant: Variant) -> Ruleset:
    """The rules of a variant."""
    if variant.text is None:
        return load_ruleset(variant.ref)
    name, options = split_ref(variant.ref)
    return parse_ruleset(variant.text, name, options)


class Opening(NamedTuple):
    """The best action after a first roll of a new game, and its expected final score."""

    dice: str
    action: str
    value: float


class VariantFigures(NamedTuple):
    """Optimal play in a new game: the value, and what `PlayFigures` has, None if that is not wanted.

    The expected score is the mean of the final score. Under rules with outright wins the value is more than that, so
    there, all figures are found.
    """

    expected_score: float | None
    standard_deviation: float | None
    skewness: float | None
    upper_bonus: float | None
    upper_bonus_rate: float | None
    extra_bonus: float | None
    outright_rate: float | None
    turn_states: int
    openings: tuple[Opening, ...] = ()
    """Empty if they are not wanted."""


def variant_figures(
    ruleset: Ruleset, *, only_scores: bool = False, with_openings: bool = True, memory_limit: int | None = None
) -> VariantFigures:
    """The figures of a ruleset, on one processor; raises `TooLargeError`.

    With `only_scores` there are only the expected score and the openings, in less than a third of the time.
    """
    if only_scores and not ruleset.can_be_won_outright:
        solution = solve(ruleset, threads=1, memory_limit=memory_limit)
        left_out = (None, None, None, None, None, None)
        found = VariantFigures(solution.expected_score, *left_out, solution.num_turn_states)
    else:
        solution, figures = solve_with_figures(ruleset, memory_limit=memory_limit)
        found = VariantFigures(*figures, solution.num_turn_states)
    return found._replace(openings=tuple(openings(solution))) if with_openings else found


def openings(solution: Solution) -> list[Opening]:
    """The best action after every first roll, rolls in the order of their faces. Among equal actions, a score comes
    before a keep, and a keep of more dice before one of fewer."""
    ruleset = solution.ruleset
    found = []
    for dice, values in opening_values(solution):
        best = max(value for _, value in values)
        action, value = next((action, value) for action, value in values if value >= best - EQUAL)
        found.append(Opening(format_dice(dice), action, value))
    assert len(found) == len(roll_indices(ruleset.dice, ruleset.faces))
    return found


def opening_values(solution: Solution) -> list[tuple[Dice, list[tuple[str, float]]]]:
    """Every first roll of a new game with the values of all actions: scores, then keeps, those of most dice first."""
    ruleset = solution.ruleset
    index_of = roll_indices(ruleset.dice, ruleset.faces)
    rolls = sorted(index_of)
    number = len(rolls)
    places = np.array([index_of[roll] for roll in rolls])
    left = np.full(number, solution.rules.num_turn_rolls - 1)
    advice = advise_batch(solution, np.zeros(number, dtype=np.int64), places, left, threads=1)
    found = []
    for row, dice in enumerate(rolls):
        scores = _scores(ruleset, advice.scores[row], advice.zeros[row])
        values = advice.keeps[row].tolist()
        keeps = [(keep, values[place]) for place, keep in _keeps_of(dice)] if left[row] else []
        found.append((dice, scores + keeps))
    return found


@lru_cache(maxsize=2**14)
def _keeps_of(roll: Dice) -> list[tuple[int, str]]:
    """The keeps of a roll in the notation of actions, those of most dice first, with their places in `sub_keeps`.

    A sweep needs them for every variant.
    """
    keeps = sorted(enumerate(sub_keeps(roll)), key=lambda pair: -len(pair[1]))
    return [(place, f"keep {format_dice(keep)}") for place, keep in keeps]


def _scores(ruleset: Ruleset, points: Array, zeros: Array) -> list[tuple[str, float]]:
    """The scores of one roll in the notation of actions."""
    found = []
    zero = "scratch" if 0 in ruleset.writable(1) else "score"
    for box, with_points, with_zero in zip(ruleset.boxes, points.tolist(), zeros.tolist(), strict=True):
        found += [(f"score {box.id}", with_points)] if with_points == with_points else []
        found += [(f"{zero} {box.id}", with_zero)] if with_zero == with_zero else []
    return found
