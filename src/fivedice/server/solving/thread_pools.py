"""`in_pool`: runs slow work in dedicated threads, so that slow imports delay other imports, but no move at a table.

`fivedice.server.ops.jobs` shares a pool fairly: a job hands over one short piece of its work at a time, so the pieces
of all running jobs take turns. The threads share the interpreter with the tables. So the pool with the longest jobs
rests between pieces, `GAME_REST` times as long as they took.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, ParamSpec, TypeVar

from fivedice.server.config.limits import (
    GAME_REST,
    GAME_THREADS,
    IMPORT_THREADS,
    MAX_OWED_REST_SECONDS,
    PICTURE_THREADS,
    RECORD_THREADS,
    RULES_THREADS,
)

P = ParamSpec("P")
T = TypeVar("T")

Kind = Literal["imports", "rules", "games", "records", "pictures"]
"""`games` is for work on many games, `records` for work on one."""

_POOLS: dict[Kind, ThreadPoolExecutor] = {
    "imports": ThreadPoolExecutor(IMPORT_THREADS, "imports"),
    "rules": ThreadPoolExecutor(RULES_THREADS, "rules"),
    "games": ThreadPoolExecutor(GAME_THREADS, "games"),
    "records": ThreadPoolExecutor(RECORD_THREADS, "records"),
    "pictures": ThreadPoolExecutor(PICTURE_THREADS, "pictures"),
}


async def in_pool(kind: Kind, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread for this kind of work; returns its result."""
    call = partial(function, *args, **kwargs)
    if kind == "games":
        call = partial(_then_rest, call)
    return await asyncio.get_running_loop().run_in_executor(_POOLS[kind], call)


class _Rests(threading.local):
    """The rest that a thread owes: `GAME_REST` times its work, less the time since then in which it had none."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._since = time.monotonic()

    def add(self, worked: float) -> None:
        """Rest, if the thread owes more than `MAX_OWED_REST_SECONDS`: short work is never delayed."""
        idle = time.monotonic() - self._since - worked
        self._seconds = max(0.0, self._seconds - idle) + GAME_REST * worked
        if self._seconds > MAX_OWED_REST_SECONDS:
            time.sleep(self._seconds)
            self._seconds = 0.0
        self._since = time.monotonic()


_rests = _Rests()


def _then_rest(call: Callable[[], T]) -> T:
    began = time.thread_time()
    try:
        return call()
    finally:
        _rests.add(time.thread_time() - began)
