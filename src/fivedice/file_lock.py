"""`try_lock`: locks on open files, which the system releases when a process ends, however it ends."""

import errno
import os
import sys

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
