"""`migrate`: upgrades a database to the schema of this program, in one transaction."""

from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from fivedice.errors import IllegalError
from fivedice.storage.schema import MIGRATING

if TYPE_CHECKING:
    from alembic.config import Config


def migrate(engine: Engine) -> None:
    """Run all pending migrations in one transaction.

    Raises `IllegalError` if a later program made the database, and the driver's error if it cannot be written.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
        if schema_of(connection) != newest_schema():
            upgrade(connection)


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the migrations up to a revision in the connection's transaction; raises `IllegalError`."""
    # Imported here: slow, and most servers start on a database that needs no migration.
    from alembic import command
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config, at = _config(connection), schema_of(connection)
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


def _config(connection: Connection) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "fivedice.storage:migrations")
    config.attributes["connection"] = connection
    return config
