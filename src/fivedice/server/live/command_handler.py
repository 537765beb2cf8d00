"""`CommandHandler`: applies commands to live tables, one at a time for each, and answers once the change is durable."""

import asyncio
import contextlib
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import structlog
from sqlalchemy import Connection

from fivedice.base.errors import UnavailableError
from fivedice.game.proof import commitment
from fivedice.server.identity.holders import COOKIE, Holders, Visitor
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.limits import BROWSER_BYTES, SENT_BYTES_PER_TOKEN
from fivedice.server.live.event_store import EventStore, NewerError, new_id, store_new
from fivedice.server.live.live_stream import ExtraWrite
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.budget import Budget, TooFastError
from fivedice.server.ops.metrics import Metrics
from fivedice.server.settings import Settings
from fivedice.server.solving.computer_players import Advisor
from fivedice.server.table.answers import Accepted, AnyAnswer, RefusedError
from fivedice.server.table.create import create_rematch
from fivedice.server.table.decide import decide
from fivedice.server.table.event import Created, Event, stored_id, watcher
from fivedice.server.table.history import change_bytes, game_bytes
from fivedice.server.table.verb import Context
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.begin import Sat, Sit
from fivedice.server.table.verbs.end import Rematch, Rematched
from fivedice.server.table.verbs.play import PlayCommand
from fivedice.storage.rows.open_seats import blocks_of
from fivedice.storage.rows.streams import hold_seat, load_holders

_log = structlog.get_logger("fivedice.server")


@dataclass(eq=False)
class CommandHandler:
    """Handles commands."""

    _event_store: EventStore
    _holders: Holders
    _advisor: Advisor
    _settings: Settings
    _budget: Budget
    _metrics: Metrics

    def __post_init__(self) -> None:
        self._under_way = 0
        self._is_closing = False
        self._is_idle = asyncio.Event()
        self._is_idle.set()

    async def handle(self, live: LiveTable, visitor: Visitor, command: AnyCommand, address: str) -> AnyAnswer:
        """Change a table as a command asks, and answer once that is durable; or refuse the command with the reason.

        `address` is that of the sender, as `address_of` has it. Raises `NewerError` if only a later version of
        fivedice can carry the command out.
        """
        began = perf_counter()
        self._under_way += 1
        self._is_idle.clear()
        try:
            answer = await self._answer(live, visitor, command, address)
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
        """Wait up to `seconds` seconds for the answers to commands under way.

        Those that wait for their share are refused.
        """
        self._is_closing = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_idle.wait()

    async def _answer(self, live: LiveTable, visitor: Visitor, command: AnyCommand, address: str) -> AnyAnswer:
        try:
            await self._wait_for_share(live, address)
            if isinstance(command, Sit):
                await asyncio.to_thread(skeleton, command.name)  # reads its table once, which takes a second
            if live.table.help == "tutor" and isinstance(command, PlayCommand) and not command.anyway:
                await self._advisor.searches.look_up(live.table.ruleset, live.last_address)
            async with live.lock:
                while True:
                    if accepted := await self._try(live, visitor, command, address):
                        return accepted
        except RefusedError as error:
            return error.answer(command.id, live.table.version)
        except TooFastError as error:
            return RefusedError("too_fast", str(error), seconds=error.seconds).answer(command.id, live.table.version)
        except NewerError:
            raise
        except UnavailableError as error:
            return RefusedError("unavailable", str(error)).answer(command.id, live.table.version)

    async def _wait_for_share(self, live: LiveTable, address: str) -> None:
        """Wait until an address can pay for the views of the table that are sent after its command."""
        num_bytes = live.view_bytes * (1 + len(live.subscribers))
        while seconds := self._budget.wait(address, num_bytes / SENT_BYTES_PER_TOKEN):
            await asyncio.sleep(seconds)
            if self._is_closing:
                raise RefusedError("unavailable", "the server is stopping: send the command again later")

    async def _try(self, live: LiveTable, visitor: Visitor, command: AnyCommand, address: str) -> Accepted | None:
        """None if another event took the next version; then the command must be decided again."""
        # The sender may have this version from another process.
        live.announced_version = max(live.announced_version, command.version)
        await self._event_store.reload(live)
        if visitor.holder is None and live.history.version_of(str(command.seat), command.id) is not None:
            # The browser may have become a holder since it sent this: by the same command, in another process.
            visitor = await self._holders.visitor({COOKIE: visitor.key})
        holds, as_watcher = live.seats_of(visitor.holder), watcher(visitor.key)
        if (version := live.history.repeated([as_watcher, *map(str, sorted(holds))], command)) is not None:
            return Accepted(command.id, version)
        context = Context(
            holds=holds,
            now=self._settings.clock(),
            chance=live.dice,
            num_changes=live.history.num_changes,
            num_watcher_nonces=live.history.num_sent(as_watcher, command.version),
            rematch=new_id() if isinstance(command, Rematch) else "",
            loss_of=partial(self._advisor.sure_loss, address=live.last_address),
            questions=live.questions,
            look_of=skeleton,
            is_blocked=isinstance(command, Rematch) and await self._is_blocked(live, visitor),
        )
        step = decide(live.table, command, context)
        event = step.event
        rematch = None
        if isinstance(event, Rematched):
            secret = self._settings.new_secret()
            rematch = create_rematch(live.table, event.table, commitment(secret), event.at), secret
        self._count(live, event, rematch, address, is_new=self._holders.holder_of(visitor) is None)
        holder = await self._holders.ensure(visitor, event.at) if isinstance(event, Sat) else None
        extra_write = _hold(live, event, holder) if rematch is None else _create(live, *rematch)
        id = stored_id(command.sender(holds, as_watcher), command.id)
        stored = await self._event_store.append(live, step, id, extra_write)
        if stored is None:
            return None
        if holder is not None and event.seat is not None:
            live.add_holder(event.seat, visitor, holder)
        live.advance(step, stored)
        return Accepted(command.id, stored.version)

    async def _is_blocked(self, live: LiveTable, visitor: Visitor) -> bool:
        """Whether somebody at a table wants to meet a visitor no more, or the visitor does not want to meet them."""
        holder = visitor.holder or ""
        pairs = await self._event_store.database.fetched(lambda connection: blocks_of(connection, holder))
        others = {other for holders in live.holders.values() for other in holders}
        return any(others & {one, other} - {holder} for one, other in pairs)

    def _count(
        self, live: LiveTable, event: Event, rematch: tuple[Created, bytes] | None, address: str, *, is_new: bool
    ) -> None:
        """Count what an event stores beyond the game that its table was counted with; raises `TooFastError`, and for a
        rematch `UnavailableError`."""
        if rematch is not None:
            self._budget.store(address, game_bytes(rematch[0]))
        elif num_bytes := change_bytes(live.table, event):
            self._budget.store_more(address, num_bytes)
        if isinstance(event, Sat) and is_new:
            self._budget.store_more(address, BROWSER_BYTES)


def _hold(live: LiveTable, event: Event, holder: str | None) -> ExtraWrite | None:
    """The write that goes with an event: the holder of the seat."""
    if holder is None or event.seat is None:
        return None
    seat = event.seat
    return lambda connection: hold_seat(connection, live.id, seat, holder, event.at)


def _create(live: LiveTable, created: Created, secret: bytes) -> ExtraWrite:
    """The write that goes with a rematch: its table."""

    def extra_write(connection: Connection) -> None:
        # Read in the same transaction, because a seat may just have been claimed in another process.
        held = load_holders(connection, live.id)
        holders = [(seat, holder) for seat, holders in held.items() for holder in sorted(holders)]
        store_new(connection, created, secret, holders)

    return extra_write
