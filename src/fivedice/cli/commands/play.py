"""`fivedice play`: a game in the terminal, or as lines of text."""

import random
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fivedice.cli.commands.replay import record_data
from fivedice.cli.game.plain import PlainGame
from fivedice.cli.game.session import Session
from fivedice.cli.records.read_record import read_record
from fivedice.cli.records.record_file import RecordFile, check_free
from fivedice.cli.text.cards import format_cards
from fivedice.cli.text.outcome import outcome
from fivedice.cli.text.output import Flag, Whole, print_json
from fivedice.errors import IllegalError
from fivedice.game.names import checked_name
from fivedice.game.opening import METHODS, choose_opening
from fivedice.game.position import MAX_SEATS
from fivedice.game.record import Record, Seat
from fivedice.game.seats import parse_seats
from fivedice.players import KINDS, Human, make_player
from fivedice.ruleset import Ruleset
from fivedice.rulesets import load_ruleset

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution

_SEATS_HELP = f"""The players in order, separated by commas: {", ".join(KINDS)}, or NAME=KIND, as in Ann=human.
A name that contains commas is written "NAME":KIND."""


def play(
    *,
    rules: str = "yahtzee",
    seats: Annotated[str, Parameter(help=_SEATS_HELP)] = "human,greedy",
    first: Annotated[str, Parameter(help=f"Who goes first: {', '.join(METHODS)}.")] = "first",
    seed: Whole | None = None,
    record: Path | None = None,
    resume: str | None = None,
    pace: float = 0.6,
    plain: Flag = False,
    json: Flag = False,
) -> None:
    """Play a game. A game between computer players runs to the end and prints the score cards.

    Parameters
    ----------
    rules
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    seed
        Makes the dice and the random players repeatable; by default the system's randomness is used.
    record
        A new file for the record of the game; by default it is saved in your data folder.
    resume
        The record of an unfinished game to continue, with its rules and seats.
    pace
        Seconds per step of a computer player, in the terminal.
    plain
        Play in lines of text, for screen readers, pipes and scripts.
    json
        Print the result as JSON; only for games between computer players.
    """
    if not 0 <= pace <= 60:
        raise IllegalError(f"--pace {pace}: want 0 to 60 seconds")
    if record:
        check_free(record)
    file = RecordFile(record or (Path(resume) if resume else None))
    by_lines = PlainGame(file.save, _solve)
    chance = random.Random(seed) if seed is not None else random.SystemRandom()
    opening: list[str] = []
    if resume:
        game = _unfinished(resume)
    else:
        game, opening = _new_game(rules, _distinct(parse_seats(seats)), first, chance)
    players = [make_player(seat.kind, chance, by_lines.ask, partial(_solve, game.ruleset)) for seat in game.seats]

    if not any(isinstance(player, Human) for player in players):
        session = Session(game, players, chance)
        while not session.position.is_over:
            session.step()
        _print_result(session.record, opening, json=json)
        if record or resume:
            print(file.save(session.record), file=sys.stderr)
        return
    if json:
        raise IllegalError("--json is only for games between computer players, as in --seats greedy,greedy")
    session = Session(game, players, chance, file.save)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.exit(by_lines.run(session, opening))
    # Imported here: Textual is slow to import, and plain games do not use it.
    from fivedice.cli.terminal import run_terminal

    run_terminal(session, file.save, pace, opening)


def _distinct(seats: Sequence[Seat]) -> list[Seat]:
    """The seats with checked and unique names: a second `greedy` becomes `greedy2`."""
    result: list[Seat] = []
    for seat in seats:
        number, name = 1, checked_name(seat.name)
        first = name
        while any(name == other.name for other in result):
            number += 1
            name = f"{first}{number}"
        result.append(Seat(name, seat.kind))
    return result


def _new_game(rules: str, seats: Sequence[Seat], first: str, chance: random.Random) -> tuple[Record, list[str]]:
    """A game before its first roll, and sentences about who begins if that was rolled for."""
    if len(seats) > MAX_SEATS:
        raise IllegalError(f"--seats names {len(seats)} players: a game has 1 to {MAX_SEATS}")
    ruleset = load_ruleset(rules)
    opening = choose_opening(first, ruleset, len(seats), lambda sides: chance.randint(1, sides))
    date = datetime.now(UTC).isoformat(timespec="seconds")
    sentences = [
        "For the start: " + ", ".join(f"{seats[seat].name} rolls {total}" for seat, total in totals.items()) + "."
        for totals in opening.rounds
    ]
    if len(seats) > 1 and first != "first":
        sentences.append(f"{seats[opening.first].name} begins.")
    return Record.start(ruleset, tuple(seats), date, opening.first), sentences


def _solve(ruleset: Ruleset) -> "Solution":
    """The solution for the optimal player and for hints; imports the solver on first use."""
    from fivedice.cli.solutions import solution_of

    return solution_of(ruleset)


def _unfinished(file: str) -> Record:
    record = read_record(file)
    if record.position.is_over:
        raise IllegalError(f"--resume {file}: this game is over; fivedice replay shows it")
    if record.proof:
        raise IllegalError(
            f"--resume {file}: the dice of this game are those of table {record.proof.table}; "
            "it cannot continue with other dice"
        )
    return record


def _print_result(record: Record, opening: Sequence[str], *, json: bool) -> None:
    if json:
        print_json(record_data(record))
        return
    for sentence in opening:
        print(sentence)
    print(format_cards(record.position, [seat.name for seat in record.seats]))
    print()
    print(outcome(record))
