"""Reads and reviews many records at once."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from os.path import isdir
from pathlib import Path

from fivedice.analysis.reviews.review import Review, review_all
from fivedice.base.language import LANGUAGES, language
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.saved_games import read_record
from fivedice.cli.language import say
from fivedice.cli.progress import warn
from fivedice.cli.solutions import solution_of
from fivedice.game.record import Record
from fivedice.game.record_lines import began_at
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import TooLargeError


def read_records(names: Sequence[str]) -> tuple[list[Record], int]:
    """The records in files and folders, by default those in the user's own folder, and the exit status.

    An unreadable record is reported on standard error, and sets the status to 1.
    """
    records, status = [], 0
    own = [str(records_folder())] if records_folder().exists() else []
    for file in _files(names or own):
        try:
            records.append(_in_one_language(read_record(file)))
        except ValueError as error:
            print(f"fivedice: {error}", file=sys.stderr)
            status = 1
    return records, status


def _in_one_language(record: Record) -> Record:
    """The record with the name that a person without one has in the language of the command, whichever it was."""
    unnamed = {language(tag).say("You") for tag in LANGUAGES}
    seats = [
        replace(seat, name=say("You")) if seat.kind == "human" and seat.name in unnamed else seat
        for seat in record.seats
    ]
    return replace(record, seats=tuple(seats))


def reviews_of(records: Sequence[Record], consequence: str) -> Iterator[Review]:
    """Reviews of records, grouped by ruleset.

    A ruleset too large to solve is skipped, and reported on standard error with the consequence, unless that is empty.
    """
    by_ruleset: dict[Ruleset, list[Record]] = {}
    for record in records:
        by_ruleset.setdefault(record.ruleset, []).append(record)
    for ruleset, group in by_ruleset.items():
        try:
            solution = solution_of(ruleset)
        except TooLargeError as error:
            if consequence:
                warn(f"{error}; {consequence}")
            continue
        yield from review_all(solution, group)


def local_day() -> date:
    """Today, in the local time zone."""
    return date.today()


def began_on(record: Record) -> date:
    """The local day on which a game began."""
    return datetime.fromtimestamp(began_at(record.date)).date()


def _files(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if isdir(name):  # unlike `Path.is_dir`, this raises nothing for a file in a closed folder
            yield from (str(file) for file in sorted(Path(name).iterdir()) if file.is_file() and file.suffix == ".txt")
        else:
            yield name
