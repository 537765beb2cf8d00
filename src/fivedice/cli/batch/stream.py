"""`answer_stream`: answers to the lines of a file, in order, as soon as each line can be read.

A few lines are answered in plain Python, so that a program that writes one line and waits for its answer gets it at
once. As soon as many lines wait, they are answered with the compiled kernels, which take longer to load.
"""

from collections.abc import Callable, Iterator
from typing import TextIO, TypeAlias

from fivedice.base.errors import MalformedError
from fivedice.base.outside_text import UTF_16
from fivedice.cli.batch.line_by_line import LineByLine
from fivedice.cli.saved_advice import table_of

MAX_LINE = 100_000
"""Characters of a line; the rest is dropped, so that memory stays bounded."""

READ_BYTES = 65_536
"""What is read at once, which is what a pipe holds."""

FEW_BYTES = 16_384
"""Up to so many bytes are answered in plain Python: some 200 lines, in less time than kernels need to load."""

Read: TypeAlias = Callable[[int], bytes | None]
"""Returns at most so many bytes, as soon as there are any, and none at the end."""


def answer_stream(read: Read, encoding: str, top: int | None, out: TextIO) -> bool:
    """Write the answer to every line, and return whether any of them is an error."""
    few, many, any_errors = LineByLine(table_of, top), None, False
    for data in _blocks_of_lines(read):
        if many is None and len(data) > FEW_BYTES:
            # Imported here: they load NumPy.
            from fivedice.cli.batch.many_lines import ManyLines
            from fivedice.cli.solutions import solution_of

            many = ManyLines(solution_of, top)
        text, has_errors = (many or few).answer(_lines(data, encoding))
        any_errors |= has_errors
        out.write(text)
        out.flush()
    return any_errors


def _blocks_of_lines(read: Read) -> Iterator[bytes]:
    """The input in blocks that end with a line."""
    rest = None
    while data := read(READ_BYTES):
        if rest is None and data.startswith(UTF_16):
            raise MalformedError("the lines are UTF-16 text: save them as UTF-8")
        whole, end, rest = ((rest or b"") + data).rpartition(b"\n")
        rest = rest[: 4 * MAX_LINE]  # a character has at most four bytes
        if end:
            yield whole
    if rest:
        yield rest


def _lines(data: bytes, encoding: str) -> list[str]:
    text = data.decode(encoding, errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [line[:MAX_LINE] for line in text.removesuffix("\n").split("\n")]
