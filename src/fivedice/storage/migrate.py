"""`migrate`: brings a database forward to the schema of this program, whole or not at all."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, text

from fivedice.errors import IllegalError

_LOCK = 0x66_69_76_65
"""The advisory lock under which PostgreSQL lets one of several starting servers migrate ("five")."""


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not seen, in one transaction.

    Raises `IllegalError` if the database was made by a later program, and the driver's error if it cannot be written.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config = _config(connection)
        scripts = ScriptDirectory.from_config(config)
        at = MigrationContext.configure(connection).get_current_revision()
        if at == scripts.get_current_head():
            return
        try:
            scripts.get_revision(at or "base")
        except CommandError:
            raise IllegalError(
                f"the database is at schema {at}, which this fivedice does not know: use the one that made it"
            ) from None
        command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", "fivedice.storage:migrations")
    config.attributes["connection"] = connection
    return config
