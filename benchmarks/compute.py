"""What reviews and advice cost the machine that serves, by itself and with a cluster: `make bench-compute`.

First 20 reviews of finished games and 80 positions are asked for, each for the first time, while nobody plays: `server`
is the processor time of the serving process for one of them, `its pool` that of the processes that it started, and
`cluster` that of Dask's scheduler and worker with their processes, which are on this machine here and elsewhere in use.
Then two people play at each of 200 tables, 400 actions a second in all, as in `make bench-server` on SQLite, while 5
reviews and 20 positions are asked for each second. `share` is how much of the time of the machine that serves (server
and pool) they take then, by the costs of one of them and of an action, since the latter varies with the load.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import uvloop
from served import database_in, server
from server import P99_BAR, TABLES, WARM_UP, play
from solve import machine

RATE, REVIEWS, POSITIONS = 400.0, 5.0, 20.0
"""Actions, reviews and positions a second."""

GAMES, WARM_UPS = 64, 4
PORT = 18_787

ASKED = 100

RATIO_BAR = 0.5
"""The time of the machine that serves for reviews and advice with a cluster, as a multiple of that without one."""


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    print(
        f"{RATE:.0f} actions, {REVIEWS:.0f} reviews, {POSITIONS:.0f} positions a second; milliseconds for one of these:"
    )
    print(f"{'':<20}{'server':>8}{'its pool':>9}{'cluster':>8}{'share':>7}{'p50 ms':>8}{'p99 ms':>8}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["FIVEDICE_CACHE"] = folder
        _, action = measure("actions only", Path(folder), 0.0, is_asked=False)
        alone, _ = measure("its own processes", Path(folder), action)
        helped, _ = measure("--compute", Path(folder), action, is_remote=True)
    print(
        f"an action takes {action:.2f} ms; with a cluster, reviews and advice take {helped / alone:.2f} times the time"
    )
    print(f"  of the machine that serves   bar {RATIO_BAR} times; p99 bar {P99_BAR:.0f} ms")


def measure(
    name: str, folder: Path, action: float, *, is_asked: bool = True, is_remote: bool = False
) -> tuple[float, float]:
    """Ask, play, and print a line: the milliseconds of the machine that serves for one asked, and for an action."""
    with tempfile.TemporaryDirectory() as data, ExitStack() as stack:
        parts = stack.enter_context(cluster(folder)) if is_remote else []
        environment = {"FIVEDICE_COMPUTE": f"tcp://127.0.0.1:{PORT}" if is_remote else ""}
        database_url, _ = stack.enter_context(database_in(Path(data), "sqlite"))
        url, pid = stack.enter_context(server(database_url, environment=environment, pace=0.0))
        costs, asking, stop = [0.0] * 3, [], threading.Event()
        if is_asked:
            wanted = reviews(url, finished_games(url)), positions(url)
            with spending(pid, parts, ASKED) as costs:
                for paths, number in zip(wanted, (ASKED // 5, ASKED - ASKED // 5), strict=True):
                    for path in islice(paths, number):
                        assert get(path)[0] == 200
            rates = zip(wanted, (REVIEWS, POSITIONS), strict=True)
            asking = [threading.Thread(target=ask_all, args=(paths, rate, stop)) for paths, rate in rates]
        before: list[float] = []

        def begin() -> None:
            before.extend(times(pid, parts))
            for thread in asking:
                thread.start()

        found = uvloop.run(play([url], TABLES / RATE, begin))
        spent = (times(pid, parts)[0] - before[0]) * 1_000 / len(found)
        stop.set()
        for thread in asking:
            thread.join()
        cuts = quantiles([seconds * 1_000 for at, seconds in found if at >= WARM_UP], n=100)
        served = sum(costs[:2])
        share = served * (REVIEWS + POSITIONS) / (served * (REVIEWS + POSITIONS) + RATE * (action or spent))
        print(f"{name:<20}{costs[0]:>8.2f}{costs[1]:>9.2f}{costs[2]:>8.2f}", end="")
        print(f"{share:>7.0%}{cuts[49]:>8.1f}{cuts[98]:>8.1f}", flush=True)
        return served, spent


@contextmanager
def spending(pid: int, parts: list[int], number: int) -> Iterator[list[float]]:
    """The milliseconds that a block spends on each of so many things, once it has ended."""
    spent: list[float] = []
    before = times(pid, parts)
    yield spent
    spent += [(late - early) * 1_000 / number for early, late in zip(before, times(pid, parts), strict=True)]


@contextmanager
def cluster(folder: Path) -> Iterator[list[int]]:
    """A scheduler and a worker; their process ids."""
    address = f"tcp://127.0.0.1:{PORT}"
    commands = (
        ("scheduler", "--host", "127.0.0.1", "--port", str(PORT)),
        ("worker", address, "--no-nanny", "--nthreads", "2", "--local-directory", str(folder)),
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *command, "--no-dashboard"],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        for command in commands
    ]
    try:
        yield [process.pid for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def get(url: str) -> tuple[int, bytes]:
    """The status and body of an answer."""
    try:
        with urlopen(url, timeout=60) as answer:  # noqa: S310
            return answer.status, answer.read()
    except HTTPError as error:
        return error.code, b""


def finished_games(url: str) -> list[str]:
    """The ids of games between computer players; others are reviewed, so that all is solved and all processes run."""
    games = []
    for _ in range(GAMES):
        body = {"rules": "yahtzee", "help": "none", "seats": [{"kind": "random"}, {"kind": "random"}]}
        request = Request(f"{url}/api/tables", json.dumps(body).encode(), {"content-type": "application/json"})  # noqa: S310
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            games.append(json.loads(answer.read())["table"])
    while any(json.loads(get(f"{url}/api/tables/{game}")[1])["view"]["state"] != "over" for game in games):
        sleep(0.5)

    def warm_up(game: str) -> None:
        while get(f"{url}/api/tables/{game}/review")[0] != 200:
            sleep(0.5)

    warming = [threading.Thread(target=warm_up, args=(game,)) for game in games[:WARM_UPS]]
    for thread in warming:
        thread.start()
    for thread in warming:
        thread.join()
    return games[WARM_UPS:]


def reviews(url: str, games: list[str]) -> Iterator[str]:
    """The addresses of reviews that were not asked for yet."""
    for lang in ("de", "sv", "en"):
        yield from (f"{url}/api/tables/{game}/review?lang={lang}" for game in games)


def positions(url: str) -> Iterator[str]:
    """The addresses of positions, each another one."""
    rng = random.Random(1)
    for number in range(10_000):
        dice = "".join(str(die) for die in sorted(rng.choices(range(1, 7), k=5)))
        yield f"{url}/api/positions?line=yahtzee%20chance={5 + number % 26}%20{dice}%20r{1 + number % 2}"


def ask_all(urls: Iterator[str], rate: float, stop: threading.Event) -> None:
    """Ask for one after another at a steady rate."""
    began = perf_counter()
    for number, url in enumerate(urls):
        if stop.wait(max(0.0, began + number / rate - perf_counter())):
            return
        get(url)


def times(pid: int, parts: list[int]) -> list[float]:
    """The processor times of the serving process, of its children, and of the cluster, in seconds."""
    own = seconds(pid, with_children=False)
    return [own, seconds(pid) - own, sum(map(seconds, parts))]


def seconds(pid: int, *, with_children: bool = True) -> float:
    """The processor time of a process, and that of its children, which live or have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11 : 15 if with_children else 13])) / os.sysconf("SC_CLK_TCK")
    children = list(Path(f"/proc/{pid}/task").glob("*/children")) if with_children else []
    return own + sum(seconds(int(child)) for path in children for child in path.read_text().split())


if __name__ == "__main__":
    main()
