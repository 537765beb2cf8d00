"""`in_pool`: runs slow work in dedicated threads, so that slow imports delay other imports, but no move at a table.

`fivedice.server.ops.jobs` shares a pool fairly: a job hands over one short piece of its work at a time, so the pieces
of all running jobs take turns. The threads share the interpreter with the tables. So the pool with the longest jobs
rests after each piece for as long as that took.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, ParamSpec, TypeVar

from fivedice.server.config.limits import GAME_THREADS, IMPORT_THREADS, PICTURE_THREADS, RECORD_THREADS, RULES_THREADS

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


def _then_rest(call: Callable[[], T]) -> T:
    began = time.thread_time()
    try:
        return call()
    finally:
        time.sleep(time.thread_time() - began)
