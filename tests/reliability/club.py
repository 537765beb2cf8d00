"""The club test: simulated people play a whole evening on two processes of one PostgreSQL, while one is killed.

`python -m tests.reliability.club --players 200 --rounds 3` has them join a club, take part, and play every game of
every round over HTTP. In each round one process is killed in the middle, and started again. It ends with a line such as
`200 players, 300 tables, …: 300 results in the standings once, missing 0, doubled 0, wrong 0`.
"""

import argparse
import asyncio
import secrets
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx

from fivedice.rulesets import load_ruleset
from tests.reliability.databases import TargetDatabase, create_postgres
from tests.reliability.process import ServerProcess, running
from tests.waiting import TIMEOUT_SECONDS

RULES = "yacht"
"""Rules without jokers, so that every open box may be filled after any roll."""

BOXES = [category.id for category in load_ruleset(RULES).categories]

RETRY_SECONDS = 0.2
MAX_TABLES_AT_ONCE = 40
"""So many games are played at the same time, as people do not all begin at once."""

_ids = count(10_000_000)


@dataclass
class Figures:
    """What the players have seen."""

    num_players: int = 0
    num_commands: int = 0
    num_retries: int = 0
    num_kills: int = 0
    draw_seconds: list[float] = field(default_factory=list)
    standings_seconds: list[float] = field(default_factory=list)
    scores: dict[str, list[int]] = field(default_factory=dict)
    """Table → the final scores that its players saw."""
    results: Counter[str] = field(default_factory=Counter)
    """Table → how often its result is in the log of the tournament."""
    wrong: list[str] = field(default_factory=list)

    @property
    def missing(self) -> list[str]:
        """The tables whose results are not in the standings."""
        return [table for table in self.scores if not self.results[table]]

    @property
    def doubled(self) -> list[str]:
        """The tables whose results are in the log more than once."""
        return [table for table, num in self.results.items() if num > 1]

    @property
    def has_failed(self) -> bool:
        """Whether anything was not as promised."""
        return bool(self.missing or self.doubled or self.wrong)

    def __str__(self) -> str:
        once = sum(num == 1 for num in self.results.values())
        return (
            f"{self.num_players} players, {len(self.scores)} tables, {self.num_commands} commands, "
            f"{self.num_kills} kills, {self.num_retries} requests repeated: {once} results in the standings once, "
            f"missing {len(self.missing)}, doubled {len(self.doubled)}, wrong {len(self.wrong)}"
        )


class Evening:
    """An evening of `num_players` on two processes of a database."""

    def __init__(self, database: TargetDatabase, num_players: int, num_rounds: int) -> None:
        self._database = database
        self._num_rounds = num_rounds
        self._servers = [ServerProcess(database.url) for _ in range(2)]
        self._keys = {number: secrets.token_urlsafe(32) for number in range(1, num_players + 1)}
        """Member → the key in the cookie of their browser."""
        self._playing = asyncio.Semaphore(MAX_TABLES_AT_ONCE)
        self.figures = Figures(num_players)

    async def run(self) -> Figures:
        """Play it, and compare the standings with the games."""
        limits = httpx.Limits(max_connections=MAX_TABLES_AT_ONCE)
        with running(*self._servers):
            async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS, limits=limits) as self._http:
                await self._play()
        self._count()
        return self.figures

    async def _play(self) -> None:
        club = await self._ask(0, "/api/clubs", {"name": "Two hundred"})
        self._key, path = club["key"], f"/api/clubs/{club['id']}/commands"
        settings = {"name": "Evening", "format": "swiss", "rules": [RULES], "rounds": self._num_rounds, "starts": 1}
        planned = {"type": "schedule", "id": _id(), "settings": settings, "key": self._key}
        self.tournament = (await self._ask(0, path, planned))["calendar"][0]["id"]
        for number in self._keys:  # one after another, so that members have the numbers of their keys
            await self._ask(number, path, {"type": "join", "name": f"Player {number}"})
        await asyncio.gather(*(self._command(number, {"type": "enter", "id": _id()}) for number in self._keys))
        for number in range(1, self._num_rounds + 1):
            began = perf_counter()
            view = await self._command(0, {"type": "draw", "id": _id()}, self._key)
            self.figures.draw_seconds.append(perf_counter() - began)
            matches = view["rounds"][-1]["matches"]
            half = asyncio.create_task(self._disturb(number))
            await asyncio.gather(*(self._game(match) for match in matches))
            await half
            await self._until_results(number)

    async def _disturb(self, number: int) -> None:
        """Kill a process once half of the games of a round are over, and start it again."""
        wanted = len(self.figures.scores) + len(self._keys) // 4
        while len(self.figures.scores) < wanted:
            await asyncio.sleep(RETRY_SECONDS)
        server = self._servers[number % 2]
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        self.figures.num_kills += 1

    async def _game(self, match: Any) -> None:
        """Play a game to its end, each player by the own process."""
        table, players = match["table"], match["players"]
        async with self._playing:
            version = 1
            for box in BOXES:
                for seat, player in enumerate(players):
                    for part in ({"type": "roll", "kept": []}, {"type": "score", "box": box}):
                        command = {"id": _id(), "version": version, "seat": seat, **part}
                        answer = await self._ask(player, f"/api/tables/{table}/commands", command)
                        version = answer["version"]
                        self.figures.num_commands += 1
            shown = await self._ask(players[0], f"/api/tables/{table}?since={version}")
            self.figures.scores[table] = [seat["card"]["total"] for seat in shown["view"]["seats"]]

    async def _until_results(self, number: int) -> None:
        """Wait for the results of a round on each process, and compare them with what the players saw."""
        for process in (1, 2):
            while True:
                began = perf_counter()
                view = await self._ask(process, f"/api/tournaments/{self.tournament}?rounds=true")
                self.figures.standings_seconds.append(perf_counter() - began)
                if view["state"] != "playing":
                    break
                await asyncio.sleep(RETRY_SECONDS)
            found = {match["table"]: match["scores"] for round in view["rounds"] for match in round["matches"]}
            if found != self.figures.scores:
                self.figures.wrong.append(f"round {number}: the results are not those of the tables")
            points = sum(place["points"] for place in view["places"])
            byes = sum(len(round["byes"]) for round in view["rounds"])
            if points != 12 * (len(found) + byes):
                self.figures.wrong.append(f"round {number}: the standings have {points} points")

    def _count(self) -> None:
        """Count the results in the log."""
        query = f"SELECT command FROM events WHERE stream = '{self.tournament}'"  # noqa: S608
        commands = (command for (command,) in self._database.select(query))
        self.figures.results.update(one.removeprefix("table:") for one in commands if one.startswith("table:"))

    async def _command(self, player: int, command: dict[str, Any], key: str = "") -> Any:
        return await self._ask(player, f"/api/tournaments/{self.tournament}/commands", {"command": command, "key": key})

    async def _ask(self, player: int, path: str, body: Any = None) -> Any:
        """The JSON of an answer; a request without one is repeated, at the other process."""
        headers = {"cookie": f"fivedice={self._keys[player]}"} if player in self._keys else {}
        for attempt in count(player):
            url = f"{self._servers[attempt % 2].url}{path}"
            try:
                answer = await self._http.request("GET" if body is None else "POST", url, json=body, headers=headers)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code < 400:
                return answer.json()
            if answer is not None and answer.status_code not in (409, 503):
                raise AssertionError(f"{path}: {answer.status_code} {answer.text}")
            self.figures.num_retries += 1
            await asyncio.sleep(RETRY_SECONDS)
        return None


def _id() -> str:
    return f"id-{next(_ids)}"


def main() -> int:
    """Run the test, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, create_postgres(Path(folder)) as database:
        began = perf_counter()
        figures = asyncio.run(Evening(database, given.players, given.rounds).run())
    print(f"a round drawn, with its tables, in at most {max(figures.draw_seconds):.2f} s")
    print(f"the standings of a process under load in at most {1_000 * max(figures.standings_seconds):.0f} ms")
    print(*figures.wrong, sep="\n", end="\n" if figures.wrong else "")
    print(f"{figures}, in {perf_counter() - began:.0f} s")
    return int(figures.has_failed)


if __name__ == "__main__":
    sys.exit(main())
