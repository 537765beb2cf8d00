"""Runs the `fivedice` command in the test process."""

import io
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from fivedice.cli.app import main


@dataclass(frozen=True)
class Result:
    """The output and the exit status of a command."""

    out: str
    err: str
    status: int


class _Pipe(io.TextIOWrapper):
    """Text over bytes in memory; like a pipe, not a terminal."""

    def __init__(self, text: str = "") -> None:
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8", write_through=True)

    def written(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


def fivedice(*arguments: str, lines: str = "") -> Result:
    """Run `fivedice ARGUMENTS` with `lines` on its standard input."""
    out, err, status = _Pipe(), _Pipe(), 0
    with (
        patch.object(sys, "stdin", _Pipe(lines)),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
    ):
        try:
            main(arguments)
        except SystemExit as left:
            status = int(left.code or 0)
    return Result(out.written(), err.written(), status)


def refused(*arguments: str, lines: str = "") -> str:
    """The one sentence of a command that refuses its input with status 2."""
    result = fivedice(*arguments, lines=lines)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("fivedice: ")
    assert result.err.count("\n") == 1
    return result.err


def played(file: Path, rules: str, seats: str, seed: int = 1) -> Path:
    """Write the record of a whole game of computer players to a file, which is returned."""
    file.write_text(_record_of(rules, seats, seed))
    return file


@cache
def _record_of(rules: str, seats: str, seed: int) -> str:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.txt"
        result = fivedice("play", "--rules", rules, "--seats", seats, "--seed", str(seed), "--record", str(file))
        assert result.status == 0, result.err
        return file.read_text()
