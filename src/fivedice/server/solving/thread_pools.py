"""`in_pool`: runs slow work in dedicated threads, so that slow imports delay other imports, but no move at a table.

`fivedice.server.ops.jobs` shares a pool fairly: a job hands over one short piece of its work at a time, so the pieces
of all running jobs take turns.
"""

import asyncio
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
    return await asyncio.get_running_loop().run_in_executor(_POOLS[kind], partial(function, *args, **kwargs))
