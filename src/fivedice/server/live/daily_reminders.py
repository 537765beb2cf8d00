"""`DailyReminders`: tells people of today's ten, at the hour that each chose, if they have not begun one.

All processes on a database look; whoever takes a browser tells it. Who was to be told while no process ran is not told
later than in the hour chosen.
"""

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Protocol

from fivedice.daily.days import RULES, zone_of
from fivedice.server.config.limits import DAILY_REMINDER_SECONDS, REMINDER_KEPT_SECONDS
from fivedice.server.live.reminders import Reminders
from fivedice.server.ops.background import Repeated
from fivedice.server.share.words import Words
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.reminders import DailyHour, daily_zones, langs_due, take_due


class Days(Protocol):
    """The days of the server. `is_ready` says whether today's ten is drawn; if not, it is drawn in the background."""

    @property
    def today(self) -> date: ...

    @property
    def seconds_to_next(self) -> float: ...

    def is_ready(self, kind: str, rules: str) -> bool: ...


class DailyReminders(Repeated):
    """Looks every minute, by `clock`, the seconds since 1970."""

    pause = DAILY_REMINDER_SECONDS
    failure = "nobody is reminded of the daily ten"

    def __init__(self, database: Database, reminders: Reminders, days: Days, clock: Callable[[], float]) -> None:
        self._database = database
        self._reminders = reminders
        self._days = days
        self._clock = clock

    async def remind_due(self) -> None:
        """Tell those whose hour it is, once the ten of their language is drawn; raises `UnavailableError`."""
        for zone in await self._database.fetched(daily_zones):
            local = datetime.fromtimestamp(self._clock(), zone_of(zone))
            at = DailyHour(zone, local.hour, local.date().isoformat(), self._days.today.isoformat())
            for lang in await self._database.fetched(partial(langs_due, at=at)):
                if self._days.is_ready("ten", RULES[lang]):
                    await self._remind(at, lang)

    async def _remind(self, at: DailyHour, lang: str) -> None:
        kept = min(REMINDER_KEPT_SECONDS, self._days.seconds_to_next)
        words = Words(lang)
        message = {
            "title": words.daily_ten(),
            "body": words.not_played(),
            "tag": "fivedice daily",
            "path": "/daily",
        }
        for reminded in await self._database.written(partial(take_due, at=at, lang=lang)):
            await self._reminders.send(reminded, message, kept)

    async def _work(self) -> None:
        await self.remind_due()
