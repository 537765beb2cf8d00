"""`answer_stream`: answers to the lines of a file, in order, as soon as each line can be read.

A few lines are answered by this process in plain Python, so that a program that writes one line and waits for its
answer gets it at once. As soon as many lines wait, they are answered by worker processes with the compiled kernels, one
for each processor.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from functools import cached_property, lru_cache
from queue import Queue
from threading import Lock, Thread
from typing import TYPE_CHECKING, TextIO, TypeAlias

from fivedice.base.errors import MalformedError
from fivedice.base.outside_text import UTF_16
from fivedice.cli.batch.line_by_line import Answered, LineByLine
from fivedice.cli.saved_advice import table_of
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.processors import num_processors

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from fivedice.cli.batch.many_lines import ManyLines
    from fivedice.solver.solution import Solution

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
            answered = _result(future) if future else line_by_line.answer(lines)
            if answered is None:
                line_by_line.solve(lines)  # here, so that each ruleset is solved once
                answered = _result(workers.answer(lines)) or line_by_line.answer(lines)
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
    rest = None
    while data := read(READ_BYTES):
        if rest is None and data.startswith(UTF_16):
            raise MalformedError("the lines are UTF-16 text: save them as UTF-8")
        whole, end, rest = ((rest or b"") + data).rpartition(b"\n")
        rest = rest[: 4 * MAX_LINE]  # a character has at most four bytes
        if end:
            yield whole
    if rest:
        yield rest


def _lines(data: bytes, encoding: str) -> list[str]:
    text = data.decode(encoding, errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [line[:MAX_LINE] for line in text.removesuffix("\n").split("\n")]


def _result(answer: "Future[Answered | None]") -> Answered | None:
    """The answers of a worker; None if it lacks a solution, or has failed."""
    try:
        return answer.result()
    except (BrokenExecutor, MemoryError):
        return None


class _Workers:
    """Worker processes, which start with the first lines they are given. If one is killed, all end."""

    def __init__(self, top: int | None) -> None:
        self._top = top
        self._lock = Lock()
        """Held while processes start, so that none does after the end."""
        self._is_stopped = False

    @property
    def are_started(self) -> bool:
        return "_pool" in vars(self)

    @cached_property
    def _pool(self) -> "ProcessPoolExecutor":
        # Imported here, as below: a few lines need no processes.
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        return ProcessPoolExecutor(num_processors(), get_context("spawn"), initializer=prepare_worker)

    def answer(self, lines: list[str]) -> "Future[Answered | None]":
        """The answers of a worker, which `_result` waits for."""
        from fivedice.simulation.runs.run_tasks import blocked_interrupts

        try:
            with self._lock, blocked_interrupts():
                if self._is_stopped:
                    raise BrokenExecutor
                return self._pool.submit(answer_lines, self._top, lines)
        except BrokenExecutor as error:
            failed: Future[Answered | None] = Future()
            failed.set_exception(error)
            return failed

    def stop(self) -> None:
        """End all workers at once, and start no others."""
        with self._lock:
            self._is_stopped = True
            if self.are_started:
                for process in list(self._pool._processes.values()):  # `kill_workers` of Python 3.14
                    process.kill()
                # Not awaited: the executor may wait for the rest of an answer that one of them was sending.
                self._pool.shutdown(wait=False, cancel_futures=True)


class _UnsolvedError(Exception):
    """The caller has to solve a ruleset; only one process should."""


def prepare_worker() -> None:
    """Import what answers need, and end with the process that started this one."""
    from fivedice.simulation.runs.run_tasks import end_with_parent  # here, because a few lines need no processes

    end_with_parent()
    _many_lines(None)
    gc.freeze()  # what is imported stays
    gc.set_threshold(100_000)  # lists of texts are no garbage to look for


def answer_lines(top: int | None, lines: Sequence[str]) -> Answered | None:
    """The answers, in order; None if a ruleset of the lines is not solved yet."""
    try:
        return _many_lines(top).answer(lines)
    except _UnsolvedError:
        return None


@lru_cache
def _many_lines(top: int | None) -> "ManyLines":
    # Imported here: it loads NumPy, which the process that starts workers does not need.
    from fivedice.cli.batch.many_lines import ManyLines

    return ManyLines(_solution_of, top)


@lru_cache(maxsize=16)
def _solution_of(ruleset: Ruleset) -> "Solution":
    """The saved solution of a ruleset; raises `TooLargeError` if it cannot have one."""
    from fivedice.solver.saved.kept_tables import solutions_folder
    from fivedice.solver.saved.kinds import SOLUTION
    from fivedice.solver.saved.saved_table import UnusableSolutionError
    from fivedice.solver.solve import check_size, default_memory_limit
    from fivedice.solver.tables.states import States

    try:
        solution = SOLUTION.load(ruleset, solutions_folder())
    except UnusableSolutionError:
        solution = None
    if solution is None:
        check_size(States(ruleset), default_memory_limit())
        raise _UnsolvedError
    return solution
