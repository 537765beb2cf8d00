"""An archive: the contents of a database as lines of JSON, independent of the kind of database.

The first line gives the format and the schema. Then, for each database table, one line names its columns, and each row
is a line of their values in the same order; bytes are in base64. The last line has the number of rows and the SHA-256
of all lines before it, which reveals a truncated or modified archive.
"""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, LargeBinary, MetaData, Table, select
from sqlalchemy.schema import DropTable

from fivedice.errors import IllegalError, MalformedError
from fivedice.storage.migrate import newest_schema, upgrade
from fivedice.storage.schema import metadata, trusted_time, uptime

BATCH = 1_000
"""Rows read or written at a time."""

SCHEMA_TABLE = "alembic_version"


class Header(msgspec.Struct, frozen=True, tag="fivedice backup", tag_field="what"):
    """The first line."""

    schema: str
    format: int = 1


class Columns(msgspec.Struct, frozen=True, tag="table", tag_field="what"):
    """The line before the rows of a database table: its name, its columns, and which of them are bytes."""

    table: str
    columns: list[str]
    bytes: list[str]


class End(msgspec.Struct, frozen=True, tag="end", tag_field="what"):
    """The last line."""

    rows: int
    sha256: str


_encode = msgspec.json.Encoder().encode
_header = msgspec.json.Decoder(Header)
_line: msgspec.json.Decoder[Columns | End | list[Any]] = msgspec.json.Decoder(Columns | End | list[Any])


def archive_lines(connection: Connection) -> Iterator[bytes]:
    """The archive of a database at this program's schema, as seen by the connection's transaction."""
    digest, count = hashlib.sha256(), 0
    for line in _content(connection):
        digest.update(line)
        count += line.startswith(b"[")
        yield line
    yield _encode(End(count, digest.hexdigest())) + b"\n"


def restore_lines(connection: Connection, lines: Iterable[bytes]) -> int:
    """Replace the contents of a database by those of an archive, migrate it to this program's schema, and return the
    number of rows.

    Raises `MalformedError` or `IllegalError`; the caller must then roll the transaction back.
    """
    numbered = enumerate(lines, 1)
    digest = hashlib.sha256()
    _begin(connection, numbered, digest)
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in metadata.tables)
    table: Columns | None = None
    rows: list[dict[str, object]] = []
    count = 0
    for number, line in numbered:
        match _decode(number, line):
            case End() as end:
                _insert(connection, found, table, rows)
                _check_end(end, count, digest.hexdigest(), next(numbered, None))
                upgrade(connection)
                return count
            case Columns() as columns:
                _insert(connection, found, table, rows)
                rows = []
                table = _checked(columns, found, number)
            case values:
                if table is None or len(values) != len(table.columns):
                    raise MalformedError(f"line {number} of the backup is not a row of its table")
                count += 1
                rows.append(_row(table, values, number))
                if len(rows) == BATCH:
                    _insert(connection, found, table, rows)
                    rows = []
        digest.update(line)
    raise MalformedError(f"the backup is truncated after {count:,} rows: its last line is missing")


def is_empty(connection: Connection) -> bool:
    """Whether a database at this program's schema holds no data; rows about uptime do not count."""
    with_data = (table for table in metadata.sorted_tables if table not in (uptime, trusted_time))
    return all(connection.execute(select(table).limit(1)).first() is None for table in with_data)


def _content(connection: Connection) -> Iterator[bytes]:
    yield _encode(Header(schema=newest_schema())) + b"\n"
    for table in metadata.sorted_tables:
        names = [str(column.name) for column in table.columns]
        in_bytes = [str(column.name) for column in table.columns if isinstance(column.type, LargeBinary)]
        yield _encode(Columns(str(table.name), names, in_bytes)) + b"\n"
        # In the order of the primary key, so that the same contents give the same archive.
        wanted = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=BATCH)
        for row in connection.execute(wanted):
            yield _encode([b64encode(value).decode() if isinstance(value, bytes) else value for value in row]) + b"\n"


def _begin(connection: Connection, numbered: Iterator[tuple[int, bytes]], digest: Any) -> None:
    """Read the first line and create an empty database of its schema."""
    _, line = next(numbered, (0, b""))
    try:
        header = _header.decode(line)
    except msgspec.DecodeError:
        raise MalformedError("this is not a fivedice backup: its first line is not that of one") from None
    if header.format != 1 or header.schema > newest_schema():
        raise IllegalError(
            f"the backup is of schema {header.schema}, which this fivedice does not know: use the version that made it"
        )
    digest.update(line)
    # By name: the database may have tables that are not fivedice's.
    metadata.drop_all(connection)
    connection.execute(DropTable(Table(SCHEMA_TABLE, MetaData()), if_exists=True))
    upgrade(connection, header.schema)


def _decode(number: int, line: bytes) -> Columns | End | list[Any]:
    try:
        return _line.decode(line)
    except msgspec.DecodeError as error:
        raise MalformedError(f"line {number} of the backup cannot be read: {error}") from None


def _checked(columns: Columns, found: MetaData, number: int) -> Columns:
    table = found.tables.get(columns.table)
    if table is None or not set(columns.columns) <= set(table.columns.keys()):
        raise MalformedError(f"line {number} of the backup names a table or a column that its schema does not have")
    return columns


def _row(table: Columns, values: list[Any], number: int) -> dict[str, object]:
    row = dict(zip(table.columns, values, strict=True))
    try:
        for name in table.bytes:
            row[name] = None if row[name] is None else b64decode(row[name], validate=True)
    except (KeyError, TypeError, ValueError):
        raise MalformedError(f"line {number} of the backup: its bytes are not valid base64") from None
    return row


def _insert(connection: Connection, found: MetaData, table: Columns | None, rows: list[dict[str, object]]) -> None:
    if table is not None and rows:
        connection.execute(found.tables[table.table].insert(), rows)


def _check_end(end: End, count: int, digest: str, after: object) -> None:
    if after is not None:
        raise MalformedError("the backup continues after its last line")
    if (end.rows, end.sha256) != (count, digest):
        raise MalformedError(
            f"the backup was modified or damaged: it has {count:,} of {end.rows:,} rows, or another checksum"
        )
