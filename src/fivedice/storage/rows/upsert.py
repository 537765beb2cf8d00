"""`insert_into`: an INSERT that can handle conflicts, on SQLite and PostgreSQL."""

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Table) -> Any:
    """An INSERT with `on_conflict_do_update` and `on_conflict_do_nothing`, which both dialects have."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
