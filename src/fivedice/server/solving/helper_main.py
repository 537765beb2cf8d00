"""The helper process: `python -m fivedice.server.solving.helper_main`, started by `helper.Helper`.

It calls the functions that it receives on standard input, and writes their results to standard output. It ends at once
when its input ends, which happens at the latest when the server dies.
"""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

from fivedice.server.config.limits import HELPER_NICENESS, MAX_HELPER_BYTES
from fivedice.server.solving.child_process import lower_priority
from fivedice.server.solving.wire import LENGTH_BYTES, decode, encode


def main() -> None:
    """Serve until standard input ends."""
    # A terminal and a service manager signal the whole group; the server decides when its helper ends.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    lower_priority(HELPER_NICENESS)
    _limit_memory()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not disturb the answers
    Calls(requests, answers).run()
    os._exit(0)  # at once, in the middle of calls whose results nobody waits for


class Calls:
    """Reads calls and writes their results. Each lane has a thread, which takes its calls in order."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._lanes: dict[str, ThreadPoolExecutor] = {}
        self._writing = threading.Lock()

    def run(self) -> None:
        """Take calls until there are no more."""
        while len(length := self._requests.read(LENGTH_BYTES)) == LENGTH_BYTES:
            message = self._requests.read(int.from_bytes(length, "big"))
            number, lane, call = decode(message)
            if lane not in self._lanes:
                self._lanes[lane] = ThreadPoolExecutor(1, lane)
            self._lanes[lane].submit(self._answer, number, call)

    def _answer(self, number: int, call: bytes) -> None:
        try:
            answer = encode((number, None, _called(call)))
        except MemoryError:
            # Whatever this process holds cannot be trusted to be complete, and memory that is left is needed to end.
            sys.stderr.write(f"more than {MAX_HELPER_BYTES:,} bytes of memory\n")
            sys.stderr.flush()
            os._exit(1)
        except Exception as error:  # noqa: BLE001
            answer = _encoded_error(number, error)
        with self._writing:
            self._answers.write(answer)
            self._answers.flush()


def _called(call: bytes) -> object:
    function, args = decode(call)
    typed: Callable[..., object] = function
    return typed(*args)


def _encoded_error(number: int, error: Exception) -> bytes:
    """The answer of a call that failed; an error that cannot be sent is replaced by its description."""
    error.add_note(f"in the helper process:\n{traceback.format_exc()}")
    try:
        answer = encode((number, error, None))
        decode(answer[LENGTH_BYTES:])
    except Exception:  # noqa: BLE001
        described = RuntimeError(f"{type(error).__name__}: {error}")
        described.add_note(error.__notes__[-1])
        answer = encode((number, described, None))
    return answer


def _limit_memory() -> None:
    """Limit the memory of this process, without files that it maps, on systems that can."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = MAX_HELPER_BYTES if most == resource.RLIM_INFINITY else min(MAX_HELPER_BYTES, most)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


if __name__ == "__main__":
    main()
