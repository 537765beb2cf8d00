"""`held_interrupts`: Ctrl-C only where a loop can be left, since the locks of pools survive no exception anywhere."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """Hold back Ctrl-C until the block ends, or calls the function given to it, which then raises `KeyboardInterrupt`.

    No-op in threads other than the main one, which Ctrl-C does not reach.
    """
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield lambda: None
        return
    waiting: list[FrameType | None] = []

    def hold(number: int, frame: FrameType | None) -> None:
        waiting[:] = [frame]

    def release() -> None:
        if waiting:
            signal.signal(signal.SIGINT, before)
            before(signal.SIGINT, waiting.pop())

    signal.signal(signal.SIGINT, hold)
    try:
        yield release
        release()
    finally:
        if signal.getsignal(signal.SIGINT) == hold:
            signal.signal(signal.SIGINT, before)


@contextmanager
def blocked_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, not even before their first line; not on Windows."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
