"""`WorkerProcess`: a process of the server that calls functions, at low priority."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable
from itertools import count
from typing import Any

from fivedice.server.solving.wire import LENGTH_BYTES, decode, encode
from fivedice.storage.engine.unavailable import UnavailableError

WORKER_IDLE_SECONDS = 600.0
"""Without work before it ends."""

_MODULE = "fivedice.server.solving.worker"

_KEPT_ERRORS = 4_096
"""Bytes of standard error that are kept for the log."""


class LostError(UnavailableError):
    """A worker process ended before its answer. `status` is its exit status, and `reason` its last line, if any."""

    def __init__(self, sentence: str, status: int | None = None, reason: str = "") -> None:
        super().__init__(sentence)
        self.status = status
        self.reason = reason


async def start_child(module: str, *args: str) -> asyncio.subprocess.Process:
    """Start `python -m MODULE ARGS` with pipes for standard input, output and error."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *args), stdin=pipe, stdout=pipe, stderr=pipe
    )


async def stop_process(child: asyncio.subprocess.Process) -> None:
    """Kill a child unless it has ended, and wait for its end."""
    if child.returncode is None:
        child.kill()
        await child.wait()


class WorkerProcess:
    """A running worker, whose calls run one after another; calls `on_end` with the reason if it was not meant to end.

    It ends without calls for `WORKER_IDLE_SECONDS`, and when it has not answered for `stuck_seconds`.
    """

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        on_end: Callable[[LostError | None], None],
        stuck_seconds: float | None,
    ) -> None:
        self.process = process
        self._on_end = on_end
        self._stuck_seconds = stuck_seconds
        self._numbers = count()
        self._calls: dict[int, tuple[asyncio.Future[Any], Callable[[float], None]]] = {}
        self._errors = b""
        self._is_expected = False
        self._timer: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._follow())
        self._wait()

    @classmethod
    async def start(
        cls,
        niceness: int,
        most_bytes: int = 0,
        on_end: Callable[[LostError | None], None] = lambda lost: None,
        stuck_seconds: float | None = None,
    ) -> "WorkerProcess":
        """Start a process; raises `LostError` if the system starts none."""
        try:
            return cls(await start_child(_MODULE, str(niceness), str(most_bytes)), on_end, stuck_seconds)
        except OSError as error:
            raise LostError(f"the process that computes this cannot start: {error.strerror}") from None

    async def call(
        self, function: Callable[..., object], *args: object, on_progress: Callable[[float], None] = lambda share: None
    ) -> Any:
        """The result of a function; raises what it raises, and `LostError` if the process ends first."""
        number, result = next(self._numbers), asyncio.get_running_loop().create_future()
        # The call is a message of its own, so that an error in decoding it is the answer to this call.
        message = encode((number, encode((function, args))[LENGTH_BYTES:]))
        self._calls[number] = result, on_progress
        if len(self._calls) == 1:
            self._wait()
        assert self.process.stdin is not None
        self.process.stdin.write(message)
        with contextlib.suppress(ConnectionError):  # then the process has ended, which `_follow` notices
            await self.process.stdin.drain()
        error, found = decode(await result)
        if error is not None:
            raise error
        return found

    def pause(self) -> None:
        """Stop it in the middle of its work."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on after a pause."""
        self._send(signal.SIGCONT)

    async def close(self) -> None:
        """Kill the process, and wait until it has ended."""
        self._is_expected = True
        await stop_process(self.process)
        await self._task

    def _send(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has ended
            self.process.send_signal(number)

    async def _follow(self) -> None:
        """Pass on the answers until the process has ended."""
        reading = asyncio.create_task(self._read_errors())
        assert self.process.stdout is not None
        try:
            while True:
                length = await self.process.stdout.readexactly(LENGTH_BYTES)
                self._receive(*decode(await self.process.stdout.readexactly(int.from_bytes(length, "big"))))
        except asyncio.IncompleteReadError:
            pass
        finally:
            await stop_process(self.process)
            await reading
            self._lose()

    def _receive(self, number: int, share: float | None, outcome: bytes) -> None:
        waiting, on_progress = self._calls[number]
        if share is not None:
            on_progress(share)
            return
        del self._calls[number]
        self._wait()
        if not waiting.done():  # else the caller was cancelled
            waiting.set_result(outcome)

    def _lose(self) -> None:
        if self._timer:
            self._timer.cancel()
        lost = LostError(
            "the process that computes this has ended unexpectedly: repeat the request in a minute",
            self.process.returncode,
            self._errors.decode(errors="replace").strip().rpartition("\n")[2],
        )
        self._on_end(None if self._is_expected else lost)
        for waiting, _ in self._calls.values():
            if not waiting.done():
                waiting.set_exception(lost)

    async def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while text := await self.process.stderr.read(_KEPT_ERRORS):
            self._errors = (self._errors + text)[-_KEPT_ERRORS:]

    def _wait(self) -> None:
        """Let the process end if it has no call, or does not answer, for too long from now."""
        if self._timer:
            self._timer.cancel()
        seconds, end = (
            (self._stuck_seconds, self._stop_stuck) if self._calls else (WORKER_IDLE_SECONDS, self._stop_idle)
        )
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, end)

    def _stop_idle(self) -> None:
        self._is_expected = True
        self._send(signal.SIGKILL)

    def _stop_stuck(self) -> None:
        self._errors += f"\nno answer for {self._stuck_seconds:.0f} s".encode()
        self._send(signal.SIGKILL)
