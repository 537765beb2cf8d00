"""`fivedice solve` and `fivedice sweep`: the exact expected score of a ruleset, and of many variants."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from msgspec.structs import asdict

from fivedice.base.errors import MalformedError, shown
from fivedice.cli.commands.simulate import written_lines
from fivedice.cli.files.record_file import check_outputs
from fivedice.cli.options import Created, Flag, Json, Output, Rules, Scheduler, Several, Workers
from fivedice.cli.progress import counted_progress
from fivedice.cli.solutions import learned, obtain
from fivedice.cli.text.output import fail, prints, show, table
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.simulation.data_set import parse_date
from fivedice.simulation.sweep import sweep as swept
from fivedice.simulation.sweep import variants_in, variants_of
from fivedice.views.printed import LearnedView, SolvedView
from fivedice.views.to_dict import solution_figures_view


@prints(SolvedView, LearnedView)
def solve(rules: Rules, /, *, fresh: Flag = False, approximate: Flag = False, json: Flag = False) -> None:
    """Solve a ruleset: its exact expected score under optimal play. The solution is saved for later commands.

    FIVEDICE_CACHE_MB says how many megabytes are kept, by default 2,000; what was used longest ago goes first.

    Parameters
    ----------
    fresh
        Solve again, even if a solution is saved.
    approximate
        Of rules that are too large to solve, learn approximate values instead, for later commands. That takes minutes
        to an hour; if it is interrupted, the same command continues.
    json
        Print JSON; `seconds` is the time the search took, now or when the solution was saved.
    """
    if approximate:
        try:
            found = learned(load_ruleset(rules), is_fresh=fresh)
        except KeyboardInterrupt:
            print("fivedice: stopped; the same command continues", file=sys.stderr)
            raise
        ruleset, measured = found.ruleset, found.measured
        figures = measured.mean, measured.standard_error, measured.games, found.decision_error
        lines = [
            f"{ruleset.name} ({ruleset}), learned",
            f"mean score      ≈ {measured.mean:,.2f} ± {measured.standard_error:.2f} in {measured.games:,} games",
            f"error of values ≈ {found.decision_error:,.2f}",
        ]
        show(LearnedView(str(ruleset), ruleset.digest, False, *figures), lines, json=json)
        return
    solution, is_saved = obtain(load_ruleset(rules), is_fresh=fresh)
    source = ", read from the cache" if is_saved else f", after {solution.loading:.2f} s to load the solver"
    lines = [
        f"{solution.ruleset.name} ({solution.ruleset}), solved in {solution.seconds:.2f} s{source}",
        f"expected score  {solution.expected_score:>16.6f}",
        f"turn states     {solution.num_turn_states:>9,}",
    ]
    show(SolvedView(**asdict(solution_figures_view(solution)), cached=is_saved), lines, json=json)


MOST_LINES = 100
"""Variants that are printed; a data set has all."""


@prints(list[dict[str, Any]])
def sweep(
    rules: Annotated[Rules, Parameter(help="A ruleset with any options, a TOML file, or a folder of TOML files.")],
    /,
    *,
    vary: Annotated[Several, Parameter(name="--vary")] = (),
    out: Output = None,
    openings: Output = None,
    only_scores: Flag = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    date: Created = None,
    json: Json = False,
) -> None:
    """Solve many variants of a ruleset, each exactly: expected score, deviation, bonus rates and best first keeps.

    Ctrl-C stops; the same command with --out continues.

    Parameters
    ----------
    vary
        An option with its values, such as extra_bonus=0,50,100; repeat it to combine several options.
    out
        Write a row for each variant to this file, FILE.parquet, or to several files in a folder of this name.
    openings
        Write the best action after every first roll of each variant, too; only with --out.
    only_scores
        Leave out deviations and bonuses, which take two thirds of the time.
    """
    if openings is not None and out is None:
        raise MalformedError("--openings needs --out: want a file for the figures as well")
    created, folder = parse_date(date), Path(rules)
    check_outputs({"--out": out, "--openings": openings})
    if folder.is_dir() and rules not in ruleset_ids():
        if vary:
            raise MalformedError("--vary needs a ruleset: a folder has its variants")
        variants = variants_in(folder)
    else:
        variants = variants_of(rules, _options(vary))
    with counted_progress("Solving variants", len(variants)) as count:
        try:
            rows = swept(
                variants,
                out=out,
                openings=openings,
                only_scores=only_scores,
                workers=workers,
                scheduler=scheduler,
                date=created,
                report=lambda done: count(done, ""),
            )
        except KeyboardInterrupt:
            how = "the same command continues" if out else "with --out FILE.parquet, one can continue"
            print(f"fivedice: stopped; {how}", file=sys.stderr)
            raise
    files = {"figures": out, "best actions after first rolls": openings}
    show(rows, chain(_row_lines(rows), written_lines(files)), json=json)
    if all(row["error"] for row in rows):
        fail("no variant could be solved")


def _options(vary: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in vary:
        key, equals, values = text.partition("=")
        if not (key and equals and all(values.split(","))):
            raise MalformedError(f"--vary {shown(text)}: want an option with its values, as in extra_bonus=0,50,100")
        if key in found:
            raise MalformedError(f"--vary {key} is given twice")
        found[key] = values.split(",")
    return found


def _row_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    solved = [row for row in rows[:MOST_LINES] if not row["error"]]
    shown = [("ruleset", "expected", "deviation", "upper bonus", "extra bonus")]
    for row in solved:
        figures = ("", "", "")
        if row["standard_deviation"] is not None:
            figures = f"{row['standard_deviation']:.3f}", f"{row['upper_bonus_rate']:.3%}", f"{row['extra_bonus']:.4f}"
        shown.append((row["ruleset"], f"{row['expected_score']:.4f}", *figures))
    yield from table(shown)
    for row in rows[:MOST_LINES]:
        if row["error"]:
            yield f"{row['ruleset']}: {row['error']}"
    if len(rows) > MOST_LINES:
        yield f"… and {len(rows) - MOST_LINES:,} more"
