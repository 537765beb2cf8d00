"""Breaks lines of the program on purpose, one at a time, and prints which test notices: `make broken-lines`.

At least three lines of each room are chosen by a seed. Each gets another comparison, sign or boundary, and the tests
that know its room run until one fails. A line that none notices needs a test, or need not be there.
"""

import argparse
import ast
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.repository import ROOT

SOURCE = ROOT / "src" / "fivedice"

OTHERS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Add: "-", ast.Sub: "+",
    ast.And: "or", ast.Or: "and",
}  # fmt: skip
"""What takes the place of an operator."""

TESTS = {
    "base": ["tests/test_errors.py", "tests/test_language.py", "tests/cli"],
    "rulesets": ["tests/rulesets", "tests/game", "tests/test_testing.py"],
    "game": ["tests/game", "tests/test_testing.py", "tests/server/table", "tests/test_library.py"],
    "solver": ["tests/solver", "tests/analysis"],
    "analysis": ["tests/analysis", "tests/views", "tests/cli/commands"],
    "players": ["tests/players", "tests/simulation", "tests/server/test_available.py"],
    "simulation": ["tests/cli/commands/test_simulate.py"],
    "testing": ["tests/test_testing.py", "tests/game"],
    "views": ["tests/views", "tests/server/table", "tests/server/http", "tests/local", "tests/cli/commands"],
    "storage": ["tests/storage", "tests/server/live", "tests/server/games", "tests/server/http/api"],
}
"""The tests that know a room, besides those of the folder with its name."""


def changes(path: Path) -> Iterator[tuple[int, str, str]]:
    """The number of a line in a function, and the file with that line broken, and how."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in (each for statement in function.body for each in ast.walk(statement)):
            match node:
                case ast.Compare(left=before, ops=[operator], comparators=[after]):
                    pass
                case ast.BinOp(left=before, op=operator, right=after):
                    pass
                case ast.BoolOp(op=operator, values=[before, after]):
                    pass
                case _:
                    continue
            start, end, number = before.end_col_offset or 0, after.col_offset, node.lineno - 1
            if type(operator) not in OTHERS or not node.lineno == before.end_lineno == after.lineno:
                continue
            line = lines[number].encode()
            broken = re.sub(rb"[<>=!]=?|[+-]|\band\b|\bor\b", OTHERS[type(operator)].encode(), line[start:end], count=1)
            changed = (line[:start] + broken + line[end:]).decode()
            yield node.lineno, "".join([*lines[:number], changed, *lines[number + 1 :]]), changed.strip()


def chosen(rng: random.Random, number: int) -> list[tuple[Path, int, str, str]]:
    """Three lines of each room, and others up to this number."""
    rooms: dict[str, list[tuple[Path, int, str, str]]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        found = [(path, *change) for change in changes(path)]
        rooms.setdefault(path.relative_to(SOURCE).parts[0], []).extend(found)
    first = [one for found in rooms.values() for one in rng.sample(found, min(3, len(found)))]
    rest = [one for found in rooms.values() for one in found if one not in first]
    return first + rng.sample(rest, max(0, number - len(first)))


def noticed(room: str, options: Sequence[str]) -> str:
    """The first test that fails, or nothing."""
    build = [sys.executable, "-m", "release.kernels"]  # after a change of what they are made of
    if subprocess.run(build, cwd=ROOT, capture_output=True, check=False).returncode:  # noqa: S603
        return "the build of kernels"
    folders = [*TESTS.get(room, []), f"tests/{room}"]
    known = [folder for folder in dict.fromkeys(folders) if (ROOT / folder).exists()] or ["tests/test_library.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tier=quick", "--no-header", "--tb=no", *options, *known]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout + done.stderr, re.M)
    return failed[1] if failed else "an import" if done.returncode else ""


def main() -> None:
    """Break the lines, and print what noticed each."""
    parser = argparse.ArgumentParser(description="Break lines on purpose.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=60)
    given, options = parser.parse_known_args()
    unnoticed, lines = 0, chosen(random.Random(given.seed), given.lines)
    for path, number, text, changed in lines:
        before = path.read_bytes()
        try:
            path.write_text(text, encoding="utf-8")
            found = noticed(path.relative_to(SOURCE).parts[0], options)
        finally:
            path.write_bytes(before)
        unnoticed += not found
        print(f"{path.relative_to(SOURCE)}:{number}: {changed}\n    {found or 'not noticed by any test'}", flush=True)
    print(f"{len(lines) - unnoticed} of {len(lines)} noticed")


if __name__ == "__main__":
    main()
