"""What is stored about a holder: the rows of all tables that name holders, for an export."""

from typing import Any

from sqlalchemy import Connection, LargeBinary, select

from fivedice.storage.schema import metadata

_ELSEWHERE = ("records", "lessons")
"""Tables of which an export has the contents in a better form, or that say nothing without it."""

_INTERNAL = ("holder", "other", "owner", "skeleton", "key", "auth")
"""Columns with ids of holders, and with what belongs to a browser alone. Binary columns are keys and hashes."""


def own_data(connection: Connection, holder: str) -> dict[str, list[dict[str, Any]]]:
    """Table → the holder's rows in it, by columns; tables without any are left out. Times are seconds since 1970."""
    found: dict[str, list[dict[str, Any]]] = {}
    for table in metadata.sorted_tables:
        if "holder" not in table.c or table.name in _ELSEWHERE:
            continue
        columns = [one for one in table.c if one.name not in _INTERNAL and not isinstance(one.type, LargeBinary)]
        rows = connection.execute(select(*columns).where(table.c.holder == holder)).mappings() if columns else ()
        if own := [dict(row) for row in rows]:
            found[table.name] = own
    return found
