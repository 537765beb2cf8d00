"""`fivedice replay`: checks a record and prints the game."""

import sys
from pathlib import Path
from typing import Any

from fivedice.cli.cards import format_cards
from fivedice.cli.output import File, Flag, print_json
from fivedice.errors import MalformedError, UnknownError
from fivedice.game.record import MAX_CHARACTERS, Record, parse_record


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
    for turn in record.turns:
        print(f"{record.seats[turn.seat].name}: {str(turn).partition(': ')[2]}")
    print()
    print(format_cards(record.position, [seat.name for seat in record.seats]))
    print()
    print(outcome(record))


def read_record(file: str) -> Record:
    """The record in a file, or on standard input for `-`; raises a `ValueError` that names the file and the line."""
    name = "standard input" if file == "-" else file
    try:
        data = sys.stdin.buffer.read(4 * MAX_CHARACTERS) if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UnknownError(f"{name} cannot be read: {error.strerror}") from None
    try:
        return parse_record(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise MalformedError(f"{name} is not UTF-8 text (byte {error.start})") from None
    except ValueError as error:
        raise type(error)(f"{name}, {error}") from None


def outcome(record: Record) -> str:
    """Who won, in a sentence."""
    winners = [record.seats[seat].name for seat in record.position.winners]
    if not winners:
        return "The game is not finished."
    cards = record.position.cards
    how = " on a first roll" if any(card.won for card in cards) else ""
    best = cards[record.position.winners[0]].total
    if len(cards) == 1:
        return f"Final score: {best}."
    if len(winners) == 1:
        return f"{winners[0]} wins{how} with {best} points."
    return f"{', '.join(winners[:-1])} and {winners[-1]} share the victory with {best} points."


def record_data(record: Record) -> dict[str, Any]:
    """The record as plain data; dice and actions are notation."""
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
        "is_over": record.position.is_over,
        "position": str(record.position),
        "turns": [str(turn) for turn in record.turns],
    }
