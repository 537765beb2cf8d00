"""`migrate`: upgrades a database to the schema of this program, in one transaction.

A program also works in a later schema that has all that it uses, and wants nothing else from it: so two versions of the
program can serve one database, and an upgrade can be taken back.
"""

import logging
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, MetaData, inspect, text

from fivedice.base.errors import IllegalError
from fivedice.storage.schema import MIGRATING, metadata

if TYPE_CHECKING:
    from alembic.config import Config

_log = logging.getLogger(__name__)


def migrate(engine: Engine) -> None:
    """Run all pending migrations in one transaction.

    Raises `IllegalError` if a later program made the database and this one cannot work in its schema, and the driver's
    error if it cannot be written.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
        at, newest = schema_of(connection), newest_schema()
        if at and at.isdigit() and at > newest:
            if found := list(missing(connection, metadata)):
                raise IllegalError(
                    f"the database is at schema {at}, in which this fivedice cannot work: {'; '.join(found)}: use the "
                    "version that made it"
                )
            _log.warning("the database is at schema %s of a later fivedice; this one, of %s, works in it", at, newest)
        elif at != newest:
            upgrade(connection)


def missing(connection: Connection, used: MetaData) -> Iterator[str]:
    """The tables and columns that a program uses and a database lacks, a sentence for each. All else that a later
    migration may change suits an earlier program, too."""
    found = inspect(connection)
    for table in used.sorted_tables:
        if not found.has_table(table.name):
            yield f"there is no table {table.name}"
            continue
        there = {column["name"] for column in found.get_columns(table.name)}
        yield from (f"there is no column {column}" for column in table.columns if column.name not in there)


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the migrations up to a revision in the connection's transaction; raises `IllegalError`."""
    # Imported here: slow, and most servers start on a database that needs no migration.
    from alembic import command
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config, at = alembic_config(connection), schema_of(connection)
    try:
        ScriptDirectory.from_config(config).get_revision(at or "base")
    except CommandError:
        raise IllegalError(
            f"the database is at schema {at}, which this fivedice does not know: use the version that made it"
        ) from None
    command.upgrade(config, to)


def schema_of(connection: Connection) -> str | None:
    """The schema revision of a database; None if it has no schema."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    at: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return at


def newest_schema() -> str:
    """The schema revision of this program: the number in the name of its last migration."""
    steps = files("fivedice.storage.migrations") / "versions"
    return max(file.name for file in steps.iterdir() if file.name.endswith(".py"))[:4]


def alembic_config(connection: Connection) -> "Config":
    """The configuration of Alembic for a connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "fivedice.storage:migrations")
    config.attributes["connection"] = connection
    return config
