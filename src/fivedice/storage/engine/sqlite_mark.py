"""A `Mark`: the number of the last acknowledged event of a SQLite file, kept in a file beside it.

SQLite cannot tell that its write-ahead log was removed or that its file was replaced by an older copy: what is left is
a valid database. The mark can. It is written after each commit and before the acknowledgement, without a sync: after a
power failure it may be too low, never too high.

The events of a file are numbered by `PRAGMA user_version`, which `append_events` increases in their transaction.
"""

import os
from pathlib import Path

from fivedice.base.data_folder import PRIVATE_FILE, make_private
from fivedice.storage.rows.event import MAX_EVENT_NUMBERS


def mark_name(path: Path) -> Path:
    """The file with the mark of a database."""
    return path.with_name(f"{path.name}-mark")


class Mark:
    """The mark in a file, which is created if there is none; `number` is None if the file has no number."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
        make_private(path)
        text = os.read(self._file, 20).strip()
        self.number = int(text) if text.isdigit() else None

    def missing(self, found: int) -> int:
        """How many acknowledged events a database lacks whose last event has the number `found`."""
        num = 0 if self.number is None else (self.number - found) % MAX_EVENT_NUMBERS
        return num if num < MAX_EVENT_NUMBERS // 2 else 0

    def write(self, number: int) -> None:
        """Set the mark."""
        if number != self.number:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, b"%010d\n" % number)
            self.number = number

    def close(self) -> None:
        """Close the file, with its contents on disk."""
        os.fsync(self._file)
        os.close(self._file)
