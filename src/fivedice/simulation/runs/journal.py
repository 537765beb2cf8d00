"""`noted`: a file that lists the finished parts of a run, so that an interrupted one can continue.

The first line of JSON says what is run; each of the others has the result of one part.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from fivedice.base.errors import IllegalError

Note: TypeAlias = Callable[[int, Any], None]
"""Notes the result of the part with an index."""


@contextmanager
def noted(path: Path | None, identity: dict[str, Any], growing: str = "") -> Iterator[tuple[dict[int, Any], Note]]:
    """The results of finished parts by index, and what notes further ones; without a file, nothing is kept.

    `growing` names a number of the identity that may be smaller in the file: the run is then extended. Raises
    `IllegalError` if the file belongs to another run. A last line that was not completed is ignored.
    """
    if path is None:
        yield {}, lambda part, result: None
        return
    done = _results(path, identity, growing)
    draft = path.with_name(f"{path.name}.draft")
    # Written anew, so that no line follows one that was not completed.
    lines = [identity, *({"part": part, "result": result} for part, result in done.items())]
    draft.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    os.replace(draft, path)
    with path.open("a", encoding="utf-8") as file:

        def note(part: int, result: Any) -> None:
            file.write(f"{json.dumps({'part': part, 'result': result})}\n")
            file.flush()
            os.fsync(file.fileno())

        yield done, note


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


def _results(path: Path, identity: dict[str, Any], growing: str) -> dict[int, Any]:
    """The results in a file that need not exist yet."""
    if not path.exists():
        return {}
    known = journal_identity(path)
    if growing and known and {**known, growing: 0} == {**identity, growing: 0}:
        if known[growing] > identity[growing]:
            raise IllegalError(f"{path} is the journal of {known[growing]:,} {growing}: want as many or more")
    elif known != identity:
        raise IllegalError(f"{path} is the journal of another run: give another place, or remove it")
    _, *lines = path.read_text(encoding="utf-8").split("\n")
    results = map(json.loads, lines[:-1])
    return {one["part"]: one["result"] for one in results}
