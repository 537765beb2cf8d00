"""The daily in both databases: one try and one answer each, in any order of writers, and places by standing."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

from fivedice.daily.choice import candidates_of, choose_ten
from fivedice.daily.days import parse_day
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import (
    StoredAnswer,
    StoredTry,
    begin_try,
    best_standing,
    end_try,
    load_try,
    master_secret,
    missed_answers,
    num_chosen,
    num_ranked,
    ranked_standings,
    store_answer,
    store_positions,
    stored_positions,
)
from fivedice.storage.rows.holders import known_holder
from tests.solutions import solution_of

DAY = "2026-11-25"
SORT = "ten", "yahtzee", DAY


CRAG = """\
crag ones=0,twos=2,fives=0,high_straight=20 344 r0
crag threes=3 166 r1
crag - 446 r1
crag ones=2,threes=3,three_of_a_kind=25,thirteen=26,crag=50 226 r0
crag ones=0,twos=2,threes=3,fours=8,fives=0,sixes=6,even_straight=0,high_straight=20,three_of_a_kind=0,thirteen=26,crag=0 256 r1
crag twos=2,sixes=12,crag=50 156 r0
crag threes=3,sixes=12 126 r0
crag ones=1,fives=10,sixes=12,even_straight=20,high_straight=20,thirteen=26,crag=50 112 r1
crag ones=2,twos=4,threes=3,fours=4,fives=10,three_of_a_kind=25,thirteen=26,crag=50 235 r1
crag fives=10,thirteen=26 156 r1
""".splitlines()  # noqa: E501
"""The ten under Crag for a secret of zeros, on every machine and every Python, in the first way to draw."""


def begun(database: Database, id: str, key: str = "", day: str = DAY) -> StoredTry:
    """A try of a holder with a key."""
    holder = database.write(lambda connection: known_holder(connection, key or id, 1.0)).result()
    wanted = StoredTry(id, day, "ten", "yahtzee", 1, holder, 1.0, None, None)
    return database.write(partial(begin_try, wanted=wanted)).result()


def after_two(stored: Sequence[StoredAnswer]) -> tuple[int | None, float | None]:
    """The end of a try of two answers: its standing is the number of zeros in the second one."""
    return (stored[1].action.count("0"), stored[1].at) if len(stored) == 2 else (None, None)


def answered(database: Database, id: str, number: int, action: str) -> list[StoredAnswer]:
    job = partial(store_answer, id=id, answer=StoredAnswer(number, action, 2.0), outcome=after_two)
    return database.write(job).result()


def test_a_holder_has_one_try_of_a_day_whatever_two_tabs_send(database: Database) -> None:
    assert begun(database, "first", "ann").id == "first"
    assert begun(database, "second", "ann").id == "first"
    assert begun(database, "third", "ben").id == "third"
    assert begun(database, "fourth", "ann", day="2026-11-26").id == "fourth"


def test_a_question_keeps_its_first_answer_from_any_number_of_writers(database: Database) -> None:
    begun(database, "try")
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: answered(database, "try", 1, f"keep {number}"), range(1, 30)))
    assert {tuple(answers) for answers in found} == {(StoredAnswer(1, found[0][0].action, 2.0),)}
    assert answered(database, "try", 3, "keep 3") == found[0]  # not the next one
    assert [one.number for one in answered(database, "try", 2, "keep 0")] == [1, 2]
    assert len(answered(database, "try", 3, "keep 3")) == 2  # it is over
    found_try = database.read(lambda connection: load_try(connection, "try"))
    assert found_try is not None
    assert (found_try[0].standing, found_try[0].ended, len(found_try[1])) == (1, 2.0, 2)


def test_a_try_that_was_given_up_takes_no_answer_and_has_no_place(database: Database) -> None:
    begun(database, "try")
    database.write(lambda connection: end_try(connection, "try", 5.0)).result()
    assert answered(database, "try", 1, "keep 0") == []
    assert not database.read(lambda c: ranked_standings(c, *SORT))


def test_answers_that_lost_become_lessons_once_their_try_is_over(database: Database) -> None:
    def missed(late: float = 0.0, most: int = 9, since: str = DAY) -> list[tuple[str, int]]:
        wanted = partial(missed_answers, holder=holder, since=since, late=late, most=most)
        return [(one.id, answer.number) for one, answer in database.read(wanted)]

    holder = begun(database, "game", "ann").holder
    answered(database, "game", 1, "keep 1")
    given = StoredAnswer(2, "keep 0", 2.0)
    job = partial(store_answer, id="game", answer=given, outcome=after_two, lost=[(3.0, "crag - 356 r0"), (0.0, None)])
    assert [(one.loss, one.lesson) for one in database.write(job).result()][:1] == [(None, None)]
    found = database.read(lambda connection: load_try(connection, "game"))
    assert found
    assert [(one.loss, one.lesson) for one in found[1]] == [(3.0, "crag - 356 r0"), (0.0, None)]
    storm = StoredTry("storm", DAY, "storm", "yahtzee", 1, holder, 9.0, None, None)
    database.write(partial(begin_try, wanted=storm)).result()
    costly = StoredAnswer(1, "keep 2", 10.0, 7.0, "crag - 456 r0")
    database.write(partial(store_answer, id="storm", answer=costly, outcome=lambda _: (1, None))).result()
    assert missed() == [("game", 1)], "the storm goes on"
    assert missed(late=9.0) == [("storm", 1), ("game", 1)]
    assert missed(late=9.0, most=1) == [("storm", 1)], "it began last"
    assert missed(since="2026-11-26") == []


def test_standings_are_ranked_and_choices_counted(database: Database) -> None:
    for id, zeros in {"a": 0, "b": 2, "c": 2, "d": 3}.items():
        begun(database, id)
        answered(database, id, 1, "keep 1")
        answered(database, id, 2, "0" * zeros)
    assert list(database.read(lambda c: ranked_standings(c, *SORT))) == [0, 2, 2, 3]
    assert database.read(lambda c: num_chosen(c, *SORT, 1)) == {"keep 1": 4}
    assert database.read(lambda c: num_ranked(c, "ten", (DAY, DAY))) == {(DAY, "yahtzee"): 4}
    assert database.read(lambda c: best_standing(c, "ten", "yahtzee", (DAY, DAY))) == 0
    assert database.read(lambda c: best_standing(c, "ten", "yahtzee", ("2026-11-26", DAY))) is None


def test_the_first_secret_and_the_first_positions_of_a_day_stay(database: Database) -> None:
    first = database.write(lambda c: master_secret(c, b"1" * 32, DAY)).result()
    assert database.write(lambda c: master_secret(c, b"2" * 32, "2026-11-26")).result() == first == (b"1" * 32, DAY)
    assert database.read(lambda c: stored_positions(c, DAY, "ten", "yahtzee")) is None
    assert database.write(lambda c: store_positions(c, DAY, "ten", "yahtzee", ["a", "b"])).result() == ["a", "b"]
    assert database.write(lambda c: store_positions(c, DAY, "ten", "yahtzee", ["c"])).result() == ["a", "b"]


@cache
def ten_of_crag(secret: bytes) -> list[str]:
    return [str(one) for one in choose_ten(secret, parse_day(DAY), candidates_of(solution_of("crag"), secret, "ten"))]


def test_both_databases_keep_the_same_ten(database: Database) -> None:
    lines = ten_of_crag(database.write(lambda c: master_secret(c, bytes(32), DAY)).result()[0])
    stored = database.write(lambda c: store_positions(c, DAY, "ten", "crag", lines)).result()
    assert stored == lines
    assert stored == CRAG
