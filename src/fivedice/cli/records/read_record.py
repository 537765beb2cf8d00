"""Reads a record from a file or standard input."""

import sys

from fivedice.cli.records.saved_games import named_file
from fivedice.errors import MalformedError, UnknownError
from fivedice.game.record import MAX_CHARACTERS, Record, parse_record


def read_record(file: str) -> Record:
    """The record in a file, or on standard input if `file` is `-`; errors name the file and the line.

    `file` may also be the name of a game in the user's folder.
    """
    name = "standard input" if file == "-" else file
    try:
        data = sys.stdin.buffer.read(4 * MAX_CHARACTERS) if file == "-" else named_file(file).read_bytes()
    except OSError as error:
        raise UnknownError(f"{name} cannot be read: {error.strerror}") from None
    try:
        return parse_record(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise MalformedError(f"{name} is not UTF-8 text (byte {error.start})") from None
    except ValueError as error:
        raise type(error)(f"{name}, {error}") from None
