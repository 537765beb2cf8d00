"""Texts of custom rules: each is stored once, for all tables and records that use it, and deleted with the last."""

from sqlalchemy import select

from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.records import StoredRecord, import_records, records_of
from fivedice.storage.rows.rulesets import delete_unused_rulesets, ruleset_text
from fivedice.storage.rows.tables import create_table, load_logs, load_table
from fivedice.storage.schema import records, rulesets, tables

TOML, OTHER = 'id = "house"\n', 'id = "other"\n'


def create(database: Database, table: str, toml: str = "") -> None:
    first = StoredEvent(table, 1, "created", 1.0, "{}")
    database.write(lambda c: create_table(c, bytes(32), first, [], toml)).result()


def stored_texts(database: Database) -> list[str]:
    return sorted(database.read(lambda c: c.execute(select(rulesets.c.toml)).scalars().all()))


def test_tables_and_records_share_one_text(database: Database) -> None:
    for table, toml in (("one", TOML), ("two", TOML), ("three", OTHER), ("four", "")):
        create(database, table, toml)
    ann = database.write(lambda c: known_holder(c, "key", 1.0)).result()
    games = [StoredRecord("a game\n", None, 1.0, TOML), StoredRecord("a shipped game\n", None, 1.0)]
    assert database.write(lambda c: import_records(c, ann, games)).result() == 2
    assert stored_texts(database) == [TOML, OTHER]
    logs = database.read(lambda c: load_logs(c, ["one", "two", "three", "four"]))
    for table, toml in (("one", TOML), ("two", TOML), ("three", OTHER), ("four", "")):
        stored = database.read(lambda c, table=table: load_table(c, table))  # type: ignore[misc]
        assert stored is not None
        assert (stored.toml, logs[table].toml) == (toml, toml)
        assert database.read(lambda c, table=table: ruleset_text(c, table)) == toml  # type: ignore[misc]
    assert sorted(record.toml for record in database.read(lambda c: records_of(c, ann))) == ["", TOML]


def test_a_record_has_the_same_key_with_its_rules_inside_and_apart() -> None:
    whole = StoredRecord('a game\n\nrules:\n  id = "house"\n', None, 1.0)
    assert StoredRecord("a game\n", None, 1.0, TOML).hash == whole.hash


def test_only_texts_that_nothing_refers_to_are_deleted(database: Database) -> None:
    create(database, "one", TOML)
    create(database, "two", OTHER)
    ann = database.write(lambda c: known_holder(c, "key", 1.0)).result()
    database.write(lambda c: import_records(c, ann, [StoredRecord("a game\n", None, 1.0, OTHER)])).result()

    def forget() -> int:
        return database.write(lambda c: delete_unused_rulesets(c, 10)).result()

    assert forget() == 0
    database.write(lambda c: c.execute(tables.update().values(ruleset=None))).result()
    assert (forget(), stored_texts(database)) == (1, [OTHER])
    database.write(lambda c: c.execute(records.delete())).result()
    assert (forget(), stored_texts(database)) == (1, [])
