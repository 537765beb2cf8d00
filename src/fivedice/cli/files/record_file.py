"""Files of records: the one the user named, or a new one in the data folder; one process at a time may write one."""

import os
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from weakref import finalize

from fivedice.base.data_folder import check_replaceable, data_folder, make_folder, try_lock, whole_file
from fivedice.base.errors import IllegalError
from fivedice.cli.language import say
from fivedice.game.proof import SECRET_BYTES
from fivedice.game.record import Record


def check_free(file: Path, option: str = "--record") -> None:
    """Raise `IllegalError` if a file cannot be created, or is not empty."""
    if file.is_file() and file.stat().st_size:
        raise IllegalError(
            say("{option} {file} already exists: give a new name, or remove it", option=option, file=file)
        )
    check_place(file, option)


def check_place(path: Path, option: str, *, is_folder: bool = False) -> None:
    """Raise `IllegalError` if a file, or with `is_folder` a folder, can be neither created nor written to."""
    try:
        if is_folder:
            path.mkdir(exist_ok=True)
            os.close(os.open(path / f".{os.getpid()}.draft", os.O_CREAT))
            (path / f".{os.getpid()}.draft").unlink()
        else:
            check_replaceable(path)
            is_new = not path.exists()
            path.open("ab").close()
            if is_new:
                path.unlink()
    except OSError as error:
        raise IllegalError(
            say("{option} {file} cannot be written: {problem}", option=option, file=path, problem=error.strerror)
        ) from None


def check_outputs(paths: Mapping[str, Path | None]) -> None:
    """`check_place` for the rows that options ask for: a file of Parquet, or a folder of such files."""
    for option, path in paths.items():
        if path is not None:
            check_place(path, option, is_folder=path.suffix != ".parquet")


@dataclass(frozen=True, slots=True)
class Saved:
    """The answer to a save: a sentence with the record's place, or with the error and the whole record.

    `problem` is the error alone, or why the game goes on in another file; empty if the record was saved as before.
    """

    sentence: str = ""
    problem: str = ""
    file: Path | None = None


class RecordFile:
    """The file of one game. Without a path, the first save creates a new file in the data folder, named after date
    and ruleset.

    Until the game is over, a hidden file beside it has the secret from which its dice follow. From `hold` or the first
    save until `close`, no other process may write to it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock: GameLock | None = None
        self._known = b""
        """What the file has, as far as this process knows."""

    def hold(self) -> None:
        """Lock the file, and note what it has; raises `IllegalError` if the game is open in another process."""
        if self.path and not self._lock:
            self._lock = GameLock(self.path)
            self._known = _content(self.path)

    def close(self) -> None:
        """Let other processes continue the game."""
        if self._lock:
            self._lock.release()
        self._lock = None

    def save(self, record: Record, secret: bytes = b"") -> Saved:
        """Write the record, and the secret of its dice if that is given, each atomically.

        A record that something else has changed stays as it is, and the game goes on in a new file. Raises
        `IllegalError` if the file is not held yet, and another process holds it.
        """
        stamp, content, moved = re.sub(r"[^0-9T]", "", record.date[:19]), str(record).encode(), ""
        target = self.path or records_folder() / f"{stamp}-{record.ruleset.id}.txt"
        try:
            make_folder(target.parent)
            self.hold()
            if not self.path:
                target = self._hold_new(target)
            elif _content(target) not in (b"", self._known):
                changed, target = target, self._hold_new(target)
                moved = say(
                    "{file} was changed by another program; this game goes on in {other}.", file=changed, other=target
                )
            if secret and not record.is_over and _content(_secret_file(target)) != secret:
                write_whole(_secret_file(target), secret)
            write_whole(target, content)
            self._known = content
            if record.is_over:
                _secret_file(target).unlink(missing_ok=True)
        except OSError as error:
            problem = say("The record could not be saved to {file} ({problem}).", file=target, problem=error.strerror)
            here = say("Here it is:")
            return Saved(f"{problem} {here}\n\n{record}", problem)
        if record.is_over:
            return Saved(say("The record is in {file}", file=target), moved, target)
        is_own = target.parent == records_folder() and target.suffix == ".txt"
        command = f"fivedice play --resume {shlex.quote(target.stem if is_own else str(target))}"
        return Saved(
            say("The game so far is in {file}; continue with: {command}", file=target, command=command), moved, target
        )

    def _hold_new(self, first: Path) -> Path:
        """Hold a file that does not exist yet, beside `first` and named like it, and make it that of the game."""
        path, number = first, 1
        while True:
            with suppress(IllegalError):  # another game has just begun with this name
                lock = GameLock(path)
                if not path.exists():
                    self.close()
                    self.path, self._lock = path, lock
                    return path
                lock.release()
            number += 1
            path = first.with_name(f"{first.stem}-{number}{first.suffix}")


def records_folder() -> Path:
    """The folder of the user's own records."""
    return data_folder() / "records"


def secret_of(record: Path) -> bytes | None:
    """The secret from which the dice of an unfinished game follow; None where it is not there."""
    secret = _content(_secret_file(record))
    return secret if len(secret) == SECRET_BYTES else None


def write_whole(target: Path, content: str | bytes) -> None:
    """Write a file atomically; if that fails, an existing file is unchanged."""
    with whole_file(target) as draft, draft.open("wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
        file.flush()
        os.fsync(file.fileno())


def _secret_file(record: Path) -> Path:
    return record.with_name(f".{record.name}.dice")


def _content(record: Path) -> bytes:
    """What a file has; nothing if it does not exist."""
    return record.read_bytes() if record.exists() else b""


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
            with suppress(FileNotFoundError):  # released, and so deleted, before we had it
                if os.path.samestat(path.stat(), os.fstat(file)):
                    break
            os.close(file)
        self.release = finalize(self, _release, path, file)


def _release(path: Path, file: int) -> None:
    """Delete the hidden file, and only then unlock it, so that no process locks a file that is about to go."""
    with suppress(PermissionError):  # Windows deletes no open file: an empty one stays
        path.unlink(missing_ok=True)
    os.close(file)
