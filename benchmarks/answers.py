"""What a browser with 100,000 graded decisions waits for: `make bench-answers`, on SQLite or with `DB=postgres`.

It stores 2,565 finished games of Yahtzee of one browser with their grades, and a game on the same dice of 200 of them.
While people play at other tables of the server, it asks again and again for the review of a game, the figures, the
lessons that are due, and the standings of the 200.
"""

import multiprocessing
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, time
from urllib.parse import urlsplit

import uvloop
from served import database_in, server
from server import SECONDS, TABLES, WARM_UP, play
from solve import machine
from sqlalchemy import Connection, insert

from fivedice.game.action import Score
from fivedice.game.proof import TableDice, commitment
from fivedice.rulesets import load_ruleset
from fivedice.server.games.read_games import read_games
from fivedice.server.live.live_stream import change_duplicate, store_duplicate
from fivedice.server.matchmaking.duplicate import Entered, EntryEnded, Opened
from fivedice.server.table.apply import start
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.event import Event
from fivedice.server.table.history import stored_json
from fivedice.server.table.to_record import TableLog
from fivedice.server.table.verbs.play import roll, score
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.saved.saved_table import solutions_folder
from fivedice.solver.saved.store import BREAKDOWN, SOLUTION
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.decisions import Game, PlayedGame, store_grades
from fivedice.storage.rows.holders import known_holder, new_secret
from fivedice.storage.schema import events, seat_holders, streams

BAR = 50.0
"""Milliseconds."""

DECISIONS, SAMPLES, CHUNK, ENTRIES = 100_000, 20, 100, 200

OFFERED = 100.0
"""Actions a second at other tables meanwhile."""

SECRET, DUPLICATE = bytes(32), "measured"


def main(kind: str) -> int:
    """Print the figures beside their bar; the exit status is 1 if it is missed."""
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {kind}")
    save_values()
    with tempfile.TemporaryDirectory() as folder, database_in(Path(folder), kind) as (database_url, _):
        database = Database(database_url)
        key, ids, num_decisions = build(database, random.Random(1))
        database.close()
        print(f"{len(ids):,} games with {num_decisions:,} decisions; {OFFERED:.0f} actions a second at other tables")
        with server(database_url) as (url, _):
            return measure(url, key, ids)


def save_values() -> None:
    """Find what is computed of Yahtzee, unless it is saved: no search is to run meanwhile."""
    ruleset, folder = load_ruleset("yahtzee"), solutions_folder()
    solution = SOLUTION.load_sound(ruleset, folder)
    if solution is None:
        solution = SOLUTION.find(ruleset)
        SOLUTION.save(ruleset, solution, folder)
    for artefact in (PERFECT_SCORES, BREAKDOWN):
        if not artefact.is_saved(ruleset, folder):
            artefact.save(solution, artefact.find(solution), folder)


def played(number: int, chance: random.Random) -> list[Event]:
    """The events of a game alone, in which every turn has three rolls, with chosen dice and boxes at random."""
    table = start(create(NewTable([WantedSeat("person", "Ann", here=True)]), "sample", commitment(SECRET), 0.0))
    log: list[Event] = [table.created]
    dice = TableDice(SECRET, f"sample-{number}", ())
    while not table.position.is_over:
        for step_number in range(3):
            kept = [chance.random() < 0.5 for _ in range(5)] if step_number else []
            step = roll(table, [*kept[:-1], False] if kept else [], dice, 0.0)
            log, table = [*log, step.event], step.table
        box = chance.choice([offer.action for offer in table.position.offers() if isinstance(offer.action, Score)])
        step = score(table, box, 0.0)
        log, table = [*log, step.event], step.table
    return log


def build(database: Database, chance: random.Random) -> tuple[str, list[str], int]:
    """Store the games; return the key of the browser, their ids, and the number of their decisions."""
    logs = [tuple(map(stored_json, played(number, chance))) for number in range(SAMPLES)]
    read = read_games([(TableLog(log, SECRET), 0.0) for log in logs], [str(solutions_folder())])
    samples = [one for one in read if isinstance(one, PlayedGame) and one.graded]
    assert len(samples) == SAMPLES
    each = [len(one.graded.decisions) for one in samples if one.graded]
    num = DECISIONS * SAMPLES // sum(each) + 1
    key, now = new_secret(), time()
    ids = [f"graded-{number:08}" for number in range(num)]
    for first in range(0, num, CHUNK):
        chunk = range(first, min(first + CHUNK, num))
        database.write(lambda c, chunk=chunk: _store(c, chunk, ids, logs, samples, key, now)).result()
    database.write(lambda connection: _store_duplicate(connection, ids[:ENTRIES], now)).result()
    return key, ids, sum(each[number % SAMPLES] for number in range(num))


def _store(
    connection: Connection,
    chunk: range,
    ids: Sequence[str],
    logs: Sequence[tuple[str, ...]],
    samples: Sequence[PlayedGame],
    key: str,
    now: float,
) -> None:
    holder = known_holder(connection, key, now)
    rows: list[list[dict[str, object]]] = [[], [], []]
    graded = []
    for number in chunk:
        id, at, log = ids[number], now - len(ids) + number, logs[number % SAMPLES]
        row = {
            "id": id,
            "kind": "table",
            "secret": SECRET,
            "created": at,
            "active": at,
            "ended": True,
            "has_advice": False,
        }
        rows[0].append(row)
        rows[1].append({"stream": id, "seat": 0, "holder": holder, "since": at})
        rows[2] += [
            {"stream": id, "version": version, "command": f"c{version}", "at": at, "body": body.replace("sample", id)}
            for version, body in enumerate(log, 1)
        ]
        graded.append((Game(id, len(log)), replace(samples[number % SAMPLES], ended=at)))
    for table, some in zip((streams, seat_holders, events), rows, strict=True):
        connection.execute(insert(table), some)
    store_grades(connection, graded)


def _store_duplicate(connection: Connection, ids: Sequence[str], now: float) -> None:
    """Store a game on the same dice that has closed."""
    begun, rules = now - 100_000, "yahtzee"
    first = Opened(at=begun, id=DUPLICATE, rules=rules, seats=len(ids), closes=now - 1)
    store_duplicate(connection, first, SECRET)
    for number, id in enumerate(ids, 1):
        entered = Entered(at=begun, player=number, table=id, name=f"P{number}")
        change_duplicate(connection, DUPLICATE, id, lambda *_, event=entered: event)
        ended = EntryEnded(at=now - 2, table=id, score=200)
        change_duplicate(connection, DUPLICATE, f"table:{id}", lambda *_, event=ended: event)
    connection.execute(streams.update().where(streams.c.id.in_(ids)).values(parent=DUPLICATE))


def measure(url: str, key: str, ids: Sequence[str]) -> int:
    """Ask while others play, and print what each answer takes."""
    chance = random.Random(2)
    questions: dict[str, Callable[[], str]] = {
        "review": lambda: f"/api/tables/{chance.choice(ids)}/review",
        "figures": lambda: "/api/me/figures",
        "standings of 200 entries": lambda: f"/api/duplicates/{DUPLICATE}",
        "lessons due": lambda: "/api/me/lessons",
    }
    took: dict[str, list[float]] = {name: [] for name in questions}
    with closing(HTTPConnection(urlsplit(url).netloc)) as connection:

        def ask(path: str) -> float:
            began = perf_counter()
            connection.request("GET", path, headers={"cookie": f"fivedice={key}"})
            answer = connection.getresponse()
            found = answer.read()
            assert answer.status == 200, found
            return 1_000 * (perf_counter() - began)

        for question in questions.values():
            print(f"  the first: {question():<50} {ask(question()):>8.0f} ms")
        # In a separate process, so that its work does not slow the measurement.
        others = multiprocessing.get_context("spawn").Process(target=_others, args=(url,))
        others.start()
        until = perf_counter() + WARM_UP + SECONDS
        while perf_counter() < until:
            for name, question in questions.items():
                took[name].append(ask(question()))
        others.join()
    print(f"{'':<28}{'times':>8}{'p50 ms':>8}{'p99 ms':>8}{'bar':>6}{'ratio':>7}")
    is_late = False
    for name, all_ in took.items():
        p99 = quantiles(all_, n=100)[98]
        is_late = is_late or p99 > BAR
        print(f"{name:<28}{len(all_):>8,}{median(all_):>8.1f}{p99:>8.1f}{BAR:>6.0f}{p99 / BAR:>7.2f}")
    return int(is_late)


def _others(url: str) -> None:
    uvloop.run(play([url], TABLES / OFFERED))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "sqlite"))
