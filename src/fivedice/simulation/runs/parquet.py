"""Files of Parquet: a table that is written at once, and the files of parts that are joined into one.

The bytes of a file depend on its rows, on what its metadata says, and on the version of the library alone.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fivedice.simulation.runs.described import with_origin

GROUP_ROWS = 2**20
"""The rows of a group of a joined file, at least."""

OPTIONS: dict[str, Any] = {"compression": "zstd", "version": "2.6"}


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table as one group of rows, completely or not at all. Its metadata is written, too."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        pq.write_table(table, draft, row_group_size=max(1, table.num_rows), **OPTIONS)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def join_parts(parts: Sequence[Path], path: Path, origin: Mapping[str, Any]) -> None:
    """Join files with the same columns into one, completely or not at all; `origin` is what made all rows."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    schema = with_origin(pq.read_schema(parts[0]), origin)
    try:
        with pq.ParquetWriter(draft, schema, **OPTIONS) as writer:
            for table in _groups(parts):
                writer.write_table(table.cast(schema), row_group_size=table.num_rows)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _groups(parts: Sequence[Path]) -> Iterator[pa.Table]:
    """The rows in groups, which depend on the parts alone."""
    waiting: list[pa.Table] = []
    for part in parts:
        waiting.append(pq.read_table(part))
        if sum(table.num_rows for table in waiting) >= GROUP_ROWS:
            yield pa.concat_tables(waiting).unify_dictionaries().combine_chunks()
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting).unify_dictionaries().combine_chunks()
