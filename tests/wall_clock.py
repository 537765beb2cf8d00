"""The wall clock of a process under test, which another process can set."""

import mmap
import struct
import time
from pathlib import Path

_true_time = time.time
_offset: mmap.mmap | None = None


def install() -> None:
    """Replace `time.time`. The program must be imported later, because its defaults keep that function."""
    time.time = lambda: _true_time() + (struct.unpack("d", _offset)[0] if _offset else 0.0)


def follow(path: Path) -> None:
    """Let the wall clock of this process differ from the true one by the seconds in a file, which may change."""
    assert time.time is not _true_time, "tests.preloaded installs the clock"
    global _offset
    with path.open("r+b") as file:
        _offset = mmap.mmap(file.fileno(), 8)


def set_clock(path: Path, seconds: float) -> None:
    """Set the difference between the wall clock of a process and the true one, at once."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(struct.pack("d", seconds))
