"""`DuplicatePlayer`: has people play on the same dice, and compares what each of them is shown with what they did.

The server's clock may jump beyond the time of a game, and back: then the game stays unfinished, and what is shown
depends on whether it has closed by that clock now.
"""

import asyncio
import hashlib
import random
from dataclasses import dataclass, field
from functools import partial

from tests.reliability.client import SHORT_RULES, Client, Persist, PersistentClient, RefusedError, call
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Json, Notes

NAMES = ("Ann", "Ben", "Cleo")
SECONDS = 30 * 86_400
TIME_PASSED = "the time for this game has passed"


@dataclass
class DuplicateNotes:
    """What is known of one game: the browser of each person by name, the table of each who has entered, the score of
    each who has finished, and once all have, the standings."""

    id: str
    commitment: str
    closes: float
    cookies: dict[str, str]
    tables: dict[str, str] = field(default_factory=dict)
    scores: dict[str, int | None] = field(default_factory=dict)
    places: list[tuple[str, float, int]] = field(default_factory=list)


class DuplicatePlayer(PersistentClient):
    """Two or three people, each with a browser of their own."""

    def __init__(self, client: Client, persist: Persist, rng: random.Random) -> None:
        super().__init__(client, persist, rng)
        self.notes: list[DuplicateNotes] = []

    async def play(self) -> None:
        """Open a game, let everybody enter and then play, and wait for the standings, unless its time passes before."""
        self.waits_for = "a game on the same dice"
        names = NAMES[: self._rng.randint(2, len(NAMES))]
        view = await self._ask("/api/duplicates", {"seats": len(names), "seconds": SECONDS, "rules": SHORT_RULES})
        cookies = {name: self._client.new_cookie() for name in names}
        notes = DuplicateNotes(view["id"], view["commitment"], view["closes"], cookies)
        self.notes.append(notes)
        try:
            for name in names:
                self.waits_for = f"the entry of {name}"
                notes.tables[name] = (await self._ask(self._entries, {"name": name}, cookies[name]))["table"]
                self._ledger.num_entries += 1
        except RefusedError as error:
            if TIME_PASSED not in str(error):
                raise
        for name in notes.tables if len(notes.tables) == len(names) else ():
            self.waits_for = f"the game of {name}"
            table, rival = notes.tables[name], next(cookies[other] for other in names if other != name)
            game = self._ledger.notes[table] = Notes(table, {0: cookies[name], 1: rival}, is_timed=True)
            await self._persist(partial(self._client.play, game, over_websocket=False))
            scores = await self._scores(table, cookies[name])
            if scores is None:
                break
            notes.scores[name] = scores[0]
            await self._persist(self.check)
        while len(notes.scores) == len(names) and not notes.places:
            self.waits_for = "the standings"
            await asyncio.sleep(0.1)
            await self._persist(self.check)
        self.waits_for = ""

    async def check(self) -> None:
        """Compare the running game with the notes, as everybody and a stranger see it, and enter it again.

        Raises `UnavailableError`.
        """
        if not self.notes:
            return
        notes = self.notes[-1]
        for name in (*notes.cookies, ""):
            cookie = notes.cookies.get(name, "")
            view = await self._client.ask(f"/api/duplicates/{notes.id}", cookie=cookie)
            self._check_view(notes, name, view)
            for table in () if view["shows_all"] else {*notes.tables.values()} - {notes.tables.get(name)}:
                status, _, _ = await asyncio.to_thread(call, f"{self._client.url}/api/tables/{table}", cookie=cookie)
                if status not in (404, 503):
                    self._ledger.wrong.append(f"table {table} was answered with {status} to {name or 'a stranger'}")
        for name, table in notes.tables.items():
            again = await self._client.ask(self._entries, {"name": name}, notes.cookies[name])
            if again["table"] != table:
                self._ledger.doubled.append(f"game {notes.id}: {name} had table {table}, and now {again['table']}")

    def check_database(self, database: TargetDatabase) -> None:
        """Compare the entries of all games with the notes."""
        stored = database.entries()
        for notes in self.notes:
            found = stored.get(notes.id, {})
            for name, table in notes.tables.items():
                wanted = table, notes.scores.get(name)
                if found.get(name) != wanted:
                    self._ledger.lost.append(f"game {notes.id}: {name} had {wanted}, now {found.get(name)}")
            if found.keys() - notes.cookies.keys() or len({table for table, _ in found.values()}) != len(found):
                self._ledger.doubled.append(f"game {notes.id}: the entries are {found}")

    def _check_view(self, notes: DuplicateNotes, name: str, view: Json) -> None:
        """Compare the game as somebody sees it with the notes."""
        ledger, entries = self._ledger, {one["name"]: one for one in view["entries"]}
        where = f"game {notes.id} for {name or 'a stranger'}"
        if len(entries) != len(view["entries"]):
            ledger.doubled.append(f"{where}: the entries are {view['entries']}")
        secret, own = view["secret"], entries.get(name, {"state": "none"})
        told = hashlib.sha256(bytes.fromhex(secret)).hexdigest() if secret else notes.commitment
        if view["is_closed"] != (secret is not None) or {told, view["commitment"]} != {notes.commitment}:
            ledger.wrong.append(f"{where}: the secret {secret}, closed {view['is_closed']}")
        if view["shows_all"] != (view["is_closed"] or own["state"] == "finished"):
            ledger.wrong.append(f"{where}: shows_all is {view['shows_all']}, and their game {own['state']}")
        for other, table in notes.tables.items():
            one = entries.get(other)
            shown = other == name or view["shows_all"]
            if one is None or one["table"] != (table if shown else None):
                ledger.lost.append(f"{where}: {other} has table {table}, and the entry is {one}")
            elif other in notes.scores and one["state"] != "finished":
                ledger.lost.append(f"{where}: {other} has finished, and the entry is {one}")
            elif one["score"] != (notes.scores.get(other, one["score"]) if shown else None):
                ledger.wrong.append(f"{where}: {other} has the score {notes.scores.get(other)}, and the entry is {one}")
            elif not view["shows_all"] and (one["lost"], one["rank"]) != (None, None):
                ledger.wrong.append(f"{where}: it shows what {other} lost too early: {one}")
        if len(notes.scores) == len(notes.cookies):
            if view["closes"] >= notes.closes:
                ledger.lost.append(f"{where}: all have finished, and it has not closed")
            if view["shows_all"] and all(one["lost"] is not None for one in view["entries"]):
                places = [(one["name"], one["lost"], one["rank"]) for one in view["entries"]]
                lost = [loss for _, loss, _ in places]
                ranks = [1 + sum(other < loss - 1e-6 for other in lost) for loss in lost]
                if lost != sorted(lost) or ranks != [rank for *_, rank in places]:
                    ledger.wrong.append(f"{where}: the standings are {places}")
                if notes.places not in ([], places):
                    ledger.lost.append(f"{where}: the standings were {notes.places}, now {places}")
                self._ledger.num_standings += not notes.places
                notes.places = places

    @property
    def _entries(self) -> str:
        return f"/api/duplicates/{self.notes[-1].id}/entries"
