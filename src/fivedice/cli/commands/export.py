"""`fivedice export` and `fivedice dataset`: exact tables and decisions as Parquet, and solutions for browsers."""

from hashlib import sha256
from pathlib import Path

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.extras import needs_extra
from fivedice.cli.files.record_file import check_free, check_place, write_whole
from fivedice.cli.options import Created, Flag, Json, Rules, Seed, Whole, Workers
from fivedice.cli.progress import shown_progress, shown_step
from fivedice.cli.solutions import part_of, solution_of
from fivedice.cli.text.output import DataPackage, fail, prints, show
from fivedice.rulesets import load_ruleset
from fivedice.simulation.data_set import parse_date
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.saved.portable import pack, pack_parts
from fivedice.solver.saved.store import BREAKDOWN
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError
from fivedice.views.printed import CheckedSetView, PortableView


@prints(PortableView, DataPackage)
def export(
    table: str,
    rules: Rules,
    /,
    *,
    parquet: Path | None = None,
    portable: Path | None = None,
    float64: Flag = False,
    date: Created = None,
    json: Json = False,
) -> None:
    """Write an exact table of a ruleset as Parquet, and beside it a file of JSON with a checksum.

    Parameters
    ----------
    table
        solution: every turn state with its value; sources: every turn state with the points of each box and bonus;
        distribution: the chance of every final score; openings: the value of every action after a first roll;
        boxes: the chance of every number of points in each box.
    parquet
        The file to write.
    portable
        Instead of Parquet, the file to write the solution or the sources to, compressed, as browsers keep it: NAME.gz.
    float64
        Keep all digits of a portable file. Without it, values are rounded to float32 where that costs less than 0.001
        points in every decision, and sources to 1/256 of a point.
    """
    if (parquet is None) == (portable is None):
        raise MalformedError("want either --parquet FILE or --portable FILE")
    if portable is not None:
        if table not in ("solution", "sources"):
            raise IllegalError(f"--portable: only the solution and the sources can be written so, not {table}")
        _check_file(portable, "--portable", ".gz")
    elif float64:
        raise IllegalError("--float64: Parquet always has all digits")
    created = parse_date(date)
    if parquet is not None:
        with needs_extra("fivedice export", "research"):
            from fivedice.simulation.exact_tables import check_kind, write_exact

        check_kind(table)
        _check_file(parquet, "--parquet", ".parquet")
    solution = solution_of(load_ruleset(rules))
    with shown_progress() as progress:
        progress(f"Writing {table} of {solution.ruleset.name}", None)
        if parquet is not None:
            package = write_exact(table, solution, parquet, created)
            (file,) = package["resources"]
            about = f"{parquet}: {file['rows']:,} rows, SHA-256 {file['hash'].removeprefix('sha256:')}"
            written: PortableView | DataPackage = package
        elif portable is not None:
            written = _write_portable(table, solution, portable, is_rounded=not float64)
            about = f"{portable}: {written.bytes:,} bytes, SHA-256 {written.sha256}"
    show(written, [about], json=json)


def _write_portable(table: str, solution: Solution, path: Path, *, is_rounded: bool) -> PortableView:
    ruleset, has_parts, type, loss = solution.ruleset, solution.states.has_kernels, "", None
    if table == "solution":
        scores = part_of(PERFECT_SCORES, solution) if has_parts else None
        packed = pack(ruleset.digest, solution.float_values, scores, is_rounded=is_rounded)
        data, type, loss = packed.data, packed.type, packed.loss
    else:
        found = part_of(BREAKDOWN, solution) if has_parts else None
        if found is None:
            raise TooLargeError(f"the sources of {ruleset} cannot be found, or need too much memory")
        data = pack_parts(found, is_rounded=is_rounded)
    write_whole(path, data)
    return PortableView(path.name, sha256(data).hexdigest(), str(ruleset), ruleset.digest, len(data), type, loss)


def _check_file(path: Path, option: str, ending: str) -> None:
    if path.suffix != ending:
        raise MalformedError(f"{option} {path}: want a name that ends in {ending}")
    check_free(path, option)


@prints(CheckedSetView, DataPackage)
def dataset(
    folder: Path,
    /,
    *,
    games: Whole = 1_000_000,
    seed: Seed = 1,
    workers: Workers = None,
    date: Created = None,
    check: Flag = False,
    json: Json = False,
) -> None:
    """Build fivedice-decisions: games of levels 3 to 9 under six rulesets, with the exact loss of each decision.

    The same games and seed give the same bytes. Ctrl-C stops; the same command continues.

    Parameters
    ----------
    folder
        The folder of the data set.
    games
        How many games, rounded up to as many of each level under each ruleset.
    check
        Check the set in the folder instead: its checksums and splits, and two games of each file by the engine.
    """
    created = parse_date(date)
    with needs_extra("fivedice dataset", "research"):
        from fivedice.simulation.decision_set import RULESETS, build_decision_set, check_decision_set
    if check:
        with shown_step("Checking decisions") as progress:
            problems, compared = check_decision_set(folder, report=progress)
        summary = f"{compared:,} decisions compared with the engine, {len(problems)} problems"
        show(CheckedSetView(not problems, compared, list(problems)), [*problems, summary], json=json)
        if problems:
            fail(f"{folder} is not as it should be")
        return
    check_place(folder, "FOLDER", is_folder=True)
    for id in RULESETS:
        solution_of(load_ruleset(id))
    with shown_step("Playing and judging games") as progress:
        found = build_decision_set(folder, games=games, seed=seed, created=created, workers=workers, report=progress)
    (table,) = found["resources"]
    summary = f"{folder}: {found['games']:,} games, {table['rows']:,} decisions, {table['bytes']:,} bytes"
    show(found, [summary], json=json)
