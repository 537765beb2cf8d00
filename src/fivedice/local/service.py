"""`LocalService`: tables in memory, which it creates, changes and shows as a server does.

`fivedice.local.endpoints` answer the requests of the page with it. It stores nothing itself: a `Reply` has the events
that the browser must store before it shows the reply or any message. If that fails, the browser calls `forget`, and
`restore` with what it has.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace as changed

from fivedice.analysis.action_values import PlainSolution
from fivedice.base.errors import IllegalError, UnknownError, shown
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.proof import SECRET_BYTES, TableDice, commitment
from fivedice.local.values import KeptValues
from fivedice.players import make_player, needs_solution
from fivedice.server.replies.games import GameView, game_view
from fivedice.server.table.answers import REASON_STATUSES, Accepted, AnyAnswer, RefusedError
from fivedice.server.table.apply import Step
from fivedice.server.table.create import NewTable, create, create_rematch
from fivedice.server.table.decide import bot_step, decide, due_at
from fivedice.server.table.event import Created, Event, stored_id, watcher
from fivedice.server.table.history import History, decode, encode
from fivedice.server.table.messages import AnySocketMessage, TableView, Update
from fivedice.server.table.state import LOCAL, PERSON, Table
from fivedice.server.table.to_record import TableLog, record_seats
from fivedice.server.table.tutor import Questions
from fivedice.server.table.verb import Context
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.end import Rematch, Rematched
from fivedice.server.table.view import view
from fivedice.views.access import CreatedView
from fivedice.views.rules import rules_view
from fivedice.views.table import Preparing


class LocalEvent(Struct, frozen=True):
    """An event as the browser stores it, which `body` has as JSON; `command` is the id of what caused it.

    `secret` is that of the dice in hexadecimal digits, with the first event only.
    """

    table: str
    version: int
    command: str
    at: float
    body: str
    secret: str = ""

    @classmethod
    def of(cls, event: Event, table: str, version: int, command: str, secret: bytes = b"") -> "LocalEvent":
        """An event in its stored form, with the text of custom rules."""
        return cls(table, version, command, event.at, encode(event).decode(), secret.hex())


class LocalTable:
    """One table; all its people play on this device. Raises `ValueError` for events that do not replay."""

    def __init__(self, events: Iterable[LocalEvent]) -> None:
        first, *later = events
        created = decode(first.body)
        assert isinstance(created, Created), "a table begins with its creation"
        self.secret = bytes.fromhex(first.secret)
        self.history: History[LocalEvent] = History([first, *later], created.toml)
        self.questions = Questions()
        """The tutor's questions since the table was restored."""

    @property
    def table(self) -> Table:
        """The table at its newest version."""
        return self.history.table

    @property
    def dice(self) -> TableDice:
        """The dice that its secret and its nonces determine."""
        return TableDice(self.secret, self.table.id, self.table.nonces)

    @property
    def yours(self) -> frozenset[int]:
        """The seats of its people."""
        return frozenset(index for index, seat in enumerate(self.table.seats) if seat.kind == PERSON)

    @property
    def log(self) -> TableLog:
        """The events, from which the record is made."""
        return TableLog(self.history.bodies(), self.secret, self.table.created.toml)

    def advance(self, step: Step, command: str) -> LocalEvent:
        """Append the event of its next step, and return what has to be stored before anybody is told of it."""
        stored = LocalEvent.of(step.event, self.table.id, self.table.version + 1, command)
        self.history.append(stored, step)
        return stored


PACE = 1.0
"""Seconds for a step where only computer players are left, as on a server."""

ID_BYTES = 12
THIS_BROWSER = "this browser"
"""The key of the only watcher."""


class Message(msgspec.Struct, frozen=True):
    """A message for the page of a table, as a server sends it over a socket."""

    table: str
    message: AnySocketMessage


class Reply(msgspec.Struct, frozen=True):
    """The reply to a request: its status, and a view as JSON or a text.

    `events` must be stored before the reply and `messages` are passed on; `games` are the games that they change as a
    list shows them, and `records` the records of those that they end, by table.
    """

    status: int = 200
    content: Any = None
    events: list[LocalEvent] = []
    messages: list[Message] = []
    games: list[GameView] = []
    records: dict[str, str] = {}


class LocalService:
    """Tables in memory. `entropy` gives that many random bytes, and `clock` the seconds since 1970."""

    def __init__(self, entropy: Callable[[int], bytes], clock: Callable[[], float]) -> None:
        self._entropy = entropy
        self.clock = clock
        self.values = KeptValues()
        self._tables: dict[str, LocalTable] = {}

    def restore(self, events: Iterable[LocalEvent]) -> None:
        """Take a table from its stored events, the oldest first; raises `ValueError` if they do not replay."""
        local = LocalTable(events)
        self._tables[local.table.id] = local

    def forget(self, table: str) -> None:
        """Drop a table whose events could not be stored."""
        self._tables.pop(table, None)

    def find(self, table: str) -> LocalTable:
        """A table; raises `UnknownError`."""
        if table not in self._tables:
            raise UnknownError(f"there is no table {shown(table)}")
        return self._tables[table]

    def create(self, wanted: NewTable) -> Reply:
        """Create a table whose people all play on this device."""
        if any(seat.kind == PERSON and not seat.here for seat in wanted.seats):
            raise IllegalError("offline all people play on this device: a seat cannot be taken by a link")
        if wanted.pace:
            raise IllegalError("offline there is no server whose time counts: want no pace")
        secret, id = self._entropy(SECRET_BYTES), self._new_id()
        created = create(wanted, id, commitment(secret), self.clock(), available=self.values.available)
        event = LocalEvent.of(created, id, 1, self._new_command(), secret)
        self.restore([event])
        view = CreatedView(id, f"/t/{id}", wanted.taken_here)
        return Reply(201, view, [event], games=[self.game(self.find(id))])

    def command(self, local: LocalTable, command: AnyCommand) -> Reply:
        """Change a table as a command asks, or refuse it with the reason."""
        version, holds, as_watcher = local.table.version, local.yours, watcher(THIS_BROWSER)
        try:
            repeated = local.history.repeated([as_watcher, *map(str, sorted(holds))], command)
            if repeated is not None:
                return Reply(200, Accepted(command.id, repeated))
            context = Context(
                holds=holds,
                now=self.clock(),
                chance=local.dice,
                num_changes=local.history.num_changes,
                num_watcher_nonces=local.history.num_sent(as_watcher, command.version),
                rematch=self._new_id() if isinstance(command, Rematch) else "",
                loss_of=self.values.loss,
                questions=local.questions,
            )
            step = decide(local.table, command, context)
        except RefusedError as refused:
            return self._answered(refused.answer(command.id, version))
        events = []
        if isinstance(step.event, Rematched):
            secret = self._entropy(SECRET_BYTES)
            created = create_rematch(local.table, step.event.table, commitment(secret), step.event.at)
            first = LocalEvent.of(created, created.table, 1, self._new_command(), secret)
            self.restore([first])
            events.append(first)
        events.append(local.advance(step, stored_id(command.sender(holds, as_watcher), command.id)))
        return self._changed(local, version, self._answered(Accepted(command.id, local.table.version)), events)

    def due(self) -> tuple[str, float] | None:
        """The table whose computer player is to act next, and when, in seconds since 1970; None if none is."""
        tables = self._tables.values()
        waiting = {local.table.id: due_at(local.table, PACE, local.history.newest.at) for local in tables}
        found = [(due, id) for id, due in waiting.items() if due is not None and not self.preparing(self.find(id))]
        due, id = min(found, default=(0.0, ""))
        return (id, due) if id else None

    def step(self, table: str) -> Reply:
        """Take the next step of a computer player at a table."""
        local = self.find(table)
        version, step = local.table.version, bot_step(local.table, self._choose, local.dice, self.clock())
        if step is None:
            return Reply()
        return self._changed(local, version, Reply(), [local.advance(step, self._new_command())])

    def update(self, local: LocalTable, since: int, *, with_rules: bool = False) -> Update:
        """The events since a version, with the table after them; version 0 requests a snapshot."""
        here, rules = list(range(len(local.table.seats))), rules_view(local.table.ruleset) if with_rules else None
        return Update.since(
            since, local.history, self.view(local), local.yours, here=here, now=self.clock(), rules=rules
        )

    def view(self, local: LocalTable) -> TableView:
        """The view of a table, without what only a server computes."""
        table, judged = local.table, local.table.judged
        found = view(
            table,
            secret=local.secret,
            advice=self.values.advice(table.position) if table.wants_advice else None,
            last_loss=self.values.loss(judged.position, judged.action) if judged else None,
            preparing=self.preparing(local),
        )
        return changed(found, has_review=self.values.has(table.ruleset), has_odds=False)

    def preparing(self, local: LocalTable) -> Mapping[str, Preparing | None]:
        """The kinds of computer players at a table that cannot play, as their values are not kept any more."""
        table = local.table
        kinds = {seat.decider for seat in table.seats if seat.decider != PERSON and not table.has_ended}
        available = self.values.available(table.ruleset)
        return {kind: "failed" for kind in kinds if available.player(kind)}

    def game(self, local: LocalTable) -> GameView:
        """A table as a list of games shows it."""
        table = local.table
        return game_view(
            table.state,
            record_seats(table),
            table.position,
            table=table.id,
            yours=sorted(local.yours),
            at=table.created.at,
            updated=local.history.newest.at,
            offline=True,
            dice=table.created.dice,
        )

    @property
    def playing(self) -> str | None:
        """An unfinished table of this device in which advice is off; None without one."""
        return next((id for id, local in self._tables.items() if local.table.advice_is_off), None)

    def _choose(self, kind: str, position: Position) -> Action | None:
        """The action of a computer player; None without its values."""
        solution = self.values.solution(position.ruleset)
        if solution is None and needs_solution(kind):
            return None
        return make_player(kind, Random(self._entropy(8)), lambda: cast(PlainSolution, solution)).choose(position)

    def _answered(self, answer: AnyAnswer) -> Reply:
        return Reply(200 if isinstance(answer, Accepted) else REASON_STATUSES[answer.reason], answer)

    def _changed(self, local: LocalTable, version: int, reply: Reply, events: list[LocalEvent]) -> Reply:
        """A reply with the events of a change of a table, the message about them, and the game after them."""
        tables = {event.table: self.find(event.table) for event in events}
        ended = [one for one in tables.values() if one.table.has_ended]
        return changed(
            reply,
            events=events,
            messages=[Message(local.table.id, self.update(local, version))],
            games=[self.game(one) for one in tables.values()],
            records={one.table.id: str(one.log.record()) for one in ended if one.table.is_over},
        )

    def _new_id(self) -> str:
        return LOCAL + self._entropy(ID_BYTES).hex()

    def _new_command(self) -> str:
        return self._entropy(ID_BYTES).hex()
