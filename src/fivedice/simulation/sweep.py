"""`sweep`: the exact figures of many variants of the rules, on all processors or on a cluster.

>>> variants = variants_of("crag", {"rolls": ["2", "3"], "voluntary_zero": ["false"]})
>>> _, rows = solve_part(SweepPart(0, 0, tuple(variants)))
>>> [round(row["expected_score"], 2) for row in rows]
[149.85, 185.4]
>>> solution, found = variant_figures(ruleset_of(variants[0]))
>>> round(found["standard_deviation"], 2), found["upper_bonus_rate"]
(33.62, 0.0)
>>> openings(solution)[-1]["action"]
'score three_of_a_kind'
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from fivedice.analysis.advice import Advised, advise_batch
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.outside_text import read_text
from fivedice.base.processors import num_processors
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, parse_ruleset, split_ref
from fivedice.rulesets.dice import Dice, format_dice, rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.data_set import create_sets, finish_sets, is_written, noted, part_path
from fivedice.simulation.run_tasks import run_tasks
from fivedice.solver.play.moments import PlayFigures, solve_with_figures
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


def variant_figures(ruleset: Ruleset, *, only_scores: bool = False) -> tuple[Solution, dict[str, Any]]:
    """The solution of a ruleset and its `FIGURES`, on one processor; raises `TooLargeError`.

    With `only_scores` there are only the expected score and the turn states, in less than a third of the time. The
    expected score is the mean of the final score. Under rules with outright wins the value is more than that, so there,
    all figures are found.
    """
    if only_scores and not ruleset.can_be_won_outright:
        solution = solve(ruleset, threads=1)
        found = dict.fromkeys(FIGURES) | {"expected_score": solution.expected_score}
    else:
        solution, figures = solve_with_figures(ruleset)
        found = dict(zip(FIGURES, figures, strict=False))
    return solution, found | {"turn_states": solution.num_turn_states}


def openings(solution: Solution) -> list[dict[str, Any]]:
    """The best action after every first roll, and its expected final score, rolls in the order of their faces. Among
    equal actions, a score comes before a keep, and a keep of more dice before one of fewer."""
    found = []
    for dice, values in opening_values(solution):
        best = next(one for one in values if one.loss <= EQUAL)
        found.append({"dice": format_dice(dice), "action": str(best.action), "value": best.value})
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


VARIANTS_PER_PART = 4
"""Variants of one task, which takes a few seconds with five dice."""

FIGURES = ("expected_score", *PlayFigures._fields[1:], "turn_states")
"""The columns of exact figures of optimal play in a new game."""

TABLES = {"variants": "A row for each variant.", "openings": "A row for each variant and first roll."}
"""The tables of rows, and what a row of each is."""

ABOUT = {
    "variant": ("the number of the variant, from 0",),
    "ruleset": ("the name of its rules",),
    "digest": ("the digest of its rules",),
    "expected_score": ("the mean final score of optimal play", "points"),
    "standard_deviation": ("its standard deviation", "points"),
    "skewness": ("its third central moment, divided by the cube of the deviation",),
    "upper_bonus": ("the mean upper bonus", "points"),
    "upper_bonus_rate": ("the chance of any upper bonus", "probability"),
    "extra_bonus": ("the mean of extra bonuses", "points"),
    "outright_rate": ("the chance of an outright win", "probability"),
    "turn_states": ("turn states that play can reach",),
    "error": ("why the variant has no figures, else null",),
    "dice": ("the first roll of a new game, in ascending order", "faces"),
    "action": ("the best action, in notation",),
    "value": ("the expected final score after it", "points"),
}
"""What each column is, and its unit; other columns are options that vary."""

OPTION = "option_"
"""What the column of an option begins with if there is another of its name."""


@dataclass(frozen=True)
class SweepPart:
    """A part of the variants, the number of the first one, and the folders of its files."""

    index: int
    first: int
    variants: tuple[Variant, ...]
    out: Path | None = None
    openings: Path | None = None
    only_scores: bool = False


def sweep(
    variants: Sequence[Variant],
    *,
    out: Path | str | None = None,
    openings: Path | str | None = None,
    only_scores: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    date: date | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> list[dict[str, Any]]:
    """A row of figures for each variant, in order; those that cannot be solved have an `error` instead.

    `out` and `openings` are data sets of Parquet for these rows, and for the best actions after first rolls. An
    interrupted call with `out` is continued by the next one. With `only_scores`, deviations and bonuses are left out.
    `report` is called with the number of variants done. The result does not depend on `workers` or `scheduler`, which
    are as in `simulate`, and so is `date`.
    """
    identity = _identity(variants, openings, only_scores)
    origin = {"variants": len(variants), "sha256": identity["sha256"]}
    sets = create_sets((out, openings), TABLES, origin)
    to, to_openings = [*(one.folder.resolve() for one in sets), None, None][:2]
    parts = [
        SweepPart(index, first, tuple(variants[first : first + VARIANTS_PER_PART]), to, to_openings, only_scores)
        for index, first in enumerate(range(0, len(variants), VARIANTS_PER_PART))
    ]
    journal = sets[0].folder / "_journal.jsonl" if sets else None
    with noted(journal, identity) as (found, note):
        left = [part for part in parts if part.index not in found or not is_written(part.index, (to, to_openings))]
        for part in left:
            found.pop(part.index, None)
        report(sum(map(len, found.values())))
        with closing(run_tasks(solve_part, left, workers=num_processors(workers), scheduler=scheduler)) as solved:
            for index, rows in solved:
                note(index, rows)
                found[index] = rows
                report(sum(map(len, found.values())))
    finish_sets(sets, len(parts), TABLES, origin, date)
    return [row for index in sorted(found) for row in found[index]]


def solve_part(part: SweepPart) -> tuple[int, list[dict[str, Any]]]:
    """The rows of a part, which are also written to its files."""
    rows, firsts = [], []
    for number, variant in enumerate(part.variants, start=part.first):
        varied = {f"{OPTION * (name in ABOUT)}{name}": value for name, value in variant.varied}
        row: dict[str, Any] = {"variant": number, "ruleset": variant.ref, "digest": None, **varied}
        row |= dict.fromkeys(FIGURES)
        row["error"] = None
        try:
            ruleset = ruleset_of(variant)
            row["digest"] = ruleset.digest
            solution, figures = variant_figures(ruleset, only_scores=part.only_scores)
        except ValueError as error:  # a combination that makes no sense, or is too large
            row["error"] = str(error)
        else:
            row |= figures
            if part.openings is not None:
                firsts += [{"variant": number, **opening} for opening in openings(solution)]
        rows.append(row)
    if part.out is not None:
        _write(part_path(part.out, part.index), "variants", rows, rows[0])
        if part.openings is not None:
            _write(part_path(part.openings, part.index), "openings", firsts, ("variant", "dice", "action", "value"))
    return part.index, rows


def _write(path: Path, table: str, rows: Sequence[Mapping[str, Any]], names: Iterable[str]) -> None:
    """Write these columns of rows."""
    import pyarrow as pa  # of an extra, as what writes it

    from fivedice.simulation.described import Column, described, write_table

    kinds = dict.fromkeys((*FIGURES, "value"), pa.float64()) | dict.fromkeys(("variant", "turn_states"), pa.int64())
    columns = [
        Column(
            name,
            pa.array([row[name] for row in rows], kinds.get(name, pa.string())),
            *ABOUT.get(name, (f"the option {name.removeprefix(OPTION)}",)),
        )
        for name in names
    ]
    write_table(path, described(columns, {"table": table}))


def _identity(variants: Sequence[Variant], openings: Path | str | None, only_scores: bool) -> dict[str, Any]:
    """What an interrupted sweep has in common with its continuation."""
    names = sha256(repr([(variant.ref, variant.text) for variant in variants]).encode()).hexdigest()
    return {"variants": len(variants), "sha256": names, "openings": openings is not None, "only_scores": only_scores}
