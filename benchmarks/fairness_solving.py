"""How long strangers wait for advice while one address has rules solved: the third part of `make bench-fair`.

The attacker asks for advice under as many rules as its default limits let it, again and again, so that none of its
searches is dropped. Meanwhile somebody at another address asks for advice under rules that are not solved yet, and
waits until it is there: in turn without and with the attack, in the same run. The rules of both are Yahtzee with other
numbers of rolls and rounds, which take about the same time each.
"""

import asyncio
import os
import tempfile
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter

import httpx
import uvloop
from fairness import client
from served import database_in, server
from solve import machine

BAR = 3.0
"""The median time to advice under attack, as a multiple of that without."""

PATIENCE_SECONDS = 240.0
POLL_SECONDS = 0.25
ATTACK_SECONDS = 0.36
"""Between two requests of the attacker, who may send 180 a minute."""

OWN_RULES = [f"yahtzee[rolls=3,rounds={rounds}]" for rounds in (12, 11, 10)]
OWN_RULES += [f"yahtzee[rolls=2,rounds={rounds}]" for rounds in (13, 12, 11, 10)]
OWN_RULES += [f"yahtzee[rolls=4,rounds={rounds}]" for rounds in (13, 12, 11)]
ATTACKERS_RULES = [
    f"yahtzee[rolls={rolls},rounds={rounds}]" for rolls in (9, 8, 7, 6, 5) for rounds in range(13, 6, -1)
]


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; an attacker with {len(ATTACKERS_RULES)} rules")
    with (
        tempfile.TemporaryDirectory() as folder,
        database_in(Path(folder), "sqlite") as (database_url, _),
        server(database_url, has_limits=True, environment={"FIVEDICE_CACHE": folder}) as (url, _),
    ):
        uvloop.run(measure(url))


async def measure(url: str) -> None:
    """Measure in turn without and with the attack, and print the figures."""
    waits: dict[bool, list[float]] = {False: [], True: []}
    solved: set[str] = set()
    async with client(url, 2) as attacker, client(url, 3) as stranger:
        await advice(stranger, "yahtzee[rounds=9]")  # the processes and kernels are in the caches of the system then
        for own in zip(OWN_RULES[::2], OWN_RULES[1::2], strict=True):
            for is_attacked, ref in enumerate(own):
                attacking = asyncio.create_task(attack(attacker, solved)) if is_attacked else None
                if attacking:
                    await asyncio.sleep(10)
                waits[bool(is_attacked)].append(await advice(stranger, ref))
                if attacking:
                    attacking.cancel()
                    await asyncio.gather(attacking, return_exceptions=True)
                    await asyncio.sleep(40)  # the searches of the attacker are dropped
    quiet, attacked = median(waits[False]), median(waits[True])
    for is_attacked, what in enumerate(("without the attack", "under it")):
        print(f"  {what:<20} {', '.join(f'{seconds:.1f}' for seconds in waits[bool(is_attacked)])} s")
    print(f"  median {quiet:>8.1f} s  {attacked:>8.1f} s   times {attacked / quiet:.2f}   bar {BAR:.1f}")
    print(f"  rules of the attacker that were solved: {len(solved)}")


async def advice(asker: httpx.AsyncClient, ref: str) -> float:
    """Ask until there is advice; the seconds that it took."""
    began = perf_counter()
    while not await has_advice(asker, ref):
        if perf_counter() - began > PATIENCE_SECONDS:
            print(f"  {ref}: no advice after {PATIENCE_SECONDS:.0f} s")
            break
        await asyncio.sleep(POLL_SECONDS)
    return perf_counter() - began


async def attack(asker: httpx.AsyncClient, solved: set[str]) -> None:
    """Ask for advice under all rules that are not solved yet, until cancelled."""
    for ref in cycle(ATTACKERS_RULES):
        if ref not in solved and await has_advice(asker, ref):
            solved.add(ref)
        await asyncio.sleep(ATTACK_SECONDS)


async def has_advice(asker: httpx.AsyncClient, ref: str) -> bool:
    """Whether the server has advice under some rules now."""
    answer = await asker.get("/api/positions", params={"line": f"{ref} - 33456 r1"})
    if answer.status_code == 429:
        return False
    answer.raise_for_status()
    return answer.json()["advice"] is not None


if __name__ == "__main__":
    main()
