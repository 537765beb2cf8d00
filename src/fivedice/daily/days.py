"""Days: their numbers, rulesets and secrets, and when the next one begins.

A day belongs to the time zone of a server. All that is drawn for it follows from its secret, 32 bytes, which is
committed beforehand and published the day after. `docs/daily.md` says how to verify it.

>>> number_of(date(2026, 11, 25)), guest_of(date(2026, 11, 29)), guest_of(date(2026, 11, 30))
(1, 'crag', '')
"""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest

FIRST = date(2026, 11, 25)
"""Day number 1."""

PUBLISHED_AHEAD = 7
"""Days ahead whose commitments are published."""

RULES: Mapping[str, str] = MappingProxyType({"en": "yahtzee", "de": "kniffel", "sv": "yatzy"})
"""The daily ruleset of each language: whoever plays the same one is ranked together."""

GUESTS = ("kismet", "yacht", "generala", "crag", "yams")
"""Rulesets of which one takes part in the ten of each Sunday, in turn."""

_SUNDAY = 6


def number_of(day: date) -> int:
    """The number of a day, as in #214."""
    return (day - FIRST).days + 1


def day_of(number: int) -> date:
    """The day with a number."""
    return FIRST + timedelta(number - 1)


def parse_day(text: str) -> date:
    """A day in the form 2026-11-25; raises `MalformedError`."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise MalformedError(f"day {shown(text)}: want year, month and day, as in 2026-11-25") from None


def guest_of(day: date) -> str:
    """The id of the guest ruleset of a Sunday; empty on other days."""
    return GUESTS[day.isocalendar().week % len(GUESTS)] if day.weekday() == _SUNDAY else ""


def daily_rules(rules: str) -> str:
    """The id of a daily ruleset, unchanged; raises `UnknownError` for any other."""
    known = tuple(RULES.values())
    if rules not in known:
        raise UnknownError(f"there is no daily under {shown(rules)}: {suggest(rules, known)}")
    return rules


def _hashed(day: date, use: str) -> bytes:
    return f"fivedice daily 1\n{use} {day.isoformat()}".encode("ascii")


def day_secret(master: bytes, day: date) -> bytes:
    """The secret of a day, from the master secret of a server: HMAC-SHA-256 of a line and the day."""
    return hmac.digest(master, _hashed(day, "day"), "sha256")


def open_secret(day: date) -> bytes:
    """The secret of a day for people alone, without a server: anybody can compute it."""
    return hashlib.sha256(_hashed(day, "open")).digest()


def zone_of(name: str) -> tzinfo:
    """The time zone with a name, such as Europe/Berlin; raises `UnknownError`."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownError(f"there is no time zone {shown(name)}: want a name such as UTC or Europe/Berlin") from None


def day_at(now: float, zone: tzinfo) -> date:
    """The day at a time, in seconds since 1970."""
    return datetime.fromtimestamp(now, zone).date()


def seconds_to_next(now: float, zone: tzinfo) -> float:
    """Seconds until the next day begins."""
    midnight = datetime.combine(day_at(now, zone) + timedelta(1), time(), zone)
    return midnight.timestamp() - now
