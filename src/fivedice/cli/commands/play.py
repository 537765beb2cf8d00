"""`fivedice play`: a game in the terminal, or as lines of text."""

import os
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.text import Text

from fivedice.base.errors import IllegalError
from fivedice.cli.files.record_file import RecordFile, Saved, check_free, secret_of
from fivedice.cli.files.saved_games import latest, named_file, read_record, saved_games
from fivedice.cli.game.input import RealDice
from fivedice.cli.game.plain import PlainGame
from fivedice.cli.game.session import Save, Session, available_here, check_players, new_seats
from fivedice.cli.language import say
from fivedice.cli.options import Flag, Pace, Players, Rules, Whole
from fivedice.cli.progress import Progress, progress_to
from fivedice.cli.text.cards import result_lines
from fivedice.cli.text.output import print_lines, prints, show, terminal_width
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.proof import SECRET_BYTES, TableDice
from fivedice.game.record import Record, Seat
from fivedice.game.seats import METHODS, choose_opening
from fivedice.players import make_player, no_human
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.to_dict import RecordView, record_view

if TYPE_CHECKING:
    from fivedice.solver.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution

_SEATS_HELP = """The players in order, separated by commas, of the kinds that fivedice players lists, or
NAME=KIND, as in Ann=human. A name that contains commas is written "NAME":KIND."""
_RESUME_HELP = "The record of an unfinished game to continue, or its name in fivedice games; without one, the latest."


@dataclass(frozen=True, slots=True)
class _Start:
    """What a game begins with: its record, the file it is saved in, the secret of its dice, and who begins."""

    record: Record
    file: RecordFile
    secret: bytes
    opening: Sequence[str] = ()


@prints(RecordView)
def play(
    rules: Rules = "yahtzee",
    *,
    seats: Annotated[Players, Parameter(help=_SEATS_HELP)] = "human,greedy",
    name: str | None = None,
    first: Annotated[str, Parameter(help=f"Who goes first: {', '.join(METHODS)}.")] = "first",
    seed: Whole | None = None,
    record: Path | None = None,
    resume: Annotated[
        tuple[str, ...] | None, Parameter(consume_multiple=(0, 1), negative="", help=_RESUME_HELP)
    ] = None,
    pace: Pace = 0.6,
    real_dice: Flag = False,
    plain: Flag = False,
    json: Flag = False,
) -> None:
    """Play a game. A game between computer players runs to the end and prints the score cards.

    Parameters
    ----------
    name
        Your name in the record, for the first human without a name; by default that of your login.
    seed
        Makes the dice and the random players repeatable, also after --resume; by default the system's randomness is
        used.
    record
        A new file for the record of the game; by default it is saved in your data folder.
    pace
        Seconds per step of a computer player, in the terminal.
    real_dice
        Keep the score of a game with real dice: you roll them and type what they show, in lines of text.
    plain
        Play in lines of text, for screen readers, pipes and scripts.
    json
        Print the result as JSON; only for games between computer players.
    """
    if record:
        check_free(record)
    secrets = (
        os.urandom(SECRET_BYTES) if seed is None else sha256(f"{seed} {game}".encode()).digest() for game in count()
    )
    if real_dice and seed is not None:
        raise IllegalError(say("--real-dice: real dice have no --seed"))
    if resume is not None:
        start = _resumed(resume[0] if resume else None, record, None if seed is None else next(secrets))
    else:
        start = _new_game(load_ruleset(rules), new_seats(seats, name), first, next(secrets), record, is_real=real_dice)
    if not any(seat.is_person for seat in start.record.seats):
        if start.record.dice == "real":
            raise IllegalError(say("--real-dice: want a person at a seat, as in --seats human,greedy"))
        _play_alone(start, is_saved=record is not None or resume is not None, json=json)
        return
    if json:
        raise IllegalError(say("--json is only for games between computer players, as in --seats greedy,greedy"))
    is_plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb"
    while True:
        session, status, after = _play_once(start, pace, is_plain=is_plain)
        start.file.close()
        if after != "new game":
            break
        before = start.record
        start = _new_game(before.ruleset, before.seats, first, next(secrets), is_real=before.dice == "real")
    if after == "learn":
        # Imported here, as everything that needs the solver: most games end without it.
        from fivedice.cli.commands.learn import learn_after

        status = learn_after(session.record)
    sys.exit(status)


def _play_once(start: _Start, pace: float, *, is_plain: bool) -> tuple[Session, int, str]:
    """Play a game with people; return it, the exit status, and what the player chose at its end, if anything."""
    by_lines = PlainGame(lambda record: print_lines(_review(record, terminal_width())))
    session = _session(start, by_lines.ask, partial(start.file.save, secret=start.secret))
    if is_plain or start.record.dice == "real":
        return session, by_lines.run(session, start.opening), by_lines.after
    # Imported here: Textual is slow to import, and plain games do not use it.
    from fivedice.cli.terminal.app import run_terminal

    return session, 0, run_terminal(session, pace, start.opening, review=_review)


def _play_alone(start: _Start, *, is_saved: bool, json: bool) -> None:
    """Play a game between computer players to its end, and print the result."""
    session = _session(start)
    while not session.is_over:
        session.step()
    show(record_view(session.record), [*start.opening, *result_lines(session.record)], json=json)
    if is_saved:
        print(start.file.save(session.record).sentence, file=sys.stderr)


def _session(
    start: _Start, ask: Callable[[Position], Action] = no_human, save: Save = lambda record: Saved()
) -> Session:
    """A game at its beginning, or where it was left; people `ask` for their actions."""
    record, chance = start.record, random.Random()

    def solve() -> "Solution | ApproximateSolution":
        from fivedice.cli.solutions import values_of  # the solver, on its first use

        return values_of(record.ruleset)

    players = [make_player(seat.kind, chance, solve, ask) for seat in record.seats]
    dice = RealDice(record.ruleset) if record.dice == "real" else TableDice(start.secret, "terminal")
    return Session(record, players, dice, save, chance)


def _new_game(
    ruleset: Ruleset, seats: Sequence[Seat], first: str, secret: bytes, record: Path | None = None, *, is_real: bool
) -> _Start:
    """A game before its first roll, and sentences about who begins if that was rolled for."""
    check_players(ruleset, seats)
    roll_die = TableDice(secret, "terminal").opening()
    opening = choose_opening(first, ruleset.dice, ruleset.faces, len(seats), roll_die)
    date = datetime.now(UTC).isoformat(timespec="seconds")
    sentences = [
        say("For the start: {rolls}.", rolls=", ".join(f"{seats[seat].name} {total}" for seat, total in totals.items()))
        for totals in opening.rounds
    ]
    if len(seats) > 1 and first != "first":
        sentences.append(say("{name} begins.", name=seats[opening.first].name))
    begun = Record.start(ruleset, tuple(seats), date, opening.first)
    return _Start(begun.with_real_dice() if is_real else begun, _held(record), secret, sentences)


def _resumed(name: str | None, copy: Path | None, secret: bytes | None) -> _Start:
    """The unfinished game of a name, by default the latest one. With `copy`, it goes on in that file, and with `secret`
    by those dice.
    """
    file = Path(latest(saved_games()[0]).file) if name is None else named_file(name)
    target = _held(copy or file)  # before it is read, so that no other process changes it afterwards
    record = read_record(str(file))
    if record.is_over:
        raise IllegalError(say("--resume {file}: this game is over; fivedice replay shows it", file=file))
    if table := record.proof.table if record.proof else record.table:
        raise IllegalError(
            say(
                "--resume {file}: the dice of this game are those of table {table}; it cannot continue with other dice",
                file=file,
                table=table,
            )
        )
    return _Start(record, target, secret or secret_of(file) or os.urandom(SECRET_BYTES))


def _held(path: Path | None) -> RecordFile:
    """The file of a game that only this process continues; raises `IllegalError` if another one does."""
    file = RecordFile(path)
    with suppress(OSError):  # a folder without a right to write, where saving will say that it failed
        file.hold()
    return file


def _review(record: Record, width: int, progress: Progress | None = None) -> list[Text]:
    """The review of a game, in full for the terminal game, which shows the progress."""
    from fivedice.cli.commands.review import review_lines, view_of  # the solver, on its first use
    from fivedice.solver.tables.states import TooLargeError

    try:
        with progress_to(progress) if progress else nullcontext():
            return list(review_lines(view_of(record), record, width=width, is_full=progress is not None))
    except TooLargeError:  # it was given up before the turns that can be solved
        return [Text(available_here(record.ruleset).solution)]
