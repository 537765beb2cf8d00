"""`DataSet`: where the rows of a run go, part by part, as files of Parquet."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

from fivedice.base.errors import IllegalError, MalformedError, shown
from fivedice.base.extras import needs_extra


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

    @property
    def description(self) -> Path:
        """The file that describes them."""
        return self.path.with_name(f"{self.path.name}.json") if self.is_file else self.path / "dataset.json"

    def finish(self, num_parts: int, origin: Mapping[str, Any], about: str, created: date | None) -> None:
        """Join the parts of a file, and describe the rows: what made them, what they are, and if wanted when."""
        from fivedice.simulation.runs.described import describe, join_parts

        paths = [part_path(self.folder, index) for index in range(num_parts)]
        if self.is_file:
            join_parts(paths, self.path, origin)
            paths = [self.path]
        describe(self.description, f"fivedice-{origin['table']}", origin, about, paths, created)

    def clean(self) -> None:
        """Remove the parts of a file that is complete, or from a folder what processes that were killed have left."""
        if self.is_file:
            shutil.rmtree(self.folder)
            return
        for draft in self.folder.glob(".part-*"):
            draft.unlink()


def create_sets(paths: Iterable[Path | None]) -> list[DataSet]:
    """The data sets at these paths, with folders for their parts; None stands for no set.

    Raises `IllegalError` if a file exists, and `MissingExtraError` if Parquet cannot be written.
    """
    sets = [DataSet(path) for path in paths if path is not None]
    if sets:
        with needs_extra("Parquet", "research"):
            import_module("pyarrow")
    for one in sets:
        if one.is_file and one.path.exists():
            raise IllegalError(f"{one.path} already exists: give a new name, or remove it (only a folder is extended)")
        one.folder.mkdir(parents=True, exist_ok=True)
    return sets


def finish_sets(
    sets: Sequence[DataSet], num_parts: int, tables: Mapping[str, str], origin: Mapping[str, Any], created: date | None
) -> None:
    """Join the parts of all files, and then remove them, so that an interrupted call can be repeated.

    `tables` has the name of the table of each set, and what a row of it is; `origin` and `created` are as in `finish`.
    """
    for one, (table, about) in zip(sets, tables.items(), strict=False):
        one.finish(num_parts, {"table": table, **origin}, about, created)
    for one in sets:
        one.clean()


def parse_date(text: str | None) -> date | None:
    """A date such as 2026-11-26; raises `MalformedError` for anything else."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise MalformedError(f"date {shown(text)}: want one such as 2026-11-26") from None


def part_path(folder: Path, index: int) -> Path:
    """The file of a part of a data set."""
    return folder / f"part-{index:06}.parquet"
