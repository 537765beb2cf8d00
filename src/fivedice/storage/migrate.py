"""`migrate`: upgrades a database to the schema of this program, in one transaction.

A program also works in a later schema that has all that it uses, and wants nothing else from it: so two versions of the
program can serve one database, and an upgrade can be taken back.
"""

import logging
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

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
            if found := list(obstacles(connection, metadata)):
                raise IllegalError(
                    f"the database is at schema {at}, in which this fivedice cannot work: {'; '.join(found)}: use the "
                    "version that made it"
                )
            _log.warning("the database is at schema %s of a later fivedice; this one, of %s, works in it", at, newest)
        elif at != newest:
            upgrade(connection)


def obstacles(connection: Connection, used: MetaData) -> Iterator[str]:
    """Why a program that uses these tables cannot work in the schema of a database, a sentence for each reason."""
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    for change in compare_metadata(MigrationContext.configure(connection), used):
        for step in change if isinstance(change, list) else [change]:
            if reason := _obstacle(step, used):
                yield reason


def _obstacle(step: tuple[Any, ...], used: MetaData) -> str:
    """Why a program cannot work without a step that Alembic would take towards its schema; empty if it can.

    What such a step would add is missing, and what it would remove is of a later program.
    """
    match step:
        case ("add_table", table):
            return f"there is no table {table.name}"
        case ("add_column", _, table, column):
            return f"there is no column {table}.{column.name}"
        case ("modify_type", _, table, column, *_):
            return f"{table}.{column} has another type"
        case ("modify_nullable", _, table, column, _, False, True):
            return f"{table}.{column} must have a value"
        case ("remove_column", _, table, column) if not column.nullable and column.server_default is None:
            return f"{table}.{column.name} must have a value"
        case ("add_index" | "add_constraint", rule) if getattr(rule, "unique", True):
            return f"{rule.name} is no longer unique"
        case ("remove_index" | "remove_constraint", rule) if getattr(rule, "unique", True):
            return f"{rule.name} must be unique"
        case ("remove_fk", key):
            return f"{key.table.name} must refer to {key.referred_table.name}"
        case ("remove_table", later):
            for key in later.foreign_key_constraints:
                if key.referred_table.name in used.tables and key.ondelete != "CASCADE":
                    return f"rows to which {later.name} refers cannot be deleted"
    return ""


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
    """What Alembic needs to migrate by a connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "fivedice.storage:migrations")
    config.attributes["connection"] = connection
    return config
