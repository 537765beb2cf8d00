"""Durable actions a second, and how long one waits for its acknowledgement: `make bench-server`.

Two people play at each of 200 tables, each with a socket of their own, as fast as they are answered. The server stores
in SQLite with full sync, and shares this machine's cores with the players, who are one process of their own. An action
is a roll or a score; it counts when it is acknowledged, which is after it is durable, and it is timed from before it is
sent until its answer was read. Each action also sends both players the table with all that a page shows of it.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from urllib.request import Request, urlopen

import msgspec
import uvloop
from solve import machine
from websockets.asyncio.client import ClientConnection, connect

TABLES = 200
WARM_UP, SECONDS = 2.0, 8.0
"""Together no longer than the fastest would take for 200 whole games."""

ACTIONS_BAR, P99_BAR = 1_000.0, 100.0
"""Durable actions a second; milliseconds."""


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


messages = msgspec.json.Decoder(Update | SocketAnswer | Presence)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as url:
        print(f"{machine()}, load {os.getloadavg()[0]:.1f}")
        found = uvloop.run(play(url))
    report(found)
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    server_time, players_time = (sum(times[:2]) for times in spent)
    print(
        f"processor time: server {server_time:.1f} s, players {players_time:.1f} s, from the first to the last action"
    )


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server of its own, and its address."""
    command = [sys.executable, "-m", "fivedice", "serve", "--port", "0", "--no-limits"]
    process = subprocess.Popen(
        [*command, "--database-url", f"sqlite:///{folder / 'bench.db'}"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[3].rstrip("/")
    finally:
        process.terminate()
        process.wait()


async def play(url: str) -> list[tuple[float, float]]:
    """Play at all tables; when each action was acknowledged, and the seconds it waited."""
    found: list[tuple[float, float]] = []
    stop_at = perf_counter() + 3_600
    tables = [await asyncio.to_thread(create, url) for _ in range(TABLES)]
    players = []
    for table, cookie in tables:
        for seat in (0, 1):
            socket = await connect(
                f"{url.replace('http', 'ws')}/api/tables/{table}/socket",
                additional_headers={"cookie": cookie},
                compression=None,
                ping_interval=None,
            )
            players.append((socket, seat))
    began = perf_counter()
    stop_at = began + WARM_UP + SECONDS
    await asyncio.gather(*(play_seat(socket, seat, found, stop_at) for socket, seat in players))
    return [(at, seconds) for at, seconds in found if began + WARM_UP <= at < stop_at]


def create(url: str) -> tuple[str, str]:
    """A table for two people, and the cookie of both."""
    seats = [{"kind": "person", "name": name, "here": True} for name in ("Ann", "Ben")]
    body = json.dumps({"rules": "yahtzee", "seats": seats}).encode()
    request = Request(f"{url}/api/tables", body, {"content-type": "application/json"})  # noqa: S310
    with urlopen(request) as answer:  # noqa: S310
        cookie = answer.headers["set-cookie"].partition(";")[0]
        return json.load(answer)["table"], cookie


async def play_seat(socket: ClientConnection, seat: int, found: list[tuple[float, float]], stop_at: float) -> None:
    """Play one seat: a roll, two more that keep two dice, and the first box that is open."""
    number = 0
    sent_at = 0.0
    while perf_counter() < stop_at:
        try:
            message = messages.decode(await asyncio.wait_for(socket.recv(), 5))
        except TimeoutError:
            break
        if isinstance(message, SocketAnswer):
            assert message.answer.type == "accepted", message.answer.detail
            now = perf_counter()
            found.append((now, now - sent_at))
        if not isinstance(message, Update):
            continue
        turn = message.view.turn
        if turn is None or turn.seat != seat:
            if turn is None:
                break
            continue
        number += 1
        command = {"id": f"{seat}-{number:08}", "version": message.view.version, "seat": seat}
        if not turn.dice:
            command |= {"type": "roll", "kept": []}
        elif turn.rolls_left:
            command |= {"type": "roll", "kept": [True, True, False, False, False]}
        else:
            command |= {"type": "score", "box": next(offer.box for offer in turn.offers if offer.is_open)}
        sent_at = perf_counter()
        await socket.send(msgspec.json.encode(command).decode())
    await socket.close()


def report(found: Sequence[tuple[float, float]]) -> None:
    """Print the figures and the bars."""
    waits = sorted(seconds * 1000 for _, seconds in found)
    cuts = quantiles(waits, n=100)
    rate = len(found) / SECONDS
    print(f"{TABLES} tables, {2 * TABLES} sockets, {len(found):,} actions in {SECONDS:.0f} s")
    print(f"durable actions a second  {rate:>8,.0f}   bar {ACTIONS_BAR:>6,.0f}   ratio {ACTIONS_BAR / rate:.2f}")
    print(f"acknowledgement p50       {cuts[49]:>8.1f} ms")
    print(f"acknowledgement p99       {cuts[98]:>8.1f} ms bar {P99_BAR:>6,.0f}   ratio {cuts[98] / P99_BAR:.2f}")


if __name__ == "__main__":
    main()
