"""`insert_into`: an insertion that knows what to do with a row that is there already, on SQLite and PostgreSQL."""

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Table) -> Any:
    """An insertion with `on_conflict_do_update` and `on_conflict_do_nothing`, which the two dialects spell alike."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
