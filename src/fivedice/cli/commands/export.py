"""`fivedice export` and `fivedice dataset`: exact tables and decisions as Parquet, and solutions for browsers."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.extras import needs_extra
from fivedice.cli.files.record_file import check_free, check_place
from fivedice.cli.options import Created, Flag, Json, Rules, Seed, Whole, Workers
from fivedice.cli.progress import shown_progress, shown_step
from fivedice.cli.solutions import part_of, solution_of
from fivedice.cli.text.output import DataPackage, fail, prints, show
from fivedice.rulesets import load_ruleset
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.simulation.runs.data_set import parse_date
from fivedice.solver.saved.kinds import BREAKDOWN
from fivedice.solver.saved.portable import pack, portable_scores
from fivedice.solver.saved.portable_parts import pack_parts
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError
from fivedice.views.printed import CheckedSetView, PortableView

Write = Callable[[Solution], PortableView | DataPackage]


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
    path, write = _wanted(table, parquet, portable, date, is_rounded=not float64)
    solution = solution_of(load_ruleset(rules))
    with shown_progress() as progress:
        progress(f"Writing {table} of {solution.ruleset.name}", None)
        written = write(solution)
    show(written, [f"{path}: {_said(written)}"], json=json)


def _wanted(
    table: str, parquet: Path | None, portable: Path | None, date: str | None, *, is_rounded: bool
) -> tuple[Path, Write]:
    """The file to write, and what writes it."""
    if (parquet is None) == (portable is None):
        raise MalformedError("want either --parquet FILE or --portable FILE")
    if portable is not None:
        if table not in ("solution", "sources"):
            raise IllegalError(f"--portable: only the solution and the sources can be written so, not {table}")
        write = _write_portable if table == "solution" else _write_sources
        path = _checked(portable, "--portable", ".gz")
        return path, lambda solution: write(solution, path, is_rounded=is_rounded)
    if not is_rounded:
        raise IllegalError("--float64: Parquet always has all digits")
    with needs_extra("fivedice export", "research"):
        from fivedice.simulation.exact_tables import check_kind, write_exact

    check_kind(table)
    created = parse_date(date)
    assert parquet is not None
    path = _checked(parquet, "--parquet", ".parquet")
    return path, lambda solution: write_exact(table, solution, path, created)


def _said(about: PortableView | DataPackage) -> str:
    if isinstance(about, PortableView):
        return f"{about.bytes:,} bytes, SHA-256 {about.sha256}"
    (table,) = about["resources"]
    return f"{table['rows']:,} rows, SHA-256 {table['hash'].removeprefix('sha256:')}"


def _write_portable(solution: Solution, path: Path, *, is_rounded: bool) -> PortableView:
    scores = portable_scores(part_of(PERFECT_SCORES, solution)) if solution.states.has_kernels else None
    found = pack(solution.ruleset.digest, solution.float_values, scores, is_rounded=is_rounded)
    return _written(solution, path, found.data, type=found.type, loss=found.loss)


def _write_sources(solution: Solution, path: Path, *, is_rounded: bool) -> PortableView:
    found = part_of(BREAKDOWN, solution) if solution.states.has_kernels else None
    if found is None:
        raise TooLargeError(f"the sources of {solution.ruleset} cannot be found, or need too much memory")
    return _written(solution, path, pack_parts(found, is_rounded=is_rounded))


def _written(solution: Solution, path: Path, data: bytes, *, type: str = "", loss: float | None = None) -> PortableView:
    path.write_bytes(data)
    ruleset = solution.ruleset
    sha = sha256(data).hexdigest()
    return PortableView(path.name, sha, str(ruleset), ruleset.digest, len(data), type, loss)


def _checked(path: Path, option: str, ending: str) -> Path:
    if path.suffix != ending:
        raise MalformedError(f"{option} {path}: want a name that ends in {ending}")
    check_free(path, option)
    return path


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
        found = build_decision_set(
            folder,
            games=games,
            seed=seed,
            created=created,
            workers=workers,
            report=progress,
        )
    (table,) = found["resources"]
    summary = f"{folder}: {found['games']:,} games, {table['rows']:,} decisions, {table['bytes']:,} bytes"
    show(found, [summary], json=json)
