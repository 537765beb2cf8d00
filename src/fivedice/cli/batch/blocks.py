"""Blocks of bytes between a process and its workers: a length in eight bytes, then as many bytes."""

from typing import IO

VALID, WITH_ERRORS, UNSOLVED = b"v", b"e", b"u"
"""The first byte of an answer: all lines are valid; some are not; the worker lacks a solution, and has no answers."""

SIZE = 8


def read_block(file: IO[bytes]) -> bytes | None:
    """The next block; None at the end of the file."""
    size = file.read(SIZE)
    return file.read(int.from_bytes(size, "big")) if len(size) == SIZE else None


def write_block(file: IO[bytes], block: bytes) -> None:
    """Write a block, and flush the file."""
    file.write(len(block).to_bytes(SIZE, "big"))
    file.write(block)
    file.flush()
