"""`ClubPlayer`: has a club play evenings, and notes each command of a tournament that the server acknowledged.

Of the two tables of a round, the people play one to its end, and the organiser enters the result of the other.
"""

import asyncio
import json
from dataclasses import dataclass, field

from tests.reliability.client import CLOCK, SHORT_RULES, PersistentClient
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import CLIENT, Json, matches

NUM_ROUNDS = 2


@dataclass
class EveningNotes:
    """What is known of one tournament: `acknowledged` has each command by id, and `drawn` the tables of each round."""

    id: str
    key: str
    """That of the organiser, whose club has one tournament."""
    acknowledged: dict[str, Json] = field(default_factory=dict)
    pending: str = ""
    version: int = 0
    drawn: list[list[str]] = field(default_factory=list)
    scores: dict[str, list[int | None]] = field(default_factory=dict)
    """Table → the result that was acknowledged or shown last."""


class ClubPlayer(PersistentClient[EveningNotes]):
    """The organiser and the members of a club, each with a browser of their own."""

    async def play(self) -> None:
        self.waits_for = "a club"
        club = await self._ask("/api/clubs", {"name": "Crash"})
        key, commands = club["key"], f"/api/clubs/{club['id']}/commands"
        members = [self._client.new_cookie() for _ in range(4)]
        for number, cookie in enumerate(members, 1):
            joined = await self._ask(commands, {"type": "join", "name": f"Player {number}"}, cookie)
            assert joined["you"] == number, joined
        settings: Json = {"name": "Evening", "rules": [SHORT_RULES], "rounds": NUM_ROUNDS, "seats": 2}
        plan = {"type": "schedule", "id": self._id(), "settings": {**settings, "starts": 1, "pace": CLOCK}, "key": key}
        notes = EveningNotes((await self._ask(commands, plan))["calendar"][0]["id"], key)
        self.notes.append(notes)
        for cookie in members:
            await self._command({"type": "enter"}, cookie)
        for number in range(NUM_ROUNDS):
            for cookie in members if number else ():
                await self._command({"type": "leave"}, cookie)
                await self._command({"type": "enter"}, cookie)
            view = await self._command({"type": "draw"})
            played, entered = view["rounds"][-1]["matches"]
            notes.drawn.append([played["table"], entered["table"]])
            await self._enter(entered["table"], [self._rng.randrange(300), None])
            await self._play_match(played["table"], [members[number - 1] for number in played["players"]])
            await self._enter(played["table"], [self._rng.randrange(300), self._rng.randrange(300)])
        self.waits_for = ""

    async def _check(self, notes: EveningNotes) -> None:
        """Compare the running tournament on the server with the notes, and send an acknowledged command again."""
        path = self._path
        view = await self._client.ask(f"{path}?rounds=true")
        if view["version"] < notes.version:
            self._ledger.lost.append(f"tournament {notes.id}: version {notes.version} was shown, now {view['version']}")
        rounds = [[match["table"] for match in one["matches"]] for one in view["rounds"]]
        self._ledger.check_kept(f"tournament {notes.id}: the draw", notes.drawn, rounds[: len(notes.drawn)])
        shown = {match["table"]: match["scores"] for one in view["rounds"] for match in one["matches"]}
        for table, scores in notes.scores.items() if not notes.pending else ():
            self._ledger.check_kept(f"table {table}: its result", scores, shown.get(table))
        organised = [one for one in notes.acknowledged.items() if one[1]["type"] not in ("enter", "leave")]
        if organised and not notes.pending:
            id, command = self._rng.choice(organised)
            again = await self._client.ask(f"{path}/commands", {"command": {**command, "id": id}, "key": notes.key})
            if again["version"] != view["version"] and again["state"] == view["state"]:
                self._ledger.doubled.append(f"tournament {notes.id}: {command} was carried out again")

    def check_database(self, database: TargetDatabase) -> None:
        logs, commands = database.logs("tournament"), database.commands("tournament")
        for notes in self.notes:
            stored = commands.get(notes.id, {})
            self._ledger.check_log(notes.id, stored, notes.acknowledged, notes.pending)
            events = {version: json.loads(body) for version, _, body in logs.get(notes.id, [])}
            for id, command in notes.acknowledged.items():
                if id not in stored or not matches(command, events[stored[id]]):
                    self._ledger.lost.append(f"tournament {notes.id}: {command} is {events.get(stored.get(id, 0))}")
            reported = {event["table"] for event in events.values() if event["type"] == "reported"}
            for tables in notes.drawn:
                game = self._ledger.notes.get(tables[0])
                if game and game.has_ended and tables[0] in notes.scores and tables[0] not in reported:
                    self._ledger.lost.append(f"table {tables[0]}: its result is not in its tournament")

    async def _play_match(self, table: str, cookies: list[str]) -> None:
        await self._play_game(table, cookies, over_websocket=self._rng.random() < 0.5)
        expected = await self._scores(table)
        self.waits_for = f"the result of {table}"
        shown = None
        while shown is None:
            await asyncio.sleep(0.1)
            view = await self._ask(self._path)
            shown = next(match["scores"] for match in view["rounds"][-1]["matches"] if match["table"] == table)
        self.notes[-1].scores[table] = shown
        if shown != expected:
            self._ledger.wrong.append(f"table {table}: the result {shown} is not that of the game, {expected}")

    async def _enter(self, table: str, scores: list[int | None]) -> None:
        await self._command({"type": "correct", "table": table, "scores": scores, "note": "as said"})
        self.notes[-1].scores[table] = scores

    async def _command(self, command: Json, cookie: str = "") -> Json:
        """Send a command, of a member or of the organiser, until it is acknowledged."""
        notes, id = self.notes[-1], self._id()
        self.waits_for, notes.pending = f"the answer to {command}", id
        asked = {"command": {**command, "id": id}, "key": "" if cookie else notes.key}
        view = await self._ask(f"{self._path}/commands", asked, cookie)
        notes.acknowledged[id], notes.pending = command, ""
        notes.version = max(notes.version, view["version"])
        self._ledger.num_club_commands += 1
        return view

    @property
    def _path(self) -> str:
        return f"/api/tournaments/{self.notes[-1].id}"

    def _id(self) -> str:
        return f"{self._rng.getrandbits(96):x}{CLIENT}"
