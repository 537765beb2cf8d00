"""`simulate`: plays an experiment on all processors or on a cluster, and continues one that was interrupted.

>>> from fivedice import load_ruleset
>>> from fivedice.simulation.experiment import Experiment
>>> found = simulate(Experiment(load_ruleset("crag"), ("optimal", "greedy"), games=20_000, seed=1))
>>> found.num_games, found.firsts[0] > found.firsts[1]
(20000, np.True_)
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from fivedice.errors import IllegalError
from fivedice.extras import needs_extra
from fivedice.simulation.experiment import Experiment, Part, part_path, play_part, prepare
from fivedice.simulation.journal import Journal, Writer
from fivedice.simulation.run_tasks import run_in_threads, run_tasks
from fivedice.simulation.tally import Tally
from fivedice.solver.processors import num_processors

Report = Callable[[Tally], None]
"""Called with what has been counted so far."""


@dataclass(frozen=True)
class DataSet:
    """Where rows go: a file of Parquet, or a folder of such files if the name does not end in `.parquet`."""

    path: Path

    @property
    def is_file(self) -> bool:
        """Whether it is one file."""
        return self.path.suffix == ".parquet"

    @property
    def folder(self) -> Path:
        """The folder of its parts, which for a file is hidden and exists only until the file does."""
        return self.path.with_name(f".{self.path.name}.parts") if self.is_file else self.path

    def finish(self, num_parts: int) -> None:
        """Join the parts of a file."""
        if self.is_file:
            from fivedice.simulation.game_rows import join_parts

            join_parts([part_path(self.folder, index) for index in range(num_parts)], self.path)

    def clean(self) -> None:
        """Remove the parts of a file that is complete."""
        if self.is_file:
            shutil.rmtree(self.folder)


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
    sets = [DataSet(path) for path in (out, decisions) if path is not None]
    if sets:
        with needs_extra("Parquet", "research"):
            import_module("pyarrow")
    size = part_size or experiment.part_size(rows=bool(sets), decisions=decisions is not None, workers=workers)
    for one in sets:
        if one.is_file and one.path.exists():
            raise IllegalError(f"{one.path} already exists: give a new name, or remove it")
        one.folder.mkdir(parents=True, exist_ok=True)
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
        for index, tally in _played(experiment, [part for part in parts if part.index not in done], workers, scheduler):
            if note:
                note.add(index, tally.to_data())
            total = _plus(total, tally)
            report(total)
    assert total is not None
    for one in sets:
        one.finish(len(parts))
    for one in sets:
        one.clean()
    return total


def _played(
    experiment: Experiment, parts: list[Part], workers: int, scheduler: str | None
) -> Iterator[tuple[int, Tally]]:
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
