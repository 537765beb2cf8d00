"""The `Record` of a table: its events as a game that can be replayed anywhere, with the proof of its dice."""

from collections.abc import Iterable
from datetime import UTC, datetime

from fivedice.game.action import Announce, Keep, Score
from fivedice.game.record import Record, Seat
from fivedice.game.record_proof import RecordProof
from fivedice.server.table.events import Announced, AnyEvent, Rolled, Scored, Undone
from fivedice.server.table.state import HIGHEST_ROLL, PERSON, Table


def record_of(table: Table, events: Iterable[AnyEvent], secret: bytes) -> Record:
    """Return the game in `events`, which replay to `table`, as a record without what was taken back.

    The secret is included once the table has ended.

    Raises `IllegalError` for events that do not replay.
    """
    steps: list[Rolled | Scored | Announced] = []
    for event in events:
        if isinstance(event, Rolled | Scored | Announced):
            steps.append(event)
        elif isinstance(event, Undone):
            # The last score or announcement of a person is undone, with the steps of computer players after it.
            while isinstance(step := steps.pop(), Rolled) or step.by != PERSON:
                pass
    date = datetime.fromtimestamp(table.created.at, UTC).isoformat(timespec="seconds")
    record = Record.start(table.ruleset, record_seats(table), date, table.first or 0)
    proof = RecordProof(
        table=table.id,
        commitment=table.created.commitment,
        faces=table.ruleset.faces,
        nonces=table.nonces,
        opening=HIGHEST_ROLL if table.created.first == HIGHEST_ROLL else "first",
        secret=secret if table.has_ended else None,
    )
    for event in steps:
        if isinstance(event, Scored):
            record = record.play(Score(event.box, event.scratch))
        elif isinstance(event, Announced):
            record = record.play(Announce(event.box))
        elif not event.kept:
            record, proof = record.roll(tuple(event.dice)), proof.roll(event.dice)
        else:
            places = list(zip(event.dice, event.kept, strict=True))
            keep = Keep(tuple(die for die, is_kept in places if is_kept))
            record = record.play(keep, tuple(die for die, is_kept in places if not is_kept))
            proof = proof.reroll(event.dice, event.kept)
    return record.with_proof(proof)


def record_seats(table: Table) -> tuple[Seat, ...]:
    """The seats of a table as in its record."""
    return tuple(Seat(seat.name or f"seat {index}", _kind(seat.kind)) for index, seat in enumerate(table.seats))


def _kind(kind: str) -> str:
    """The kind of a seat in a record."""
    return "human" if kind == PERSON else kind
