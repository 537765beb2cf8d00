"""`DailyPlayer`: plays daily games, one browser after another, and notes each answer that the server acknowledged."""

from dataclasses import dataclass, field

from tests.reliability.client import PersistentClient
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
        """Begin a try, or go on with it until it is over."""
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
