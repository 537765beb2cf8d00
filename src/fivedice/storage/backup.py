"""`backup` and `restore`: a database as one file, which can be restored into either kind of database.

The file is an archive: lines of JSON, compressed if its name ends in `.gz`. The first line gives the format and the
schema. Then, for each database table, one line names its columns, and each row is a line of their values in the same
order; bytes are in base64. The last line has the number of rows and the SHA-256 of all lines before it, which reveals
a truncated or modified archive.
"""

import errno
import gzip
import hashlib
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, LargeBinary, MetaData, Table, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import DropTable

from fivedice.base.data_folder import PRIVATE_FILE, whole_file
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.storage.engine.database import Database
from fivedice.storage.migrate import newest_schema, upgrade
from fivedice.storage.schema import SERVING, is_alone, metadata, server

BATCH = 1_000
"""Rows read or written at a time."""

SCHEMA_TABLE = "alembic_version"


class Header(msgspec.Struct, frozen=True, tag="fivedice backup", tag_field="what"):
    """The first line."""

    schema: str
    format: int = 1


class Columns(msgspec.Struct, frozen=True, tag="table", tag_field="what"):
    """The line before the rows of a database table: its name and its columns."""

    table: str
    columns: list[str]


class End(msgspec.Struct, frozen=True, tag="end", tag_field="what"):
    """The last line."""

    rows: int
    sha256: str


_encode = msgspec.json.Encoder().encode
_line: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Header | Columns | End | list[Any])


def _checked(lines: Iterator[bytes]) -> str:
    """Check that an archive is whole, before anything of it is loaded, and return its schema.

    Raises `MalformedError`, or `IllegalError` for a schema that this program does not know.
    """
    first, digest, rows = next(lines, b""), hashlib.sha256(), 0
    try:
        header = msgspec.json.decode(first, type=Header)
    except msgspec.DecodeError:
        raise MalformedError("this is not a fivedice backup: its first line is not that of one") from None
    if header.format != 1 or header.schema > newest_schema():
        raise IllegalError(
            f"the backup is of schema {header.schema}, which this fivedice does not know: use the version that made it"
        )
    last = first
    for line in lines:
        digest.update(last)
        rows += line.startswith(b"[")
        last = line
    try:
        end = msgspec.json.decode(last, type=End)
    except msgspec.DecodeError:
        raise MalformedError(f"the backup is truncated after {rows:,} rows: its last line is missing") from None
    if (end.rows, end.sha256) != (rows, digest.hexdigest()):
        raise MalformedError(f"the backup was modified or damaged: it has {rows:,} rows, or another checksum")
    return header.schema


def _load(connection: Connection, lines: Iterable[bytes], schema: str) -> int:
    """Replace the contents of a database by those of a whole archive, migrate it to this program's schema, and return
    the number of rows."""
    # By name: the database may have tables that are not fivedice's.
    metadata.drop_all(connection)
    connection.execute(DropTable(Table(SCHEMA_TABLE, MetaData()), if_exists=True))
    upgrade(connection, schema)
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in metadata.tables)
    table, columns, rows, num_rows = found.tables[server.name], list[str](), list[dict[str, object]](), 0
    for one in map(_line.decode, lines):
        if rows and (len(rows) == BATCH or not isinstance(one, list)):
            connection.execute(table.insert(), rows)
            num_rows, rows = num_rows + len(rows), []
        if isinstance(one, Columns):
            table, columns = found.tables[one.table], one.columns
        elif isinstance(one, list):
            row = dict(zip(columns, one, strict=True))
            binary = (name for name in columns if isinstance(table.c[name].type, LargeBinary))
            rows.append(row | {name: b64decode(row[name]) for name in binary if row[name] is not None})
    upgrade(connection)
    return num_rows


def _is_empty(connection: Connection) -> bool:
    """Whether a database at this program's schema holds no data; what a server stores at its start is none."""
    with_data = (table for table in metadata.sorted_tables if table is not server)
    return all(connection.execute(select(table).limit(1)).first() is None for table in with_data)


def _content(connection: Connection) -> Iterator[bytes]:
    yield _encode(Header(schema=newest_schema())) + b"\n"
    for table in metadata.sorted_tables:
        yield _encode(Columns(str(table.name), [str(column.name) for column in table.columns])) + b"\n"
        # In the order of the primary key, so that the same contents give the same archive.
        wanted = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=BATCH)
        for row in connection.execute(wanted):
            yield _encode([b64encode(value).decode() if isinstance(value, bytes) else value for value in row]) + b"\n"


COMPRESSED = ".gz"
"""The suffix of a compressed file."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def backup(url: str, path: Path, *, replace: bool = False) -> int:
    """Write a consistent snapshot of a database to a file and return the number of rows. Servers may be running.

    The file is renamed into place once it is complete and on disk. Only its owner can read it, since it contains the
    secrets of dice. A file that exists is kept unless `replace` is set.

    Raises `FileExistsError` and any other `OSError` if the file cannot be written, `IllegalError`, `UnavailableError`.
    """
    if path.exists() and not replace:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))  # before a long snapshot
    database = Database(url, changes=False)
    try:
        with _whole(path, replace=replace) as out:
            return database.snapshot(lambda connection: _write(connection, out))
    finally:
        database.close()


def restore(url: str, path: Path, *, replace: bool = False) -> int:
    """Restore a file that `backup` wrote into a database, in one transaction, and return the number of rows.

    Raises `IllegalError` if a server uses the database, or if it is not empty and `replace` is not set;
    `MalformedError` if the file is not a complete backup; `UnavailableError`; `OSError` if the file cannot be read.
    """
    with gzip.open(path) if path.suffix == COMPRESSED else path.open("rb") as lines:
        try:
            schema = _checked(iter(lines))  # before a database is created
            lines.seek(0)
            database = Database(url, serves=True, may_lack_events=True)
            try:
                rows = database.write(lambda connection: _restore(connection, lines, schema, replace=replace)).result()
                database.forget_missing_events()
                return rows
            finally:
                database.close()
        except IntegrityError as error:
            raise MalformedError(f"the backup is inconsistent: {error.orig}") from None
        except KeyError as error:
            raise MalformedError(f"the backup has a table or a column that its schema has not: {error}") from None
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise MalformedError(f"the backup cannot be unpacked: {error}") from None


def _restore(connection: Connection, lines: Iterable[bytes], schema: str, *, replace: bool) -> int:
    # Then no process can start to serve it until this transaction ends. A SQLite file has a lock of its own.
    if not is_alone(connection, SERVING):
        raise IllegalError("a server uses this database: stop it first")
    if not replace and not _is_empty(connection):
        raise IllegalError(
            "this database is not empty: restore into a new one, or with `replace`, which deletes its contents"
        )
    return _load(connection, lines, schema)


def _write(connection: Connection, out: BinaryIO) -> int:
    """Write the archive of a database at this program's schema, as the connection's transaction sees it."""
    digest, rows = hashlib.sha256(), 0
    for line in _content(connection):
        digest.update(line)
        rows += line.startswith(b"[")
        out.write(line)
    out.write(_encode(End(rows, digest.hexdigest())) + b"\n")
    return rows


@contextmanager
def _whole(path: Path, *, replace: bool) -> Iterator[BinaryIO]:
    """A file for its owner that is there, and synced to disk, only if the block succeeds."""
    with whole_file(path) as draft:
        with os.fdopen(os.open(draft, _NEW, PRIVATE_FILE), "wb") as raw:
            if path.suffix == COMPRESSED:
                with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
                    yield packed  # type: ignore[misc]
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        if path.exists() and not replace:  # another has come into being there
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    if os.name == "posix":
        opened = os.open(path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
