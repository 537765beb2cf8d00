"""`in_pool`: runs slow work in dedicated threads, so that slow rules delay other rules, but no move at a table.

Only short work belongs here, because the threads share the interpreter with the tables. Work over many games, reviews
and imports run in the process of `fivedice.server.solving.helper`.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, ParamSpec, TypeVar

from fivedice.server.config.limits import (
    PICTURE_THREADS,
    RECORD_THREADS,
    RULES_THREADS,
)

P = ParamSpec("P")
T = TypeVar("T")

Kind = Literal["rules", "records", "pictures"]
"""`records` is for work on one game."""

_POOLS: dict[Kind, ThreadPoolExecutor] = {
    "rules": ThreadPoolExecutor(RULES_THREADS, "rules"),
    "records": ThreadPoolExecutor(RECORD_THREADS, "records"),
    "pictures": ThreadPoolExecutor(PICTURE_THREADS, "pictures"),
}


async def in_pool(kind: Kind, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread for this kind of work; returns its result."""
    return await asyncio.get_running_loop().run_in_executor(_POOLS[kind], partial(function, *args, **kwargs))
