"""`fivedice replay`: checks a record and prints the game."""

from typing import Any

from fivedice.cli.files.read_record import read_record
from fivedice.cli.language import chosen
from fivedice.cli.text.cards import format_cards
from fivedice.cli.text.output import File, Flag, print_json
from fivedice.game.record import Record
from fivedice.game.wording import outcome


def replay(
    file: File,
    /,
    *,
    json: Flag = False,
) -> None:
    """Check that a record replays to its result, and print its turns and the final cards.

    Parameters
    ----------
    file
        A record, or - for standard input.
    json
        Print JSON.
    """
    record = read_record(file)
    if json:
        print_json(record_data(record))
        return
    print(f"{record.ruleset.name} ({record.ruleset}), {record.date}")
    print()
    for line in record.lines:
        seat, _, steps = line.partition(": ")
        print(f"{record.seats[int(seat)].name}: {steps}")
    print()
    print(format_cards(record.position, [seat.name for seat in record.seats]))
    print()
    print(outcome(record, chosen()))


def record_data(record: Record) -> dict[str, Any]:
    """The record as plain data; dice and actions are in notation."""
    return {
        "ruleset": str(record.ruleset),
        "digest": record.ruleset.digest,
        "date": record.date,
        "first": record.first,
        "seats": [
            {"name": seat.name, "kind": seat.kind, "total": card.total, "card": str(card)}
            for seat, card in zip(record.seats, record.position.cards, strict=True)
        ],
        "winners": list(record.position.winners),
        "is_over": record.is_over,
        "position": str(record.position),
        "turns": record.lines,
    }
