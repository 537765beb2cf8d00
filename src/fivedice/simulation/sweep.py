"""`sweep`: the exact figures of many variants of the rules, on all processors or on a cluster.

>>> from fivedice.simulation.variant_figures import variants_of
>>> variants = variants_of("crag", {"rolls": ["2", "3"], "voluntary_zero": ["false"]})
>>> _, rows = solve_part(SweepPart(0, 0, tuple(variants)))
>>> [round(row["expected_score"], 2) for row in rows]
[149.85, 185.4]
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from fivedice.simulation.runs.data_set import create_sets, finish_sets, noted, part_path
from fivedice.simulation.runs.run_tasks import run_tasks
from fivedice.simulation.variant_figures import Opening, Variant, VariantFigures, ruleset_of, variant_figures
from fivedice.solver.processors import num_processors

VARIANTS_PER_PART = 4
"""Variants of one task, which takes a few seconds with five dice."""

FIGURES = tuple(name for name in VariantFigures._fields if name != "openings")
"""The columns of exact figures."""


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
    out: Path | None = None,
    openings: Path | None = None,
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
    sets, identity = create_sets((out, openings)), _identity(variants, openings, only_scores)
    to, to_openings = [*(one.folder.resolve() for one in sets), None, None][:2]
    parts = [
        SweepPart(index, first, tuple(variants[first : first + VARIANTS_PER_PART]), to, to_openings, only_scores)
        for index, first in enumerate(range(0, len(variants), VARIANTS_PER_PART))
    ]
    journal = sets[0].folder / "_journal.jsonl" if sets else None
    with noted(journal, identity) as (found, note):
        report(sum(map(len, found.values())))
        left = [part for part in parts if part.index not in found]
        with closing(run_tasks(solve_part, left, workers=workers or num_processors(), scheduler=scheduler)) as solved:
            for index, rows in solved:
                note(index, rows)
                found[index] = rows
                report(sum(map(len, found.values())))
    finish_sets(sets, len(parts), TABLES, {"variants": len(variants), "sha256": identity["sha256"]}, date)
    return [row for index in sorted(found) for row in found[index]]


def solve_part(part: SweepPart) -> tuple[int, list[dict[str, Any]]]:
    """The rows of a part, which are also written to its files."""
    rows, openings = [], []
    for number, variant in enumerate(part.variants, start=part.first):
        row: dict[str, Any] = {"variant": number, "ruleset": variant.ref, "digest": None, **dict(variant.varied)}
        row |= dict.fromkeys(FIGURES)
        row["error"] = None
        try:
            ruleset = ruleset_of(variant)
            row["digest"] = ruleset.digest
            with_openings = part.openings is not None
            figures = variant_figures(ruleset, only_scores=part.only_scores, with_openings=with_openings)
        except ValueError as error:  # a combination that makes no sense, or is too large
            row["error"] = str(error)
        else:
            row |= {name: getattr(figures, name) for name in FIGURES}
            openings += [{"variant": number, **opening._asdict()} for opening in figures.openings]
        rows.append(row)
    if part.out is not None:
        _write(part_path(part.out, part.index), "variants", rows, rows[0])
        if part.openings is not None:
            _write(part_path(part.openings, part.index), "openings", openings, ("variant", *Opening._fields))
    return part.index, rows


def _write(path: Path, table: str, rows: Sequence[Mapping[str, Any]], names: Iterable[str]) -> None:
    """Write these columns of rows."""
    import pyarrow as pa  # of an extra, as what writes it

    from fivedice.simulation.runs.described import Column, described, write_table

    kinds = dict.fromkeys((*FIGURES, "value"), pa.float64()) | dict.fromkeys(("variant", "turn_states"), pa.int64())
    columns = [
        Column(
            name,
            pa.array([row[name] for row in rows], kinds.get(name, pa.string())),
            *ABOUT.get(name, (f"the option {name}",)),
        )
        for name in names
    ]
    write_table(path, described(columns, {"table": table}))


def _identity(variants: Sequence[Variant], openings: Path | None, only_scores: bool) -> dict[str, Any]:
    """What an interrupted sweep has in common with its continuation."""
    names = sha256(repr([(variant.ref, variant.text) for variant in variants]).encode()).hexdigest()
    return {"variants": len(variants), "sha256": names, "openings": openings is not None, "only_scores": only_scores}
