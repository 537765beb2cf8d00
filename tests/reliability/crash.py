"""The crash test: faults happen to a server and its database during play, and a ledger counts what was lost.

`python -m tests.reliability.crash --faults 200 --db sqlite` prints its figures and ends with
`acknowledged N, lost 0, doubled 0, stuck 0`. The same `--seed` repeats the faults with their times, and the players'
choices, as far as the scheduling of processes allows.
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest.mock import patch

from tests.reliability.balancer import Balancer
from tests.reliability.client import CONNECTION_ERRORS, Client, PersistentClient, UnavailableError, call, finish
from tests.reliability.daily import DailyPlayer, DuplicatePlayer
from tests.reliability.databases import TargetDatabase, create_postgres, create_sqlite
from tests.reliability.evening import ClubPlayer
from tests.reliability.faults import POSTGRES, SEVERAL, SQLITE, Fault, schedule
from tests.reliability.ledger import Ledger, Notes
from tests.reliability.process import ServerProcess, set_clock
from tests.reliability.proxy import find_proxy, run_proxy
from tests.reliability.replay import check_records, check_views
from tests.waiting import TIMEOUT_SECONDS, wait_for_async

NUM_TABLES = 8
"""Tables played at the same time: half of them over WebSocket, one in four with a computer player, one
with clocks. Behind a proxy, half of them are played through another one, which knows nothing of tables."""

FROZEN_SECONDS = 0.2


@dataclass
class Outcome:
    """The result of a crash test: the duration of each start in seconds, the number of faults of each kind and of
    commands that were refused as unavailable, and a sentence for each table or server that did not continue."""

    ledger: Ledger = field(default_factory=Ledger)
    faults: Counter[str] = field(default_factory=Counter)
    starts: list[float] = field(default_factory=list)
    num_unavailable: int = 0
    num_views: int = 0
    stuck: list[str] = field(default_factory=list)

    @property
    def findings(self) -> list[str]:
        return [*self.ledger.findings, *(f"stuck: {sentence}" for sentence in self.stuck)]

    def __str__(self) -> str:
        return f"{self.ledger}, stuck {len(self.stuck)}"


class CrashTest:
    """One crash test on a database. `folder` is for files of the test."""

    def __init__(
        self,
        database: TargetDatabase,
        faults: Sequence[Fault],
        seed: int,
        folder: Path,
        num_tables: int,
        num_processes: int = 1,
    ) -> None:
        self._database = database
        self._num_tables = num_tables
        self._faults = faults
        self._clock = folder / "clock"
        set_clock(self._clock, 0.0)
        os.mkfifo(folder / "log")
        self._log = os.open(folder / "log", os.O_RDWR | os.O_NONBLOCK)
        self._folder = folder
        self._servers = [
            ServerProcess(
                database.url,
                *(["--proxy", "127.0.0.1"] if num_processes > 1 else []),
                clock=self._clock,
                log=folder / "log",
                log_level="info",
                obeys_permissions=database.is_sqlite,  # PostgreSQL's socket may be in a folder of another user
            )
            for _ in range(num_processes)
        ]
        self._server = self._servers[0]
        self._outcome = Outcome()
        self._client = Client(self._server.url, self._outcome.ledger, random.Random(seed))
        self._stray_client = Client(self._server.url, self._outcome.ledger, random.Random(seed + 10))
        kinds: list[type[PersistentClient[Any]]] = [DailyPlayer, ClubPlayer, DuplicatePlayer]
        self._people = [
            kind(self._client, self._persist, random.Random(seed + number)) for number, kind in enumerate(kinds, 1)
        ]
        self._is_ready = asyncio.Event()
        self._is_ending = False

    async def run(self) -> Outcome:
        """Let all faults happen, play all games to their end, and compare the database with the ledger."""
        if len(self._servers) == 1:
            return await self._run()
        ports = [server.port for server in self._servers]
        nginx = find_proxy("nginx")
        assert nginx, "several processes are tested behind nginx, which is not installed"
        with (
            run_proxy(ports, "nginx", nginx, self._folder) as proxy,
            Balancer(ports) as balancer,
            patch.dict(os.environ, SSL_CERT_FILE=str(proxy.ca_file)),
        ):
            self._client.url, self._stray_client.url = proxy.url, balancer.url
            return await self._run()

    async def _run(self) -> Outcome:
        # A request to a frozen server holds its thread, so that there must be one left to kill the server
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(4 * (self._num_tables + len(self._people))))
        players = [asyncio.create_task(self._play(number)) for number in range(self._num_tables)]
        players += [asyncio.create_task(self._play_on(one)) for one in self._people]
        asyncio.get_running_loop().add_reader(self._log, self._read_log)
        try:
            await self._start()
            for fault in self._faults:
                await asyncio.sleep(fault.uptime)
                self._outcome.faults[fault.kind] += 1
                await getattr(self, f"_{fault.kind}")(fault)
                await self._wait_until_ready(fault.kind)
            await self._end(players)
        finally:
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            await asyncio.to_thread(self._kill_all)
            asyncio.get_running_loop().remove_reader(self._log)
            os.close(self._log)
        ledger = self._outcome.ledger
        ledger.check_database(self._database.commands())
        for one in self._people:
            one.check_database(self._database)
        self._outcome.num_views = check_views(ledger, self._database)
        return self._outcome

    async def _start(self) -> None:
        """Start the server, and compare every unfinished table with the ledger before play continues."""
        began = perf_counter()
        for server in self._servers:
            server.launch()
        await self._wait_for_start(began)

    async def _wait_for_start(self, began: float) -> None:
        """Wait for the start; like a service manager, start again while the database is still recovering."""
        for server in self._servers:
            while not await asyncio.to_thread(server.has_started):
                assert perf_counter() < began + TIMEOUT_SECONDS, "the server does not start"
                await asyncio.sleep(0.1)
                server.launch()
        self._outcome.starts.append(perf_counter() - began)
        for notes in self._unfinished():
            await _when_available(partial(self._client_of(notes).check, notes))
        for one in self._people:
            await _when_available(one.check)
        self._is_ready.set()

    async def _stop_players_and_kill(self) -> None:
        self._is_ready.clear()
        await asyncio.to_thread(self._kill_all)

    def _kill_all(self) -> None:
        for server in self._servers:
            server.kill()

    def _client_of(self, notes: Notes) -> Client:
        return self._client if notes.is_routed else self._stray_client

    async def _launch_and_wait(self, share: float) -> float:
        """Launch the server and wait for a share of the time of a start; return when it was launched."""
        began = perf_counter()
        self._server.launch()
        await asyncio.sleep(share * self._outcome.starts[-1])
        return began

    async def _kill(self, fault: Fault) -> None:
        await self._stop_players_and_kill()
        await self._start()

    async def _kill_at_start(self, fault: Fault) -> None:
        await self._stop_players_and_kill()
        await self._launch_and_wait(fault.share)
        await self._kill(fault)

    async def _freeze_at_start(self, fault: Fault) -> None:
        await self._stop_players_and_kill()
        began = await self._launch_and_wait(fault.share)
        with suppress(ProcessLookupError):  # it has ended, because the database is still recovering from the last fault
            self._server.freeze()
            await asyncio.sleep(FROZEN_SECONDS)
            self._server.thaw()
        await self._wait_for_start(began)

    async def _freeze_and_kill(self, fault: Fault) -> None:
        self._server.freeze()
        await asyncio.sleep(FROZEN_SECONDS)
        if fault.share < 0.5:
            await self._kill(fault)
        else:
            self._server.thaw()

    def _process(self, fault: Fault) -> ServerProcess:
        return self._servers[int(fault.share * len(self._servers))]

    async def _kill_process(self, fault: Fault) -> None:
        server = self._process(fault)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)

    async def _freeze_process(self, fault: Fault) -> None:
        """Freeze a process until others have served for a while; its tables are then in two processes."""
        server = self._process(fault)
        server.freeze()
        try:
            await self._until_played(10)
        finally:
            server.thaw()

    async def _cut_notices(self, fault: Fault) -> None:
        """End the connections by which processes send notices and listen."""
        await asyncio.to_thread(
            self._database.select,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND (query ~ '^LISTEN' OR query ~ '^SELECT pg_notify')",
        )

    async def _until_played(self, num: int) -> None:
        before = self._outcome.ledger.num_acknowledged
        await wait_for_async(lambda: self._outcome.ledger.num_acknowledged > before + num, "play continues")

    async def _jump_clock(self, fault: Fault) -> None:
        set_clock(self._clock, fault.jump)

    async def _start_with_wrong_clock(self, fault: Fault) -> None:
        await self._stop_players_and_kill()
        set_clock(self._clock, fault.jump)
        await self._start()

    async def _reuse_id(self, fault: Fault) -> None:
        for notes in list(self._outcome.ledger.notes.values()):
            if notes.acknowledged:
                await _when_available(partial(self._client_of(notes).reuse_id, notes))

    def _read_log(self) -> None:
        os.read(self._log, 1 << 16)

    async def _stop_reading_log(self, fault: Fault) -> None:
        """Let nothing read the server's standard error, which is full, until commands are acknowledged nevertheless."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._log)
        with suppress(BlockingIOError):
            while True:
                os.write(self._log, b"\n")
        await self._until_played(20)
        loop.add_reader(self._log, self._read_log)

    async def _start_read_only(self, fault: Fault) -> None:
        """Start from a file that may not be written, which is refused, and then from the same file as it was."""
        await self._stop_players_and_kill()
        path = self._database.path
        if fault.share < 0.5:
            path = path.with_name(f"{path.name}-mark")
        mode = path.stat().st_mode
        path.chmod(0o400)
        self._server.launch()
        if await asyncio.to_thread(self._server.has_started):
            self._outcome.stuck.append(f"a server started although {path.name} is read-only")
            await asyncio.to_thread(self._server.kill)
        path.chmod(mode)
        await self._start()

    async def _fill_disk(self, fault: Fault) -> None:
        """Let no file of the database grow until a command is refused, or two seconds have passed, and then longer."""
        if self._database.is_sqlite:
            processes = [self._server.pid]
            size = self._database.path.with_name(f"{self._database.path.name}-wal").stat().st_size
        else:
            _, *processes = self._database.postgres_processes()
            size = 8_192  # less than the position in the log of PostgreSQL, which therefore crashes
        refused, began = self._outcome.num_unavailable, perf_counter()
        _limit_files(processes, size)
        while self._outcome.num_unavailable == refused and perf_counter() < began + 2:
            await asyncio.sleep(0.02)
        await asyncio.sleep(fault.uptime)
        _limit_files(processes, None)

    async def _crash_database(self, fault: Fault) -> None:
        await asyncio.to_thread(self._database.crash_postgres)

    async def _kill_backend(self, fault: Fault) -> None:
        """Kill one process of PostgreSQL, which then ends all others and recovers."""
        _, *children = await asyncio.to_thread(self._database.postgres_processes)
        present = [pid for pid in children if Path(f"/proc/{pid}").exists()]  # that of this query may have ended
        os.kill(present[int(fault.share * len(present))], signal.SIGKILL)

    async def _wait_until_ready(self, kind: str) -> None:
        deadline = perf_counter() + TIMEOUT_SECONDS
        while True:
            reason = "no answer"  # a worker that is killed gives none
            with suppress(*CONNECTION_ERRORS):
                status, found, _ = await asyncio.to_thread(call, f"{self._server.url}/ready")
                if status == 200:
                    return
                reason = found["reason"]
            if perf_counter() > deadline:
                self._outcome.stuck.append(f"after {kind}: {reason}")
                return
            await asyncio.sleep(0.1)

    async def _end(self, players: list["asyncio.Task[None]"]) -> None:
        self._is_ending = True
        await finish(players, self._outcome.ledger, TIMEOUT_SECONDS / 2)
        self._outcome.stuck += [
            f"table {notes.table} at event {max(notes.events, default=1)}, waiting for {notes.pending}"
            for notes in self._unfinished()
        ]
        self._outcome.stuck += [
            f"{type(one).__name__} waits for {one.waits_for}" for one in self._people if one.waits_for
        ]
        records = {}
        for notes in self._outcome.ledger.notes.values():
            client = self._client_of(notes)
            await client.check(notes)
            records[notes.table] = await client.record(notes)
        check_records(self._outcome.ledger, self._database, records)

    def _unfinished(self) -> list[Notes]:
        return [notes for notes in self._outcome.ledger.notes.values() if not notes.has_ended]

    async def _play(self, number: int) -> None:
        """Play one game after another across restarts, and the last one to its end."""
        while not self._is_ending:
            client = self._client if len(self._servers) == 1 or number % 8 < 4 else self._stray_client
            notes = await self._persist(partial(client.create, number % 4 == 0, timed=number % 4 == 1))
            notes.is_routed = client is self._client
            await self._persist(partial(client.play, notes, over_websocket=number % 2 == 0))

    async def _play_on(self, one: PersistentClient[Any]) -> None:
        """Play one daily, evening or game on the same dice after another, and the last one to its end."""
        while not self._is_ending:
            await one.play()

    async def _persist(self, work: Callable[[], Awaitable[Any]]) -> Any:
        """Do work again until no fault disturbs it. Notes keep a command without an answer, which is sent again."""
        while True:
            await self._is_ready.wait()
            try:
                return await work()
            except UnavailableError:
                self._outcome.num_unavailable += 1
                await asyncio.sleep(0.05)
            except CONNECTION_ERRORS:
                await asyncio.sleep(0.01)


async def _when_available(work: Callable[[], Awaitable[None]]) -> None:
    """Do what a database that is recovering may refuse at first."""
    deadline = perf_counter() + TIMEOUT_SECONDS
    while True:
        try:
            return await work()
        except UnavailableError:
            if perf_counter() > deadline:
                raise
            await asyncio.sleep(0.1)


def _limit_files(processes: Sequence[int], size: int | None) -> None:
    """Let these processes write no file beyond a size in bytes, if they still exist; None is no limit."""
    for pid in processes:
        # As the user of the process, which may not be that of the test.
        with suppress(FileNotFoundError):
            user = os.stat(f"/proc/{pid}").st_uid
            limit = f"--fsize={'unlimited' if size is None else size}:unlimited"
            command = [shutil.which("prlimit") or "prlimit", "--pid", str(pid), limit]
            subprocess.run(command, user=user, stderr=subprocess.DEVNULL, check=False)


async def crash(
    database: TargetDatabase,
    num: int,
    seed: int,
    folder: Path,
    kinds: Sequence[str] = (),
    num_tables: int = NUM_TABLES,
    num_processes: int = 1,
) -> Outcome:
    all_kinds: Sequence[str] = SQLITE if database.is_sqlite else SEVERAL if num_processes > 1 else POSTGRES
    faults = list(schedule(kinds or all_kinds, num, seed))
    return await CrashTest(database, faults, seed, folder, num_tables, num_processes).run()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=200, help="the number of faults")
    parser.add_argument("--kinds", default="", help="the kinds of faults, with commas between them; default: all")
    parser.add_argument("--db", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--processes", type=int, default=1, help="behind nginx if several, with postgres only")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    print(f"{options.faults} faults on {options.db}, seed {options.seed}, load {os.getloadavg()[0]:.1f}", flush=True)
    began, kinds = perf_counter(), tuple(filter(None, options.kinds.split(",")))
    with ExitStack() as stack, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        create = create_sqlite if options.db == "sqlite" else create_postgres
        database = stack.enter_context(create(folder))
        crashing = crash(database, options.faults, options.seed, folder, kinds, num_processes=options.processes)
        outcome = asyncio.run(crashing)
    starts, num = sorted(outcome.starts), len(outcome.ledger.notes)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(outcome.faults.items())))
    print(f"{perf_counter() - began:.0f} s; {len(starts)} starts, one took {starts[len(starts) // 2]:.2f} s")
    print(f"{num} tables; {outcome.num_unavailable} commands unavailable; {outcome.num_views} views compared")
    ledger = outcome.ledger
    print(
        f"{ledger.num_answers} answers of the daily; {ledger.num_club_commands} commands of tournaments; "
        f"{ledger.num_entries} entries and {ledger.num_standings} standings of games on the same dice"
    )
    for finding in outcome.findings:
        print(finding)
    print(outcome)
    return 1 if outcome.findings else 0


if __name__ == "__main__":
    sys.exit(main())
