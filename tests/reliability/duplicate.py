"""`DuplicatePlayer`: has people play on the same dice, and compares the entries with what they did.

The server's clock may jump beyond the time of a game: then it stays unfinished. Who may see what is not of this test.
"""

import asyncio
from dataclasses import dataclass, field
from functools import partial

from tests.reliability.client import SHORT_RULES, PersistentClient, RefusedError
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
    closes: float
    cookies: dict[str, str]
    tables: dict[str, str] = field(default_factory=dict)
    scores: dict[str, int | None] = field(default_factory=dict)
    places: list[tuple[str, float, int]] = field(default_factory=list)


class DuplicatePlayer(PersistentClient[DuplicateNotes]):
    """Two or three people, each with a browser of their own."""

    async def play(self) -> None:
        """Open a game, let everybody enter and then play, and wait for the standings, unless its time passes before."""
        self.waits_for = "a game on the same dice"
        names = NAMES[: self._rng.randint(2, len(NAMES))]
        view = await self._ask("/api/duplicates", {"seats": len(names), "seconds": SECONDS, "rules": SHORT_RULES})
        cookies = {name: self._client.new_cookie() for name in names}
        notes = DuplicateNotes(view["id"], view["closes"], cookies)
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
        """Compare the running game with the notes, as each who plays it sees it, and enter it again.

        Raises `UnavailableError`.
        """
        if not self.notes:
            return
        notes = self.notes[-1]
        for name, table in notes.tables.items():
            self._check_view(notes, await self._client.ask(f"/api/duplicates/{notes.id}", cookie=notes.cookies[name]))
            again = await self._client.ask(self._entries, {"name": name}, notes.cookies[name])
            if again["table"] != table:
                self._ledger.doubled.append(f"game {notes.id}: {name} had table {table}, and now {again['table']}")

    def check_database(self, database: TargetDatabase) -> None:
        stored = database.entries()
        for notes in self.notes:
            found = stored.get(notes.id, {})
            for name, table in notes.tables.items():
                entry = table, notes.scores.get(name)
                self._ledger.check_kept(f"game {notes.id}: the entry of {name}", entry, found.get(name))
            if found.keys() - notes.cookies.keys() or len({table for table, _ in found.values()}) != len(found):
                self._ledger.doubled.append(f"game {notes.id}: the entries are {found}")

    def _check_view(self, notes: DuplicateNotes, view: Json) -> None:
        """Compare the entries and the standings with the notes."""
        ledger, entries, where = self._ledger, {one["name"]: one for one in view["entries"]}, f"game {notes.id}"
        if len(entries) != len(view["entries"]):
            ledger.doubled.append(f"{where}: the entries are {view['entries']}")
        for name in notes.tables:
            one = entries.get(name)
            if one is None or (name in notes.scores and one["state"] != "finished"):
                ledger.lost.append(f"{where}: the entry of {name} is {one}")
            elif one["score"] not in (None, notes.scores.get(name, one["score"])):
                ledger.wrong.append(f"{where}: {name} has the score {notes.scores.get(name)}, and the entry is {one}")
        if len(notes.scores) == len(notes.cookies):
            if view["closes"] >= notes.closes:
                ledger.lost.append(f"{where}: all have finished, and it has not closed")
            if view["shows_all"] and all(one["lost"] is not None for one in view["entries"]):
                places = [(one["name"], one["lost"], one["rank"]) for one in view["entries"]]
                ledger.check_kept(f"{where}: the standings", notes.places or places, places)
                ledger.num_standings += not notes.places
                notes.places = places

    @property
    def _entries(self) -> str:
        return f"/api/duplicates/{self.notes[-1].id}/entries"
