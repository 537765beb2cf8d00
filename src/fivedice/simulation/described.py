"""`described`: rows that say what they are, in files of Parquet and in a Data Package beside them.

A file has in its metadata what made it, as JSON under `fivedice`, and for each column its description and unit. The
description beside it follows the Data Package standard, version 2 (https://datapackage.org). Only it has a date, so
that the bytes of a file of Parquet depend on its rows and on the versions of the program and of pyarrow alone. All
files are written completely or not at all.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fivedice.base.data_folder import whole_file

STANDARD = "https://datapackage.org/profiles/2.0/datapackage.json"
ORIGIN = b"fivedice"
GROUP_ROWS = 2**20
"""The rows of a group of a joined file, at least."""
OPTIONS: dict[str, Any] = {"compression": "zstd", "version": "2.6"}


@dataclass(frozen=True)
class Column:
    """A column: its name, its values, what they are, and their unit."""

    name: str
    values: Any
    about: str
    unit: str = ""


def described(columns: Iterable[Column], origin: Mapping[str, Any]) -> pa.Table:
    """The columns as a table. Its metadata has their descriptions and units, the version of the program, and
    `origin`: what made the rows, as plain data."""
    listed = list(columns)
    arrays = [column.values if isinstance(column.values, pa.Array) else pa.array(column.values) for column in listed]
    fields = [
        pa.field(column.name, array.type, metadata={"about": column.about, "unit": column.unit})
        for column, array in zip(listed, arrays, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata={ORIGIN: _json(origin)}))


def describe(
    path: Path, name: str, origin: Mapping[str, Any], about: str, paths: Sequence[Path], created: date | None
) -> dict[str, Any]:
    """Write the Data Package of the files of one table, which are in or below the folder of the description, with their
    bytes, hashes, rows and columns; and return it. `origin` names the table, and says what made the rows; `about` says
    what a row is, and `created` when they were made, if it is to be said."""
    files = [each.relative_to(path.parent).as_posix() for each in paths]
    hashes = [f"sha256:{file_hash(each)}" for each in paths]
    one = len(paths) == 1
    resource = {
        "name": origin["table"].lower(),
        "type": "table",
        "path": files[0] if one else files,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "description": about,
        "bytes": sum(each.stat().st_size for each in paths),
        **({"hash": hashes[0]} if one else {"hashes": dict(zip(files, hashes, strict=True))}),
        "rows": sum(pq.read_metadata(each).num_rows for each in paths),
        "schema": {"fields": [_field(field) for field in pq.read_schema(paths[0])]},
    }
    content = {
        "$schema": STANDARD,
        "name": name.lower(),
        **({"created": f"{created.isoformat()}T00:00:00Z"} if created else {}),
        "fivedice": version("fivedice"),
        **origin,
        "resources": [resource],
    }
    with whole_file(path) as draft:
        draft.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return content


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table as one group of rows, with its metadata."""
    with whole_file(path) as draft:
        pq.write_table(table, draft, row_group_size=max(1, table.num_rows), **OPTIONS)


def join_parts(parts: Sequence[Path], path: Path, origin: Mapping[str, Any]) -> None:
    """Join files with the same columns into one; `origin` is what made all rows."""
    schema = pq.read_schema(parts[0]).with_metadata({ORIGIN: _json(origin)})
    with whole_file(path) as draft, pq.ParquetWriter(draft, schema, **OPTIONS) as writer:
        for table in _groups(parts):
            writer.write_table(table.cast(schema), row_group_size=table.num_rows)


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


def file_hash(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _json(origin: Mapping[str, Any]) -> str:
    return json.dumps({"version": version("fivedice"), **origin}, ensure_ascii=False)


def _field(field: pa.Field) -> dict[str, Any]:
    about = {key.decode(): text.decode() for key, text in (field.metadata or {}).items()}
    values = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    return {
        "name": field.name,
        "type": _standard_type(values),
        "description": about.get("about", ""),
        **({"unit": about["unit"]} if about.get("unit") else {}),
        "arrow_type": str(values),
    }


def _standard_type(values: pa.DataType) -> str:
    """The type of the standard for values of an Arrow type."""
    if pa.types.is_boolean(values):
        return "boolean"
    if pa.types.is_integer(values):
        return "integer"
    if pa.types.is_floating(values):
        return "number"
    return "string" if pa.types.is_string(values) else "any"
