"""Records of a browser, the texts of rules they share with tables, and its tries of the daily."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations, product

import pytest
from sqlalchemy import Connection, select

from fivedice.daily.choice import candidates_of, choose_ladder
from fivedice.daily.puzzles import Puzzle
from fivedice.game.action import Keep
from fivedice.game.record import Record, rules_block
from fivedice.game.record_lines import outline_of
from fivedice.game.seats import parse_seats
from fivedice.rulesets import load_ruleset
from fivedice.storage.engine.database import Database
from fivedice.storage.rows import daily as daily_rows
from fivedice.storage.rows import records as rows
from fivedice.storage.rows.holders import known_holder, new_secret
from fivedice.storage.rows.listed_games import listed_games
from fivedice.storage.rows.rulesets import delete_unused_rulesets
from fivedice.storage.rows.streams import create_stream, hold_seat, load_stream, load_streams
from fivedice.storage.schema import records, rulesets, streams
from tests.game.table_game import TABLE_DICE, table_game
from tests.solutions import solution_of
from tests.storage.rows.test_events import create, entry, found, new_holder

DATE = "2026-11-21T10:00:00+00:00"


def home_game(num_turns: int = 13, seed: int = 1, date: str = DATE, seats: str = "Ann=human,Ben=human") -> str:
    """The record of a game of crag without a proof, after so many turns of each seat."""
    chance = random.Random(seed)
    players = parse_seats(seats)
    record = Record.start(load_ruleset("crag"), players, date)
    for _ in range(num_turns * len(players)):
        record = record.roll(tuple(chance.randint(1, 6) for _ in range(3)))
        record = record.play(chance.choice([one for one in record.position.actions() if not isinstance(one, Keep)]))
    return str(record)


def imported(text: str, seat: int | None = None, at: float = 5.0) -> rows.StoredRecord:
    return rows.StoredRecord(text, seat, at)


@pytest.fixture
def holder(database: Database) -> str:
    return new_holder(database)


@pytest.fixture
def keep(database: Database, holder: str) -> Callable[..., int]:
    return lambda *wanted: database.write(lambda c: rows.import_records(c, holder, wanted)).result()


def texts(database: Database, holder: str) -> list[str]:
    return database.read(partial(texts_of, holder=holder))


def texts_of(connection: Connection, holder: str) -> list[str]:
    """The texts of a holder's records, the most recent game first."""
    hashes = [bytes.fromhex(one.key) for one in listed_games(connection, holder, 9, 99) if one.is_record]
    found = rows.load_records(connection, hashes)
    return [found[hash].text for hash in hashes]


UNFINISHED = table_game(max_turns=3)
FINISHED = table_game()
SECRETLESS = FINISHED.with_proof(replace(FINISHED.proof, secret=None)) if FINISHED.proof else FINISHED
AT_TABLE = [str(UNFINISHED), str(SECRETLESS), str(FINISHED)]
AT_HOME = [home_game(0), home_game(4), home_game(9), home_game(13)]


@pytest.mark.parametrize("game", [AT_TABLE, AT_HOME[1:]], ids=["table", "home"])
def test_records_of_one_game_are_one_in_any_order_and_the_longest_stays(database: Database, game: list[str]) -> None:
    def keep(connection: Connection, order: Sequence[str], together: bool) -> list[str]:
        holder = known_holder(connection, new_secret(), 1.0)
        found = [imported(text) for text in order]
        for wanted in [found] if together else [[one] for one in found]:
            rows.import_records(connection, holder, wanted)
        assert rows.import_records(connection, holder, [*found, imported(game[-1].replace(", ", " ,"))]) == 0
        return texts_of(connection, holder)

    for order, together in product(permutations(game[-3:]), [False, True]):
        assert database.write(partial(keep, order=order, together=together)).result() == game[-1:]


def test_a_game_that_goes_on_keeps_the_seat_and_the_time_of_the_import(
    database: Database, holder: str, keep: Callable[..., int]
) -> None:
    assert keep(imported(AT_HOME[1], seat=1, at=3.0)) == 1
    assert keep(imported(AT_HOME[-1], seat=None, at=9.0)) == 1
    [found] = database.read(lambda c: listed_games(c, holder, 9, 9))
    assert (texts(database, holder), found.seats, found.imported) == ([AT_HOME[-1]], (1,), 3.0)


def test_different_games_of_the_same_people_on_the_same_day_are_all_kept(
    database: Database, holder: str, keep: Callable[..., int]
) -> None:
    """As in records of simulated games, which have one date for all."""
    games = [home_game(13, seed) for seed in range(40)]
    others = replace(TABLE_DICE, table="other1"), replace(TABLE_DICE, secret=bytes(32))
    games += [str(FINISHED), *(str(table_game(other)) for other in others), home_game(4, 99), home_game(4, 98)]
    assert keep(*map(imported, games)) == len(games)
    assert len(texts(database, holder)) == len(games)
    assert len({outline_of(game).game for game in games}) == len(games)


def test_a_game_that_the_holder_has_as_a_table_is_not_listed_as_a_record_too(
    database: Database, holder: str, keep: Callable[..., int]
) -> None:
    keep(imported(str(FINISHED), 0), imported(AT_HOME[-1], 0))
    ben = new_holder(database)
    database.write(lambda c: rows.import_records(c, ben, [imported(str(FINISHED))])).result()
    first = entry(1, table=TABLE_DICE.table)
    database.write(lambda c: create_stream(c, "table", first, TABLE_DICE.secret)).result()
    assert len(texts(database, holder)) == 2
    database.write(lambda c: hold_seat(c, TABLE_DICE.table, 0, holder, 2.0)).result()
    assert texts(database, holder) == [AT_HOME[-1]]
    games = database.read(lambda c: listed_games(c, holder, 9, 9))
    assert [one.is_record for one in games] == [True, False]
    assert [one.people for one in database.read(lambda c: rows.seats_of_records(c, holder))] == [{0: "Ann", 1: "Ben"}]
    assert texts(database, ben) == [str(FINISHED)]


def test_imported_games_are_listed_by_their_dates(database: Database, holder: str, keep: Callable[..., int]) -> None:
    dates = ["2025-01-01", "2024-06-01T12:00:00+02:00", "2026-01-01"]
    keep(*(imported(home_game(2, date=date)) for date in dates))
    listed = database.read(lambda c: listed_games(c, holder, 9, 9))
    found = zip(texts(database, holder), sorted(dates)[::-1], strict=True)
    assert all(f"\ndate: {date}\n" in text for text, date in found)
    assert [one.at for one in listed] == [1767225600.0, 1735689600.0, 1717236000.0]
    for before, after in pairwise(listed):
        assert database.read(partial(listed_games, holder=holder, num_tables=1, num_records=1, after=before.place)) == [
            after
        ]


def test_people_are_counted_with_their_seats(database: Database, holder: str, keep: Callable[..., int]) -> None:
    keep(*(imported(home_game(2, seed)) for seed in range(3)), imported(home_game(2, seats="optimal,greedy")))
    keep(imported(home_game(2, seed=7), seat=0), imported(home_game(2, seats='greedy,"Åsa, the 1st":human')))
    found = database.read(lambda c: rows.seats_of_records(c, holder))
    both = {0: "Ann", 1: "Ben"}
    assert sorted(found, key=repr) == sorted(
        [rows.PlayedBy(both, None, 3), rows.PlayedBy(both, 0, 1), rows.PlayedBy({1: "Åsa, the 1st"}, None, 1)], key=repr
    )
    database.write(lambda c: rows.set_seats(c, holder, both, rows.NO_SEAT)).result()
    database.write(lambda c: rows.set_seats(c, holder, {1: "Åsa, the 1st"}, 1)).result()
    found = database.read(lambda c: rows.seats_of_records(c, holder))
    assert sorted((one.num, one.seat) for one in found) == [(1, 1), (4, rows.NO_SEAT)]


TOML, OTHER = 'id = "house"\n', 'id = "other"\n'


def stored_texts(database: Database) -> list[str]:
    return sorted(found(database, select(rulesets.c.toml)))


def test_tables_and_records_share_one_text_and_a_record_has_the_same_key_with_it_inside(database: Database) -> None:
    for table, toml in (("one", TOML), ("two", TOML), ("three", OTHER), ("four", "")):
        create(database, table, toml=toml)
    ann = new_holder(database)
    games = [rows.StoredRecord("a game\n", None, 1.0, TOML), rows.StoredRecord("a shipped game\n", None, 1.0)]
    assert database.write(lambda c: rows.import_records(c, ann, games)).result() == 2
    assert stored_texts(database) == [TOML, OTHER]
    logs = database.read(lambda c: load_streams(c, ["one", "two", "three", "four"]))
    for table, toml in (("one", TOML), ("two", TOML), ("three", OTHER), ("four", "")):
        stored = database.read(lambda c, table=table: load_stream(c, table))  # type: ignore[misc]
        assert stored is not None
        assert (stored.toml, logs[table].toml) == (toml, toml)
    found = database.read(lambda c: rows.load_records(c, [one.hash for one in games]))
    assert {one.hash: found[one.hash].whole for one in games} == {
        games[0].hash: games[0].text + rules_block(TOML),
        games[1].hash: games[1].text,
    }
    whole = rows.StoredRecord('a game\n\nrules:\n  id = "house"\n', None, 1.0)
    assert rows.StoredRecord("a game\n", None, 1.0, TOML).hash == whole.hash


def test_only_texts_that_nothing_refers_to_are_deleted(database: Database) -> None:
    create(database, "one", toml=TOML)
    create(database, "two", toml=OTHER)
    ann = new_holder(database)
    database.write(lambda c: rows.import_records(c, ann, [rows.StoredRecord("a game\n", None, 1.0, OTHER)])).result()

    def forget() -> int:
        return database.write(lambda c: delete_unused_rulesets(c, 10)).result()

    assert forget() == 0
    database.write(lambda c: c.execute(streams.update().values(ruleset=None))).result()
    assert (forget(), stored_texts(database)) == (1, [OTHER])
    database.write(lambda c: c.execute(records.delete())).result()
    assert (forget(), stored_texts(database)) == (1, [])


DAY = "2026-11-25"


def begun(database: Database, id: str, key: str = "", day: str = DAY) -> daily_rows.StoredTry:
    """A try of a holder with a key."""
    holder = new_holder(database, key or id)
    wanted = daily_rows.StoredTry(id, day, "ten", "yahtzee", 1, holder, 1.0, None, None)
    return database.write(partial(daily_rows.begin_try, wanted=wanted)).result()


def after_two(losses: Sequence[float]) -> tuple[int | None, bool]:
    """The end of a try of two answers: its standing is the loss of the second one."""
    return (round(losses[1]), True) if len(losses) == 2 else (None, False)


def answered(database: Database, id: str, number: int, action: str, loss: float = 0.0) -> list[daily_rows.StoredAnswer]:
    given = daily_rows.StoredAnswer(action, 2.0, loss, lesson="crag - 356 r0" if loss else None)
    database.write(partial(daily_rows.store_answer, id=id, number=number, answer=given, outcome=after_two)).result()
    found = database.read(lambda connection: daily_rows.load_try(connection, id))
    assert found is not None
    return found[1]


def board_of(database: Database, id: str) -> daily_rows.Board:
    found = database.read(lambda connection: daily_rows.load_try(connection, id))
    assert found is not None
    return database.read(lambda connection: daily_rows.board(connection, found[0]))


def test_a_holder_has_one_try_of_a_day_whatever_two_tabs_send_and_none_once_it_is_given_up(database: Database) -> None:
    assert begun(database, "first", "ann").id == "first"
    assert begun(database, "second", "ann").id == "first"
    assert begun(database, "third", "ben").id == "third"
    assert begun(database, "fourth", "ann", day="2026-11-26").id == "fourth"
    begun(database, "try")
    database.write(lambda connection: daily_rows.end_try(connection, "try", 5.0)).result()
    assert answered(database, "try", 1, "keep 0") == []
    assert board_of(database, "try") == daily_rows.Board(0, None, None)


def test_a_question_keeps_its_first_answer_from_any_number_of_writers(database: Database) -> None:
    begun(database, "try")
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: answered(database, "try", 1, f"keep {number}"), range(1, 30)))
    assert {tuple(answers) for answers in found} == {(daily_rows.StoredAnswer(found[0][0].action, 2.0, 0.0),)}
    assert answered(database, "try", 3, "keep 3") == found[0]  # not the next one
    assert [one.loss for one in answered(database, "try", 2, "keep 0", 1.0)] == [0.0, 1.0]
    assert len(answered(database, "try", 3, "keep 3")) == 2  # it is over
    found_try = database.read(lambda connection: daily_rows.load_try(connection, "try"))
    assert found_try is not None
    assert (found_try[0].standing, found_try[0].ended, len(found_try[1])) == (1, 2.0, 2)


def test_answers_that_lost_become_lessons_once_their_try_is_over(database: Database) -> None:
    def missed(late: float = 0.0, most: int = 9, since: str = DAY) -> list[tuple[str, str]]:
        wanted = partial(daily_rows.missed_answers, holder=ann, since=since, late=late, most=most)
        return [(one.id, answer.action) for one, answer in database.read(wanted)]

    ann = begun(database, "game", "ann").holder
    answered(database, "game", 1, "keep 1", 3.0)
    assert missed() == [], "the game goes on"
    answered(database, "game", 2, "keep 0")
    storm = daily_rows.StoredTry("storm", DAY, "storm", "yahtzee", 1, ann, 9.0, None, None)
    database.write(partial(daily_rows.begin_try, wanted=storm)).result()
    costly = daily_rows.StoredAnswer("keep 2", 10.0, 7.0, lesson="crag - 456 r0")
    solved = partial(daily_rows.store_answer, id="storm", number=1, answer=costly, outcome=lambda _: (1, False))
    database.write(solved).result()
    assert missed() == [("game", "keep 1")], "the storm goes on"
    assert missed(late=9.0) == [("storm", "keep 2"), ("game", "keep 1")]
    assert missed(late=9.0, most=1) == [("storm", "keep 2")], "it began last"
    assert missed(since="2026-11-26") == []


def test_standings_are_ranked_and_choices_counted(database: Database) -> None:
    begun(database, "e")
    for id, lost in {"a": 0, "b": 2, "c": 2, "d": 3}.items():
        begun(database, id)
        answered(database, id, 1, "keep 1")
        answered(database, id, 2, "keep 2", lost)
    assert [board_of(database, id) for id in "acde"] == [daily_rows.Board(4, 2, place) for place in (1, 2, 4, None)]
    assert database.read(lambda c: daily_rows.num_chosen(c, "yahtzee", DAY)) == {1: {"keep 1": 4}, 2: {"keep 2": 4}}
    assert database.read(lambda c: daily_rows.num_ranked(c, "ten", (DAY, DAY))) == {(DAY, "yahtzee"): 4}
    assert database.read(lambda c: daily_rows.best_standing(c, "ten", "yahtzee", (DAY, DAY))) == 0
    assert database.read(lambda c: daily_rows.best_standing(c, "ten", "yahtzee", ("2026-11-26", DAY))) is None


def test_the_first_secret_and_the_first_positions_of_a_day_stay_with_their_losses(database: Database) -> None:
    first = database.write(lambda c: daily_rows.master_secret(c, b"1" * 32, DAY)).result()
    other = database.write(lambda c: daily_rows.master_secret(c, b"2" * 32, "2026-11-26")).result()
    assert other == first == (b"1" * 32, DAY)
    ladder = choose_ladder(bytes(32), candidates_of(solution_of("crag"), bytes(32), "ladder"))

    def store(drawn: list[Puzzle]) -> list[Puzzle]:
        return list(database.write(lambda c: daily_rows.store_puzzles(c, DAY, "ladder", "crag", drawn)).result())

    assert database.read(lambda c: daily_rows.stored_puzzles(c, DAY, "ladder", "crag")) is None
    stored = store(ladder)
    assert stored == store(ladder[1:]) == ladder
    assert [list(one.losses) for one in stored] == [list(one.losses) for one in ladder], "the best ones first"
    assert daily_rows.read_losses(daily_rows.stored_losses(ladder[0].losses)) == ladder[0].losses
