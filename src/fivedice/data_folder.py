"""The folder of the user's files, and files and folders that only their owner can read."""

import logging
import os
from pathlib import Path

from platformdirs import user_data_path

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""The permissions of what only its owner can use."""

_OTHERS = 0o077

_log = logging.getLogger(__name__)


def data_folder() -> Path:
    """The folder of the user's files: `FIVEDICE_DATA` if it is set, else the platform's data folder."""
    chosen = os.environ.get("FIVEDICE_DATA")
    return Path(chosen) if chosen else _own_folder()


def make_folder(folder: Path) -> None:
    """Create a folder for its owner only, and the folders above it.

    One that exists may be shared and stays as it is, except the platform's data folder of this program.
    """
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    if folder == _own_folder():
        make_private(folder)


def make_private(path: Path) -> None:
    """Take all permissions of others away from an existing file or folder; logs a warning if that is not allowed."""
    mode = path.stat().st_mode & 0o7777
    if os.name != "posix" or not mode & _OTHERS:
        return
    try:
        path.chmod(mode & ~_OTHERS)
    except OSError as error:
        _log.warning("other users can read %s, which its owner should forbid: %s", path, error.strerror)


def _own_folder() -> Path:
    return user_data_path("fivedice", appauthor=False)
