"""Records by name: read from a file or standard input, and saved games, of which only the headers are read."""

import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from fivedice.base.errors import UnknownError
from fivedice.base.outside_text import decoded, read_text
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.language import say
from fivedice.game.record import MAX_CHARACTERS, Record, parse_record
from fivedice.game.seats import parse_seats

_TOTALS = re.compile(r"(-?\d+(?: -?\d+)*), (.+)")


class SavedSeat(Struct, frozen=True):
    """A seat of a saved game."""

    name: str
    kind: str
    total: int


class SavedGame(Struct, frozen=True):
    """A saved game. `command` resumes it if it `can_resume`, and else reviews it; seats count from 0.

    `name` is that of its file without `.txt`, and `date` that of the record. `round` is the one being played, from 1;
    in a finished game, the last one. `winners` has none in a game unfinished or given up, and `outcome` says how it
    ended.
    """

    name: str
    file: str
    ruleset: str
    digest: str
    date: str
    seats: list[SavedSeat]
    round: int
    is_over: bool
    winners: list[int]
    outcome: str
    can_resume: bool
    command: str

    @property
    def began(self) -> datetime:
        """When the game began, in the local time zone; a date without a zone is local."""
        return datetime.fromisoformat(self.date).astimezone()

    @property
    def is_cut_short(self) -> bool:
        """Whether a resignation ended the game, so that its totals say little."""
        return self.outcome == "given up" or self.outcome.endswith("by resignation")


def saved_games(folder: Path | None = None) -> tuple[list[SavedGame], list[str]]:
    """The games in a folder, by default the user's own, newest first; and a sentence for every unreadable record."""
    folder = folder or records_folder()
    games, problems = [], []
    for file in sorted(folder.glob("*.txt")) if folder.is_dir() else ():
        try:
            text = read_text(file)
            with named(str(file)):
                games.append(_saved_game(file, text))
        except ValueError as error:
            problems.append(str(error))
    return sorted(games, key=lambda game: (game.began.timestamp(), game.file), reverse=True), problems


def latest(games: Iterable[SavedGame]) -> SavedGame:
    """The unfinished game that was played last; raises `UnknownError` if there is none."""
    open_games = [game for game in games if game.can_resume]
    if not open_games:
        raise UnknownError(
            say("there is no unfinished game in {folder}: begin one with fivedice play", folder=records_folder())
        )
    return max(open_games, key=lambda game: (Path(game.file).stat().st_mtime_ns, game.name))


def named_file(name: str) -> Path:
    """The file of a name: a path, or the name of a game in the user's folder, with or without `.txt`."""
    path = Path(name)
    if path.name == name and not path.exists():
        for file in (records_folder() / f"{name}.txt", records_folder() / name):
            if file.is_file():
                return file
    return path


def read_record(file: str) -> Record:
    """The record in a file, or on standard input if `file` is `-`; errors name the file and the line.

    `file` may also be the name of a game in the user's folder.
    """
    text = text_of_record(file)
    with named(file):
        return parse_record(text)


def text_of_record(file: str) -> str:
    """The text of such a file."""
    if file == "-":
        return decoded(sys.stdin.buffer.read(4 * MAX_CHARACTERS), _name(file))
    return read_text(named_file(file))


@contextmanager
def named(file: str) -> Iterator[None]:
    """Prefixes the messages of errors raised in the block with the name of the file."""
    try:
        yield
    except ValueError as error:
        raise type(error)(f"{_name(file)}, {error}") from None


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _saved_game(file: Path, text: str) -> SavedGame:
    """Read the header of a record, and count its turns; raises `ValueError`."""
    try:
        return _from_header(file, text)
    except (ValueError, KeyError, IndexError):
        # Only a full parse can say what is wrong, and where; it also knows every form of a header.
        return _from_header(file, str(parse_record(text)))


def _from_header(file: Path, text: str) -> SavedGame:
    header, _, body = text.partition("\n\n")
    fields = dict(line.split(": ", 1) for line in header.splitlines()[1:])
    ref, options, seats = fields["ruleset"], fields["options"], parse_seats(fields["seats"])
    found = _TOTALS.fullmatch(fields["result"])
    datetime.fromisoformat(fields["date"])
    if found is None or len(totals := found[1].split()) != len(seats):
        raise ValueError(fields["result"])
    lines = re.split(r"\n(?:proof|rules):", body)[0].splitlines()
    name, outcome = file.name.removesuffix(".txt"), found[2]
    is_over, has_proof = outcome != "unfinished", "\nproof:\n" in body or ", table " in fields.get("dice", "")
    scored = Counter(line.partition(":")[0] for line in lines if " = " in line)
    gone = {line.partition(":")[0] for line in lines if line.endswith("resign")}
    rounds = [scored[seat] for seat in map(str, range(len(seats))) if is_over or seat not in gone]
    # With a proof, the dice are those of a server's table, so it cannot go on here.
    can_resume = not is_over and not has_proof and any(seat.is_person for seat in seats)
    return SavedGame(
        name=name,
        file=str(file),
        ruleset=ref if options == "-" else f"{ref}[{options}]",
        digest=fields["digest"],
        date=fields["date"],
        seats=[SavedSeat(seat.name, seat.kind, int(total)) for seat, total in zip(seats, totals, strict=True)],
        round=max(1, *rounds) if is_over else min(rounds) + 1,
        is_over=is_over,
        winners=list(map(int, re.findall(r"\d+", outcome))),
        outcome=outcome,
        can_resume=can_resume,
        command=f"fivedice {'play --resume' if can_resume else 'review'} {shlex.quote(name)}",
    )
