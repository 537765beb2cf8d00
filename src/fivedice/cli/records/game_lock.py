"""A `GameLock`: the right to write the record of one game, which one process has at a time."""

import os
from contextlib import suppress
from pathlib import Path
from weakref import finalize

from fivedice.cli.language import say
from fivedice.errors import IllegalError
from fivedice.file_lock import try_lock


class GameLock:
    """The lock on a record; raises `IllegalError` if another process has it. `release` also runs at exit.

    It is on a hidden file beside the record, because saving replaces the record. Raises `OSError` if that file cannot
    be created.
    """

    def __init__(self, record: Path) -> None:
        target = record.resolve()
        path = target.with_name(f".{target.name}.lock")
        while True:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            if not try_lock(file):
                os.close(file)
                raise IllegalError(
                    say("{file}: this game is open in another window; go on there, or close it first", file=record)
                )
            if path.exists() and os.path.samestat(path.stat(), os.fstat(file)):
                break
            os.close(file)  # released, and so deleted, before we had it
        self.release = finalize(self, _release, path, file)


def _release(path: Path, file: int) -> None:
    """Delete the hidden file, and only then unlock it, so that no process locks a file that is about to go."""
    with suppress(PermissionError):  # Windows deletes no open file: an empty one stays
        path.unlink(missing_ok=True)
    os.close(file)
