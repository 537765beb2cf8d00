"""Several processes that own one table by turns, in any order of events: none acknowledges what another one did.

Processes are frozen between any two steps of storing an event, killed, and sent commands whichever of them owns the
table; messages between them are delayed, lost and doubled. Commands, tables and the database are the real ones.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from fivedice.game.proof import commitment
from fivedice.server import services as parts
from fivedice.server.cluster.bus import PEERS, Receiver
from fivedice.server.config.settings import Settings
from fivedice.server.config.shards import new_table_id, owners, shard_of
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live import cluster_sync
from fivedice.server.live.live_table import LiveTable
from fivedice.server.services import Services
from fivedice.server.table.answers import Accepted, AnyAnswer
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.event import stored_id
from fivedice.server.table.verbs import AnyCommand, Roll, Score
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import new_secret
from tests.amount import amount
from tests.server.scripted import NOW, SECRET, people
from tests.storage.empty import empty_postgres
from tests.waiting import TIMEOUT_SECONDS

NUM_PROCESSES = 3

POINTS = ("before the event is stored", "after the event is stored")
"""Where a process can be frozen while it carries out a command."""

_numbers = count(10_000_000)


class Wire:
    """Lines on their way between processes."""

    def __init__(self) -> None:
        self.buses: list[SimulatedBus] = []
        self.waiting: list[tuple[SimulatedBus, str, str]] = []

    def deliver(self, number: int, *, again: bool = False) -> None:
        """Deliver a line, which may be delivered again later."""
        bus, channel, line = self.waiting[number] if again else self.waiting.pop(number)
        if bus in self.buses:
            bus.receiver.on_lines(channel, [line])


class SimulatedBus:
    """Takes the place of a bus. It delivers nothing by itself."""

    is_listening = True

    def __init__(self, wire: Wire, receiver: Receiver) -> None:
        self.wire = wire
        self.receiver = receiver
        self._channels = frozenset({PEERS})
        wire.buses.append(self)

    def send(self, channel: str, line: str) -> None:
        """Put a line on the wire for all others that listen."""
        self.wire.waiting += [
            (bus, channel, line) for bus in self.wire.buses if bus is not self and channel in bus._channels
        ]

    def listen(self, channels: Iterable[str]) -> None:
        """Listen to these channels at once."""
        added, self._channels = frozenset(channels) - self._channels, frozenset({PEERS, *channels})
        self.receiver.on_listening(self._channels, added)

    async def sent(self) -> None:
        """Nothing waits."""

    async def run(self) -> None:
        """Announce a new connection."""
        self.receiver.on_gap()
        self.receiver.on_listening(self._channels, self._channels)
        await asyncio.Event().wait()


class Process:
    """A process that serves the database. Its commands stop at `frozen_at`, one of `POINTS`, or do not begin."""

    def __init__(self, url: str, folder: Path, wire: Wire) -> None:
        self._url, self._folder, self._wire = url, folder, wire
        self.work: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin with nothing in memory."""
        self.frozen_at = ""
        self._thawed = asyncio.Event()
        self._thawed.set()
        self.services = Services(Settings(self._url, clock=lambda: NOW, page=self._folder, pace=0.0))
        database = self.services.database
        appended = database.appended

        async def stop_and_append(entry: StoredEvent) -> bool:
            await self.pass_point(POINTS[0])
            is_stored = await appended(entry)
            await self.pass_point(POINTS[1])
            return is_stored

        database.appended = stop_and_append  # type: ignore[method-assign]
        self.services.cluster_sync.start()

    def freeze(self, point: str) -> None:
        """Let commands stop there."""
        self.frozen_at = point
        self._thawed.clear()

    def thaw(self) -> None:
        """Let everything go on."""
        self.frozen_at = ""
        self._thawed.set()

    async def pass_point(self, point: str) -> None:
        """Wait there while the process is frozen."""
        if self.frozen_at == point:
            await self._thawed.wait()

    async def kill(self) -> None:
        """End at once: nothing more is answered or sent."""
        for task in (*self.work, *self.services.cluster_sync._tasks):
            task.cancel()
        await asyncio.gather(*self.work, *self.services.cluster_sync._tasks, return_exceptions=True)
        self.work.clear()
        bus: Any = self.services.cluster_sync._bus
        self._wire.buses.remove(bus)
        self.services.database.on_commit(None)
        await self.services.searches.close()
        await asyncio.to_thread(self.services.database.close)


@dataclass
class Sent:
    """A command, and the version that it was acknowledged with, once it was."""

    command: AnyCommand
    version: int | None = None


@dataclass
class Cluster:
    """The processes, which all examples share, as they share the event loop and the database."""

    loop: asyncio.AbstractEventLoop
    wire: Wire
    processes: list[Process]
    visitor: Visitor = field(default_factory=lambda: Visitor(new_secret(), None))

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do work in the event loop."""
        return self.loop.run_until_complete(asyncio.wait_for(work, TIMEOUT_SECONDS))


class Ownership(RuleBasedStateMachine):
    """One table at several processes."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__()
        self.cluster = cluster
        self.sent: list[Sent] = []
        self.acknowledged: dict[int, str] = {}
        """The id of the command that was acknowledged with each version."""
        self.num_workers = NUM_PROCESSES

    @initialize()
    def begin(self) -> None:
        """Create a table for two, whose seats one visitor holds."""
        self.cluster.run(self._begin())

    async def _begin(self) -> None:
        services, id = self.cluster.processes[0].services, new_table_id(Settings("").shards)
        created = create(NewTable(people("Ann", "Ben")), id, commitment(SECRET), NOW)
        live = await services.tables.create(created, SECRET, self.cluster.visitor, [0, 1])
        [holder] = live.holders[0]
        self.table, self.visitor = id, Visitor(self.cluster.visitor.key, holder)

    @rule(number=st.integers(0, NUM_PROCESSES - 1), late=st.sampled_from((0, 0, 0, 1, 2)))
    def send(self, number: int, late: int) -> None:
        """Send a command that fits what a process has in memory, or had some versions ago."""
        self.cluster.run(self._send([self.cluster.processes[number]], late))

    @rule(late=st.sampled_from((0, 0, 1)))
    def send_to_owner(self, late: int) -> None:
        """Send a command to the process that should have the table."""
        self.cluster.run(self._send([self.cluster.processes[owners(shard_of(self.table), self.num_workers)[0]]], late))

    @rule()
    def send_to_all_at_once(self) -> None:
        """Send each process a command of its own, and wait for the answers together."""
        self.cluster.run(self._send(self.cluster.processes, 0))

    @rule(age=st.integers(1, 6), number=st.integers(0, NUM_PROCESSES - 1))
    def send_again(self, age: int, number: int) -> None:
        """Send one of the last commands again, to any process."""
        if sent := self.sent[-age:]:
            self.cluster.run(self._all([(self.cluster.processes[number], sent[0])]))

    @rule(num_workers=st.integers(1, NUM_PROCESSES))
    def change_owners(self, num_workers: int) -> None:
        """Divide the tables among another number of processes."""
        self.num_workers = num_workers

    @rule(number=st.integers(0, NUM_PROCESSES - 1), point=st.sampled_from(POINTS))
    def freeze(self, number: int, point: str) -> None:
        """Freeze a process at its next command."""
        self.cluster.processes[number].freeze(point)

    @rule(number=st.integers(0, NUM_PROCESSES - 1))
    def thaw(self, number: int) -> None:
        """Let a process go on with what it was doing."""
        self.cluster.processes[number].thaw()
        self.cluster.run(_settled(self.cluster.processes[number]))

    @rule(number=st.integers(0, NUM_PROCESSES - 1))
    def kill(self, number: int) -> None:
        """Kill a process, and start another in its place."""
        self.cluster.run(self._kill(self.cluster.processes[number]))

    async def _kill(self, process: Process) -> None:
        await process.kill()
        process.start()
        await asyncio.sleep(0)

    @rule(number=st.integers(0, 8), fate=st.sampled_from(("delivered", "delivered", "doubled", "lost")))
    def pass_message(self, number: int, fate: str) -> None:
        """Deliver one of the first lines on the wire, or deliver it twice, or never."""
        if waiting := len(self.cluster.wire.waiting):
            self.cluster.run(self._pass(number % waiting, fate))

    async def _pass(self, number: int, fate: str) -> None:
        if fate == "lost":
            self.cluster.wire.waiting.pop(number)
        else:
            self.cluster.wire.deliver(number, again=fate == "doubled")
        await asyncio.sleep(0)

    async def _send(self, processes: list[Process], late: int) -> None:
        asking = []
        for process in processes:
            if process.frozen_at and process.work:
                continue  # it does not even read the command
            live = await process.services.tables.find(self.table)
            sent = Sent(_command(live, late))
            self.sent.append(sent)
            asking.append((process, sent))
        await self._all(asking)

    async def _all(self, asking: list[tuple[Process, Sent]]) -> None:
        """Let processes carry out commands, as far as they are not frozen."""
        for process, sent in asking:
            process.work.add(asyncio.create_task(self._ask(process, sent)))
        for process, _ in asking:
            await _settled(process)

    async def _ask(self, process: Process, sent: Sent) -> None:
        live = await process.services.tables.find(self.table)
        self._note(sent, await process.services.command_handler.handle(live, self.visitor, sent.command, ""))

    def _note(self, sent: Sent, answer: AnyAnswer) -> None:
        if isinstance(answer, Accepted):
            assert sent.version in (None, answer.version), f"{sent} was acknowledged again, as {answer}"
            owner = self.acknowledged.setdefault(answer.version, sent.command.id)
            assert owner == sent.command.id, f"{owner} and {sent.command.id} were both acknowledged as {answer.version}"
            sent.version = answer.version

    def teardown(self) -> None:
        """Compare all that was acknowledged with the log, and the views of all processes with each other."""
        if hasattr(self, "table"):
            self.cluster.run(self._check())

    async def _check(self) -> None:
        self.cluster.wire.waiting.clear()
        views = set()
        for process in self.cluster.processes:
            process.thaw()
        for process in self.cluster.processes:
            await asyncio.gather(*process.work)
            process.work.clear()
        for process in self.cluster.processes:
            process.services.tables.mark_all_stale()
            live = await process.services.tables.find(self.table)
            views.add(msgspec.json.encode(process.services.tables.view_of(live)))
        await self._kill(self.cluster.processes[0])
        afresh = await self.cluster.processes[0].services.tables.find(self.table)
        views.add(msgspec.json.encode(self.cluster.processes[0].services.tables.view_of(afresh)))
        assert len(views) == 1
        rows = self.cluster.processes[0].services.database.read(
            lambda connection: connection.exec_driver_sql(
                "SELECT version, command FROM events WHERE table_id = %s ORDER BY version", (self.table,)
            ).fetchall()
        )
        assert [version for version, _ in rows] == list(range(1, len(rows) + 1))
        stored = {command: version for version, command in rows}
        assert len(stored) == len(rows)
        for sent in self.sent:
            seat = str(sent.command.seat)
            if sent.version is not None:
                assert stored.get(stored_id(seat, sent.command.id)) == sent.version, sent
        self.cluster.wire.waiting.clear()


def _command(live: LiveTable, late: int) -> AnyCommand:
    """A command that fits a table, made against one of its last versions."""
    turn, version = live.table.turn, max(live.table.version - late, 1)
    seat, id = turn.position.seat, f"command-{next(_numbers)}"
    if turn.places and turn.position.rolls_left < 2:
        return Score(id=id, version=version, seat=seat, box=turn.position.offers()[0].action.box)
    return Roll(id=id, version=version, seat=seat, kept=[False] * len(turn.places))


async def _settled(process: Process) -> None:
    """Wait until a process is done with all commands, or all are stopped where it is frozen."""
    while process.work:
        done, _ = await asyncio.wait(process.work, timeout=0.03 if process.frozen_at else None)
        process.work -= done
        for task in done:
            task.result()
        if process.frozen_at and not done:
            return


@pytest.fixture
def cluster(postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    wire = Wire()
    make_bus: Callable[..., object] = partial(SimulatedBus, wire)
    monkeypatch.setattr(parts, "_bus", lambda *_: make_bus)
    monkeypatch.setattr(cluster_sync, "PEER_BATCH_SECONDS", 0.0)
    url = empty_postgres(postgres)
    loop = asyncio.new_event_loop()
    found = Cluster(loop, wire, [Process(url, tmp_path, wire) for _ in range(NUM_PROCESSES)])

    async def start() -> None:
        for process in found.processes:
            process.start()

    async def stop() -> None:
        for process in found.processes:
            await process.kill()

    found.run(start())
    yield found
    found.run(stop())
    loop.close()


def test_no_two_processes_acknowledge_one_version(cluster: Cluster) -> None:
    run_state_machine_as_test(
        lambda: Ownership(cluster),  # type: ignore[arg-type]
        settings=settings(max_examples=amount(12, full=300), stateful_step_count=30, deadline=None),
    )
