"""Days: their numbers and secrets, and when they begin in a time zone."""

from datetime import UTC, date, datetime, timedelta

import pytest

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.daily.days import (
    FIRST,
    GUESTS,
    day_at,
    day_of,
    day_secret,
    guest_of,
    number_of,
    open_secret,
    parse_day,
    seconds_to_next,
    zone_of,
)

MASTER = bytes(range(32))


def test_numbers_of_days_read_back() -> None:
    assert (number_of(FIRST), day_of(1)) == (1, FIRST)
    assert [number_of(day_of(number)) for number in (-3, 0, 214, 9_999)] == [-3, 0, 214, 9_999]


def test_a_day_begins_at_midnight_of_the_time_zone() -> None:
    berlin = zone_of("Europe/Berlin")
    before = datetime(2026, 11, 25, 22, 59, 30, tzinfo=UTC).timestamp()
    assert (day_at(before, UTC), day_at(before, berlin)) == (date(2026, 11, 25), date(2026, 11, 25))
    assert day_at(before + 30, berlin) == date(2026, 11, 26)
    assert (seconds_to_next(before, berlin), seconds_to_next(before, UTC)) == (30, 3_630)


def test_a_day_is_an_hour_longer_when_summer_time_ends() -> None:
    berlin = zone_of("Europe/Berlin")
    midnight = datetime(2026, 10, 25, tzinfo=berlin).timestamp()
    assert seconds_to_next(midnight, berlin) == 25 * 3_600


def test_secrets_differ_by_day_and_master() -> None:
    days = [FIRST + timedelta(number) for number in range(10)]
    secrets = {day_secret(MASTER, day) for day in days} | {open_secret(day) for day in days}
    assert len(secrets | {day_secret(bytes(32), FIRST)}) == 21
    assert {len(secret) for secret in secrets} == {32}


def test_each_guest_comes_on_sundays_only() -> None:
    days = [FIRST + timedelta(number) for number in range(70)]
    assert {day.weekday() for day in days if guest_of(day)} == {6}
    assert {guest_of(day) for day in days if day.weekday() == 6} == set(GUESTS)


@pytest.mark.parametrize("text", ["", "2026-11-31", "yesterday"])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(MalformedError, match="want year, month and day"):
        parse_day(text)


@pytest.mark.parametrize("name", ["Nowhere", "../etc/passwd", ""])
def test_an_unknown_time_zone_is_refused(name: str) -> None:
    with pytest.raises(UnknownError, match="there is no time zone"):
        zone_of(name)
