"""`fivedice dataset`: builds the open data set of decisions, and checks one."""

from pathlib import Path

from fivedice.base.extras import needs_extra
from fivedice.cli.files.record_file import check_place
from fivedice.cli.options import Created, Flag, Json, Seed, Whole, Workers
from fivedice.cli.progress import shown_step
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.output import DataPackage, fail, prints, show
from fivedice.rulesets import load_ruleset
from fivedice.simulation.runs.data_set import parse_date
from fivedice.views.printed import CheckedSetView


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
