"""Durable actions a second, and how long one waits for its acknowledgement: `make bench-server`.

Two people play at each of 200 tables, each with a socket of their own. The server stores in SQLite with full sync; with
`DB=postgres` in a PostgreSQL of its own, with 1, 2 and 4 workers. Server, database and players, who are one process,
share this machine's cores. An action is a roll or a score; it counts when it is acknowledged, which is after it is
durable, and it is timed from before it is sent until its answer was read. Each action also sends both players the table
with all that a page shows of it. At full speed every table always has an action under way, so that waiting is only
another word for throughput: how long one waits is therefore measured at a steady rate as well.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import msgspec
import uvloop
from served import create, database_in, processor_seconds, server
from solve import machine
from websockets.asyncio.client import ClientConnection, connect

TABLES = 200
WARM_UP, SECONDS = 2.0, 8.0
"""Together no longer than the fastest would take for 200 whole games."""

OFFERED = 1_000.0
"""Actions a second that are offered when waiting is measured: all tables together, each at its own steady pace."""

ACTIONS_BAR, P99_BAR = 1_000.0, 100.0
"""Durable actions a second; milliseconds at the offered rate."""


class Offer(msgspec.Struct):
    """An open box."""

    box: str
    is_open: bool


class Turn(msgspec.Struct):
    """Whose turn it is, and what may be done."""

    seat: int
    rolls_left: int
    dice: list[int]
    offers: list[Offer]


class View(msgspec.Struct):
    """What a player here looks at."""

    version: int
    turn: Turn | None


class Update(msgspec.Struct, tag_field="type", tag="update"):
    """News of the table."""

    view: View


class Answer(msgspec.Struct):
    """The answer to an action."""

    type: str
    id: str
    detail: str = ""


class SocketAnswer(msgspec.Struct, tag_field="type", tag="answer"):
    """The same, as a message."""

    answer: Answer


class Presence(msgspec.Struct, tag_field="type", tag="presence"):
    """Somebody came."""


@dataclass(frozen=True)
class Pace:
    """When a table's actions are due: the first after `began`, and one every `interval` seconds."""

    began: float
    interval: float

    async def wait(self, version: int) -> None:
        """Until the action that follows a version is due."""
        await asyncio.sleep(max(0.0, self.began + version * self.interval - perf_counter()))


messages = msgspec.json.Decoder(Update | SocketAnswer | Presence)


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    for workers in (1, 2, 4) if kind == "postgres" else (1,):
        with (
            tempfile.TemporaryDirectory() as folder,
            database_in(Path(folder), kind) as (database_url, database_pid),
            server(database_url, workers) as (url, server_pid),
        ):
            pids = {"server": server_pid, "players": os.getpid()} | ({"database": database_pid} if database_pid else {})
            print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {TABLES} tables, {2 * TABLES} sockets")
            print(f"{kind}, {workers} worker{'s'[: workers - 1]}")
            before = {name: processor_seconds(pid) for name, pid in pids.items()}
            found = uvloop.run(play(url, 0.0))
            spent = {name: processor_seconds(pid) - before[name] for name, pid in pids.items()}
            report("as fast as they are answered", found, is_full_speed=True)
            each = ", ".join(f"{name} {seconds * 1_000 / len(found):.2f} ms" for name, seconds in spent.items())
            print(f"  processor time an action: {each}")
            found = uvloop.run(play(url, TABLES / OFFERED))
            report(f"{OFFERED:,.0f} actions a second offered", found, is_full_speed=False)
            print()


async def play(url: str, interval: float) -> list[tuple[float, float]]:
    """Play at new tables, with so many seconds between two actions at each: after how many seconds each action was
    acknowledged, and how long it waited."""
    found: list[tuple[float, float]] = []
    tables = [await asyncio.to_thread(create, url) for _ in range(TABLES)]
    async with AsyncExitStack() as stack:
        players = []
        for number, (table, cookie) in enumerate(tables):
            address = f"{url.replace('http', 'ws')}/api/tables/{table}/socket"
            for seat in (0, 1):
                opening = connect(address, additional_headers={"cookie": cookie}, compression=None, ping_interval=None)
                players.append((await stack.enter_async_context(opening), seat, number / TABLES * interval))
        began = perf_counter()
        stop_at = began + WARM_UP + SECONDS
        await asyncio.gather(
            *(play_seat(socket, seat, Pace(began + delay, interval), found, stop_at) for socket, seat, delay in players)
        )
    return [(at - began, seconds) for at, seconds in found if at < stop_at]


async def play_seat(
    socket: ClientConnection, seat: int, pace: Pace, found: list[tuple[float, float]], stop_at: float
) -> None:
    """Play one seat: act when it is its turn and time for it, and note every answer when it comes."""
    sent_at: dict[str, float] = {}
    acting: asyncio.Task[None] | None = None
    while (now := perf_counter()) < stop_at:
        try:
            message = messages.decode(await asyncio.wait_for(socket.recv(), stop_at - now))
        except TimeoutError:
            break
        match message:
            case SocketAnswer(answer=answer):
                assert answer.type == "accepted", answer.detail
                now = perf_counter()
                found.append((now, now - sent_at.pop(answer.id)))
            case Update(view=View(version=version, turn=Turn(seat=mover) as turn)) if mover == seat:
                acting = asyncio.create_task(act(socket, version, turn, pace, sent_at))
    if acting:
        acting.cancel()


async def act(socket: ClientConnection, version: int, turn: Turn, pace: Pace, sent_at: dict[str, float]) -> None:
    """Act when it is time: a roll, two more that keep two dice, and the first box that is open."""
    id = f"action-{version:08}"
    command = {"id": id, "version": version, "seat": turn.seat}
    if not turn.dice:
        command |= {"type": "roll", "kept": []}
    elif turn.rolls_left:
        command |= {"type": "roll", "kept": [True, True, False, False, False]}
    else:
        command |= {"type": "score", "box": next(offer.box for offer in turn.offers if offer.is_open)}
    await pace.wait(version)
    sent_at[id] = perf_counter()
    await socket.send(msgspec.json.encode(command).decode())


def report(what: str, found: Sequence[tuple[float, float]], *, is_full_speed: bool) -> None:
    """Print the figures, and the bar that the measurement is for."""
    waits = [seconds * 1000 for at, seconds in found if at >= WARM_UP]
    cuts = quantiles(waits, n=100)
    rate = len(waits) / SECONDS
    rate_bar = f"   bar {ACTIONS_BAR:>6,.0f}   ratio {ACTIONS_BAR / rate:.2f}" if is_full_speed else ""
    wait_bar = "" if is_full_speed else f"   bar {P99_BAR:>6,.0f}   ratio {cuts[98] / P99_BAR:.2f}"
    print(f"\n{what}: {len(waits):,} actions in {SECONDS:.0f} s")
    print(f"  durable actions a second {rate:>8,.0f}{rate_bar}")
    print(f"  acknowledgement p50      {cuts[49]:>8.1f} ms")
    print(f"  acknowledgement p99      {cuts[98]:>8.1f} ms{wait_bar}")


if __name__ == "__main__":
    main()
