"""`interruptible`: Ctrl-C ends a command within two seconds, whatever it is doing."""

import atexit
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import NoReturn

GRACE = 1.5
"""Seconds that an interrupted command has to say what it did and to stop its threads."""

STATUS = 130
"""The exit status of an interrupted command: 128 and the number of the signal, as in shells."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the first Ctrl-C raise `KeyboardInterrupt`, ignore all others, and end the process `GRACE` seconds later.

    Python runs handlers of signals between two steps of the main thread, and solving is one step, which can take
    longer; a thread therefore learns of the signal from Python's C code. The end does not wait for threads.
    No-op where Ctrl-C is ignored already, as in the background of a script.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        yield
        return
    for_thread, for_signals = socket.socketpair()
    for_signals.setblocking(False)
    before = signal.signal(signal.SIGINT, _interrupt)
    woken_before = signal.set_wakeup_fd(for_signals.fileno(), warn_on_full_buffer=False)
    Thread(target=_end_after_interrupt, args=(for_thread,), daemon=True, name="interrupts").start()
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            leave(STATUS)
        signal.signal(signal.SIGINT, before)
        signal.set_wakeup_fd(woken_before)
        for_signals.close()


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would interrupt what the first one cleans up
    raise KeyboardInterrupt


def leave(status: int) -> NoReturn:
    """End the process as at its usual end, but without waiting for threads and freeing what they use."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # it is not read any more
            stream.flush()
    os._exit(status)


def _end_after_interrupt(signals: socket.socket) -> None:
    while received := signals.recv(64):
        if signal.SIGINT in received:
            time.sleep(GRACE)
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), b"\x1b[?25h\n")  # the cursor, which a progress bar hides
            os._exit(STATUS)
