"""`simulate`: plays an experiment on all processors or on a cluster, and continues one that was interrupted.

>>> from fivedice import load_ruleset
>>> from fivedice.simulation.experiment import Experiment
>>> found = simulate(Experiment(load_ruleset("crag"), ("optimal", "greedy"), games=20_000, seed=1))
>>> found.num_games, found.firsts[0] > found.firsts[1]
(20000, np.True_)
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from fivedice.simulation.experiment import Experiment, Part, play_part, prepare
from fivedice.simulation.games.tally import Tally
from fivedice.simulation.runs.data_set import create_sets, finish_sets
from fivedice.simulation.runs.journal import Journal, Writer
from fivedice.simulation.runs.run_tasks import run_in_threads, run_tasks
from fivedice.solver.processors import num_processors

Report = Callable[[Tally], None]
"""Called with what has been counted so far."""


def simulate(
    experiment: Experiment,
    *,
    out: Path | None = None,
    decisions: Path | None = None,
    checkpoint: Path | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    part_size: int | None = None,
    resumed: Report = lambda tally: None,
    report: Report = lambda tally: None,
) -> Tally:
    """Play all games of an experiment, and return what was counted.

    `out` and `decisions` are data sets of Parquet for games and their decisions. An interrupted call with `out`, or
    with a file `checkpoint`, is continued by the next one. `workers` is the number of processors to use; `scheduler` is
    the address of a Dask scheduler, or `local`. `resumed` is called with the games of earlier calls, `report` with all
    so far, from time to time. The result does not depend on `workers`, `scheduler` or `part_size`.

    Raises `IllegalError` if `out` exists, or belongs to another experiment.
    """
    workers = workers or num_processors()
    sets = create_sets((out, decisions))
    size = part_size or experiment.part_size(rows=bool(sets), decisions=decisions is not None, workers=workers)
    journal = sets[0].folder / "_journal.jsonl" if sets else checkpoint
    identity = {**experiment.identity(), "part": size, "decisions": decisions is not None}
    folders = [one.folder.resolve() for one in sets]
    parts = list(experiment.parts(size, *folders))
    with _noted(journal, identity) as (done, note):
        total: Tally | None = None
        for data in done.values():
            total = _plus(total, Tally.from_data(data))
        if total:
            resumed(total)
        left = [part for part in parts if part.index not in done]
        with closing(_played(experiment, left, workers, scheduler)) as played:
            for index, tally in played:
                if note:
                    note.add(index, tally.to_data())
                total = _plus(total, tally)
                report(total)
    assert total is not None
    finish_sets(sets, len(parts))
    return total


def _played(
    experiment: Experiment, parts: list[Part], workers: int, scheduler: str | None
) -> Generator[tuple[int, Tally]]:
    if scheduler is None and experiment.is_by_table:
        prepare(experiment)
        yield from run_in_threads(play_part, parts, workers)
    else:
        yield from run_tasks(play_part, parts, workers=workers, scheduler=scheduler)


@contextmanager
def _noted(path: Path | None, identity: dict[str, object]) -> Iterator[tuple[dict[int, Any], Writer | None]]:
    """The finished parts of a journal, and what notes further ones; none of both without a file."""
    if path is None:
        yield {}, None
        return
    journal = Journal(path, identity)
    done = journal.read()
    with journal.writing() as writer:
        yield done, writer


def _plus(total: Tally | None, tally: Tally) -> Tally:
    return total.plus(tally) if total else tally
