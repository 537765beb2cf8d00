"""The `Record` of a table: its events as a game that can be replayed anywhere, with the proof of its dice."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from fivedice.game.action import Announce, Keep, Score
from fivedice.game.placed_turn import PlacedTurn
from fivedice.game.proof_notes import Questions, UndoneTurn, UsedHelp
from fivedice.game.record import Record, Seat
from fivedice.game.record_proof import BROWSER, RecordProof
from fivedice.game.seats import PERSON as RECORD_PERSON
from fivedice.server.table.apply import replay
from fivedice.server.table.event import Event
from fivedice.server.table.history import decode_log
from fivedice.server.table.state import HIGHEST_ROLL, LOCAL, PERSON, Table
from fivedice.server.table.verbs.end import Resigned, Undone
from fivedice.server.table.verbs.play import Announced, Entered, Rolled, Scored

_Step: TypeAlias = Rolled | Scored | Announced | Resigned


@dataclass(frozen=True, slots=True)
class TableLog:
    """The events of a table as JSON, its secret, and the text of custom rules. `is_closed`: whether the duplicate of an
    entry has closed, so that the record may tell the secret."""

    events: tuple[str | bytes, ...]
    secret: bytes
    toml: str = ""
    is_closed: bool = False

    def game(self, table: Table | None = None) -> Record:
        """The record of the table without the proof of its dice; raises as `read` does.

        The events are replayed unless it is given to what `table` they lead.
        """
        log = list(decode_log(self.events, self.toml))
        table = table or replay(log)
        return _game(table, _steps(table, log)[0])

    def record(self) -> Record:
        """The record of the table; raises as `read` does."""
        return self.read()[1]

    def read(self) -> tuple[Table, Record, frozenset[int]]:
        """The table, its record, and the seats whose decisions count for strength.

        Raises `IllegalError` or a decode error.
        """
        log = list(decode_log(self.events, self.toml))
        table = replay(log)
        tells = table.created.duplicate is None or self.is_closed
        return table, record_of(table, log, self.secret if tells else None), _own_seats(table, log)


def _own_seats(table: Table, events: Iterable[Event]) -> frozenset[int]:
    """The seats of people without a step of a stand-in; none at a table that is not rated."""
    if not table.is_rated:
        return frozenset()
    own = {index for index, seat in enumerate(table.seats) if seat.kind == PERSON}
    steps = (event for event in events if isinstance(event, Rolled | Scored | Announced))
    return frozenset(own - {event.seat for event in steps if event.by != PERSON})


def record_of(table: Table, events: Iterable[Event], secret: bytes | None) -> Record:
    """Return the game in `events`, which replay to `table`, as a record without what was taken back.

    Its proof names the turns that were undone and the help that was used, and includes the secret, if it is given, once
    the table has ended. Real dice have none.

    Raises `IllegalError` for events that do not replay.
    """
    steps, undone = _steps(table, events)
    record = _game(table, steps)
    return record if table.is_real else record.with_proof(_proof(table, secret, undone, steps))


def _steps(table: Table, events: Iterable[Event]) -> tuple[list[_Step], list[UndoneTurn]]:
    """The steps of the game, and what was taken back, unless a wrong entry of real dice was."""
    steps: list[_Step] = []
    undone: list[UndoneTurn] = []
    for event in events:
        if isinstance(event, Rolled | Scored | Announced | Resigned):
            steps.append(event)
        elif isinstance(event, Undone) and table.is_real:
            steps.pop()
        elif isinstance(event, Undone):
            undone.append(_take_back(steps))
    return steps, undone


def _game(table: Table, steps: Iterable[_Step]) -> Record:
    date = datetime.fromtimestamp(table.created.at, UTC).isoformat(timespec="seconds")
    record = Record.start(table.ruleset, record_seats(table), date, table.first or 0)
    if table.is_real:
        record = record.with_real_dice(table.id)
    for event in steps:
        if isinstance(event, Scored | Announced):
            record = record.play(_action(event))
        elif isinstance(event, Resigned):
            assert event.seat is not None, "the events replay"
            record = record.resign(event.seat)
        elif not event.kept:
            record = record.roll(tuple(event.dice), event.missing if isinstance(event, Entered) else 0)
        else:
            places = list(zip(event.dice, event.kept, strict=True))
            keep = Keep(tuple(die for die, is_kept in places if is_kept))
            record = record.play(keep, tuple(die for die, is_kept in places if not is_kept))
    return record


def _proof(table: Table, secret: bytes | None, undone: Iterable[UndoneTurn], steps: Iterable[_Step]) -> RecordProof:
    """The proof of the dice of a game's steps."""
    turns: list[PlacedTurn] = []
    for event in steps:
        if isinstance(event, Rolled):
            if event.kept:
                turns[-1] = turns[-1].roll(event.dice, event.kept)
            else:
                turns.append(PlacedTurn.start(event.dice))
    return RecordProof(
        table=table.created.dice_name,
        commitment=table.created.commitment,
        faces=table.ruleset.faces,
        nonces=table.nonces,
        opening=_opening(table),
        secret=secret if table.has_ended else None,
        turns=tuple(turns),
        undone=tuple(undone),
        help=_used_help(table),
        source=BROWSER if table.id.startswith(LOCAL) else "",
    )


def _opening(table: Table) -> str:
    """How it was decided who begins; empty if the table ended before that."""
    if table.created.first != HIGHEST_ROLL:
        return "first"
    return "" if table.first is None else HIGHEST_ROLL


def _used_help(table: Table) -> UsedHelp:
    """The help at a table, with the tutor's questions to its people."""
    seats = enumerate(table.seats)
    return UsedHelp(table.help, tuple(Questions(index, one.asked, one.changed) for index, one in seats if one.asked))


def _take_back(steps: list[_Step]) -> UndoneTurn:
    """Remove the last score or announcement of a person, with the steps of computer players after it.

    None of these is a resignation, after which nothing can be taken back.
    """
    rolled: set[int] = set()
    while not isinstance(step := steps.pop(), Scored | Announced) or step.by != PERSON:
        if isinstance(step, Rolled) and step.seat is not None:
            rolled.add(step.seat)
    turn = sum(isinstance(event, Rolled) and not event.kept for event in steps) - 1
    return UndoneTurn(turn, _action(step), tuple(sorted(rolled)))


def _action(event: Scored | Announced) -> Score | Announce:
    return Announce(event.box) if isinstance(event, Announced) else Score(event.box, event.scratch)


def record_seats(table: Table) -> tuple[Seat, ...]:
    """The seats of a table as in its record."""
    return tuple(
        Seat(seat.name or f"seat {index}", RECORD_PERSON if seat.kind == PERSON else seat.kind)
        for index, seat in enumerate(table.seats)
    )
