"""`DailyPlayer` and `DuplicatePlayer`: people who play dailies, or on the same dice, and note what was acknowledged."""

import asyncio
from dataclasses import dataclass, field

from tests.reliability.client import SHORT_RULES, PersistentClient, RefusedError
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Json

RULES = "kniffel"


@dataclass
class DailyNotes:
    """What a browser knows of its try: the acknowledged action of each question, and answers without a response."""

    cookie: str
    id: str = ""
    acknowledged: dict[int, str] = field(default_factory=dict)
    pending: tuple[int, list[str]] | None = None
    """A question, and what was sent for it."""
    question: Json | None = None
    has_ended: bool = False


class DailyPlayer(PersistentClient[DailyNotes]):
    """Answers with any legal action; an answer without a response is sent again, in half of the cases with another
    action, as from a second tab."""

    async def play(self) -> None:
        await self._persist(self._play)

    async def _play(self) -> None:
        if not self.notes or self.notes[-1].has_ended:
            self.notes.append(DailyNotes(self._client.new_cookie()))
        notes = self.notes[-1]
        found = await self._client.ask("/api/daily/game", {"rules": RULES}, notes.cookie)
        if notes.id not in ("", found["id"]):  # by the clock of the server, another day has begun
            notes = DailyNotes(notes.cookie)
            self.notes.append(notes)
        self._take(notes, found)
        while notes.question:
            await self.answer(notes)

    async def answer(self, notes: DailyNotes) -> None:
        """Answer the next question, or repeat the answer that had no response."""
        assert notes.question
        number = notes.question["number"]
        before = notes.pending[1] if notes.pending else []
        sent = before[0] if before and self._rng.random() < 0.5 else self._choose(notes.question)
        notes.pending = number, [*before, sent]
        answer = {"number": number, "action": sent}
        found = await self._client.ask(f"/api/daily/tries/{notes.id}/answers", answer, notes.cookie)
        action = found["answers"][0]["action"]
        assert action in notes.pending[1], f"{action} was stored, but {notes.pending[1]} was sent"
        notes.acknowledged[number], notes.pending = action, None
        self._ledger.num_answers += 1
        self._take(notes, found)

    def check_database(self, database: TargetDatabase) -> None:
        stored = database.answers()
        for notes in filter(lambda one: one.id, self.notes):
            found = stored.get(notes.id, {})
            for number, action in notes.acknowledged.items():
                self._ledger.check_kept(f"try {notes.id}: answer {number}", action, found.get(number))
            if more := found.keys() - notes.acknowledged.keys() - ({notes.pending[0]} if notes.pending else set()):
                self._ledger.doubled.append(f"try {notes.id}: answers {sorted(more)} were never sent")

    def _take(self, notes: DailyNotes, found: Json) -> None:
        """Note the state of a try; what was acknowledged must be in it."""
        notes.id, notes.question, notes.has_ended = found["id"], found["question"], found["result"] is not None
        for one in found["answers"]:
            number = one["question"]["number"]
            if known := notes.acknowledged.get(number):
                self._ledger.check_kept(f"try {notes.id}: answer {number}", known, one["action"])
            else:
                assert notes.pending is not None, f"try {notes.id}: answer {number} was never sent"
                assert number == notes.pending[0], f"try {notes.id}: answer {number}, but {notes.pending} was sent"
                notes.acknowledged[number], notes.pending = one["action"], None

    def _choose(self, question: Json) -> str:
        turn = question["turn"]
        if turn["rolls_left"] and self._rng.random() < 0.3:
            return "keep " + "".join(map(str, sorted(turn["dice"][:2])))
        return f"score {next(offer['box'] for offer in turn['offers'] if offer['is_open'])}"


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
    """Two or three people, each with a browser of their own.

    The server's clock may jump beyond the time of a game, which then stays unfinished.
    """

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
            table, rival = notes.tables[name], next(cookies[other] for other in names if other != name)
            await self._play_game(table, (cookies[name], rival), over_websocket=False)
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

    async def _check(self, notes: DuplicateNotes) -> None:
        """Compare the running game with the notes, as each who plays it sees it, and enter it again."""
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
