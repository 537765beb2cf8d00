"""`CommandHandler`: applies commands to live tables, one at a time for each, and answers when the change is durable."""

import asyncio
import contextlib
from time import perf_counter

import structlog
from sqlalchemy import Connection

from fivedice.proof import commitment
from fivedice.server.cluster.heartbeat import Heartbeat
from fivedice.server.config.settings import Settings
from fivedice.server.identity.holders import Holders
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.event_store import EventStore, ExtraWrite, new_id, stored_event
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.metrics import Metrics
from fivedice.server.ops.rate_limits import RateLimiter
from fivedice.server.solving.advisor import Advisor
from fivedice.server.table.commands import Accepted, AnyAnswer, AnyCommand, Refused, Rematch
from fivedice.server.table.create import create_rematch
from fivedice.server.table.decide import RefusedError, decide
from fivedice.server.table.events import AnyEvent, Rematched, Sat
from fivedice.storage.engine.database import UnavailableError
from fivedice.storage.rows.tables import create_table, hold_seat, load_holders

_log = structlog.get_logger("fivedice.server")


class CommandHandler:
    """Judges commands. `heartbeat` knows when the service was up: nobody was silent while it was down."""

    def __init__(
        self,
        event_store: EventStore,
        holders: Holders,
        advisor: Advisor,
        settings: Settings,
        heartbeat: Heartbeat,
        rate_limiter: RateLimiter,
        metrics: Metrics,
    ) -> None:
        self._event_store = event_store
        self._holders = holders
        self._advisor = advisor
        self._settings = settings
        self._heartbeat = heartbeat
        self._rate_limiter = rate_limiter
        self._metrics = metrics
        self._under_way = 0
        self._is_closing = False
        self._is_idle = asyncio.Event()
        self._is_idle.set()

    async def handle(self, live: LiveTable, visitor: Visitor, command: AnyCommand) -> AnyAnswer:
        """Change a table as a command asks, and answer once that is durable; or say why nothing changed."""
        began = perf_counter()
        self._under_way += 1
        self._is_idle.clear()
        try:
            answer = await self._answer(live, visitor, command)
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._is_idle.set()
        if isinstance(answer, Accepted):
            self._metrics.acknowledgement.observe(perf_counter() - began)
        else:
            self._metrics.refused.labels(answer.reason).inc()
            _log.info("refused", table=live.id, command=command.id, seat=command.seat, reason=answer.reason)
        return answer

    async def close(self, seconds: float) -> None:
        """Take no further command, and wait at most so long for the answers to those under way."""
        self._is_closing = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_idle.wait()

    async def _answer(self, live: LiveTable, visitor: Visitor, command: AnyCommand) -> AnyAnswer:
        version = live.table.version
        if self._is_closing:
            return Refused(command.id, version, "unavailable", "the server stops: send it again when it is back")
        if command.seat in live.seats_of(visitor.holder):
            # Counted for the seat whichever device sends it; others' commands must not use up what a player may send.
            is_new = live.history.version_of(command.id) is None
            if is_new and (seconds := self._rate_limiter.wait("commands", f"{live.id} {command.seat}")):
                detail = f"too many commands for this seat: wait {seconds:.1f} s"
                return Refused(command.id, version, "too_fast", detail)
        async with live.lock:
            try:
                while True:
                    answer = await self._try(live, visitor, command)
                    if answer:
                        return answer
            except RefusedError as refusal:
                return refusal.answer(command.id, live.table.version)
            except UnavailableError as error:
                return Refused(command.id, live.table.version, "unavailable", str(error))

    async def _try(self, live: LiveTable, visitor: Visitor, command: AnyCommand) -> Accepted | None:
        """None where somebody else wrote the table's next version first: then the command is judged again."""
        live.heard = max(live.heard, command.version)  # its sender may have been told by another process
        await self._event_store.reload(live)
        version = live.history.version_of(command.id)
        if version is not None:
            return Accepted(command.id, version)
        event = decide(
            live.table,
            command,
            holds=live.seats_of(visitor.holder),
            now=self._settings.clock(),
            chance=live.dice,
            num_changes=live.history.num_changes,
            table_at=live.history.table_at,
            loss_of=self._advisor.loss,
            uptime=self._heartbeat.uptime,
            rematch=new_id() if isinstance(command, Rematch) else "",
        )
        holder = await self._holders.ensure(visitor, event.at) if isinstance(event, Sat) else None
        entry = await self._event_store.append(live, event, command.id, self._also(live, event, holder))
        if entry is None:
            return None
        if holder is not None and event.seat is not None:
            live.give(event.seat, visitor, holder)
        live.advance(event, entry)
        return Accepted(command.id, entry.version)

    def _also(self, live: LiveTable, event: AnyEvent, holder: str | None) -> ExtraWrite | None:
        """What must be written with an event: who holds the seat, or the table of the rematch."""
        match event:
            case Sat(seat=int(seat)) if holder is not None:
                return lambda connection: hold_seat(connection, live.id, seat, holder, event.at)
            case Rematched():
                return self._rematch(live, event)
        return None

    def _rematch(self, live: LiveTable, event: Rematched) -> ExtraWrite:
        secret = self._settings.new_secret()
        created = create_rematch(live.table, event.table, commitment(secret), event.at)
        first = stored_event(created, event.table, 1, new_id())

        def extra_write(connection: Connection) -> None:
            # As the database knows them: a seat may have been claimed in another process just now.
            held = load_holders(connection, live.id)
            holders = [(seat, holder) for seat, holders in held.items() for holder in sorted(holders)]
            create_table(connection, secret, first, holders)

        return extra_write
