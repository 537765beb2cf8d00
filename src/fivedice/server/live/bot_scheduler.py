"""The `BotScheduler`: lets computer players act in time, a step after the other, so that people can follow.

Nothing is polled: a table gets a timer when it changes, or when it is loaded, if a computer player is to act then. So
after a restart a table goes on as soon as somebody looks at it.

Of several processes that have a table, the one that wrote its newest event lets the computer player act. The others
wait for `PATIENCE` longer, and act where it did not: then it is gone. Should two act, one of them writes the event.
"""

import asyncio
import contextlib
import logging
import random

from fivedice.errors import IllegalError
from fivedice.game.action import Action
from fivedice.players import Greedy, Random
from fivedice.server.cluster.peers import Peers
from fivedice.server.config.settings import Settings
from fivedice.server.live.event_store import EventStore, new_id
from fivedice.server.live.live_table import LiveTable
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.queue import is_shipped
from fivedice.server.table.bots import bot_step, due_at, is_bots_turn
from fivedice.storage.engine.database import UnavailableError

AGAIN = 2.0
"""Seconds until a computer player tries again, where the database or the solver could not be used."""

PATIENCE = 2.0
"""Seconds that other processes leave to the one whose turn it is to let a computer player act."""

_log = logging.getLogger(__name__)


class BotScheduler:
    """Plans and takes the steps of computer players."""

    def __init__(self, event_store: EventStore, advisor: Advisor, settings: Settings, peers: Peers) -> None:
        self._event_store = event_store
        self._advisor = advisor
        self._settings = settings
        self._peers = peers
        self._chance = random.SystemRandom()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self._thinking = asyncio.Semaphore(1)
        """With ten dice of somebody's own rules a choice takes half a second: one at a time leaves room for people, and
        for the computer players of shipped rules, who do not wait for it."""

    def plan(self, live: LiveTable, at_least: float = 0.0) -> None:
        """Set the timer of a table for its next step, at least so many seconds from now; or none."""
        if live.step:
            live.step.cancel()
            live.step = None
        due = due_at(live.table, self._settings.pace)
        if due is not None and not self._is_closed:
            if not (live.is_ours or self._peers.is_alone):
                due += PATIENCE
            delay = max(due - self._settings.clock(), at_least)
            live.step = asyncio.get_running_loop().call_later(delay, self._begin, live)

    def close(self) -> None:
        """Take no further step."""
        self._is_closed = True

    def _begin(self, live: LiveTable) -> None:
        live.step = None
        if not self._is_closed:
            task = asyncio.create_task(self._step(live))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _step(self, live: LiveTable) -> None:
        async with live.lock:
            try:
                await self._event_store.reload(live)
                action = await self._choose(live)
                event = bot_step(live.table, lambda kind, position: action, live.dice, self._settings.clock())
                if event is None:
                    return  # a person is to act by now; or a solution is sought, whose arrival plans anew
                entry = await self._event_store.append(live, event, new_id())
            except (UnavailableError, IllegalError) as error:  # "illegal": the rules could not be solved
                _log.warning("table %s: a computer player waits: %s", live.id, error)
                self.plan(live, AGAIN)
                return
            except Exception:  # noqa: BLE001
                # Nobody else waits for this step: without another timer the table would be stuck.
                _log.exception("table %s: a computer player failed", live.id)
                self.plan(live, AGAIN)
                return
            if entry is None:
                self.plan(live)
            else:
                live.advance(event, entry)

    async def _choose(self, live: LiveTable) -> Action | None:
        """What the computer player to move does with its dice; None while there are none, or while it cannot decide."""
        table = live.table
        if not is_bots_turn(table) or not table.turn.places:
            return None
        match table.mover.decider:
            case "optimal":
                return self._advisor.best(table.position, live.refresh)
            case "random":
                return Random(self._chance).choose(table.position)
        # In a thread: a greedy player counts for some milliseconds, and others' tables should not wait.
        async with contextlib.nullcontext() if is_shipped(table.ruleset) else self._thinking:
            return await asyncio.to_thread(Greedy().choose, table.position)
