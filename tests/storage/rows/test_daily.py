"""The daily in both databases: one try and one answer each, in any order of writers, and places by standing."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from fivedice.daily.choice import candidates_of, choose_ladder
from fivedice.daily.puzzles import Puzzle
from fivedice.storage.engine.database import Database
from fivedice.storage.rows import daily as rows
from tests.solutions import solution_of
from tests.storage.rows.test_events import new_holder

DAY = "2026-11-25"


def begun(database: Database, id: str, key: str = "", day: str = DAY) -> rows.StoredTry:
    """A try of a holder with a key."""
    holder = new_holder(database, key or id)
    wanted = rows.StoredTry(id, day, "ten", "yahtzee", 1, holder, 1.0, None, None)
    return database.write(partial(rows.begin_try, wanted=wanted)).result()


def after_two(losses: Sequence[float]) -> tuple[int | None, bool]:
    """The end of a try of two answers: its standing is the loss of the second one."""
    return (round(losses[1]), True) if len(losses) == 2 else (None, False)


def answered(database: Database, id: str, number: int, action: str, loss: float = 0.0) -> list[rows.StoredAnswer]:
    given = rows.StoredAnswer(action, 2.0, loss, lesson="crag - 356 r0" if loss else None)
    database.write(partial(rows.store_answer, id=id, number=number, answer=given, outcome=after_two)).result()
    found = database.read(lambda connection: rows.load_try(connection, id))
    assert found is not None
    return found[1]


def board_of(database: Database, id: str) -> rows.Board:
    found = database.read(lambda connection: rows.load_try(connection, id))
    assert found is not None
    return database.read(lambda connection: rows.board(connection, found[0]))


def test_a_holder_has_one_try_of_a_day_whatever_two_tabs_send_and_none_once_it_is_given_up(database: Database) -> None:
    assert begun(database, "first", "ann").id == "first"
    assert begun(database, "second", "ann").id == "first"
    assert begun(database, "third", "ben").id == "third"
    assert begun(database, "fourth", "ann", day="2026-11-26").id == "fourth"
    begun(database, "try")
    database.write(lambda connection: rows.end_try(connection, "try", 5.0)).result()
    assert answered(database, "try", 1, "keep 0") == []
    assert board_of(database, "try") == rows.Board(0, None, None)


def test_a_question_keeps_its_first_answer_from_any_number_of_writers(database: Database) -> None:
    begun(database, "try")
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: answered(database, "try", 1, f"keep {number}"), range(1, 30)))
    assert {tuple(answers) for answers in found} == {(rows.StoredAnswer(found[0][0].action, 2.0, 0.0),)}
    assert answered(database, "try", 3, "keep 3") == found[0]  # not the next one
    assert [one.loss for one in answered(database, "try", 2, "keep 0", 1.0)] == [0.0, 1.0]
    assert len(answered(database, "try", 3, "keep 3")) == 2  # it is over
    found_try = database.read(lambda connection: rows.load_try(connection, "try"))
    assert found_try is not None
    assert (found_try[0].standing, found_try[0].ended, len(found_try[1])) == (1, 2.0, 2)


def test_answers_that_lost_become_lessons_once_their_try_is_over(database: Database) -> None:
    def missed(late: float = 0.0, most: int = 9, since: str = DAY) -> list[tuple[str, str]]:
        wanted = partial(rows.missed_answers, holder=holder, since=since, late=late, most=most)
        return [(one.id, answer.action) for one, answer in database.read(wanted)]

    holder = begun(database, "game", "ann").holder
    answered(database, "game", 1, "keep 1", 3.0)
    assert missed() == [], "the game goes on"
    answered(database, "game", 2, "keep 0")
    storm = rows.StoredTry("storm", DAY, "storm", "yahtzee", 1, holder, 9.0, None, None)
    database.write(partial(rows.begin_try, wanted=storm)).result()
    costly = rows.StoredAnswer("keep 2", 10.0, 7.0, lesson="crag - 456 r0")
    solved = partial(rows.store_answer, id="storm", number=1, answer=costly, outcome=lambda _: (1, False))
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
    assert [board_of(database, id) for id in "acde"] == [rows.Board(4, 2, place) for place in (1, 2, 4, None)]
    assert database.read(lambda c: rows.num_chosen(c, "yahtzee", DAY)) == {1: {"keep 1": 4}, 2: {"keep 2": 4}}
    assert database.read(lambda c: rows.num_ranked(c, "ten", (DAY, DAY))) == {(DAY, "yahtzee"): 4}
    assert database.read(lambda c: rows.best_standing(c, "ten", "yahtzee", (DAY, DAY))) == 0
    assert database.read(lambda c: rows.best_standing(c, "ten", "yahtzee", ("2026-11-26", DAY))) is None


def test_the_first_secret_and_the_first_positions_of_a_day_stay_with_their_losses(database: Database) -> None:
    first = database.write(lambda c: rows.master_secret(c, b"1" * 32, DAY)).result()
    other = database.write(lambda c: rows.master_secret(c, b"2" * 32, "2026-11-26")).result()
    assert other == first == (b"1" * 32, DAY)
    ladder = choose_ladder(bytes(32), candidates_of(solution_of("crag"), bytes(32), "ladder"))

    def store(drawn: list[Puzzle]) -> list[Puzzle]:
        return list(database.write(lambda c: rows.store_puzzles(c, DAY, "ladder", "crag", drawn)).result())

    assert database.read(lambda c: rows.stored_puzzles(c, DAY, "ladder", "crag")) is None
    stored = store(ladder)
    assert stored == store(ladder[1:]) == ladder
    assert [list(one.losses) for one in stored] == [list(one.losses) for one in ladder], "the best ones first"
    assert rows.read_losses(rows.stored_losses(ladder[0].losses)) == ladder[0].losses
