"""Saved tables: their folder, its limit, and how one is read without NumPy, by a command that needs only a few values.

A file is a header of 4,096 bytes (JSON, padded with spaces, so that `head -c 4096` shows it) and a table of
little-endian float64. A checksum of the table detects damage. `store` writes the files. Of a folder that has become too
large, the tables used longest ago go first.
"""

import json
import mmap
import os
import zlib
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from fivedice.base.errors import IllegalError, MalformedError, shown
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import States

FORMAT = 1
"""Increases when the header or the layout of the table changes."""

HEADER_BYTES = 4_096


class UnusableSolutionError(ValueError):
    """A saved file is truncated, damaged, or of other rules; the message says which."""


def file_stem(ruleset: Ruleset) -> str:
    """What the names of all files about these rules begin with."""
    return f"{ruleset.digest}-{FORMAT}"


SHIPPED = Path(__file__).parent / "shipped"
"""The folder of what comes with the program: approximate solutions and scores."""

MOST_PLAYED = ("yahtzee", "yatzy", "kniffel", "yahtzee_free", "generala")
"""The rulesets of which a server finds values first."""


def has_approximation(ruleset: Ruleset, learned_in: Path | None = None) -> bool:
    """Whether an approximate solution of these rules comes with the program, or has been learned in a folder."""
    name = f"{file_stem(ruleset)}.approximate"
    # The program for browsers is an archive, in which such files are empty.
    shipped = files("fivedice.solver.saved").joinpath("shipped", name)
    return shipped.is_file() or (learned_in is not None and os.path.exists(learned_in / name))


class Layout(NamedTuple):
    """What a file holds beside the digest of its rules: the `header` that is required, the types of the `varying` rest
    of it, and the number of values; without one, the header has it as `scores`."""

    header: dict[str, object]
    varying: dict[str, type]
    num_values: int | None


def solution_layout(states: States) -> Layout:
    """The layout of a solution."""
    return Layout({"entries": states.num_entries}, {"turn_states": int, "seconds": float}, states.num_entries)


def header_of(ruleset: Ruleset, title: str, layout: Layout) -> dict[str, object]:
    """The header of a file about these rules, without the values that vary."""
    return {"fivedice": title, "format": FORMAT, "digest": ruleset.digest} | layout.header


def read_values(states: States, folder: Path) -> "tuple[dict[str, Any], memoryview[float]] | None":
    """The header and the memory-mapped values, by turn-state index, of a saved solution; None if there is none.

    Raises `UnusableSolutionError` if the file is not that of a solution.
    """
    path, layout = folder / f"{file_stem(states.ruleset)}.solution", solution_layout(states)
    return read_table(path, header_of(states.ruleset, "solution", layout), layout)


def read_table(
    path: Path, expected: dict[str, object], layout: Layout
) -> "tuple[dict[str, Any], memoryview[float]] | None":
    """The header and the memory-mapped float64[n] of a file; None if there is no file.

    `expected` has the required values of the whole header. A checksum is compared by reading the whole file.
    Raises `UnusableSolutionError` if the file is not one that was saved so.
    """
    try:
        with path.open("rb") as file:
            header = _header(file.read(HEADER_BYTES), layout.varying)
            if header is None:
                raise UnusableSolutionError(f"{path} does not start with the header of a saved {expected['fivedice']}")
            wanted = HEADER_BYTES + 8 * (header["scores"] if layout.num_values is None else layout.num_values)
            size = os.fstat(file.fileno()).st_size
            if size != wanted:
                raise UnusableSolutionError(
                    f"{path} has {size:,} bytes, not {wanted:,}: it is truncated or of other rules"
                )
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableSolutionError(f"{path} cannot be read: {error.strerror}") from None
    different = [key for key in expected if header.get(key) != expected[key]]
    if different:
        raise UnusableSolutionError(f"{path} is of other rules or another version: its {different[0]} differs")
    table = memoryview(mapped)[HEADER_BYTES:]
    if header.get("crc") != zlib.crc32(table):
        raise UnusableSolutionError(f"{path} is damaged: its checksum does not match")
    return header, table.cast("d")


def _header(data: bytes, kinds: dict[str, type]) -> dict[str, Any] | None:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if isinstance(header, dict) and all(type(header.get(key)) is kind for key, kind in kinds.items()):
        return header
    return None


VARIABLE = "FIVEDICE_CACHE_MB"
DEFAULT_MB = 2_000


@dataclass(frozen=True)
class Kept:
    """The files about one ruleset, by its digest: their bytes, and when one was last used, in seconds since 1970."""

    digest: str
    files: tuple[Path, ...]
    num_bytes: int
    used: float


def solutions_folder() -> Path:
    """The folder for solutions: in `FIVEDICE_CACHE` if that is set, else in the user's cache folder."""
    # Imported here because browsers have no such folder, nor this library.
    from platformdirs import user_cache_path

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
    for file in folder.iterdir() if folder.is_dir() else ():
        if not file.name.startswith(".") and file.suffix != ".unfinished":
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

    What is larger than the limit and than the usual one is not counted: it took long to find.
    """
    limit, total = limit_bytes(), 0
    for number, kept in enumerate(kept_tables(folder)):
        if kept.num_bytes > max(limit, DEFAULT_MB * 10**6):
            continue
        total += kept.num_bytes
        if number and total > limit:
            for file in kept.files:  # a process that has opened one keeps it until it ends
                with suppress(PermissionError):  # Windows deletes no open file
                    file.unlink(missing_ok=True)
