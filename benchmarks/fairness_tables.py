"""What one address with three large tables costs the others: the second part of `make bench-fair`.

The attacker plays at three tables of 12 seats under its own rules, whose cards are as large as a server takes, as fast
as it is answered, and watches them over 180 sockets: all within the default limits. Meanwhile people at 50 tables, each
at an address of its own, act at a steady rate. Their actions are timed with and without the attack, in turn and in the
same run.

The attacker is a separate process at low priority, which does not look at what its watchers receive; its share of the
processors is printed.
"""

import asyncio
import multiprocessing
import os
import tempfile
from multiprocessing.synchronize import Event
from pathlib import Path
from time import perf_counter

import msgspec
import server as tables
import uvloop
from fairness import ACTIONS_BAR, ATTACKER_NICENESS, processor_times, report
from served import create, database_in
from served import server as serving
from solve import machine
from websockets.asyncio.client import ClientConnection, connect

from fivedice.game.position import MAX_SEATS

LARGE_TABLES, WATCHERS = 3, 60
"""The tables of the attacker, and the sockets at each."""

ROUNDS = 5
TABLES, OFFERED = 50, 100.0
"""Tables of the others, and actions per second over all of them: a load that leaves the server time."""

ATTACKER = "127.0.0.2"

SHAPES = (13, 9), (12, 5)
"""Categories and columns of rules that are tried in turn: 117 boxes, which the server refuses for twelve seats since
there is a bound, and the most that it takes."""


def main() -> None:
    tables.TABLES = TABLES
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {LARGE_TABLES} large tables, {WATCHERS} sockets at each")
    context = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        database_in(Path(folder), "sqlite") as (database_url, _),
        serving(database_url, has_limits=True) as (url, server_pid),
    ):
        is_ready, is_attacking = context.Event(), context.Event()
        num_actions = context.Value("i", 0)
        attacker = context.Process(target=attack, args=(url, is_ready, is_attacking, num_actions), daemon=True)
        attacker.start()
        assert is_ready.wait(120), "the attacker is not ready"
        assert attacker.pid is not None
        uvloop.run(measure(url, is_attacking, server_pid, attacker.pid))
        assert attacker.is_alive(), "the attacker ended before the measurement"
        attacker.kill()
        attacker.join()
        print(f"the attacker acted {num_actions.value:,} times")


async def measure(url: str, is_attacking: Event, server_pid: int, attacker_pid: int) -> None:
    """Measure in turn without and with the attack, and print the figures."""
    actions: dict[bool, list[float]] = {False: [], True: []}
    spent: dict[str, float] = {"attacker": 0.0, "server with its worker": 0.0, "players": 0.0}
    elapsed = 0.0
    for number in range(ROUNDS):
        for is_attacked in (False, True):
            if is_attacked:
                is_attacking.set()
            began, before = perf_counter(), processor_times(attacker_pid, server_pid)
            found = await tables.play([url], TABLES / OFFERED, network=f"127.{1 + is_attacked}.{number}")
            if is_attacked:
                elapsed += perf_counter() - began
                for name, seconds in processor_times(attacker_pid, server_pid).items():
                    spent[name] += seconds - before[name]
            is_attacking.clear()
            actions[is_attacked] += [seconds for at, seconds in found if at >= tables.WARM_UP]
            await asyncio.sleep(1)  # the server ends what the attacker has sent
    report("action", actions, None, ACTIONS_BAR)
    shares = ", ".join(f"{name} {100 * seconds / elapsed:.0f} %" for name, seconds in spent.items())
    print(f"\nshare of one core under the attack: {shares}")


def attack(url: str, is_ready: Event, is_attacking: Event, num_actions) -> None:  # type: ignore[no-untyped-def]
    """Play and watch while `is_attacking`, in a process that is killed at the end."""
    os.nice(ATTACKER_NICENESS)
    uvloop.run(attack_in_turns(url, is_ready, is_attacking, num_actions))


async def attack_in_turns(url: str, is_ready: Event, is_attacking: Event, num_actions) -> None:  # type: ignore[no-untyped-def]
    """Create the tables and open all sockets, then play whenever it is time."""
    working, running = asyncio.Event(), []
    for table, cookie in await asyncio.to_thread(large_tables, url):
        address = f"{url.replace('http', 'ws')}/api/tables/{table}/socket"
        headers = {"cookie": cookie}
        for number in range(WATCHERS):
            socket = await connect(
                address,
                additional_headers={} if number else headers,
                compression=None,
                max_size=None,
                local_addr=(ATTACKER, 0),
            )
            running.append(asyncio.create_task(watch(socket) if number else play(socket, working, num_actions)))
    is_ready.set()
    while True:
        (working.set if is_attacking.is_set() else working.clear)()
        await asyncio.sleep(0.05)
        for task in running:
            if task.done():
                task.result()


def large_tables(url: str) -> list[tuple[str, str]]:
    """Tables with the largest cards that the server takes, whose boxes have long names."""
    seats = [{"kind": "person", "name": f"Player {number}", "here": True} for number in range(MAX_SEATS)]
    for num_categories, num_columns in SHAPES:
        categories = "\n".join(
            f'{"c" * 36}_{number:02} = {{ scorer = "any_dice" }}' for number in range(num_categories)
        )
        columns = "\n".join(f"{'k' * 36}_{number} = {{}}" for number in range(num_columns))
        rules = f'id = "large"\n[categories]\n{categories}\n[columns]\n{columns}\n'
        try:
            found = [create(url, ATTACKER, toml=rules, seats=seats) for _ in range(LARGE_TABLES)]
        except RuntimeError as error:
            print(f"{num_categories * num_columns} boxes: {error}")
        else:
            print(f"{MAX_SEATS} seats with {num_categories * num_columns} boxes each")
            return found
    raise AssertionError("the server takes none of the large tables")


async def watch(socket: ClientConnection) -> None:
    """Discard what a socket receives."""
    while True:
        await socket.recv(decode=False)


async def play(socket: ClientConnection, working: asyncio.Event, num_actions) -> None:  # type: ignore[no-untyped-def]
    """Act for all seats as soon as the server answers."""
    newest: tables.View | None = None
    while True:
        match message := tables.messages.decode(await socket.recv()):
            case tables.Update(view=view):
                newest = view
            case tables.SocketAnswer():
                if message.answer.type == "accepted":
                    num_actions.value += 1
                else:
                    await asyncio.sleep(1)
            case _:
                continue
        if newest is not None and newest.turn is not None:
            await working.wait()
            await act(socket, newest)


async def act(socket: ClientConnection, view: tables.View) -> None:
    """Roll three times, then score in the first open box."""
    assert view.turn
    command: dict[str, object] = {"id": f"action-{view.version:08}", "version": view.version, "seat": view.turn.seat}
    if view.turn.rolls_left and not view.turn.dice:
        command |= {"type": "roll", "kept": []}
    elif view.turn.rolls_left:
        command |= {"type": "roll", "kept": [True, True, False, False, False]}
    else:
        command |= {"type": "score", "box": next(offer.box for offer in view.turn.offers if offer.is_open)}
    await socket.send(msgspec.json.encode(command).decode())


if __name__ == "__main__":
    main()
