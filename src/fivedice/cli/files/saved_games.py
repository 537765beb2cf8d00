"""Records by name: read from a file or standard input, and saved games, of which only the headers are read."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from fivedice.base.errors import UnknownError
from fivedice.base.outside_text import decoded, read_text
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.language import say
from fivedice.game.record import MAX_CHARACTERS, Record, Seat, parse_record
from fivedice.game.seats import parse_seats
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset

_TURN = re.compile(r"[0-9]{1,2}: (?:-, )*[1-9a-k].*")
_TOTALS = re.compile(r"(\d+(?: \d+)*), .+")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A saved game. `totals` are those of the seats; `winners` are seats, none in a game unfinished or given up.

    `when` is the date as the record has it. `has_proof`: the dice are those of a server's table, so it cannot go on
    here.
    """

    file: Path
    rules: str
    digest: str
    when: str
    seats: tuple[Seat, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    outcome: str
    """How it ended, as in the result of the record."""
    num_turns: int
    has_proof: bool

    @property
    def name(self) -> str:
        """What commands accept for this game: the name of its file without `.txt`."""
        return self.file.name.removesuffix(".txt")

    @property
    def date(self) -> datetime:
        """When the game began, in the local time zone; a date without a zone is local."""
        return datetime.fromisoformat(self.when).astimezone()

    @property
    def is_over(self) -> bool:
        return self.outcome != "unfinished"

    @property
    def is_cut_short(self) -> bool:
        """Whether a resignation ended the game, so that its totals say little."""
        return self.outcome == "given up" or self.outcome.endswith("by resignation")

    @property
    def can_resume(self) -> bool:
        """Whether it is an unfinished game of a person, with dice of this computer."""
        return not self.is_over and not self.has_proof and any(seat.is_person for seat in self.seats)

    @property
    def round(self) -> int:
        """The round being played, from 1; in a finished game, the last one."""
        return max(0, self.num_turns - (1 if self.is_over else 0)) // len(self.seats) + 1

    @property
    def ruleset(self) -> Ruleset | None:
        """The rules, if they are shipped or their file is still there."""
        return _ruleset(self.rules)


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
    return sorted(games, key=lambda game: (game.date.timestamp(), game.file.name), reverse=True), problems


def latest(games: Iterable[SavedGame]) -> SavedGame:
    """The unfinished game that was played last; raises `UnknownError` if there is none."""
    open_games = [game for game in games if game.can_resume]
    if not open_games:
        raise UnknownError(
            say("there is no unfinished game in {folder}: begin one with fivedice play", folder=records_folder())
        )
    return max(open_games, key=lambda game: (game.file.stat().st_mtime_ns, game.name))


def named_file(name: str) -> Path:
    """The file of a name: a path, or the name of a game in the user's folder, with or without `.txt`."""
    path = Path(name)
    if not path.exists() and path.name == name:
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
        return _from_record(file, parse_record(text))


def _from_header(file: Path, text: str) -> SavedGame:
    header, _, body = text.partition("\n\n")
    fields = dict(line.split(": ", 1) for line in header.splitlines()[1:])
    ref, options = fields["ruleset"], fields["options"]
    turns = [line for line in re.split(r"\n(?:proof|rules):", body)[0].splitlines() if _TURN.fullmatch(line)]
    seats = parse_seats(fields["seats"])
    totals = _TOTALS.fullmatch(fields["result"])
    datetime.fromisoformat(fields["date"])
    if totals is None or len(totals[1].split()) != len(seats):
        raise ValueError(fields["result"])
    outcome = fields["result"].partition(", ")[2]
    winners = re.findall(r"\d+", outcome)
    return SavedGame(
        file=file,
        rules=ref if options == "-" else f"{ref}[{options}]",
        digest=fields["digest"],
        when=fields["date"],
        seats=seats,
        totals=tuple(map(int, totals[1].split())),
        winners=tuple(map(int, winners)),
        outcome=outcome,
        num_turns=sum(" = " in turn for turn in turns),
        has_proof="\nproof:\n" in body or ", table " in fields.get("dice", ""),
    )


def _from_record(file: Path, record: Record) -> SavedGame:
    return SavedGame(
        file=file,
        rules=str(record.ruleset),
        digest=record.ruleset.digest,
        when=record.date,
        seats=record.seats,
        totals=tuple(card.total for card in record.position.cards),
        winners=record.position.winners,
        outcome=record.result.partition(", ")[2],
        num_turns=sum(turn.offer is not None for turn in record.turns),
        has_proof=record.proof is not None or bool(record.table),
    )


@lru_cache(maxsize=64)
def _ruleset(rules: str) -> Ruleset | None:
    try:
        return load_ruleset(rules)
    except (ValueError, OSError):
        return None
