"""`DataSet`: where the rows of a run go, part by part, as files of Parquet."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from fivedice.errors import IllegalError
from fivedice.extras import needs_extra


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
            from fivedice.simulation.runs.parquet import join_parts

            join_parts([part_path(self.folder, index) for index in range(num_parts)], self.path)

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
            raise IllegalError(f"{one.path} already exists: give a new name, or remove it")
        one.folder.mkdir(parents=True, exist_ok=True)
    return sets


def finish_sets(sets: Sequence[DataSet], num_parts: int) -> None:
    """Join the parts of all files, and then remove them, so that an interrupted call can be repeated."""
    for one in sets:
        one.finish(num_parts)
    for one in sets:
        one.clean()


def part_path(folder: Path, index: int) -> Path:
    """The file of a part of a data set."""
    return folder / f"part-{index:06}.parquet"
