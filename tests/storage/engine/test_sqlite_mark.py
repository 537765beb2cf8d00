"""The mark of a SQLite file: what a database lacks, also where the numbers of events begin again at 0."""

from pathlib import Path

import pytest

from fivedice.storage.engine.sqlite_mark import Mark
from fivedice.storage.rows.event import MAX_EVENT_NUMBERS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fivedice.mark"


def mark_at(path: Path, number: int) -> Mark:
    """A mark that was written and read again."""
    written = Mark(path)
    written.write(number)
    written.close()
    return Mark(path)


@pytest.mark.parametrize(
    ("number", "found", "missing"),
    [
        (7, 7, 0),
        (7, 4, 3),
        (7, 9, 0),  # after a power failure the mark may be too low
        (2, MAX_EVENT_NUMBERS - 3, 5),  # the mark has begun again at 0, the older database has not
        (MAX_EVENT_NUMBERS - 3, 2, 0),  # the other way round the mark is too low
    ],
)
def test_what_a_database_lacks_is_counted_across_the_end_of_the_numbers(
    path: Path, number: int, found: int, missing: int
) -> None:
    mark = mark_at(path, number)
    assert mark.number == number
    assert mark.missing(found) == missing
    mark.close()


def test_without_a_number_nothing_is_missing(path: Path) -> None:
    mark = Mark(path)
    assert mark.number is None
    assert mark.missing(5) == 0
    mark.close()
