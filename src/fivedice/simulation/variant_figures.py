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
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

from fivedice.analysis.advice import Advised, advise_batch
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.outside_text import read_text
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, parse_ruleset, split_ref
from fivedice.rulesets.dice import Dice, format_dice, rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.play.moments import solve_with_figures
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve

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
    found = []
    for dice, values in opening_values(solution):
        best = next(one for one in values if one.loss <= EQUAL)
        found.append(Opening(format_dice(dice), str(best.action), best.value))
    return found


def opening_values(solution: Solution) -> list[tuple[Dice, list[Advised]]]:
    """Every first roll of a new game with all actions: scores, then keeps, those of most dice first."""
    start, ruleset = Position.start(solution.ruleset), solution.ruleset
    positions = [start.roll(dice) for dice in rolls(ruleset.dice, ruleset.faces)]
    found = []
    for advice in advise_batch(solution, positions, threads=1):
        position, of_action = advice.position, {one.action: one for one in advice}
        others = [action for action in position.actions() if not isinstance(action, Keep)]
        keeps = sorted(position.keeps(), key=lambda keep: -len(keep.dice))
        found.append((position.dice, [of_action[action] for action in (*others, *keeps)]))
    return found
