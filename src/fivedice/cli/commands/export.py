"""`fivedice export`: exact tables of a ruleset as Parquet."""

import sys
from pathlib import Path
from typing import Any

from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.output import Flag, print_json
from fivedice.errors import MalformedError
from fivedice.extras import needs_extra
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.solve import TooLargeError

ALL = "all"


def export(table: str, rules: str, /, *, parquet: Path, json: Flag = False) -> None:
    """Write an exact table of a ruleset as Parquet, and beside it a file of JSON with a checksum.

    Parameters
    ----------
    table
        solution: every turn state with its value; sources: every turn state with the points of each box and bonus;
        distribution: the chance of every final score; openings: the value of every action after a first roll;
        boxes: the chance of every number of points in each box.
    rules
        A ruleset, with any options, or a TOML file; or "all" for every ruleset that can be solved in memory.
    parquet
        The file to write; with "all", a folder for NAME.parquet of each ruleset.
    json
        Print what was written as JSON.
    """
    with needs_extra("fivedice export", "research"):
        from fivedice.simulation.exact_tables import check_kind, write_exact

    check_kind(table)
    written: list[dict[str, Any]] = []
    for id, path in _places(rules, parquet):
        with shown_progress() as progress:
            try:
                solution = solution_of(load_ruleset(id))
                progress(f"Writing {table} of {solution.ruleset.name}", None)
                written.append(write_exact(table, solution, path))
            except TooLargeError as error:
                if rules != ALL:
                    raise
                print(f"fivedice: {error}; left out", file=sys.stderr)
                continue
        if not json:
            print(f"{path}: {written[-1]['rows']:,} rows, SHA-256 {written[-1]['sha256']}")
    if json:
        print_json(written if rules == ALL else written[0])


def _places(rules: str, path: Path) -> list[tuple[str, Path]]:
    """The rulesets, and the file of each."""
    if rules == ALL:
        path.mkdir(parents=True, exist_ok=True)
        return [(id, path / f"{id}.parquet") for id in ruleset_ids()]
    if path.suffix != ".parquet":
        raise MalformedError(f"--parquet {path}: want a name that ends in .parquet")
    return [(rules, path)]
