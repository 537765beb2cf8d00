"""What the retention rules delete and keep, on SQLite and PostgreSQL."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import Connection, func, select, update

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.rulesets.compact import compact_text
from fivedice.server.config.limits import MIN_CONFIRMED_TABLES
from fivedice.server.config.retention import DAY, DEFAULT_RETENTION, Retention, parse_keep
from fivedice.server.games.dice_counter import DiceCounter
from fivedice.server.games.pruner import Pruner, needs_confirmation, prune
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.event import Event
from fivedice.server.table.verbs import Rolled, Scored
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.activity import visit_holder, visit_tables
from fivedice.storage.rows.duplicates import add_entry, create_duplicate, load_duplicate
from fivedice.storage.rows.holders import holder_of, known_holder
from fivedice.storage.rows.life import trust
from fivedice.storage.rows.pruning import Freed
from fivedice.storage.rows.records import StoredRecord, import_records
from fivedice.storage.rows.seat_links import create_links
from fivedice.storage.rows.tables import create_table, load_table
from fivedice.storage.schema import (
    changed_tables,
    dice_cursors,
    events,
    keys,
    metadata,
    records,
    rulesets,
    seat_holders,
    seat_secrets,
    tables,
)
from tests.server.scripted import NOW, people
from tests.server.serving import COMMITMENT, SECRET, TINY
from tests.storage.conftest import database, open_database, url

__all__ = ["database", "open_database", "url"]


def game(id: str, at: float) -> list[Event]:
    """A complete game of one roll and one score."""
    created = create(NewTable(people("Ann"), toml=TINY), id, COMMITMENT, at)
    return [
        created,
        Rolled(at=at, seat=0, dice=[1, 2], kept=[]),
        Scored(at=at, seat=0, box="any", points=3),
    ]


def store(database: Database, id: str, num_events: int, at: float, key: str = "") -> None:
    """Store the first events of a game of a key's holder, with a secret of its seat, and let them be read."""

    def job(connection: Connection) -> None:
        log = [
            stored_event(event, id, number, f"{number}", f"{number - 1}")
            for number, event in enumerate(game(id, at), 1)
        ]
        held = [(0, known_holder(connection, key, at))] if key else []
        create_table(connection, SECRET, log[0], held, compact_text(TINY))
        create_links(connection, [(id, 0)], None, at=at, expires=at + 86_400)

    database.write(job).result()
    for number, event in enumerate(game(id, at)[1:num_events], 2):
        assert database.append(
            stored_event(event, id, number, f"{number}", f"{number - 1}" if number > 2 else "1")
        ).result()
    asyncio.run(DiceCounter(database, rest=0.0).sweep())


def pruned(
    database: Database, now: float, retention: Retention = DEFAULT_RETENTION, *, is_dry: bool = False
) -> dict[str, Freed]:
    """What each rule deleted."""
    found: dict[str, Freed] = {}

    def on_freed(rule: object, freed: Freed, _: object) -> None:
        name = rule.name  # type: ignore[attr-defined]
        found[name] = found.get(name, Freed()) + freed

    prune(database, retention, now, on_freed, is_dry=is_dry, pause=0.0)
    return {name: freed for name, freed in found.items() if freed != Freed()}


def left(database: Database) -> set[str]:
    return set(database.read(lambda connection: connection.execute(select(tables.c.id)).scalars().all()))


def days(num: float) -> float:
    return NOW + num * DAY


@pytest.mark.parametrize(
    ("num_events", "rule", "num_days"), [(1, "new", 7), (2, "unfinished", 90), (3, "finished", 365)]
)
def test_a_table_is_kept_as_long_as_its_rule_says(
    database: Database, num_events: int, rule: str, num_days: int
) -> None:
    store(database, "old", num_events, NOW)
    assert pruned(database, days(num_days - 0.01)) == {}
    would = pruned(database, days(num_days + 0.01), is_dry=True)
    assert left(database) == {"old"}, "a dry run deletes nothing"
    found = pruned(database, days(num_days + 0.01))
    assert found == would
    assert (found[rule].tables, found[rule].events) == (1, num_events)
    assert left(database) == set()


def test_everything_of_a_deleted_table_is_deleted_and_its_dice_stay_counted(database: Database) -> None:
    store(database, "old", 3, NOW, key="ann")
    counts = asyncio.run(DiceCounter(database).counts())
    assert sum(counts.values())
    found = pruned(database, days(366))
    assert (found["finished"].tables, found["finished"].holders) == (1, 1)

    def num_rows(connection: Connection) -> dict[str, int]:
        counted = {
            one.name: connection.execute(select(func.count()).select_from(one)).scalar()
            for one in metadata.sorted_tables
        }
        return {name: num for name, num in counted.items() if num}

    assert set(database.read(num_rows)) == {"dice_counts"}
    assert asyncio.run(DiceCounter(database).counts()) == counts


def test_the_rules_are_deleted_with_the_last_game_that_used_them(database: Database) -> None:
    def num_rules() -> int:
        return database.read(
            lambda connection: connection.execute(select(func.count()).select_from(rulesets)).scalar_one()
        )

    for id, at in (("old", 0.0), ("new", 5.0)):
        store(database, id, 1, days(at))
    pruned(database, days(8))
    assert (left(database), num_rules()) == ({"new"}, 1)
    pruned(database, days(13))
    assert (left(database), num_rules()) == (set(), 0)


def test_a_finished_game_is_kept_while_one_of_its_players_comes_back(database: Database) -> None:
    store(database, "theirs", 3, NOW, key="ann")
    store(database, "nobodys", 3, NOW)
    ann = database.read(lambda connection: holder_of(connection, "ann"))
    assert ann is not None
    database.write(lambda connection: visit_holder(connection, ann, days(300))).result()
    assert pruned(database, days(400))["finished"].tables == 1
    assert left(database) == {"theirs"}
    assert pruned(database, days(600)) == {}
    assert pruned(database, days(666))["finished"].tables == 1


def test_a_table_that_somebody_has_open_is_kept(database: Database) -> None:
    for id in ("open", "elsewhere", "old"):
        store(database, id, 2, NOW)
    database.write(lambda connection: visit_tables(connection, ["elsewhere"], days(60))).result()
    database.write(lambda connection: trust(connection, days(100))).result()
    forgotten: list[str] = []
    pruner = Pruner(database, DEFAULT_RETENTION, lambda: days(100), lambda: ["open"], forgotten.extend)
    found = asyncio.run(pruner.sweep())
    assert found["unfinished"].tables == 1
    assert (left(database), forgotten) == ({"open", "elsewhere"}, ["old"])


def test_a_table_with_an_unread_event_is_kept(database: Database) -> None:
    store(database, "old", 1, NOW)
    late = stored_event(game("old", NOW)[1], "old", 2, "2", "1")
    assert database.append(late).result()
    assert pruned(database, days(100)) == {}
    asyncio.run(DiceCounter(database).sweep())
    assert set(pruned(database, days(100))) == {"unfinished"}


def test_a_deleted_table_is_not_resurrected_by_a_late_event(database: Database) -> None:
    store(database, "old", 1, NOW)
    assert pruned(database, days(8))
    late = stored_event(game("old", NOW)[1], "old", 2, "2", "1")
    assert not database.append(late).result()
    assert database.read(lambda connection: load_table(connection, "old")) is None


def test_another_process_that_deletes_is_waited_for(database: Database, url: str) -> None:
    if url.startswith("sqlite"):
        pytest.skip("one process at a time can write to a SQLite file")
    from sqlalchemy import text

    from fivedice.storage.rows.pruning import may_prune
    from fivedice.storage.schema import PRUNING

    def with_lock(connection: Connection) -> bool:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": PRUNING})
        return database.read(may_prune)

    assert database.write(with_lock).result() is False
    assert database.read(may_prune) is True


def test_records_of_a_browser_that_does_not_come_back_are_deleted(database: Database) -> None:
    def job(connection: Connection) -> None:
        for key, at in (("ann", NOW), ("ben", days(300))):
            holder = known_holder(connection, key, at)
            import_records(connection, holder, [StoredRecord(f"record of {key}", None, at)])

    database.write(job).result()
    assert pruned(database, days(364)) == {}
    found = pruned(database, days(366))
    assert (found["imported"].records, found["browsers"].holders) == (1, 1)
    texts = database.read(lambda connection: connection.execute(select(records.c.text)).scalars().all())
    assert texts == ["record of ben"]
    assert database.read(lambda connection: connection.execute(select(func.count()).select_from(keys)).scalar()) == 1


def test_a_browser_keeps_its_key_while_it_has_a_seat_or_comes_back(database: Database) -> None:
    store(database, "hers", 3, NOW, key="ann")
    database.write(lambda connection: known_holder(connection, "ben", days(80))).result()
    assert pruned(database, days(100)) == {}
    assert set(pruned(database, days(111))) == {"browsers"}
    assert database.read(lambda connection: holder_of(connection, "ann")) is not None
    assert database.read(lambda connection: holder_of(connection, "ben")) is None


def test_a_dry_run_foresees_how_many_browsers_lose_their_last_game_or_record(database: Database) -> None:
    for number in range(15):
        store(database, f"table{number}", 1 + number % 3, NOW, key=f"key{number}")
    store(database, "kept", 1, days(395), key="key0")

    def job(connection: Connection) -> None:
        for key, at in (("key1", NOW), ("ann", NOW), ("ben", days(300))):
            holder = known_holder(connection, key, at)
            import_records(connection, holder, [StoredRecord(f"record of {key}", None, at)])

    database.write(job).result()

    def totals(found: dict[str, Freed]) -> tuple[Freed, dict[str, Freed]]:
        by_rule = {name: replace(freed, holders=0) for name, freed in found.items()}
        total = sum(found.values(), Freed())
        return total, {name: freed for name, freed in by_rule.items() if freed != Freed()}

    short = parse_keep(["finished=100d", "imported=200d"])
    for retention, at, num in ((short, days(250), 15), (DEFAULT_RETENTION, days(700), 2)):
        foreseen = totals(pruned(database, at, retention, is_dry=True))
        assert foreseen == totals(pruned(database, at, retention))
        assert foreseen[0].holders == num


def test_a_duration_of_zero_keeps_for_ever(database: Database) -> None:
    for number in (1, 2, 3):
        store(database, f"table{number}", number, NOW, key=f"key{number}")
    for_ever = parse_keep(["new=0", "unfinished=0d", "finished=0", "imported=0", "browsers=0"])
    assert pruned(database, days(36_000), for_ever) == {}
    assert set(pruned(database, days(20), parse_keep(["unfinished=10d"]))) == {"new", "unfinished"}


def test_many_events_are_deleted_in_small_transactions(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.server.games.pruner.MAX_PRUNED_EVENTS", 2)
    monkeypatch.setattr("fivedice.server.games.pruner.PRUNE_BATCH", 3)
    for number in range(5):
        store(database, f"table{number}", 1, NOW)
    sizes: list[int] = []
    prune(database, DEFAULT_RETENTION, days(8), lambda rule, freed, gone: sizes.append(freed.events), pause=0.0)
    assert sizes == [2, 1, 2]


def test_every_reference_to_a_table_is_known_to_the_deletion() -> None:
    """`delete_tables` must delete the rows of each that the database does not, or the foreign key refuses it."""
    referring = {
        one
        for one in metadata.sorted_tables
        if any(key.column.table is tables and key.ondelete != "CASCADE" for key in one.foreign_keys)
    }
    assert referring == {changed_tables, dice_cursors, events, seat_holders, seat_secrets}


@pytest.mark.parametrize(
    "text", ["unfinished", "unfinished=", "unfinished=90", "unfinished=-1d", "unfinished=1.5d", "new=99999d"]
)
def test_a_malformed_duration_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(MalformedError, match="want "):
        parse_keep([text])


def test_an_unknown_rule_is_refused_with_the_known_names() -> None:
    with pytest.raises(UnknownError, match="there is no rule 'finishd': did you mean 'finished'"):
        parse_keep(["finishd=9d"])


def test_a_table_from_an_older_program_is_kept_until_its_events_are_read(database: Database) -> None:
    store(database, "old", 2, NOW)
    database.write(lambda connection: connection.execute(update(tables).values(stage=None, active=None))).result()
    assert pruned(database, days(1_000)) == {}


def test_many_tables_at_once_wait_for_a_person(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(MIN_CONFIRMED_TABLES):
        store(database, f"table{number}", 1, NOW)
    database.write(lambda connection: trust(connection, days(8))).result()
    pruner = Pruner(database, DEFAULT_RETENTION, lambda: days(8), tuple, lambda _: None)
    assert asyncio.run(pruner.sweep()) == {}
    assert "20 of 20 tables would be deleted at once: nothing is, until a person runs fivedice prune" in caplog.text
    store(database, "one", 1, days(7))
    database.write(lambda connection: visit_tables(connection, ["table0"], days(8))).result()
    assert asyncio.run(pruner.sweep())["new"].tables == MIN_CONFIRMED_TABLES - 1, "so few need no person"


def test_a_tenth_of_many_tables_needs_no_person() -> None:
    assert not needs_confirmation(100, 1_000)
    assert needs_confirmation(101, 1_000)


def test_a_game_on_the_same_dice_is_deleted_with_the_last_of_its_tables(database: Database) -> None:
    fields = {"id": "d", "rules": "yahtzee", "seats": 2, "opened": NOW, "closes": NOW + DAY}
    database.write(lambda connection: create_duplicate(connection, fields, SECRET)).result()
    for number, id in enumerate(("one", "two"), 1):
        store(database, id, number, NOW)
        database.write(partial(add_entry, duplicate="d", table=id, number=number, name=id)).result()
    assert pruned(database, days(8))["new"].tables == 1
    left_over = database.read(lambda connection: load_duplicate(connection, "d"))
    assert left_over is not None
    assert [entry["table"] for entry in left_over.entries] == ["two"]
    assert pruned(database, days(92))["unfinished"].tables == 1
    assert database.read(lambda connection: load_duplicate(connection, "d")) is None
