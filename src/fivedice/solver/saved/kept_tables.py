"""The folder of solutions, what is kept there, and its limit: tables used longest ago go first."""

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from fivedice.base.errors import IllegalError, MalformedError, shown

VARIABLE = "FIVEDICE_CACHE_MB"
DEFAULT_MB = 2_000


@dataclass(frozen=True)
class Kept:
    """The files about one ruleset, by its digest: their bytes, and when one was last used, in seconds since 1970."""

    digest: str
    files: tuple[Path, ...]
    num_bytes: int
    used: float

    def delete(self) -> None:
        """Delete the files; a process that has opened one keeps it until it ends."""
        for file in self.files:
            with suppress(PermissionError):  # Windows deletes no open file
                file.unlink(missing_ok=True)


def solutions_folder() -> Path:
    """The folder for solutions: in `FIVEDICE_CACHE` if that is set, else in the user's cache folder."""
    chosen = os.environ.get("FIVEDICE_CACHE")
    return (Path(chosen) if chosen else user_cache_path("fivedice", appauthor=False)) / "solutions"


def check_cache() -> None:
    """Raise `IllegalError` unless the folder for solutions can be read, and is there or can be created."""
    folder = solutions_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        list(folder.iterdir())
    except OSError as error:
        raise IllegalError(
            f"the folder for solutions, {folder}, cannot be used ({error.strerror}): set FIVEDICE_CACHE to another one"
        ) from None
    limit_bytes()


def limit_bytes() -> int:
    """The bytes that may be kept: `FIVEDICE_CACHE_MB` megabytes; raises `MalformedError`."""
    text = os.environ.get(VARIABLE, "")
    if text and not text.isdecimal():
        raise MalformedError(f"{VARIABLE}={shown(text)}: want a number of megabytes, such as {DEFAULT_MB}")
    return int(text or DEFAULT_MB) * 10**6


def kept_tables(folder: Path) -> list[Kept]:
    """What is kept in a folder, last used first; drafts and solutions that are not complete are none."""
    found: dict[str, list[tuple[Path, os.stat_result]]] = defaultdict(list)
    for file in _tables(folder):
        with suppress(FileNotFoundError):  # another process has deleted it
            found[file.name.partition("-")[0]].append((file, file.stat()))
    kept = [
        Kept(
            digest,
            tuple(file for file, _ in files),
            sum(stat.st_size for _, stat in files),
            max(stat.st_mtime for _, stat in files),
        )
        for digest, files in found.items()
    ]
    return sorted(kept, key=lambda one: one.used, reverse=True)


def mark_used(table: Path) -> None:
    """Note that a table is in use now."""
    with suppress(OSError):  # a folder that only others may change
        os.utime(table)


def keep_within_limit(folder: Path) -> None:
    """Delete what was used longest ago until the rest is within the limit; what was used last stays in any case.

    What is larger than the limit and than the usual one is not counted: it was solved on disk, which took hours.
    """
    limit, total = limit_bytes(), 0
    for number, kept in enumerate(kept_tables(folder)):
        if kept.num_bytes > max(limit, DEFAULT_MB * 10**6):
            continue
        total += kept.num_bytes
        if number and total > limit:
            kept.delete()


def _tables(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        for file in folder.iterdir():
            if not file.name.startswith(".") and file.suffix not in (".unfinished", ".journal"):
                yield file
