"""A worker process: `python -m fivedice.server.solving.worker NICENESS BYTES`, started by `worker_process`.

It calls the functions that it receives on standard input, one after another, and writes their results to standard
output. It ends at once when its input ends, which happens at the latest when the server dies. Its memory is limited
unless BYTES is 0.
"""

import ctypes
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

from fivedice.server.solving.wire import LENGTH_BYTES, decode, encode

_PR_SET_PDEATHSIG = 1


def main(niceness: int, most_bytes: int) -> None:
    """Serve until standard input ends."""
    # A terminal and a service manager signal the whole group; the server decides when its workers end.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":  # a paused process cannot notice that its input ends
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.nice(niceness)
    if most_bytes:
        _limit_memory(most_bytes)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not disturb the answers
    Calls(requests, answers).run()
    os._exit(0)  # at once, in the middle of a call whose result nobody waits for


class Calls:
    """Reads calls and writes their results and progress; a thread takes them in order."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._writing = threading.Lock()

    def run(self) -> None:
        """Take calls until there are no more."""
        pool = ThreadPoolExecutor(1)
        while len(length := self._requests.read(LENGTH_BYTES)) == LENGTH_BYTES:
            number, call = decode(self._requests.read(int.from_bytes(length, "big")))
            pool.submit(self._answer, number, call)

    def _answer(self, number: int, call: bytes) -> None:
        _current.report = lambda share: self._write(encode((number, share, b"")))
        try:
            function, args = decode(call)
            typed: Callable[..., object] = function
            outcome = encode((None, typed(*args)))
        except MemoryError:
            # Whatever this process holds cannot be trusted to be complete, and memory that is left is needed to end.
            sys.stderr.write("more memory than is allowed\n")
            sys.stderr.flush()
            os._exit(1)
        except Exception as error:  # noqa: BLE001
            outcome = _encoded_error(error)
        # A message of its own, which a machine in between passes on as it is.
        self._write(encode((number, None, outcome[LENGTH_BYTES:])))

    def _write(self, answer: bytes) -> None:
        with self._writing:
            self._answers.write(answer)
            self._answers.flush()


class _Current:
    """The call in progress."""

    report: Callable[[float], None] = staticmethod(lambda share: None)


_current = _Current()


def report(done: int, of: int) -> None:
    """Tell the server the progress of the call in progress."""
    _current.report(done / of)


def _encoded_error(error: Exception) -> bytes:
    """The outcome of a call that failed; an error that cannot be sent is replaced by its description."""
    error.add_note(f"in a worker process:\n{traceback.format_exc()}")
    try:
        outcome = encode((error, None))
        decode(outcome[LENGTH_BYTES:])
    except Exception:  # noqa: BLE001
        described = RuntimeError(f"{type(error).__name__}: {error}")
        described.add_note(error.__notes__[-1])
        outcome = encode((described, None))
    return outcome


def _limit_memory(most_bytes: int) -> None:
    """Limit the memory of this process, without files that it maps, on systems that can."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = most_bytes if most == resource.RLIM_INFINITY else min(most_bytes, most)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
