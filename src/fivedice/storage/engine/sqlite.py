"""A `SqliteDatabase`: the connections to one SQLite file, opened so that a commit is on disk when it returns.

One connection writes, in the writer's thread, and runs all checkpoints, within its commits. The others cannot write.
So no two connections ever write or checkpoint at once, which can damage a file before SQLite 3.51.3 (its "WAL-reset
bug").

If a file is deleted or replaced while it is open, what was acknowledged would be lost with the process. The writer
notices before it acknowledges anything more, and saves everything from the open files at once.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Condition
from typing import Any

from sqlalchemy import Connection

from fivedice.base.data_folder import PRIVATE_FILE, data_folder, make_folder
from fivedice.base.errors import IllegalError
from fivedice.storage.engine.sqlite_connections import (
    READING,
    RESCUE_SECONDS,
    WRITING,
    checkpoint,
    connect,
    pragma,
    sqlite_engine,
)
from fivedice.storage.engine.sqlite_files import Mark, SqliteFiles, SqliteLock, mark_name
from fivedice.storage.engine.unavailable import EventsMissingError, UnavailableError

WATCH_SECONDS = 1.0
"""Between two checks of the files while nothing is written."""

READERS = 4
"""Connections for reading."""

_NO_LOG_POSSIBLE = (sqlite3.SQLITE_READONLY_DIRECTORY, sqlite3.SQLITE_CANTOPEN)
"""The errors of SQLite where it cannot create a log beside a file."""

_log = logging.getLogger(__name__)


class SqliteDatabase:
    """The file at `path`; `open` must be called before the engines are used.

    With `serves`, no other process can serve the file, and the number of the last acknowledged event is kept beside it.
    With `may_lack_events`, the file need not have all of them. Without `changes`, nothing is written or saved, because
    another process may be serving the file. `check_schema` raises if the program cannot use a file
    that has taken the place of another.
    """

    idle_seconds = WATCH_SECONDS

    def __init__(
        self, path: Path, check_schema: Callable[[], None], *, serves: bool, changes: bool, may_lack_events: bool
    ) -> None:
        self.path = path.resolve()  # SQLite, too, has its log beside the target of a symbolic link
        self.writing = sqlite_engine(partial(self._connect, WRITING if changes else READING), "BEGIN IMMEDIATE", 1)
        self.reading = sqlite_engine(partial(self._connect, READING), "BEGIN DEFERRED", READERS)
        self._is_immutable = False
        self._changes = changes
        self._files = SqliteFiles(self.path)
        self._check_schema = check_schema
        self._serves = serves
        self._may_lack_events = may_lack_events
        self._lock: SqliteLock | None = None
        self._mark: Mark | None = None
        self._is_open = False
        self._opened: tuple[int, int] | None = None
        self._is_reported = False
        self._last_event = 0
        self._readers = Condition()
        self._num_readers = 0
        self._is_shut = False

    def open(self, migrate: Callable[[], None] | None) -> None:
        """Lock the file and open it; with `migrate`, create it if there is none, and call that.

        Raises `EventsMissingError` if the file lacks acknowledged events; `IllegalError` if it is served already, or
        has several names; `OSError`, `sqlite3.Error`.
        """
        folder = self.path.parent
        if migrate and folder == data_folder().resolve():
            make_folder(folder)
        elif migrate and not folder.is_dir():
            # Not created: with a typo in its path, a server would begin anew without a word.
            raise IllegalError(f"there is no folder {folder} for the database: create it, or correct the path")
        if self._serves:
            self._lock = SqliteLock(self.path)
            self._mark = Mark(mark_name(self.path))
        if migrate is None:
            self._open_to_read()
            return
        if not self.path.exists():
            self._check_missing(0)
        self._open(migrate, creates=True)

    def check(self) -> None:
        """Before a transaction, and from time to time, in the writer's thread.

        If a file was deleted or replaced, saves what was open, and uses another database that has the file's name.
        Raises `UnavailableError` if it was only the log; `OSError` or `UnavailableError` while the file is gone.
        """
        if not self._is_open:
            self._reopen()
        elif lost := self._files.lost():
            is_replaced = not self._files.is_database_here
            failure = self._save(lost)
            if not is_replaced:
                raise failure

    def make_room(self) -> None:
        """After a failed transaction: write the log into the database and truncate it, for it may have filled the disk.

        Otherwise that happens only after a commit, which needs room in the log.
        """
        if not (self._is_open and self._changes) or self._files.lost():
            return
        # The failure before is known until a transaction succeeds, and the next check tries this again.
        with suppress(UnavailableError, sqlite3.Error), closing(self.writing.raw_connection()) as connection:
            checkpoint(connection.driver_connection)
        self._files.measure_log()

    def last_event(self, connection: Connection) -> int:
        """The number of the last event, as the connection's transaction sees it."""
        number: int = pragma(connection.connection.driver_connection, "user_version")
        return number

    def confirm(self, last_event: int) -> None:
        """After a commit, before its requests are answered: note the number of the last event.

        Raises `UnavailableError` if a file was deleted or replaced before the commit, after saving what was open.
        """
        if lost := self._files.lost():
            raise self._save(lost)
        if self._mark and last_event != self._last_event:
            self._mark.write(last_event)
            self._last_event = last_event

    def forget_missing(self) -> None:
        """Take the present contents for all that was acknowledged: an operator has restored them."""
        if self._mark:
            self._mark.write(self._last_event)

    @contextmanager
    def reader(self, ask_writer: Callable[[], BaseException | None]) -> Iterator[Connection]:
        """A connection in a reading transaction.

        If the files are not as they were opened, `ask_writer` is called to have the writer check them; it returns its
        failure.
        """
        if not self._enter() and ((failure := ask_writer()) or not self._enter()):
            raise failure or UnavailableError("the database cannot be used now: its files change")
        try:
            with self.reading.begin() as connection:
                yield connection
            if self._is_immutable and self._files.has_log():
                raise UnavailableError("the database was changed while it was read without locks; try again")
        finally:
            with self._readers:
                self._num_readers -= 1
                self._readers.notify_all()

    def refusal(self, *, full: bool) -> str | None:
        """Which file or folder this process may not use, as a phrase, optionally with its full path; None if it may
        use all."""
        found = self._files.refused(writes=self._changes)
        return found and f"{found[0] if full else found[0].name} {found[1]}"

    def close(self) -> None:
        """Close all connections, and release the locks."""
        self._close_connections()
        if self._mark:
            self._mark.close()
            self._mark = None
        if self._lock:
            self._lock.release()
            self._lock = None

    def _connect(self, settings: Sequence[str]) -> sqlite3.Connection:
        return connect(self.path, *settings, is_immutable=self._is_immutable)

    def _open_to_read(self) -> None:
        try:
            self._open(self._check_schema)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in _NO_LOG_POSSIBLE or self._files.has_log():
                raise
            self._is_immutable = True
            self._open(self._check_schema)

    def _open(self, prepare: Callable[[], None], *, creates: bool = False) -> None:
        self._files.open(serves=self._serves, creates=creates)
        try:
            if creates:
                with closing(connect(self.path, "journal_mode = WAL")):  # reading and writing do not block each other
                    pass
            with closing(self.writing.raw_connection()) as connection:  # which stays open, and with it the log
                self._last_event = pragma(connection.driver_connection, "user_version")
                has_log = pragma(connection.driver_connection, "journal_mode") == "wal"
            self._files.watch(has_log=has_log)
            if self._opened in (None, self._files.identity):  # not if an operator has replaced the file
                self._check_missing(self._last_event)  # before anything is written: the lost log may be put back
            prepare()
            if not self._may_lack_events:
                self.forget_missing()
        except BaseException:
            self._close_connections()
            raise
        self._is_open, self._opened = True, self._files.identity
        self._is_reported = False

    def _reopen(self) -> None:
        """Open the file that has the name now; raises `UnavailableError`, `OSError` or `sqlite3.Error`."""
        try:
            self._open(self._check_schema)
        except (IllegalError, EventsMissingError) as error:
            if not self._is_reported:
                _log.error("the database cannot be used: %s", error)
                self._is_reported = True
            raise UnavailableError(
                "the database cannot be used now: its file is not the one that was served"
            ) from error

    def _check_missing(self, last_event: int) -> None:
        if self._mark and not self._may_lack_events and (num := self._mark.missing(last_event)):
            raise EventsMissingError(num, self.path.name)

    def _save(self, lost: str) -> UnavailableError:
        """Save everything that the open files contain, close them, and open those that have their names now.

        Returns the error for those who wait. Raises an `UnavailableError` without closing anything if saving fails, so
        that the next check can try again.
        """
        sentence = f"its {lost} was deleted, replaced or shortened"
        if not self._changes:
            raise UnavailableError(f"the database cannot be used now: {sentence}")
        try:
            with self._without_readers():
                is_database_here = self._files.is_database_here
                saved = self._saved(is_database_here=is_database_here)
                self._close_files(is_database_here=is_database_here)
        except (UnavailableError, OSError, sqlite3.Error) as error:
            if not self._is_reported:
                _log.error("%s: %s; not all is saved yet, because %s", self.path, sentence, error)
                self._is_reported = True
            raise UnavailableError(f"the database cannot be used now: {sentence}") from error
        _log.error("%s: %s; %s", self.path, sentence, saved)
        self._reopen()
        return UnavailableError(f"the database could not be used: {sentence}; try again")

    def _saved(self, *, is_database_here: bool) -> str:
        """Save what the open files contain, and say where; raises `UnavailableError` or `sqlite3.Error`."""
        with closing(self.writing.raw_connection()) as connection:
            if not is_database_here and self._files.is_deleted:
                return f"the database with everything acknowledged is now {self._copy(connection.driver_connection)}"
            try:
                checkpoint(connection.driver_connection)
            except sqlite3.Error:
                if not self._files.is_log_here:
                    raise
                return "the log could not be read completely"  # a new start would find the same: see `Mark`
        return "everything acknowledged was written into the database" + ("" if is_database_here else ", which moved")

    def _copy(self, source: Any) -> str:
        """Copy the open database to a new file, and return its name."""
        path = self._files.new_name(self.path.name, "rescued")
        try:
            path.touch(PRIVATE_FILE)
            with closing(sqlite3.connect(path)) as copy:
                source.backup(copy)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path.name

    def _close_files(self, *, is_database_here: bool) -> None:
        """Close all connections, after which no log that belongs to another database has the name of this one's.

        The last connection deletes whatever has the name of the log, and the next one to open the database would
        replay it.
        """
        foreign = None if self._files.is_log_here else self._files.set_log_aside()
        self._close_connections()
        if is_database_here:
            return
        if foreign:
            foreign.rename(self._files.log)  # the log of the database that has the name now
        elif self._files.is_log_here:
            self._files.set_log_aside()

    def _close_connections(self) -> None:
        self._is_open = False
        self.writing.dispose()
        self.reading.dispose()
        self._files.close()

    @contextmanager
    def _without_readers(self) -> Iterator[None]:
        """Wait until no thread reads, and let none begin to; raises `UnavailableError` if one reads too long."""
        with self._readers:
            self._is_shut = True
            is_alone = self._readers.wait_for(lambda: not self._num_readers, RESCUE_SECONDS)
        try:
            if not is_alone:
                raise UnavailableError("it is being read")
            yield
        finally:
            with self._readers:
                self._is_shut = False
                self._readers.notify_all()

    def _enter(self) -> bool:
        """Count one reader more, unless the files are not as they were opened."""
        with self._readers:
            self._readers.wait_for(lambda: not self._is_shut)
            if not self._is_open or self._files.lost():
                return False
            self._num_readers += 1
            return True
