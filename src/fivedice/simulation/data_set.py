"""`DataSet`: where the rows of a run go, part by part, as files of Parquet; and `noted`: a file that lists the finished
parts, so that an interrupted run can continue.

The first line of that file says in JSON what is run; each of the others has the result of one part.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from fivedice.base.data_folder import whole_file
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

    def has_others(self, origin: Mapping[str, Any]) -> bool:
        """Whether a folder is described as that of rows with another origin than this, whose `games` may be more."""
        if self.is_file or not self.description.exists():
            return False
        try:
            known = json.loads(self.description.read_text(encoding="utf-8"))
        except ValueError:
            return True
        return not isinstance(known, dict) or {**known, **origin, "games": 0} != {**known, "games": 0}


def create_sets(
    paths: Iterable[Path | str | None], tables: Mapping[str, str], origin: Mapping[str, Any]
) -> list[DataSet]:
    """The data sets at these paths, with folders for their parts; None stands for no set. The other arguments are as
    for `finish_sets`.

    Raises `IllegalError` if a file exists, a folder has other rows, or two sets are one, and `MissingExtraError` if
    Parquet cannot be written.
    """
    sets = [DataSet(Path(path)) for path in paths if path is not None]
    if len({one.path.resolve() for one in sets}) < len(sets):
        raise IllegalError(f"{sets[0].path} is given for two tables: give each its own place")
    if sets:
        with needs_extra("Parquet", "research"):
            import_module("pyarrow")
    for one, table in zip(sets, tables, strict=False):
        if one.is_file and one.path.exists() and not one.folder.exists():
            raise IllegalError(f"{one.path} already exists: give a new name, or remove it (only a folder is extended)")
        if one.has_others({"table": table, **origin}):
            raise IllegalError(f"{one.path} has other rows: give a new name, or remove it")
        one.folder.mkdir(parents=True, exist_ok=True)
    return sets


def finish_sets(
    sets: Sequence[DataSet], num_parts: int, tables: Mapping[str, str], origin: Mapping[str, Any], created: date | None
) -> None:
    """Join the parts of all files, describe the rows, and then remove the parts, so that an interrupted call can be
    repeated.

    `tables` has the name of the table of each set, and what a row of it is; `origin` is what made the rows, and
    `created` when, if it is to be said.
    """
    for one, (table, about) in zip(sets, tables.items(), strict=False):
        # Imported here, because this needs a library of an extra.
        from fivedice.simulation.described import describe, join_parts

        paths, rows = [part_path(one.folder, index) for index in range(num_parts)], {"table": table, **origin}
        if one.is_file:
            join_parts(paths, one.path, rows)
            paths = [one.path]
        describe(one.description, f"fivedice-{table}", rows, about, paths, created)
    for one in sets:
        if one.is_file:
            shutil.rmtree(one.folder)
        for draft in one.folder.glob(".part-*"):  # which processes that were killed have left
            draft.unlink()


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


def is_written(index: int, folders: Iterable[Path | None]) -> bool:
    """Whether a part is in all of these folders; None stands for no folder."""
    return all(part_path(folder, index).exists() for folder in folders if folder is not None)


Note: TypeAlias = Callable[[int, Any], None]
"""Notes the result of the part with an index."""


@contextmanager
def noted(path: Path | None, identity: dict[str, Any], growing: str = "") -> Iterator[tuple[dict[int, Any], Note]]:
    """The results of finished parts by index, and what notes further ones; without a file, nothing is kept.

    `growing` names a number of the identity that may be smaller in the file: the run is then extended. Raises
    `IllegalError` if the file belongs to another run. A last line that was not completed is ignored.
    """
    if path is None:
        yield {}, lambda part, result: None
        return
    done = _results(path, identity, growing)
    # Written anew, so that no line follows one that was not completed.
    lines = [identity, *({"part": part, "result": result} for part, result in done.items())]
    with whole_file(path) as draft:
        draft.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    with path.open("a", encoding="utf-8") as file:

        def note(part: int, result: Any) -> None:
            file.write(f"{json.dumps({'part': part, 'result': result})}\n")
            file.flush()
            os.fsync(file.fileno())

        yield done, note


def journal_identity(path: Path | None) -> dict[str, Any] | None:
    """What a journal says is run; None if there is no such file, or none of a journal."""
    if path is None:
        return None
    try:
        with path.open(encoding="utf-8") as file:
            known = json.loads(file.readline())
    except (FileNotFoundError, ValueError):
        return None
    return known if isinstance(known, dict) else None


def _results(path: Path, identity: dict[str, Any], growing: str) -> dict[int, Any]:
    """The results in a file that need not exist yet."""
    if not path.exists():
        return {}
    known = journal_identity(path)
    if growing and known and {**known, growing: 0} == {**identity, growing: 0}:
        if known[growing] > identity[growing]:
            raise IllegalError(f"{path} is the journal of {known[growing]:,} {growing}: want as many or more")
    elif known != identity:
        raise IllegalError(f"{path} is the journal of another run: give another place, or remove it")
    _, *lines = path.read_text(encoding="utf-8").split("\n")
    results = map(json.loads, lines[:-1])
    return {one["part"]: one["result"] for one in results}
