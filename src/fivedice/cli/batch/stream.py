"""`answer_stream`: answers to the lines of a file, in order, as soon as each line can be read.

A few lines are answered by this process in plain Python, so that a program that writes one line and waits for its
answer gets it at once. As soon as many lines wait, they are answered by worker processes with the compiled kernels, one
for each processor.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Queue
from threading import Lock, Thread
from typing import TextIO, TypeAlias

from fivedice.cli.batch.line_by_line import UNSOLVED, WITH_ERRORS, Answered, LineByLine, read_block, write_block
from fivedice.cli.saved_advice import table_of
from fivedice.solver.processors import num_processors

MAX_LINE = 100_000
"""Characters of a line; the rest is dropped, so that memory stays bounded."""

READ_BYTES = 65_536
"""What is read at once, which is what a pipe holds."""

FEW_BYTES = 16_384
"""Up to so many bytes are answered in plain Python: some 200 lines, in less time than a worker needs to start."""

Read: TypeAlias = Callable[[int], bytes | None]
"""Returns at most so many bytes, as soon as there are any, and none at the end."""


def answer_stream(read: Read, encoding: str, top: int | None, out: TextIO) -> bool:
    """Write the answer to every line, and return whether any of them is an error."""
    workers, line_by_line = _Workers(top), LineByLine(table_of, top)
    waiting: Queue[_Waiting] = Queue(maxsize=2 * num_processors())
    # A daemon thread, because nothing can interrupt it while it waits for input.
    Thread(target=_read_all, args=(read, encoding, workers, waiting), daemon=True, name="input").start()
    any_errors = False
    try:
        while (found := waiting.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            lines, future = found
            answered = future.result() if future else line_by_line.answer(lines)
            if answered is None:
                line_by_line.solve(lines)  # here, so that each ruleset is solved once
                answered = workers.answer(lines).result() or line_by_line.answer(lines)
            text, has_errors = answered
            any_errors |= has_errors
            out.write(text)
            out.flush()
    finally:
        workers.stop()
    return any_errors


_Waiting: TypeAlias = "tuple[list[str], Future[Answered | None] | None] | BaseException | None"
"""Lines, with their answers if they are given to a worker; or why reading failed; or None at the end."""


def _read_all(read: Read, encoding: str, workers: "_Workers", waiting: "Queue[_Waiting]") -> None:
    """Put all lines into a queue, which is bounded, so that reading is never far ahead of the answers."""
    try:
        for data in _blocks_of_lines(read):
            lines = _lines(data, encoding)
            are_few = len(data) <= FEW_BYTES and not waiting.full() and not workers.are_started
            waiting.put((lines, None if are_few else workers.answer(lines)))
        waiting.put(None)
    except BaseException as error:  # noqa: BLE001
        waiting.put(error)  # raised in the main thread


def _blocks_of_lines(read: Read) -> Iterator[bytes]:
    """The input in blocks that end with a line."""
    rest = b""
    while data := read(READ_BYTES):
        whole, end, rest = (rest + data).rpartition(b"\n")
        rest = rest[: 4 * MAX_LINE]  # a character has at most four bytes
        if end:
            yield whole
    if rest:
        yield rest


def _lines(data: bytes, encoding: str) -> list[str]:
    text = data.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return [line[:MAX_LINE] for line in text.removesuffix("\n").split("\n")]


class _Workers:
    """Worker processes, which start with the first lines they are given. Each belongs to a thread that waits for it."""

    def __init__(self, top: int | None) -> None:
        self._arguments = [] if top is None else [str(top)]
        self._threads = ThreadPoolExecutor(num_processors(), thread_name_prefix="batch")
        self._lock = Lock()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._all: list[subprocess.Popen[bytes]] = []
        self._is_stopped = False
        self.are_started = False

    def answer(self, lines: list[str]) -> "Future[Answered | None]":
        """The answers of a worker; None if it lacks a solution, or has failed."""
        self.are_started = True
        return self._threads.submit(self._ask, lines)

    def stop(self) -> None:
        """End all workers at once."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._is_stopped = True
            for process in self._all:
                process.kill()
                process.communicate()

    def _ask(self, lines: list[str]) -> Answered | None:
        try:
            process = self._take()
            assert process.stdin
            assert process.stdout
            write_block(process.stdin, "\n".join(lines).encode())
            answer = read_block(process.stdout)
        except OSError:  # it could not be started, or has ended
            return None
        if answer is None:
            return None
        self._idle.append(process)
        return None if answer[:1] == UNSOLVED else (answer[1:].decode(), answer[:1] == WITH_ERRORS)

    def _take(self) -> subprocess.Popen[bytes]:
        """A worker that has nothing to do."""
        with self._lock:
            if self._is_stopped:
                raise BrokenPipeError
            if self._idle:
                return self._idle.pop()
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "fivedice.cli.batch.worker", *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C interrupts this process, which ends its workers
            )
            self._all.append(process)
            return process
