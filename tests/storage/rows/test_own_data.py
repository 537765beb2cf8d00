"""What belongs to a holder: all of it moves to another one, and all of it is erased."""

import secrets
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary, String, Table, func, insert, select, update

from fivedice.storage.engine.database import Database
from fivedice.storage.rows.own_data import OWN, erase_holder, move_in, own_data
from fivedice.storage.schema import blocks, holders, metadata, streams, tries


def test_every_column_that_can_name_a_holder_is_known() -> None:
    ids = {str(one) for table in metadata.sorted_tables for one in table.c if _size(one) == 32}
    assert ids - {"holders.id"} == {str(one) for one in OWN} | {"open_seats.id", "tries.id"}


def _size(column: Column[Any]) -> int | None:
    return column.type.length if isinstance(column.type, String) else None


def row(table: Table, own: Column[Any], holder: str) -> dict[str, object]:
    """A row of a table with a holder in a column, and with whatever else it must have."""
    found: dict[str, object] = {own.name: holder}
    for one in table.c:
        to = next((key.column for key in one.foreign_keys), None)
        if one is own or one.nullable:
            continue
        if to is not None:
            found[one.name] = "table" if to.table is streams else "other"
        else:
            kinds = {LargeBinary: secrets.token_bytes(32), Boolean: False, Integer: 1, Float: 1.0}
            new = next((value for kind, value in kinds.items() if isinstance(one.type, kind)), None)
            found[one.name] = secrets.token_hex(4)[: _size(one)] if new is None else new
    return found


RATING = {"mean": 25.0, "deviation": 2.0, "games": 3}


def held(database: Database, holder: str) -> dict[str, object]:
    """What the row of a holder has besides its times, as far as it is not null."""
    wanted = select(holders).where(holders.c.id == holder)
    found = database.read(lambda c: c.execute(wanted).mappings().one())
    return {name: value for name, value in found.items() if name not in ("id", "created", "seen") and value is not None}


@pytest.fixture
def filled(database: Database) -> Database:
    """A database in which `ann` has a row in every column that names a holder, `ben` has none, and there is `other`."""

    def fill(connection: Any) -> None:
        at = {"created": 1.0, "seen": 1.0}
        connection.execute(insert(holders), [{"id": id} | at for id in ("ann", "ben", "other")])
        account = {"name": "Ann", "skeleton": "ann", "code": b"code", **RATING}
        connection.execute(update(holders).where(holders.c.id == "ann").values(account))
        connection.execute(insert(streams).values(id="table", kind="table", secret=b"s", created=1.0, active=1.0))
        for own in OWN:
            connection.execute(insert(own.table).values(row(own.table, own, "ann")))

    database.write(fill).result()
    return database


def named(database: Database, holder: str) -> set[str]:
    def read(connection: Any) -> set[str]:
        count = select(func.count())
        return {str(own) for own in OWN if connection.execute(count.where(own == holder)).scalar()}

    return database.read(read)


SIGNING_IN = ("keys", "passkeys")


def test_signing_in_moves_everything_but_what_signs_in(filled: Database) -> None:
    assert filled.write(lambda c: move_in(c, "ann", "ben")).result() == [("table", 1)]
    assert named(filled, "ben") == {str(own) for own in OWN if own.table.name not in SIGNING_IN}
    assert named(filled, "ann") == {"passkeys.holder"}, "no key leads there any more"
    assert held(filled, "ben") == RATING


def test_what_both_have_stays_as_the_other_has_it(filled: Database) -> None:
    once = [own for own in OWN if own.table.name not in ("one_time_secrets", "reminders", "open_seats", *SIGNING_IN)]

    def give(connection: Any) -> None:
        for own in once:
            mine = connection.execute(select(own.table).where(own == "ann")).mappings().first()
            connection.execute(
                insert(own.table).values({**mine, own.name: "ben"} | ({"id": "x"} if "id" in mine else {}))
            )

    filled.write(give).result()
    filled.write(lambda c: move_in(c, "ann", "ben")).result()
    counts = [select(func.count()).where(own == "ben") for own in once]
    assert filled.read(lambda c: [c.execute(one).scalar() for one in counts]) == [1] * len(once)
    assert named(filled, "ann") == {"passkeys.holder", "tries.holder"}, "no rank changes"


def test_nobody_blocks_themselves_after_signing_in(database: Database) -> None:
    def fill(connection: Any) -> None:
        connection.execute(insert(holders), [{"id": id, "created": 1.0, "seen": 1.0} for id in ("ann", "ben")])
        pairs = [("ann", "ben"), ("ben", "ann")]
        rows = [{"holder": one, "other": other, "name": "x", "since": 1.0} for one, other in pairs]
        connection.execute(insert(blocks), rows)

    database.write(fill).result()
    database.write(lambda c: move_in(c, "ann", "ben")).result()
    assert database.read(lambda c: c.execute(select(blocks)).all()) == []


def test_erasing_leaves_tries_without_a_name_and_the_key_that_keeps_them_once(filled: Database) -> None:
    assert set(filled.read(lambda c: own_data(c, "ann"))) >= {"holders", "blocks", "tries"}
    filled.write(lambda c: erase_holder(c, "ann", 2.0)).result()
    assert named(filled, "ann") == {"tries.holder", "keys.holder"}
    assert held(filled, "ann") == {}
    filled.write(lambda c: c.execute(tries.delete())).result()
    filled.write(lambda c: erase_holder(c, "ann", 2.0)).result()
    assert named(filled, "ann") == set()
    left = filled.read(lambda c: c.execute(select(holders.c.id).order_by(holders.c.id)).scalars().all())
    assert left == ["ben", "other"]
