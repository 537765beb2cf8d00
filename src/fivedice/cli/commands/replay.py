"""`fivedice replay`: checks a record and prints the game."""

from fivedice.cli.completed import RecordFile
from fivedice.cli.files.saved_games import read_record
from fivedice.cli.language import chosen
from fivedice.cli.text.cards import format_cards
from fivedice.cli.text.output import Flag, print_json, prints
from fivedice.game.wording import outcome
from fivedice.views.to_dict import RecordView, record_view


@prints(RecordView)
def replay(
    file: RecordFile,
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
        print_json(record_view(record))
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
