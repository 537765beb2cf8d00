"""Processes that start as forks of one that has imported the program.

A new Python takes a second of processor time to import the program and to load its kernels, more than most tests that
start one take for everything else. The first process of a worker starts with `tests.preloaded`; the others are forks of
it. They share neither modules that a test has patched nor open files with the process that starts them.
"""

import multiprocessing
import multiprocessing.forkserver as forkserver
import os
import sys
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.preloaded"])


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
    process = CONTEXT.Process(target=_call, args=(*how, function, args), daemon=True)
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
