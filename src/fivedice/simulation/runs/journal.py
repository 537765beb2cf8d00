"""`Journal`: a file that lists the finished parts of a run, so that an interrupted one can continue.

The first line of JSON says what is run; each of the others has the result of one part.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from fivedice.base.errors import IllegalError


class Journal:
    """The journal of one run, in a file that need not exist yet."""

    def __init__(self, path: Path, identity: dict[str, Any], growing: str = "") -> None:
        """`growing` names a number of the identity that may be smaller in the file: the run is then extended."""
        self.path, self._identity, self._growing = path, identity, growing

    def read(self) -> dict[int, Any]:
        """The results of finished parts by index.

        Raises `IllegalError` if the file belongs to another run. A last line that was not completed is ignored.
        """
        try:
            first, *lines = self.path.read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return {}
        try:
            known = json.loads(first)
        except ValueError:
            known = None
        name = self._growing
        if name and isinstance(known, dict) and {**known, name: 0} == {**self._identity, name: 0}:
            if known[name] > self._identity[name]:
                raise IllegalError(f"{self.path} is the journal of {known[name]:,} {name}: want as many or more")
        elif known != self._identity:
            raise IllegalError(f"{self.path} is the journal of another run: give another place, or remove it")
        found = {}
        for line in lines[:-1]:
            result = json.loads(line)
            found[result["part"]] = result["result"]
        return found

    @contextmanager
    def writing(self) -> "Iterator[Writer]":
        """What notes finished parts; the file is created if need be."""
        done = self.read()
        draft = self.path.with_name(f"{self.path.name}.draft")
        # Written anew, so that no line follows one that was not completed.
        lines = [self._identity, *({"part": part, "result": result} for part, result in done.items())]
        draft.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        os.replace(draft, self.path)
        with self.path.open("a", encoding="utf-8") as file:
            yield Writer(file)


def journal_identity(path: Path | None) -> dict[str, Any] | None:
    """What a journal says is run; None if there is no such file, or none of a journal."""
    if path is None:
        return None
    try:
        with path.open(encoding="utf-8") as file:
            known = json.loads(file.readline())
    except (FileNotFoundError, ValueError):
        return None
    return known if isinstance(known, dict) else None


@contextmanager
def noted(
    path: Path | None, identity: dict[str, Any], growing: str = ""
) -> "Iterator[tuple[dict[int, Any], Writer | None]]":
    """The finished parts of a journal, and what notes further ones; none of both without a file."""
    if path is None:
        yield {}, None
        return
    journal = Journal(path, identity, growing)
    done = journal.read()
    with journal.writing() as writer:
        yield done, writer


class Writer:
    """Appends to an open journal."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def add(self, part: int, result: Any) -> None:
        """Note a finished part."""
        self._file.write(f"{json.dumps({'part': part, 'result': result})}\n")
        self._file.flush()
        os.fsync(self._file.fileno())
