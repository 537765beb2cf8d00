"""What one address that asks for everything at once costs the others: `make bench-fair`.

The attacker has 1,000 imported games, and asks for its dice, figures, lessons and exports on eight connections, again
and again; before each round it imports ten more games, so that none of these results can be kept. Meanwhile somebody
at another address reads the record of a game, and people at 50 tables act at a steady rate. Both are measured with and
without the attack, in turn and in the same run.

The attacker is a separate process at low priority, which makes its games beforehand and does not read the answers: on
another machine it would take nothing from this one. Its share of the processors is printed, as are those of the server
and of its worker process.
"""

import asyncio
import multiprocessing
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time

import httpx
import server as tables
import uvloop
from served import create, database_in, processor_seconds
from served import server as serving
from solve import machine

from fivedice.game.action import Keep
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset

GAMES, CONNECTIONS, ROUNDS = 1_000, 8, 3

NEW_GAMES, SPARE_GAMES = 10, 1_000
"""Games that the attacker adds before each round, and those that it has ready for that."""

ATTACKER_NICENESS = 15
"""The attacker gets a thirtieth of the share of the server where both want one core."""

TABLES, OFFERED = 50, 100.0
"""Tables, and actions per second over all of them: a load that leaves the server time."""

RECORD_SECONDS = 0.05
"""Between two requests for the record."""

RECORD_BAR, ACTIONS_BAR = 1_000.0, 2.0
"""Milliseconds of the record's p99 under attack; the p99 of actions under attack, as a multiple of that without."""

ATTACKS = ("dice", "figures", "lessons", "export") * (CONNECTIONS // 4)


def main() -> None:
    tables.TABLES = TABLES
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {GAMES:,} games, {CONNECTIONS} connections")
    context = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        database_in(Path(folder), "sqlite") as (database_url, _),
        serving(database_url) as (url, server_pid),
    ):
        is_ready, is_attacking = context.Event(), context.Event()
        attacker = context.Process(target=attack, args=(url, is_ready, is_attacking), daemon=True)
        attacker.start()
        assert is_ready.wait(600), "the attacker is not ready"
        assert attacker.pid is not None
        uvloop.run(measure(url, is_attacking, server_pid, attacker.pid))
        assert attacker.is_alive(), "the attacker ended before the measurement"
        attacker.kill()
        attacker.join()


async def measure(url: str, is_attacking: Event, server_pid: int, attacker_pid: int) -> None:
    """Measure in turn without and with the attack, and print the figures."""
    record, _ = await asyncio.to_thread(create, url)
    actions: dict[bool, list[float]] = {False: [], True: []}
    reads: dict[bool, list[float]] = {False: [], True: []}
    spent: dict[str, float] = {"attacker": 0.0, "server with its worker": 0.0, "players": 0.0}
    elapsed = 0.0
    async with client(url, 3) as reader:
        for _ in range(ROUNDS):
            for is_attacked in (False, True):
                if is_attacked:
                    is_attacking.set()
                reading = asyncio.create_task(read(reader, record, reads[is_attacked]))
                began, before = perf_counter(), processor_times(attacker_pid, server_pid)
                found = await tables.play([url], TABLES / OFFERED)
                if is_attacked:
                    elapsed += perf_counter() - began
                    for name, seconds in processor_times(attacker_pid, server_pid).items():
                        spent[name] += seconds - before[name]
                is_attacking.clear()
                actions[is_attacked] += [seconds for at, seconds in found if at >= tables.WARM_UP]
                reading.cancel()
                result = (await asyncio.gather(reading, return_exceptions=True))[0]
                if isinstance(result, Exception):
                    raise result
                await asyncio.sleep(1)  # the server ends the last requests of the attacker
    report("record", reads, RECORD_BAR, None)
    report("action", actions, None, ACTIONS_BAR)
    shares = ", ".join(f"{name} {100 * seconds / elapsed:.0f} %" for name, seconds in spent.items())
    print(f"\nshare of one core under the attack: {shares}")


def processor_times(attacker_pid: int, server_pid: int) -> dict[str, float]:
    """The processor time of each process so far, in seconds."""
    return {
        "attacker": processor_seconds(attacker_pid),
        "server with its worker": processor_seconds(server_pid),
        "players": process_time(),
    }


def attack(url: str, is_ready: Event, is_attacking: Event) -> None:
    """Ask for everything while `is_attacking`, in a process that is killed at the end."""
    os.nice(ATTACKER_NICENESS)
    uvloop.run(attack_in_turns(url, is_ready, is_attacking))


async def attack_in_turns(url: str, is_ready: Event, is_attacking: Event) -> None:
    """Prepare, then attack whenever it is time."""
    chance = records(random.Random(1))
    games, spare = ([next(chance) for _ in range(num)] for num in (GAMES, SPARE_GAMES))
    async with client(url, 2) as attacker:
        await prepare(attacker, games)
        is_ready.set()
        while True:
            if is_attacking.is_set():
                attacking = asyncio.create_task(attack_with(attacker, spare))
                while is_attacking.is_set() and not attacking.done():
                    await asyncio.sleep(0.05)
                attacking.cancel()
                result = (await asyncio.gather(attacking, return_exceptions=True))[0]
                if isinstance(result, Exception):
                    raise result
            await asyncio.sleep(0.05)


async def prepare(attacker: httpx.AsyncClient, games: Sequence[str]) -> None:
    """Import the games, and wait until their rules are solved."""
    await attacker.post("/api/me/import", json={})  # the answer may set the cookie that an import needs
    for start in range(0, len(games), 250):
        (await attacker.post("/api/me/import", json=export_of(games[start : start + 250]))).raise_for_status()
    while (await attacker.get("/api/positions", params={"line": "yahtzee - 33456 r2"})).json()["advice"] is None:
        await asyncio.sleep(0.5)


def export_of(games: Sequence[str]) -> dict[str, object]:
    """The file of these games."""
    return {"fivedice": "export 1", "records": [{"text": text, "seat": 0} for text in games], "seats": []}


async def attack_with(attacker: httpx.AsyncClient, spare: list[str]) -> None:
    """Ask for everything, until cancelled."""
    while True:
        assert len(spare) >= NEW_GAMES, "the attacker has no games left to add: raise SPARE_GAMES"
        added = [spare.pop() for _ in range(NEW_GAMES)]
        (await attacker.post("/api/me/import", json=export_of(added))).raise_for_status()
        await asyncio.gather(*(ask(attacker, what) for what in ATTACKS))


async def ask(attacker: httpx.AsyncClient, what: str) -> None:
    """Ask for something, and do not decompress the answer."""
    async with attacker.stream("POST" if what == "export" else "GET", f"/api/me/{what}") as answer:
        async for _ in answer.aiter_raw():
            pass
        assert answer.status_code in (200, 429), answer.status_code


async def read(reader: httpx.AsyncClient, table: str, found: list[float]) -> None:
    """Read a record steadily, until cancelled."""
    while True:
        began = perf_counter()
        (await reader.get(f"/api/tables/{table}/record")).raise_for_status()
        found.append(perf_counter() - began)
        await asyncio.sleep(RECORD_SECONDS)


def client(url: str, number: int) -> httpx.AsyncClient:
    """A client that connects from its own address."""
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.0.{number}", limits=httpx.Limits(max_connections=100))
    return httpx.AsyncClient(base_url=url, transport=transport, timeout=600)


def records(chance: random.Random) -> Iterator[str]:
    """Games of Yahtzee with random decisions."""
    while True:
        record = Record.start(load_ruleset("yahtzee"), (Seat("Eve", "human"),), "2026-11-21T10:00:00+00:00")
        while not record.position.is_over:
            dice, offers = record.position.dice, record.position.offers()
            if not dice:
                record = record.roll(roll(chance, 5))
            elif record.position.rolls_left:
                keep = tuple(die for die in dice if chance.random() < 0.5)
                record = record.play(Keep(keep), roll(chance, 5 - len(keep)))
            else:
                record = record.play(chance.choice(offers).action)
        yield str(record)


def roll(chance: random.Random, num: int) -> tuple[int, ...]:
    return tuple(chance.randint(1, 6) for _ in range(num))


def report(what: str, found: dict[bool, list[float]], bar: float | None, ratio_bar: float | None) -> None:
    """Print the figures beside their bars."""
    quiet, attacked = (percentiles(found[is_attacked]) for is_attacked in (False, True))
    print(f"\n{what}: {len(found[False]):,} without the attack, {len(found[True]):,} under it")
    for name, before, after in zip(("p50", "p99", "max"), quiet, attacked, strict=True):
        bars = ""
        if name == "p99" and bar is not None:
            bars = f"   bar {bar:,.0f} ms   ratio {after / bar:.2f}"
        if name == "p99" and ratio_bar is not None:
            bars = f"   times {after / before:.2f}   bar {ratio_bar:.1f}"
        print(f"  {name}  {before:>8.1f} ms  {after:>8.1f} ms{bars}")


def percentiles(seconds: Sequence[float]) -> tuple[float, float, float]:
    """The median, the 99th percentile and the maximum, in milliseconds."""
    cuts = quantiles(seconds, n=100)
    return cuts[49] * 1_000, cuts[98] * 1_000, max(seconds) * 1_000


if __name__ == "__main__":
    main()
