"""Durable actions per second, and the latency of their acknowledgement: `make bench-server`.

Two people play at each of 200 tables, each over their own socket. The server stores in SQLite with full sync, or with
`DB=postgres` in a new PostgreSQL, with 1, 2 and 4 processes, each with its part of the tables. Server, database and
players, which are one process, share this machine's cores. An action is a roll or a score. It counts when it is
acknowledged, which is after it is durable; its latency is measured from before it is sent until its answer is received.
Processor time is counted once all players are connected. After each action the server sends the table to both players.
At full speed every table always has an action in progress, so latency only reflects throughput; therefore latency is
also measured at a steady rate.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from functools import partial
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
"""Together no longer than the fastest server would take for 200 complete games."""

OFFERED = 1_000.0
"""Actions per second, over all tables, when latency is measured; each table plays at a steady pace."""

ACTIONS_BAR, P99_BAR = 1_000.0, 100.0
"""Durable actions per second; milliseconds at the steady rate."""


class Offer(msgspec.Struct):
    """A box of the card."""

    box: str
    is_open: bool


class Turn(msgspec.Struct):
    """The current turn and its legal actions."""

    seat: int
    rolls_left: int
    dice: list[int]
    offers: list[Offer]


class View(msgspec.Struct):
    """The fields of a table's view that players use."""

    version: int
    turn: Turn | None


class Update(msgspec.Struct, tag_field="type", tag="update"):
    """A message with the new view of a table."""

    view: View


class Answer(msgspec.Struct):
    """The answer to an action."""

    type: str
    id: str
    detail: str = ""


class SocketAnswer(msgspec.Struct, tag_field="type", tag="answer"):
    """A message with the answer to an action."""

    answer: Answer


class Presence(msgspec.Struct, tag_field="type", tag="presence"):
    """A message about who is connected."""


@dataclass(frozen=True)
class Pace:
    """When a table's actions are due: the first after `began`, and one every `interval` seconds."""

    began: float
    interval: float

    async def wait(self, version: int) -> None:
        """Wait until the action after a version is due."""
        await asyncio.sleep(max(0.0, self.began + version * self.interval - perf_counter()))


messages = msgspec.json.Decoder(Update | SocketAnswer | Presence)


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    for number in (1, 2, 4) if kind == "postgres" else (1,):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            database_url, database_pid = stack.enter_context(database_in(Path(folder), kind))
            servers = [stack.enter_context(server(database_url)) for _ in range(number)]
            urls = [url for url, _ in servers]
            pids = {"server": [pid for _, pid in servers], "players": [os.getpid()]}
            pids |= {"database": [database_pid]} if database_pid else {}
            print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {TABLES} tables, {2 * TABLES} sockets")
            print(f"{kind}, {number} process{'es'[: 2 * number - 2]}")
            before: dict[str, float] = {}
            found = uvloop.run(play(urls, 0.0, partial(note_processor_times, pids, before)))
            after: dict[str, float] = {}
            note_processor_times(pids, after)
            spent = {name: seconds - before[name] for name, seconds in after.items()}
            report("at full speed", found, is_full_speed=True)
            each = ", ".join(f"{name} {seconds * 1_000 / len(found):.2f} ms" for name, seconds in spent.items())
            print(f"  processor time per action: {each}")
            found = uvloop.run(play(urls, TABLES / OFFERED))
            report(f"{OFFERED:,.0f} actions per second offered", found, is_full_speed=False)
            print()


def note_processor_times(pids: Mapping[str, Sequence[int]], times: dict[str, float]) -> None:
    """Note the processor time of the processes of each kind so far, in seconds."""
    times.update({name: sum(map(processor_seconds, some)) for name, some in pids.items()})


async def play(
    urls: Sequence[str],
    interval: float,
    on_start: Callable[[], None] = lambda: None,
    network: str = "",
    *,
    is_routed: bool = True,
) -> list[tuple[float, float]]:
    """Play at new tables with `interval` seconds between actions at each; for each action, the time of its
    acknowledgement and its latency. If there are several servers, the players of a table meet in one of them, or else
    are connected to different ones. `on_start` is called when all players are connected, before the first action. With
    a `network`, as in 127.1.0, the players of each table connect from an address of their own."""
    found: list[tuple[float, float]] = []
    addresses = [f"{network}.{number + 1}" if network else "" for number in range(TABLES)]
    tables = [
        await asyncio.to_thread(create, urls[number % len(urls)], address) for number, address in enumerate(addresses)
    ]
    async with AsyncExitStack() as stack:
        players = []
        for number, (table, cookie) in enumerate(tables):
            local = {"local_addr": (addresses[number], 0)} if network else {}
            for seat in (0, 1):
                url = urls[(number + (0 if is_routed else seat)) % len(urls)]
                address = f"{url.replace('http', 'ws')}/api/tables/{table}/socket"
                opening = connect(
                    address, additional_headers={"cookie": cookie}, compression=None, ping_interval=None, **local
                )
                players.append((await stack.enter_async_context(opening), seat, number / TABLES * interval))
        on_start()
        began = perf_counter()
        stop_at = began + WARM_UP + SECONDS
        await asyncio.gather(
            *(play_seat(socket, seat, Pace(began + delay, interval), found, stop_at) for socket, seat, delay in players)
        )
    return [(at - began, seconds) for at, seconds in found if at < stop_at]


async def play_seat(
    socket: ClientConnection, seat: int, pace: Pace, found: list[tuple[float, float]], stop_at: float
) -> None:
    """Play one seat: act when it is its turn and the action is due, and record every answer."""
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
    """Send the next action when it is due: a roll, two rerolls of three dice, then a score in the first open box."""
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
    """Print the figures beside their targets."""
    waits = [seconds * 1000 for at, seconds in found if at >= WARM_UP]
    cuts = quantiles(waits, n=100)
    rate = len(waits) / SECONDS
    rate_bar = f"   bar {ACTIONS_BAR:>6,.0f}   ratio {ACTIONS_BAR / rate:.2f}" if is_full_speed else ""
    wait_bar = "" if is_full_speed else f"   bar {P99_BAR:>6,.0f}   ratio {cuts[98] / P99_BAR:.2f}"
    print(f"\n{what}: {len(waits):,} actions in {SECONDS:.0f} s")
    print(f"  durable actions per second {rate:>8,.0f}{rate_bar}")
    print(f"  acknowledgement p50      {cuts[49]:>8.1f} ms")
    print(f"  acknowledgement p99      {cuts[98]:>8.1f} ms{wait_bar}")


if __name__ == "__main__":
    main()
