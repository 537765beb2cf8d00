"""Files of records: the one the user named, or a new one in the data folder."""

import os
import re
import shlex
from pathlib import Path

from platformdirs import user_data_path

from fivedice.errors import IllegalError
from fivedice.game.record import Record


def check_free(file: Path, option: str = "--record") -> None:
    """Raise `IllegalError` if a file cannot be created, or is not empty."""
    if file.is_dir():
        raise IllegalError(f"{option} {file} is a folder: want the name of a file")
    if file.exists() and file.stat().st_size:
        raise IllegalError(f"{option} {file} already exists: give a new name, or remove it")
    if not file.resolve().parent.is_dir():
        raise IllegalError(f"{option} {file}: the folder {file.resolve().parent} does not exist")
    if not os.access(file.resolve().parent, os.W_OK):
        raise IllegalError(f"{option} {file}: the folder {file.resolve().parent} is not writable")


class RecordFile:
    """The file of one game. Without a path, the first save creates a new file in the data folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def save(self, record: Record) -> str:
        """Write the record atomically and return a sentence with its place, or with the error and the record itself."""
        target = self.path or default_file(record)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, str(record))
        except OSError as error:
            return f"The record could not be saved to {target} ({error.strerror}). Here it is:\n\n{record}"
        self.path = target
        if record.position.is_over:
            return f"The record is in {target}"
        return f"The game so far is in {target}; continue with: fivedice play --resume {shlex.quote(str(target))}"


def data_folder() -> Path:
    """The folder of the user's files: `FIVEDICE_DATA` if it is set, else the platform's data folder."""
    chosen = os.environ.get("FIVEDICE_DATA")
    return Path(chosen) if chosen else user_data_path("fivedice", appauthor=False)


def records_folder() -> Path:
    """The folder of the user's own records."""
    return data_folder() / "records"


def default_file(record: Record) -> Path:
    """A new file in the records folder, named after the date and the ruleset."""
    stamp = re.sub(r"[^0-9T]", "", record.date[:19])
    folder = records_folder()
    stem = f"{stamp}-{record.ruleset.id}"
    number = 1
    while (file := folder / f"{stem}{f'-{number}' if number > 1 else ''}.txt").exists():
        number += 1
    return file


def write_whole(target: Path, text: str) -> None:
    """Write a file atomically; if that fails, an existing file is unchanged."""
    draft = target.with_name(f".{target.name}.draft")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
