"""What one address that asks for everything at once costs the others: `make bench-fair`.

The attacker has 1,000 imported games, and asks for its dice, figures, lessons and exports on eight connections, again
and again; before each round it adds a game, so that no result can be kept. Meanwhile somebody at another address reads
the record of a game, and people at 50 tables act at a steady rate. Both are measured with and without the attack, in
turn and in the same run.
"""

import asyncio
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import httpx
import server as tables
import uvloop
from served import create, database_in
from served import server as serving
from solve import machine

from fivedice.game.action import Keep
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset

GAMES, CONNECTIONS, ROUNDS = 1_000, 8, 3

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
    with (
        tempfile.TemporaryDirectory() as folder,
        database_in(Path(folder), "sqlite") as (database_url, _),
        serving(database_url) as (url, _),
    ):
        uvloop.run(measure(url))


async def measure(url: str) -> None:
    """Measure in turn without and with the attack, and print the figures."""
    games = records(random.Random(1))
    record, _ = await asyncio.to_thread(create, url)
    actions: dict[bool, list[float]] = {False: [], True: []}
    reads: dict[bool, list[float]] = {False: [], True: []}
    async with client(url, 2) as attacker, client(url, 3) as reader:
        await prepare(attacker, games)
        for _ in range(ROUNDS):
            for is_attacked in (False, True):
                attack = asyncio.create_task(attack_with(attacker, games)) if is_attacked else None
                reading = asyncio.create_task(read(reader, record, reads[is_attacked]))
                found = await tables.play(url, TABLES / OFFERED)
                actions[is_attacked] += [seconds for at, seconds in found if at >= tables.WARM_UP]
                for task in filter(None, (attack, reading)):
                    task.cancel()
                    result = (await asyncio.gather(task, return_exceptions=True))[0]
                    if isinstance(result, Exception):
                        raise result
    report("record", reads, RECORD_BAR, None)
    report("action", actions, None, ACTIONS_BAR)


async def prepare(attacker: httpx.AsyncClient, games: Iterator[str]) -> None:
    """Import the games, and wait until their rules are solved."""
    await attacker.post("/api/me/import", json={})  # the answer may set the cookie that an import needs
    for _ in range(GAMES // 250):
        body = {"fivedice": "export 1", "records": [{"text": next(games), "seat": 0} for _ in range(250)], "seats": []}
        (await attacker.post("/api/me/import", json=body)).raise_for_status()
    while (await attacker.get("/api/positions", params={"line": "yahtzee - 33456 r2"})).json()["advice"] is None:
        await asyncio.sleep(0.5)


async def attack_with(attacker: httpx.AsyncClient, games: Iterator[str]) -> None:
    """Ask for everything, until cancelled."""
    while True:
        (await attacker.post("/api/me/records", json={"text": next(games), "seat": 0})).raise_for_status()
        asked = [
            attacker.post("/api/me/export") if what == "export" else attacker.get(f"/api/me/{what}") for what in ATTACKS
        ]
        found = await asyncio.gather(*asked)
        assert all(answer.status_code in (200, 429) for answer in found), [answer.text[:200] for answer in found]


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
