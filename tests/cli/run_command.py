"""Runs the `fivedice` command in the test process."""

import io
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec

from fivedice.cli.app import COMMANDS, main, place_of
from fivedice.rulesets import load_ruleset


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
    with patch.object(sys, "stdin", _Pipe(lines)), patch.object(sys, "stdout", out), patch.object(sys, "stderr", err):
        try:
            main(arguments)
        except SystemExit as left:
            status = int(left.code or 0)
    result = Result(out.written(), err.written(), status)
    if "--json" in arguments and result.out:
        found, command = json.loads(result.out), next(word for word in arguments if word in COMMANDS)
        types = resolve_name(place_of(command)).json_types
        assert any(_is(found, type) for type in types), (command, found)
    return result


def _is(found: Any, type: Any) -> bool:
    """Whether what a command printed is of a structure that it names, with no other keys."""
    try:
        return bool(json.loads(msgspec.json.encode(msgspec.convert(found, type))) == found)
    except msgspec.ValidationError:
        return False


def refused(*arguments: str, lines: str = "") -> str:
    """The one sentence of a command that refuses its input with status 2."""
    result = fivedice(*arguments, lines=lines)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("fivedice: ")
    assert result.err.count("\n") == 1
    return result.err


def crag_record(seats: str, *turns: str, result: str) -> str:
    """The record of a game of Crag with these turns."""
    lines = ["fivedice record 1", "ruleset: crag", "options: -", f"digest: {load_ruleset('crag').digest}"]
    lines += [f"seats: {seats}", "first: 0", "date: 2026-11-20T10:00:00+00:00", f"result: {result}", "", *turns, ""]
    return "\n".join(lines)


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
