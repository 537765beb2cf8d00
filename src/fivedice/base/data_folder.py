"""The folder of the user's files; files and folders that only their owner can read; `whole_file`, which is written
completely or not at all; and `try_lock`, for open files.

The system releases a lock when its process ends, however it ends.
"""

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident

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


def check_replaceable(path: Path) -> None:
    """Raise `OSError` for what a file must not replace, such as /dev/null."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise PermissionError(errno.EPERM, "Not a regular file", str(path))


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """The draft of a file, beside it, which replaces it at the end, unless an exception is raised."""
    check_replaceable(path)
    target = path.resolve()  # a symbolic link stays one, and so does /dev/stdout
    draft = target.with_name(f".{path.name}.{os.getpid()}.{get_ident()}")
    try:
        yield draft
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def _own_folder() -> Path:
    return user_data_path("fivedice", appauthor=False)


if sys.platform == "win32":
    import msvcrt

    def try_lock(file: int) -> bool:
        """Lock an open file until it is closed; False if another process, or another open file here, holds the lock.

        True also on file systems without locks.
        """
        os.lseek(file, 0, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True
else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock an open file until it is closed; False if another process, or another open file here, holds the lock.

        True also on file systems without locks.
        """
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL):
                raise
        return True
