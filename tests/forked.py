"""Processes that start as forks of one that has imported the program.

A new Python takes a second of processor time to import the program and to load its kernels, more than most tests that
start one take for everything else. The first process of a worker starts with `tests.preloaded`; the others are forks of
it. They share neither modules that a test has patched nor open files with the process that starts them.
"""

import asyncio
import multiprocessing
import multiprocessing.forkserver as forkserver
import os
import runpy
import sys
import warnings
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any, cast

from fivedice.server.solving.worker_process import stop_process

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.preloaded"])


def start(
    function: Callable[..., None],
    *args: Any,
    streams: Mapping[int, Connection],
    environment: Mapping[str, str] = os.environ,
) -> ForkServerProcess:
    """Call a function in a new process, with pipes as its standard input (0), output (1) and error (2).

    It has the folder of this process, and by default its environment. The pipes are closed here.
    """
    forkserver.ensure_running()
    key = getattr(forkserver._forkserver, "_forkserver_authkey", None)  # since Python 3.14
    how = (dict(environment), os.getcwd(), key, streams)
    process = _context.Process(target=_call, args=(*how, function, args), daemon=True)
    process.start()
    for stream in streams.values():
        stream.close()
    return process


def _call(
    environment: dict[str, str],
    folder: str,
    key: bytes | None,
    streams: Mapping[int, Connection],
    function: Callable[..., None],
    args: tuple[Any, ...],
) -> None:
    # It may start processes itself: forks of the same process, too, as Python documents but 3.11 does not do.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]
    vars(forkserver._forkserver)["_forkserver_authkey"] = key
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, stream in streams.items():
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    function(*args)


def _run_module(module: str, args: Sequence[str]) -> None:
    """Do what `python -m MODULE ARGS` does."""
    sys.argv = [module, *args]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*found in sys.modules", RuntimeWarning)  # it is preloaded
        runpy.run_module(module, run_name="__main__", alter_sys=True)


class ForkedChild:
    """Has what the server uses of `asyncio.subprocess.Process`."""

    def __init__(
        self, process: ForkServerProcess, stdin: StreamWriter, stdout: StreamReader, stderr: StreamReader
    ) -> None:
        assert process.pid is not None
        self.pid = process.pid
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._status: asyncio.Future[int] = self._loop.create_future()
        self._loop.add_reader(process.sentinel, self._on_end)

    @property
    def returncode(self) -> int | None:
        """The exit status; None while the process runs."""
        return self._status.result() if self._status.done() else None

    def kill(self) -> None:
        """Kill the process. Raises `ProcessLookupError` if it has ended."""
        if self._status.done():
            raise ProcessLookupError
        self._process.kill()

    def send_signal(self, number: int) -> None:
        """Send a signal. Raises `ProcessLookupError` if the process has ended."""
        if self._status.done():
            raise ProcessLookupError
        os.kill(self.pid, number)

    async def wait(self) -> int:
        """Wait for the end of the process, and return its exit status."""
        return await asyncio.shield(self._status)

    def _on_end(self) -> None:
        self._loop.remove_reader(self._process.sentinel)
        self._process.join()
        self._status.set_result(cast("int", self._process.exitcode))
        self._process.close()
        self.stdin.close()


async def start_child(module: str, *args: str) -> ForkedChild:
    """Take the place of the server's `start_child`. Kills the child if it is cancelled."""
    starting = asyncio.create_task(_start_child(module, args))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await stop_process(cast("asyncio.subprocess.Process", await starting))
        raise


async def _start_child(module: str, args: Sequence[str]) -> ForkedChild:
    loop = asyncio.get_running_loop()
    (its_input, stdin), (stdout, its_output), (stderr, its_errors) = (_context.Pipe(duplex=False) for _ in range(3))
    streams = {0: its_input, 1: its_output, 2: its_errors}
    process = await asyncio.to_thread(start, _run_module, module, args, streams=streams)
    writing, protocol = await loop.connect_write_pipe(lambda: StreamReaderProtocol(StreamReader()), stdin)
    readers = [await _reader(pipe) for pipe in (stdout, stderr)]
    return ForkedChild(process, StreamWriter(writing, protocol, None, loop), *readers)


async def _reader(pipe: Connection) -> StreamReader:
    reader = StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: StreamReaderProtocol(reader), pipe)
    return reader
