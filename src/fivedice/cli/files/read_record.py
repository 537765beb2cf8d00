"""Reads a record from a file or standard input."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.cli.files.saved_games import named_file
from fivedice.game.record import MAX_CHARACTERS, Record, parse_record


def read_record(file: str) -> Record:
    """The record in a file, or on standard input if `file` is `-`; errors name the file and the line.

    `file` may also be the name of a game in the user's folder.
    """
    text = read_text(file)
    with named(file):
        return parse_record(text)


def read_text(file: str) -> str:
    """The text of such a file."""
    try:
        data = sys.stdin.buffer.read(4 * MAX_CHARACTERS) if file == "-" else named_file(file).read_bytes()
    except OSError as error:
        raise UnknownError(f"{_name(file)} cannot be read: {error.strerror}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"{_name(file)} is not UTF-8 text (byte {error.start})") from None


@contextmanager
def named(file: str) -> Iterator[None]:
    """Prefixes the messages of errors raised in the block with the name of the file."""
    try:
        yield
    except ValueError as error:
        raise type(error)(f"{_name(file)}, {error}") from None


def _name(file: str) -> str:
    return "standard input" if file == "-" else file
