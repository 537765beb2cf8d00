"""`Helper`: a process that computes for the server, so that long work does not hold its interpreter."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from itertools import count
from typing import Any, Literal, ParamSpec, TypeVar

from fivedice.server.config.limits import HELPER_ATTEMPTS, HELPER_IDLE_SECONDS, HELPER_STUCK_SECONDS
from fivedice.server.solving.child_process import last_line, start_child, stop_child
from fivedice.server.solving.wire import LENGTH_BYTES, decode, encode
from fivedice.storage.engine.unavailable import UnavailableError

P = ParamSpec("P")
T = TypeVar("T")

Lane = Literal["games", "imports", "records"]
"""Calls of one lane run one after another: `games` is for work on many games, `records` for work on one."""

_MODULE = "fivedice.server.solving.helper_main"

_KEPT_ERRORS = 4_096
"""Bytes of standard error that are kept for the log."""

_log = logging.getLogger(__name__)


class LostError(UnavailableError):
    """The helper process ended before its answer."""


class Helper:
    """Runs functions in a child process. All methods must be called on the event loop's thread.

    The process starts when it is first needed, ends after `HELPER_IDLE_SECONDS` without calls, and is replaced if it
    dies or has not answered for `HELPER_STUCK_SECONDS`. `on_lost` is called when it has died. A function must be
    importable and without side effects, because it may be called again, and its arguments and results must be small.
    """

    def __init__(self, on_lost: Callable[[], None] = lambda: None) -> None:
        self._on_lost = on_lost
        self._child: asyncio.Task[_Child] | None = None
        self._is_closed = False
        self._num_calls = 0

    @property
    def num_calls(self) -> int:
        """The number of calls in progress."""
        return self._num_calls

    @property
    def pid(self) -> int | None:
        """The id of the process; None if none runs."""
        return self._child.result().process.pid if self._child and self._child.done() else None

    async def run(self, lane: Lane, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function. A call that is cancelled is completed, and its result discarded.

        Raises what the function raises, and `UnavailableError` if the process dies repeatedly.
        """
        assert not kwargs, "arguments are sent by position"
        self._num_calls += 1
        try:
            for attempt in count(1):
                try:
                    child = await self._started()
                    return await child.call(lane, function, args)  # type: ignore[no-any-return]
                except LostError:
                    if attempt == HELPER_ATTEMPTS or self._is_closed:
                        raise
        finally:
            self._num_calls -= 1
        raise AssertionError

    async def close(self) -> None:
        """End the process; later calls raise `UnavailableError`."""
        self._is_closed = True
        if self._child:
            with contextlib.suppress(LostError):
                await (await self._child).close()

    async def _started(self) -> "_Child":
        if self._is_closed:
            raise LostError("the server is stopping")
        if self._child is None:
            self._child = asyncio.create_task(self._start())
        return await asyncio.shield(self._child)  # others wait for it too

    async def _start(self) -> "_Child":
        try:
            return _Child(await start_child(_MODULE), self._end)
        except OSError as error:
            self._child = None
            raise LostError(f"the process that computes this cannot start: {error.strerror}") from None

    def _end(self, is_expected: bool) -> None:
        self._child = None
        if not is_expected:
            self._on_lost()


class _Child:
    """A running helper process; calls `on_end` with whether it was meant to end."""

    def __init__(self, process: asyncio.subprocess.Process, on_end: Callable[[bool], None]) -> None:
        self.process = process
        self._on_end = on_end
        self._numbers = count()
        self._calls: dict[int, asyncio.Future[Any]] = {}
        self._errors = b""
        self._is_expected = False
        self._timer: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._follow())
        self._wait()

    async def call(self, lane: Lane, function: Callable[..., object], args: tuple[object, ...]) -> Any:
        """The result of a function; raises `LostError` if the process ends first."""
        number, result = next(self._numbers), asyncio.get_running_loop().create_future()
        # The call is a message of its own, so that the helper decodes it in the thread of its lane.
        message = encode((number, lane, encode((function, args))[LENGTH_BYTES:]))
        if not self._calls:
            self._wait(HELPER_STUCK_SECONDS)
        self._calls[number] = result
        assert self.process.stdin is not None
        self.process.stdin.write(message)
        with contextlib.suppress(ConnectionError):  # then the process has ended, which `_follow` notices
            await self.process.stdin.drain()
        return await result

    async def close(self) -> None:
        """Kill the process, and wait until it has ended."""
        self._is_expected = True
        await stop_child(self.process)
        await self._task

    async def _follow(self) -> None:
        """Pass on the answers until the process has ended."""
        reading = asyncio.create_task(self._read_errors())
        assert self.process.stdout is not None
        try:
            while True:
                length = await self.process.stdout.readexactly(LENGTH_BYTES)
                self._finish(*decode(await self.process.stdout.readexactly(int.from_bytes(length, "big"))))
        except asyncio.IncompleteReadError:
            pass
        finally:
            await stop_child(self.process)
            await reading
            self._lose()

    def _finish(self, number: int, error: Exception | None, result: object) -> None:
        waiting = self._calls.pop(number)
        self._wait(HELPER_STUCK_SECONDS if self._calls else None)
        if waiting.done():
            return  # the caller was cancelled
        if error is None:
            waiting.set_result(result)
        else:
            waiting.set_exception(error)

    def _lose(self) -> None:
        if self._timer:
            self._timer.cancel()
        if not self._is_expected:
            status, reason = self.process.returncode, last_line(self._errors)
            _log.error("the helper process ended (status %s); it will be replaced: %s", status, reason or "no reason")
        self._on_end(self._is_expected)
        for waiting in self._calls.values():
            if not waiting.done():
                waiting.set_exception(
                    LostError("the process that computes this has ended unexpectedly: repeat the request in a minute")
                )

    async def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while text := await self.process.stderr.read(_KEPT_ERRORS):
            self._errors = (self._errors + text)[-_KEPT_ERRORS:]

    def _wait(self, seconds: float | None = None) -> None:
        """Kill the process unless it answers within this time; None if it has nothing to answer."""
        if self._timer:
            self._timer.cancel()
        end = self._stop_idle if seconds is None else self._stop_stuck
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(HELPER_IDLE_SECONDS if seconds is None else seconds, end)

    def _stop_idle(self) -> None:
        self._is_expected = True
        self._kill()

    def _stop_stuck(self) -> None:
        self._errors += f"\nno answer for {HELPER_STUCK_SECONDS:.0f} s".encode()
        self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
