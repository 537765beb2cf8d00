"""`migrate`: brings a database forward to the schema of this program, whole or not at all."""

from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from fivedice.errors import IllegalError

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x66_69_76_65
"""The advisory lock under which PostgreSQL lets one of several starting servers migrate ("five")."""


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not seen, in one transaction.

    Raises `IllegalError` if the database was made by a later program, and the driver's error if it cannot be written.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        if schema_of(connection) != newest_schema():
            upgrade(connection)


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the migrations up to a schema, within the transaction of a connection; raises `IllegalError`."""
    # Imported here: most servers start on a database that needs none of it.
    from alembic import command
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config, at = _config(connection), schema_of(connection)
    try:
        ScriptDirectory.from_config(config).get_revision(at or "base")
    except CommandError:
        raise IllegalError(
            f"the database is at schema {at}, which this fivedice does not know: use the one that made it"
        ) from None
    command.upgrade(config, to)


def schema_of(connection: Connection) -> str | None:
    """The schema that a database is at; None if it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    at: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return at


def newest_schema() -> str:
    """The schema of this program: the number in the name of its last migration."""
    steps = files("fivedice.storage.migrations") / "versions"
    return max(file.name for file in steps.iterdir() if file.name.endswith(".py"))[:4]


def _config(connection: Connection) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "fivedice.storage:migrations")
    config.attributes["connection"] = connection
    return config
