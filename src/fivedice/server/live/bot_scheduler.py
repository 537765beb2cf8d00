"""`BotScheduler`: lets computer players act one step at a time, when `due_at` says so, and ends the turns of people
whose clock has run out.

There is no polling: a table gets a timer when it is loaded or changes, if a computer player is to move, or a clock runs
out soon. So after a restart a table continues as soon as somebody opens it; `LateTables` opens those with clocks.

If several processes have a table, the one that wrote its newest event lets the computer player act. The others wait
`TAKEOVER_SECONDS` longer and act if it has not, because then it is gone. If two act, only one of them writes the event.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from fivedice.base.errors import IllegalError, UnavailableError, UnknownError
from fivedice.server.live.event_store import EventStore, new_id
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.background import Repeated
from fivedice.server.ops.heartbeat import HEARTBEAT_GRACE_SECONDS
from fivedice.server.settings import Settings
from fivedice.server.solving.computer_players import ComputerPlayers
from fivedice.server.table.decide import bot_step, due_at, is_bots_turn
from fivedice.server.table.verbs.end import time_out
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.server import require_life
from fivedice.storage.rows.streams import late_tables

LATE_SECONDS = 1.0
"""After the end of a clock, for actions that are on their way."""

CLOCK_TIMER_SECONDS = 600.0
"""A clock that ends within this time has a timer, where its table is in memory."""

CLOCK_SWEEP_SECONDS = 30.0
"""Between two searches for clocks that have ended at other tables."""

BOT_RETRY_SECONDS = 2.0
"""Before a failed step of a computer player is repeated."""

TAKEOVER_SECONDS = 2.0
"""Before another process takes the step of a computer player."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class BotScheduler:
    """Schedules and takes the steps of computer players, and those that follow when a clock has run out."""

    _event_store: EventStore
    _players: ComputerPlayers
    _settings: Settings

    def __post_init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def schedule(self, live: LiveTable, min_delay: float = 0.0) -> None:
        """Set the timer for a table's next step, at least `min_delay` seconds from now; or clear it if none is due."""
        if live.bot_timer:
            live.bot_timer.cancel()
            live.bot_timer = None
        due = None if live.is_gone else self._due_at(live)
        if due is not None and not self._is_closed:
            if not live.is_last_writer and self._event_store.database.is_shared:
                due += TAKEOVER_SECONDS
            delay = max(due - self._settings.clock(), min_delay)
            live.bot_timer = asyncio.get_running_loop().call_later(delay, self._start_step, live)

    def _due_at(self, live: LiveTable) -> float | None:
        """When the next step is due, in seconds since 1970; None if a person is to move who has more time."""
        due = due_at(live.table, self._settings.pace, live.read_at)
        if due is None and live.due is not None and live.due < self._settings.clock() + CLOCK_TIMER_SECONDS:
            return live.due + LATE_SECONDS
        return due

    def close(self) -> None:
        """Take no more steps."""
        self._is_closed = True

    def _start_step(self, live: LiveTable) -> None:
        live.bot_timer = None
        if not self._is_closed:
            task = asyncio.create_task(self._step(live))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _step(self, live: LiveTable) -> None:
        try:
            now = self._settings.clock()
            if live.due is not None and live.due <= now:
                # After a pause this may come before the sign of life that puts off the ends of clocks.
                is_due = partial(require_life, since=now - HEARTBEAT_GRACE_SECONDS)
                await self._event_store.database.fetched(is_due)
                live.must_reload = True
            async with live.lock:
                await self._event_store.reload(live)
            table, action = live.table, None
            if is_bots_turn(table) and table.turn.places:
                # Without the lock, because it may take seconds, in which people can act.
                action = await self._players.choose(table, live.last_address)
                live.lacks_values = live.lacks_values or action is None
            async with live.lock:
                await self._event_store.reload(live)
                if live.table.version != table.version:
                    self.schedule(live)
                    return
                now = self._settings.clock()
                step = time_out(table, now, live.due)
                step = step or bot_step(table, lambda kind, position: action, live.dice, now)
                if step is None:
                    # A person is to move now, or values are sought, after which this is scheduled again.
                    if not is_bots_turn(table):
                        self.schedule(live)
                    return
                stored = await self._event_store.append(live, step, new_id())
                if stored is None:
                    self.schedule(live)
                else:
                    live.advance(step, stored)
        except (UnavailableError, IllegalError) as error:  # IllegalError: the rules cannot be solved
            _log.warning("table %s: computer player postponed: %s", live.id, error)
            self.schedule(live, BOT_RETRY_SECONDS)
        except Exception:  # noqa: BLE001
            # No one awaits this task, and without another timer the table would be stuck.
            _log.exception("table %s: computer player failed", live.id)
            self.schedule(live, BOT_RETRY_SECONDS)


class LateTables(Repeated):
    """Opens the tables whose clocks have run out while nobody had them open, so that their games go on.

    It looks twice a minute, by `clock`, the seconds since 1970; `open_table` loads a table, and sets its timer. All
    processes on a database do, and one of them writes what follows.
    """

    pause = CLOCK_SWEEP_SECONDS
    failure = "no clock is looked after"

    def __init__(
        self, database: Database, open_table: Callable[[str], Awaitable[object]], clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._open_table = open_table
        self._clock = clock

    async def work(self) -> None:
        """Open the tables whose clocks may have run out; raises `UnavailableError`."""
        for table in await self._database.fetched(partial(late_tables, now=self._clock())):
            failure = f"table {table} is not opened, although a clock has run out"
            with self.fenced(failure), suppress(UnknownError):  # it may have been deleted meanwhile
                await self._open_table(table)
