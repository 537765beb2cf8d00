"""Texts of custom rules, each stored once. Tables and records refer to them by their SHA-256."""

from collections.abc import Collection

from sqlalchemy import Connection, delete, exists, select

from fivedice.rulesets.compact import text_hash
from fivedice.storage.schema import grades, insert_into, records, rulesets, streams


def keep_ruleset(connection: Connection, toml: str) -> bytes | None:
    """The reference to a text, which is stored if it is new; None without a text."""
    if not toml:
        return None
    hash = text_hash(toml)
    # Locked on PostgreSQL, so that no other process deletes it as unused before this transaction refers to it.
    known = select(rulesets.c.hash).where(rulesets.c.hash == hash).with_for_update(read=True, key_share=True)
    if connection.execute(known).first() is None:
        connection.execute(insert_into(connection, rulesets).values(hash=hash, toml=toml).on_conflict_do_nothing())
    return hash


def ruleset_texts(connection: Connection, hashes: Collection[bytes]) -> dict[bytes, str]:
    """The texts with these references."""
    rows = connection.execute(select(rulesets.c.hash, rulesets.c.toml).where(rulesets.c.hash.in_(hashes)))
    return {bytes(hash): toml for hash, toml in rows}


def delete_unused_rulesets(connection: Connection, limit: int) -> int:
    """Delete up to `limit` texts that no table and no record refers to; returns their number.

    On PostgreSQL it raises `IntegrityError`, and deletes nothing, if another process is just using one of them.
    """
    is_unused = [~exists().where(table.c.ruleset == rulesets.c.hash) for table in (streams, records, grades)]
    some = select(rulesets.c.hash).where(*is_unused).limit(limit)
    return connection.execute(delete(rulesets).where(rulesets.c.hash.in_(some))).rowcount
