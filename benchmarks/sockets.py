"""The memory of 5,000 idle sockets, two at each of 2,500 tables that wait for a move.

It is the proportional memory of all processes of the server, in which shared memory counts once, before the first
socket and with all of them; on SQLite, or with `DB=postgres` on PostgreSQL.
"""

import asyncio
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import uvloop
from served import create, database_in, megabytes, server
from solve import machine
from websockets.asyncio.client import connect

TABLES, AT_ONCE = 2_500, 50

BAR = 1_000.0
"""Megabytes."""


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    with (
        tempfile.TemporaryDirectory() as folder,
        database_in(Path(folder), kind) as (place, _),
        server(place) as (url, pid),
    ):
        before = megabytes(pid)
        after, seconds = uvloop.run(hold(url, pid))
    print(f"{machine()}, {kind}")
    print(f"idle sockets {2 * TABLES:,}: {after:.0f} MB, {before:.0f} MB without any; bar {BAR:,.0f}")
    print(f"{(after - before) * 1_000 / (2 * TABLES):.0f} KB per socket with half a table; opened in {seconds:.0f} s")


async def hold(url: str, pid: int) -> tuple[float, float]:
    """Open all sockets; returns the memory of the server in megabytes, and the seconds that opening took."""
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:

        async def sit(number: int) -> None:
            async with gate:
                table, cookie = await asyncio.to_thread(create, url)
                for _ in range(2):
                    address = f"{url.replace('http', 'ws')}/api/tables/{table}/socket"
                    opening = connect(
                        address, additional_headers={"cookie": cookie}, compression=None, ping_interval=None
                    )
                    socket = await stack.enter_async_context(opening)
                    await socket.recv()

        began = loop.time()
        await asyncio.gather(*map(sit, range(TABLES)))
        seconds = loop.time() - began
        await asyncio.sleep(10)
        return megabytes(pid), seconds


if __name__ == "__main__":
    main()
